"""Fits of many subsets at once, compiled and in NumPy, against one at a time by loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.wrapper.kernels import least_squares
from fewest.wrapper.kernels.layout import Gaussians, LogOdds, Moves, Penalised, Products, Rows
from fewest.wrapper.kernels.least_squares import children_errors, children_errors_numpy, one_more
from fewest.wrapper.kernels.logistic import linear_errors, logistic_fits
from fewest.wrapper.kernels.logistic_numpy import (
    class_errors_numpy,
    linear_errors_numpy,
    logistic_fits_numpy,
    multinomial_fits_numpy,
)
from fewest.wrapper.kernels.multinomial import class_errors, multinomial_fits
from fewest.wrapper.kernels.naive_bayes import (
    bernoulli_errors,
    bernoulli_errors_numpy,
    gaussian_errors,
    gaussian_errors_numpy,
)
from naive import wrappers as naive

PARENTS, STARTS, ADDED = np.array([[0, 2], [1, 3]]), np.array([0, 2, 3]), np.array([1, 3, 0])
CHILDREN = [[0, 2, 1], [0, 2, 3], [1, 3, 0]]
MOVES = Moves(PARENTS, STARTS, ADDED)

seeds = st.integers(0, 10**6)


def sample(seed, n_rows=24):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 4)) + rng.integers(-1, 2, 4)
    return rng, X, rng.integers(0, 2, n_rows), rng.integers(1, 4, n_rows).astype(float)


@pytest.mark.parametrize(("fit", "count"), [(logistic_fits, linear_errors), (logistic_fits_numpy, linear_errors_numpy)])
@settings(deadline=None, max_examples=25)
@given(
    seed=seeds,
    penalty=st.sampled_from([0.1, 1.0, 20.0]),
    intercept=st.integers(0, 1),
    is_known=st.tuples(st.booleans(), st.booleans()),
)
def test_logistic_regressions(fit, count, seed, penalty, intercept, is_known):
    """Whether their parents were fitted before or not."""
    _, X, y, weights = sample(seed)
    rows = Rows(np.ascontiguousarray(X.T), y.astype(float), weights)
    coefs, wrong, again, known = np.empty((3, 4)), np.empty(3), np.empty(3), np.full((2, 3), np.nan)
    for parent in np.flatnonzero(is_known):
        own = X[:, PARENTS[parent]].tolist()
        known[parent] = naive.logistic(own, y.tolist(), weights.tolist(), penalty, bool(intercept))
    fit(rows, Penalised(penalty, intercept), MOVES, known, coefs, wrong)
    count(rows, coefs, MOVES, again)
    for child, features in enumerate(CHILDREN):
        expected = naive.logistic(X[:, features].tolist(), y.tolist(), weights.tolist(), penalty, bool(intercept))
        np.testing.assert_allclose(coefs[child], expected, atol=1e-6)
        scores = expected[0] + X[:, features] @ expected[1:]
        if np.abs(scores).min() > 1e-5:
            assert wrong[child] == again[child] == weights[(scores > 0) != y].sum()


@pytest.mark.parametrize(
    ("fit", "count"), [(multinomial_fits, class_errors), (multinomial_fits_numpy, class_errors_numpy)]
)
@settings(deadline=None, max_examples=15)
@given(
    seed=seeds,
    n_classes=st.integers(2, 4),
    penalty=st.sampled_from([0.1, 1.0, 20.0]),
    intercept=st.integers(0, 1),
    is_known=st.tuples(st.booleans(), st.booleans()),
)
def test_logistic_regressions_of_several_classes(fit, count, seed, n_classes, penalty, intercept, is_known):
    rng, X, _, weights = sample(seed)
    labels = rng.integers(0, n_classes, len(X))
    labels[:n_classes] = range(n_classes)
    rows, known = Rows(np.ascontiguousarray(X.T), labels, weights), np.full((2, 3, n_classes), np.nan)
    coefs, wrong = np.empty((3, 4, n_classes)), np.empty(3)

    def expected(features):
        place = (X[:, features].tolist(), labels.tolist(), weights.tolist())
        return np.array(naive.multinomial(*place, penalty, bool(intercept), n_classes)).T

    for parent in np.flatnonzero(is_known):
        known[parent] = expected(PARENTS[parent])
    fit(rows, Penalised(penalty, intercept), MOVES, known, coefs)
    count(rows, coefs, MOVES, wrong)
    for child, features in enumerate(CHILDREN):
        own = expected(features)
        np.testing.assert_allclose(coefs[child], own, atol=1e-6)
        scores = own[0] + X[:, features] @ own[1:]
        best, second = np.sort(scores, axis=1)[:, [-1, -2]].T
        if (best - second).min() > 1e-5:
            assert wrong[child] == weights[scores.argmax(axis=1) != labels].sum()


@pytest.mark.parametrize("count", [class_errors, class_errors_numpy])
def test_of_classes_that_are_as_likely_the_first_is_predicted(count):
    """Whatever rounding leaves of a difference; what was not fitted has no error."""
    coefs, wrong = np.zeros((3, 4, 3)), np.empty(3)
    coefs[:, 0] = [0.0, 1e-14, -1e-14]
    coefs[2] = np.nan
    count(Rows(np.ones((4, 5)), np.array([0, 0, 1, 2, -1]), np.ones(5)), coefs, MOVES, wrong)
    assert wrong[:2].tolist() == [3, 3]
    assert np.isnan(wrong[2])


@pytest.mark.parametrize("fit", [children_errors.compiled, children_errors_numpy])
@settings(deadline=None, max_examples=25)
@given(seed=seeds, penalty=st.sampled_from([0.0, 1.0, 20.0]))
def test_squared_errors_of_regressions(fit, seed, penalty):
    rng, X, _, _ = sample(seed)
    y, others = X[:, 0] + rng.standard_normal(len(X)), rng.standard_normal((9, 4))
    new, errors = rng.standard_normal(9), np.empty(3)
    learned, judged = Products(X.T @ X, X.T @ y, y @ y), Products(others.T @ others, others.T @ new, new @ new)
    fit(learned, judged, penalty, MOVES, errors)
    expected = [
        naive.squared_error(X[:, f].tolist(), y.tolist(), penalty, others[:, f].tolist(), new.tolist())
        for f in CHILDREN
    ]
    np.testing.assert_allclose(errors, expected, rtol=1e-8)


@pytest.mark.parametrize("stack", [1, 12, 1 << 20])
def test_stacks_of_any_size_have_the_same_errors(monkeypatch, stack):
    """Parents without children among them."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 6)), rng.standard_normal(30)
    products = Products(X.T @ X, X.T @ y, y @ y)
    parents, starts = np.array([[0, 1], [0, 2], [1, 2], [3, 4], [0, 5]]), np.array([0, 0, 3, 3, 4, 4])
    moves = Moves(parents, starts, np.array([1, 3, 4, 0]))
    monkeypatch.setattr(least_squares, "STACK", stack)
    loops, stacked = np.empty(4), np.empty(4)
    children_errors.compiled(products, products, 0.0, moves, loops)
    children_errors_numpy(products, products, 0.0, moves, stacked)
    np.testing.assert_allclose(stacked, loops, rtol=1e-9)


@pytest.mark.parametrize("fit", [children_errors.compiled, children_errors_numpy])
def test_features_that_depend_on_each_other_have_no_answer(fit):
    """Neither where the added one depends on the parent's, nor where these depend on each other."""
    X = np.random.default_rng(0).standard_normal((20, 4))
    X[:, 1] = X[:, 0] + X[:, 2]
    errors = np.empty(3)
    products = Products(X.T @ X, X.T @ X[:, 3], 1.0)
    fit(products, products, 0.0, MOVES, errors)
    assert np.isnan(errors).tolist() == [True, False, False]
    solved = one_more(X.T @ X, X.T @ X[:, [3]], 0.0, PARENTS[:1], ADDED[None, :2])
    assert solved.is_regular.tolist() == [[False, True]]
    copies = np.ones((20, 2)) @ np.eye(2, 4) + np.eye(20, 4, 2)
    twins = Products(copies.T @ copies, copies.T @ X[:, 3], 1.0)
    fit(twins, twins, 0.0, Moves(np.array([[0, 1], [0, 2]]), np.array([0, 1, 2]), np.array([2, 3])), errors[:2])
    assert np.isnan(errors[:2]).tolist() == [True, False]


@pytest.mark.parametrize("count", [gaussian_errors.compiled, gaussian_errors_numpy])
@settings(deadline=None, max_examples=25)
@given(seed=seeds, n_classes=st.integers(2, 3))
def test_naive_bayes_with_normal_densities(count, seed, n_classes):
    rng, X, _, weights = sample(seed)
    labels = rng.integers(0, n_classes, len(X))
    prior, mean = rng.random(n_classes) + 0.1, rng.standard_normal((n_classes, 4))
    variance, spread, wrong = rng.random((n_classes, 4)) + 0.1, rng.random(4), np.empty(3)
    rows = Rows(np.ascontiguousarray(X.T), labels, weights)
    count(rows, Gaussians(np.log(prior), mean, variance, spread), MOVES, wrong)
    for child, features in enumerate(CHILDREN):
        smoothed = variance[:, features] + spread[features].max()
        place = (X[:, features].tolist(), labels.tolist(), weights.tolist())
        assert wrong[child] == naive.gaussian_wrong(
            *place, prior.tolist(), mean[:, features].tolist(), smoothed.tolist()
        )


@pytest.mark.parametrize("count", [gaussian_errors.compiled, gaussian_errors_numpy])
def test_no_variance_is_no_density(count):
    wrong = np.empty(3)
    variance = np.array([[1.0, 0.0, 1.0, 1.0]] * 2)
    rows = Rows(np.zeros((4, 5)), np.zeros(5, int), np.ones(5))
    count(rows, Gaussians(np.zeros(2), np.zeros((2, 4)), variance, np.zeros(4)), MOVES, wrong)
    assert np.isnan(wrong).tolist() == [True, False, True]


@pytest.mark.parametrize("count", [bernoulli_errors.compiled, bernoulli_errors_numpy])
@settings(deadline=None, max_examples=25)
@given(seed=seeds, n_classes=st.integers(2, 3))
def test_naive_bayes_of_boolean_features(count, seed, n_classes):
    rng, X, _, weights = sample(seed)
    values, labels = (X > 0).astype(float), rng.integers(0, n_classes, len(X))
    prior, chances, wrong = rng.random(n_classes) + 0.1, rng.random((n_classes, 4)) * 0.8 + 0.1, np.empty(3)
    off = np.log(1 - chances)
    rows = Rows(np.ascontiguousarray(values.T), labels, weights)
    count(rows, LogOdds(np.log(prior), off, np.log(chances) - off), MOVES, wrong)
    for child, features in enumerate(CHILDREN):
        place = (values[:, features].tolist(), labels.tolist(), weights.tolist())
        assert wrong[child] == naive.bernoulli_wrong(*place, prior.tolist(), chances[:, features].tolist())
