"""Scikit-learn selectors."""

from fewest.selection.focus import Focus1, Focus2

__all__ = ["Focus1", "Focus2"]
