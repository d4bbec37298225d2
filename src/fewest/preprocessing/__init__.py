"""Transformers of columns: numeric values into intervals, values of any kind into Boolean features."""
