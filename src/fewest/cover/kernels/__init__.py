"""Compiled and NumPy loops of the cover methods: partitions of rows, conflicts, covers."""

# A sample of this many open conflicts shows which features cover the most: both engines of the solver order by it.
ORDER_SAMPLE = 128
