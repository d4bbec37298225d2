"""Scikit-learn selectors."""

from fewest.selection.focus import Focus1, Focus2
from fewest.selection.greedy import MutualInformationGreedy, SimpleGreedy, WeightedGreedy
from fewest.selection.min_features import MinFeatures
from fewest.selection.relief import Relief, ReliefF, RReliefF
from fewest.selection.relief_then_cover import ReliefThenCover

__all__ = [
    "Focus1",
    "Focus2",
    "MinFeatures",
    "MutualInformationGreedy",
    "RReliefF",
    "Relief",
    "ReliefF",
    "ReliefThenCover",
    "SimpleGreedy",
    "WeightedGreedy",
]
