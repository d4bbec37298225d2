"""What `read_table` returns goes into every estimator, with its names."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from fewest import (
    CFPClassifier,
    FringeClassifier,
    ID3Classifier,
    MinFeatures,
    OrderedFS,
    Relief,
    ReliefF,
    ReliefThenCover,
    SimpleGreedy,
)
from fewest.datasets import load_votes

SELECTORS = [
    MinFeatures(),
    SimpleGreedy(),
    Relief(n_features_to_select=3, random_state=0),
    ReliefF(n_features_to_select=3),
    ReliefThenCover(),
    OrderedFS(ID3Classifier(), beam_width=2, max_features=2, random_state=0),
]
LEARNERS = [ID3Classifier(), FringeClassifier(max_iter=2), CFPClassifier(), SELECTORS[-1]]


@pytest.fixture(scope="module")
def votes():
    table = load_votes().take(np.arange(120))
    return table.drop("party"), table["party"]


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda each: type(each).__name__)
def test_selectors_take_tables(selector, votes):
    X, y = votes
    expected = clone(selector).fit(X.to_arrow(), y.to_list())
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        found = clone(selector).fit(X, y)
        kept = found.transform(X)
    assert found.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    assert kept.shape == (120, found.get_support().sum())


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda each: type(each).__name__)
def test_learners_take_tables(learner, votes):
    X, y = votes
    expected = clone(learner).fit(X.to_arrow(), y.to_list()).predict(X.to_arrow())
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        assert clone(learner).fit(X, y).predict(X).tolist() == expected.tolist()
