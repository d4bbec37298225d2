"""What the tests of a tree gain, by feature."""

import numpy as np
import pytest

from fewest import FringeClassifier, ID3Classifier

RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (300, 5))


def entropy(y):
    shares = np.bincount(y) / len(y)
    return -sum(share * np.log2(share) for share in shares if share)


def test_gains_are_those_of_the_tests():
    y = X[:, 1] & X[:, 3]
    importances = ID3Classifier().fit(X, y).feature_importances_
    first = max((1, 3), key=lambda j: -sum((X[:, j] == v).mean() * entropy(y[X[:, j] == v]) for v in (0, 1)))
    left = sum((X[:, first] == v).mean() * entropy(y[X[:, first] == v]) for v in (0, 1))
    assert importances[first] == pytest.approx((entropy(y) - left) / entropy(y))
    assert importances[4 - first] == pytest.approx(left / entropy(y))
    assert importances[[0, 2, 4]].tolist() == [0, 0, 0]


def test_rows_count_by_their_weight():
    y = X[:, 0] | X[:, 2]
    weights = RNG.integers(1, 4, 300)
    weighed = ID3Classifier().fit(X, y, sample_weight=weights).feature_importances_
    repeated = ID3Classifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).feature_importances_
    np.testing.assert_allclose(weighed, repeated)


def test_columns_of_a_conjunction_share_its_gain():
    importances = FringeClassifier().fit(X, X[:, 1] & X[:, 3]).feature_importances_
    np.testing.assert_allclose(importances, [0, 0.5, 0, 0.5, 0])


@pytest.mark.parametrize("classifier", [ID3Classifier(), FringeClassifier()])
def test_a_leaf_alone_gains_nothing(classifier):
    assert classifier.fit(X, np.zeros(300, dtype=int)).feature_importances_.tolist() == [0] * 5
