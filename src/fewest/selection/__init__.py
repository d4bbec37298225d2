"""Scikit-learn selectors."""

from fewest.selection.focus import Focus1, Focus2
from fewest.selection.greedy import MutualInformationGreedy, SimpleGreedy, WeightedGreedy
from fewest.selection.min_features import MinFeatures

__all__ = ["Focus1", "Focus2", "MinFeatures", "MutualInformationGreedy", "SimpleGreedy", "WeightedGreedy"]
