"""What scikit-learn asks of every estimator."""

import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import OrderedFS, OrderedFS2, StandardWrap

ESTIMATORS = [
    StandardWrap(GaussianNB(), random_state=0),
    OrderedFS(GaussianNB(), random_state=0),
    OrderedFS(LinearRegression(), fast=False, beam=2, random_state=0),
    OrderedFS2(GaussianNB(), random_state=0),
]


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")  # scikit-learn's naive Bayes, for weights of 0
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
