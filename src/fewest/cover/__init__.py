"""FOCUS and its kin: the fewest features that separate the classes (Almuallim and Dietterich, 1994, sections 4 to 6).

Choosing features is covering conflicts: pairs of rows of different class, each covered by the features in which its
two rows differ.
"""
