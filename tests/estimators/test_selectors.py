"""What scikit-learn asks of every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import (
    Focus1,
    Focus2,
    MinFeatures,
    MutualInformationGreedy,
    Relief,
    ReliefF,
    ReliefThenCover,
    RReliefF,
    SimpleGreedy,
    WeightedGreedy,
)

ESTIMATORS = [
    Focus1(),
    Focus1(missing="cautious"),
    Focus2(),
    Focus2(missing="cautious"),
    MinFeatures(),
    MutualInformationGreedy(),
    Relief(),
    Relief(max_samples=50, threshold=0.0),
    ReliefF(),
    ReliefF(n_features_to_select=1, identical="skip"),
    RReliefF(),
    ReliefThenCover(),
    SimpleGreedy(),
    WeightedGreedy(),
]


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
