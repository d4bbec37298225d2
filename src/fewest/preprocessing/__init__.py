"""Transformers of columns: numeric values into intervals, values of any kind into Boolean features."""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
