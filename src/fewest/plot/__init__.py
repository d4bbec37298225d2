"""Drawings: everything that is drawn with matplotlib, which `pip install "fewest[plot]"` brings."""

from fewest.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
