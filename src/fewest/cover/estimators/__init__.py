"""The cover methods as scikit-learn selectors: validate, select, store."""

from fewest.cover.estimators.focus import Focus1, Focus2
from fewest.cover.estimators.greedy import MutualInformationGreedy, SimpleGreedy, WeightedGreedy
from fewest.cover.estimators.min_description import MinDescription
from fewest.cover.estimators.min_features import MinFeatures

__all__ = [
    "Focus1",
    "Focus2",
    "MinDescription",
    "MinFeatures",
    "MutualInformationGreedy",
    "SimpleGreedy",
    "WeightedGreedy",
]
