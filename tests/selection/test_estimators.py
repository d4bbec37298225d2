"""What scikit-learn asks of every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import Focus1, Focus2, MinFeatures, MutualInformationGreedy, SimpleGreedy, WeightedGreedy

ESTIMATORS = [
    Focus1(),
    Focus1(missing="cautious"),
    Focus2(),
    Focus2(missing="cautious"),
    MinFeatures(),
    MutualInformationGreedy(),
    SimpleGreedy(),
    WeightedGreedy(),
]


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
