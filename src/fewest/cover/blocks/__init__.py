"""The examples of the cover methods where the rows are in blocks: the same answers as in memory.

`sample` answers all questions that searches ask; `splits` counts for those that add one feature after the other.
"""
