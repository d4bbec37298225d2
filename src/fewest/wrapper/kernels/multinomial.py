"""Logistic regressions of several classes on many subsets of features, from the fits of their parents.

As `logistic`, with a vector of coefficients for every class: parents are
fitted first, and children begin with their factored Hessian, to which only rows of the new feature are added. It serves
until steps stop shrinking. Every class has coefficients of its own, so that those of a feature have a sum
that no probability depends on: it stays 0, since the Hessian is made steep in this direction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum
from fewest.wrapper.kernels.layout import BORDER
from fewest.wrapper.kernels.logistic import (
    LARGE_STEP,
    MOST_STEPS,
    PRECISION,
    _add,
    _copy,
    _factor_row,
    _fill,
    _furthest,
    _solve,
)
from fewest.wrapper.kernels.logistic_rows import (
    BLOCK,
    Block,
    Regression,
    _add_products,
    _add_step,
    _exp,
    add_hessian_row,
    copy_column,
    dot,
)

# A Hessian serves as long as every step with it is so many times shorter than the one before.
SHRINKING = 0.2


class ClassLook(NamedTuple):
    """The rows as seen from certain coefficients, one row of each array for every class.

    Attributes
    ----------
    chances : probabilities
    residual : weighted differences of being of the class and its probability
    """

    chances: np.ndarray
    residual: np.ndarray


class ClassNewtonStep(NamedTuple):
    """A linear system of Newton's method for all classes, and room to work.

    Row ``j * n_classes + k`` of the Hessian belongs to the j-th feature and the k-th class.

    Attributes
    ----------
    gradient : float64 array of shape (n_classes, size)
    hessian, factor : float64 arrays of shape (size * n_classes, size * n_classes)
        Up to the diagonal.
    flat : float64 array of shape (size * n_classes,)
        The step.
    step : float64 array of shape (size,)
        That of one class.
    share, scaled : float64 arrays of shape (n_rows,)
    square : float64 array of shape (size, size)
        The Hessian of two classes.
    """

    gradient: np.ndarray
    hessian: np.ndarray
    factor: np.ndarray
    flat: np.ndarray
    step: np.ndarray
    share: np.ndarray
    scaled: np.ndarray
    square: np.ndarray


@compiled_in_place_sum
def set_share(chances, k, other, weight, block, share):
    """Set the weights with which a block enters the Hessian of two classes."""
    begin, end = block.begin, block.end
    p, q, w, own = chances[k, begin:end], chances[other, begin:end], weight[begin:end], share[begin:end]
    if k == other:
        for i in range(len(own)):
            own[i] = w[i] * p[i] * (1.0 - p[i])
    else:
        for i in range(len(own)):
            own[i] = -w[i] * p[i] * q[i]


@compiled_in_place_sum
def class_look(regression, coefs, at, gradient):
    """Set the probability of every class at these coefficients, and the gradient of the likelihood."""
    columns, size, chances, residual = regression.columns, regression.size, at.chances, at.residual
    for k in range(len(coefs)):
        for j in range(size):
            gradient[k, j] = 0.0
    for begin in range(0, columns.shape[1], BLOCK):
        end = min(begin + BLOCK, columns.shape[1])
        block = Block(begin, end)
        for k in range(len(coefs)):
            own = chances[k, begin:end]
            for i in range(len(own)):
                own[i] = 0.0
            _add_step(columns, size, coefs[k], block, own)
        _set_chances(chances, begin, end, residual)
        w, y = regression.weight[begin:end], regression.target[begin:end]
        for k in range(len(coefs)):
            own, left = chances[k, begin:end], residual[k, begin:end]
            for i in range(len(own)):
                left[i] = w[i] * ((1.0 if y[i] == k else 0.0) - own[i])
            _add_products(columns, size, block, left, gradient[k])


@compiled_in_place_sum
def _set_chances(chances, begin, end, scratch):
    """Turn linear predictors of a block into probabilities."""
    most, total = scratch[0, begin:end], scratch[1, begin:end]
    first = chances[0, begin:end]
    for i in range(len(most)):
        most[i] = first[i]
        total[i] = 0.0
    for k in range(1, len(chances)):
        own = chances[k, begin:end]
        for i in range(len(most)):
            most[i] = own[i] if own[i] > most[i] else most[i]
    for k in range(len(chances)):
        own = chances[k, begin:end]
        for i in range(len(most)):
            own[i] = _exp(own[i] - most[i])
            total[i] += own[i]
    for i in range(len(most)):
        total[i] = 1.0 / total[i]
    for k in range(len(chances)):
        own = chances[k, begin:end]
        for i in range(len(most)):
            own[i] *= total[i]


@compiled_in_place_sum
def take_better(z, k, most, best):
    """Let the k-th class be the best of the rows where its linear predictor is the largest so far."""
    for i in range(len(z)):
        best[i] = k if z[i] > most[i] + BORDER else best[i]
        most[i] = z[i] if z[i] > most[i] + BORDER else most[i]


@compiled_in_place_sum
def weight_of_others(best, labels, weight):
    """Return the weight of the rows whose best class is not theirs."""
    total = 0.0
    for i in range(len(best)):
        total += weight[i] * (best[i] != labels[i])
    return total


@compiled_in_place
def _add_rows(regression, j, chances, newton):
    """Set the rows of the Hessian that belong to the j-th feature: one for every class, up to its own."""
    n_classes, n_rows = chances.shape
    square, hessian = newton.square, newton.hessian
    for k in range(n_classes):
        for other in range(k + 1):
            for i in range(j + 1):
                square[j, i] = 0.0
            for begin in range(0, n_rows, BLOCK):
                block = Block(begin, min(begin + BLOCK, n_rows))
                set_share(chances, k, other, regression.weight, block, newton.share)
                add_hessian_row(regression.columns, j, newton.share, block, newton.scaled, square)
            for i in range(j + 1):
                hessian[j * n_classes + k, i * n_classes + other] = square[j, i]
                if i < j:
                    hessian[j * n_classes + other, i * n_classes + k] = square[j, i]
    steep = 0.0
    for k in range(n_classes):
        steep += hessian[j * n_classes + k, j * n_classes + k]
    for k in range(n_classes):
        for other in range(k + 1):
            hessian[j * n_classes + k, j * n_classes + other] += steep


@compiled_in_place
def _factor_feature(j, n_classes, penalty, hessian, factor):
    """Extend the factor by the rows of the j-th feature."""
    for k in range(n_classes):
        _factor_row(hessian, j * n_classes + k, penalty, factor)


@compiled_in_place
def _step(regression, coefs, newton):
    """Take a step with the factored Hessian, not longer than what Newton's method is good for; return its length."""
    n_classes, size, flat, step = len(coefs), regression.size, newton.flat, newton.step
    for k in range(n_classes):
        for j in range(size):
            penalty = regression.penalty if j >= regression.n_free else 0.0
            flat[j * n_classes + k] = newton.gradient[k, j] - penalty * coefs[k, j]
    _solve(newton.factor, size * n_classes, flat, flat)
    moved = 0.0
    for k in range(n_classes):
        for j in range(size):
            step[j] = flat[j * n_classes + k]
        moved = max(moved, _furthest(size, step, regression.reach))
    scale = min(1.0, LARGE_STEP / moved) if moved > 0.0 else 1.0
    for k in range(n_classes):
        for j in range(size):
            coefs[k, j] += scale * flat[j * n_classes + k]
    return scale * moved


@compiled_in_place
def _climb(regression, coefs, before, at, newton):
    """Go on to the maximum; ``before`` is how long the last step was with the Hessian at hand, 0 if there is none.

    Returns whether it was reached.
    """
    way = before
    for _ in range(MOST_STEPS):
        class_look(regression, coefs, at, newton.gradient)
        is_newton = before == 0.0
        if is_newton:
            way = 0.0
            for j in range(regression.size):
                _add_rows(regression, j, at.chances, newton)
                penalty = regression.penalty if j >= regression.n_free else 0.0
                _factor_feature(j, len(coefs), penalty, newton.hessian, newton.factor)
        moved = _step(regression, coefs, newton)
        if not moved < 1e100:
            return False
        shrunk = moved if is_newton else moved / before
        if moved * max(2.0 * shrunk, way) <= PRECISION:
            return True
        way += moved
        before = moved if shrunk < SHRINKING else 0.0
    return False


@compiled
def multinomial_fits(rows, form, moves, known, coefs):
    """Fit the children of some parents; set their coefficients, NaN where the maximum was not found.

    Parameters
    ----------
    rows : Rows
        Targets are numbers of classes.
    form : Penalised
        The penalty is positive.
    moves : Moves
    known : float64 array of shape (n_parents, size + 1, n_classes)
        Intercepts and coefficients of parents that were fitted before, NaN for others.
    coefs : float64 array of shape (n_children, size + 2, n_classes), set
    """
    columns, labels, weight = rows.columns, rows.target, rows.weight
    penalty, intercept = form.penalty, form.intercept
    parents, starts, added = moves.parents, moves.starts, moves.added
    n_rows, size, n_classes = columns.shape[1], parents.shape[1] + intercept, coefs.shape[2]
    X, reach = np.ones((size + 1, n_rows)), np.zeros((size + 1, 2))
    reach[:intercept, 0] = 1.0
    of_parent = Regression(X, reach, labels, weight, size, intercept, penalty)
    of_child = Regression(X, reach, labels, weight, size + 1, intercept, penalty)
    width = (size + 1) * n_classes
    parent_factor = np.zeros((width, width))
    parent = ClassLook(np.empty((n_classes, n_rows)), np.empty((n_classes, n_rows)))
    at = ClassLook(np.empty((n_classes, n_rows)), np.empty((n_classes, n_rows)))
    own, parent_own = np.zeros((n_classes, size + 1)), np.zeros((n_classes, size + 1))
    parent_gradient = np.zeros((n_classes, size + 1))
    newton = ClassNewtonStep(
        np.zeros((n_classes, size + 1)),
        np.zeros((width, width)),
        np.zeros((width, width)),
        np.empty(width),
        np.empty(size + 1),
        np.empty(n_rows),
        np.empty(n_rows),
        np.zeros((size + 1, size + 1)),
    )
    for p in range(len(parents)):
        for j in range(parents.shape[1]):
            copy_column(columns[parents[p, j]], X[intercept + j], reach[intercept + j])
        is_known = not np.isnan(known[p, 0, 0])
        for k in range(n_classes):
            for j in range(size):
                parent_own[k, j] = known[p, 1 - intercept + j, k] if is_known else 0.0
            parent_own[k, size] = 0.0
        if size and not is_known:
            _climb(of_parent, parent_own, 0.0, at, newton)
        class_look(of_parent, parent_own, parent, parent_gradient)
        for j in range(size):
            _add_rows(of_parent, j, parent.chances, newton)
            _factor_feature(j, n_classes, penalty if j >= intercept else 0.0, newton.hessian, parent_factor)
        for c in range(starts[p], starts[p + 1]):
            copy_column(columns[added[c]], X[size], reach[size])
            for i in range(size * n_classes):
                _copy(parent_factor[i], newton.factor[i])
            _add_rows(of_child, size, parent.chances, newton)
            _factor_feature(size, n_classes, penalty, newton.hessian, newton.factor)
            for k in range(n_classes):
                _copy(parent_own[k], own[k])
                _copy(parent_gradient[k], newton.gradient[k])
                newton.gradient[k, size] = dot(X[size], parent.residual[k])
            before = _step(of_child, own, newton)
            is_reached = _climb(of_child, own, before if before < 1.0 else 0.0, at, newton)
            for k in range(n_classes):
                coefs[c, 0, k] = 0.0
                for j in range(size + 1):
                    coefs[c, 1 - intercept + j, k] = own[k, j] if is_reached else np.nan


@compiled
def class_errors(rows, coefs, moves, wrong):
    """Set the weight of the rows that the classifiers of `multinomial_fits` get wrong, on any rows."""
    columns, labels, weight = rows.columns, rows.target, rows.weight
    parents, starts, added = moves.parents, moves.starts, moves.added
    n_rows, n_classes = columns.shape[1], coefs.shape[2]
    z, most, best = np.empty(n_rows), np.empty(n_rows), np.empty(n_rows, dtype=labels.dtype)
    for p in range(len(parents)):
        for c in range(starts[p], starts[p + 1]):
            _fill(most, -np.inf)
            for k in range(n_classes):
                _fill(z, coefs[c, 0, k])
                for j in range(parents.shape[1]):
                    _add(z, coefs[c, 1 + j, k], columns[parents[p, j]])
                _add(z, coefs[c, coefs.shape[1] - 1, k], columns[added[c]])
                take_better(z, k, most, best)
            wrong[c] = np.nan if np.isnan(coefs[c, 1, 0]) else weight_of_others(best, labels, weight)
