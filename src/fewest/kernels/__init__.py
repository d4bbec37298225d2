"""Loops over arrays that several methods share; none reads a file, an option or a message.

`compile_or_not` decides whether compiled code runs, and `compiled` and `intrinsics` compile it. `bits` are sets of
features, 64 to a word; `bit_planes` are columns, 64 rows to a word. `partition` groups rows, `entropy` measures the
groups, and `split_mix` gives random numbers by counting.
"""
