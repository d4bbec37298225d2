"""Scikit-learn selectors."""

from fewest.selection.focus import Focus1, Focus2
from fewest.selection.min_features import MinFeatures

__all__ = ["Focus1", "Focus2", "MinFeatures"]
