"""Compiled and NumPy loops of the cover methods: partitions of rows, conflicts, covers."""
