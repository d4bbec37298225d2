"""Logistic regressions on many subsets of features at once, by Newton's method from the fits of their parents.

Subsets come as parents, each with several features that are added to it one
at a time. A parent is fitted first, unless it was before. For its children the first step then
needs no exponentials: probabilities and the factored Hessian of the parent are
known, and only the row of the new feature joins them. Nor do further steps near the parent, where the series of
the logistic function is as good. Once a step is small, the Hessian
is kept (the chord method): for many features it is most of the work.
The last step of all, which nothing follows, moves only coefficients (see `logistic_rows`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_sum
from fewest.wrapper.kernels.logistic_rows import (
    BLOCK,
    Block,
    Look,
    Regression,
    Series,
    add_hessian_row,
    changes,
    copy_column,
    dot,
    is_perfect,
    largest_change,
    look,
    loss,
    move,
    near_look,
    set_series,
    weight_wrong,
)

# Predictors are right to about this: what a step leaves is, at most, itself times the way since the Hessian was taken,
# and half of its own square.
PRECISION = 1e-7
# What seems to leave less than so many times as much is measured: the bound on a step is a few times too large.
NEARLY = 400.0
# A Hessian serves as long as predictors have moved by less since: what is left shrinks by such a factor at every step.
SMALL_STEP = 0.05
# To this size a new Hessian costs less than the exponentials of another step, unlikely to be needed on a shorter way.
FEW, SHORT_WAY = 8, 0.004
# A child looks around its parent without exponentials: a guide so far away, and precise so near.
NEAR, SERIES_WAY = 1.0, 0.15
# Above this, a step may overshoot, and is halved until it decreases the loss.
LARGE_STEP = 3.0
MOST_STEPS = 60
# A direction that the others explain up to this part of its length is left out of a step.
DEPENDENT = 1e-11


class NewtonStep(NamedTuple):
    """A linear system of Newton's method, and the step that solves it.

    Attributes
    ----------
    gradient, step, more : float64 arrays of shape (size or more,)
        ``more`` is what `_from_parent` adds to a step.
    hessian, factor : float64 arrays of shape (size or more, size or more)
        Up to the diagonal; ``factor`` is the Cholesky factor of the Hessian with penalties.
    """

    gradient: np.ndarray
    step: np.ndarray
    more: np.ndarray
    hessian: np.ndarray
    factor: np.ndarray


@compiled_in_place
def _copy(source, target):
    """Copy a vector; a loop compiles many times faster than slices do."""
    for i in range(len(source)):
        target[i] = source[i]


@compiled_in_place
def _copy_square(source, target, size):
    for k in range(size):
        for j in range(k + 1):
            target[k, j] = source[k, j]


@compiled_in_place
def _fill(target, value):
    for i in range(len(target)):
        target[i] = value


@compiled_in_place
def _factor_row(hessian, k, penalty, factor):
    """Extend a Cholesky factor by the k-th row; return whether the direction is none of its own."""
    diagonal = hessian[k, k] + penalty
    rest = diagonal
    for j in range(k):
        total = hessian[k, j]
        for i in range(j):
            total -= factor[k, i] * factor[j, i]
        factor[k, j] = total / factor[j, j]
        rest -= factor[k, j] * factor[k, j]
    if rest <= DEPENDENT * diagonal or not rest > 0.0:
        factor[k, k] = 1e150  # so that the step in this direction is 0
        return True
    factor[k, k] = np.sqrt(rest)
    return False


@compiled_in_place
def _solve(factor, size, gradient, step):
    """Solve with the factor and its transpose."""
    for k in range(size):
        total = gradient[k]
        for j in range(k):
            total -= factor[k, j] * step[j]
        step[k] = total / factor[k, k]
    for k in range(size - 1, -1, -1):
        total = step[k]
        for j in range(k + 1, size):
            total -= factor[j, k] * step[j]
        step[k] = total / factor[k, k]


@compiled_in_place
def _penalty_after(regression, coefs, scale, step):
    """Return the penalty of coefficients that have moved by so much of a step."""
    total = 0.0
    for k in range(regression.n_free, regression.size):
        moved = coefs[k] + scale * step[k]
        total += moved * moved
    return 0.5 * regression.penalty * total


@compiled_in_place
def _furthest(size, step, reach):
    """Return how far a step moves predictors at most."""
    middle, moved = 0.0, 0.0
    for k in range(size):
        middle += step[k] * reach[k, 0]
        moved += abs(step[k]) * reach[k, 1]
    return moved + abs(middle)


@compiled_in_place
def _subtract_penalties(regression, coefs, gradient):
    """Subtract the gradient of the penalty from that of the likelihood."""
    for k in range(regression.n_free, regression.size):
        gradient[k] -= regression.penalty * coefs[k]


@compiled_in_place
def _factor_rows(regression, newton):
    """Factor the Hessian with penalties."""
    for k in range(regression.size):
        _factor_row(newton.hessian, k, regression.penalty if k >= regression.n_free else 0.0, newton.factor)


@compiled_in_place
def _advance(regression, coefs, at, step):
    """Take a step from where one looked last, halved as long as it does not decrease the loss.

    Returns
    -------
    moved : float
        How far predictors move, at most; 0 where the step leads nowhere.
    felt : float
        The same, or, without a penalty, how far probabilities do.
    """
    size, penalty = regression.size, regression.penalty
    moved = _furthest(size, step, regression.reach)
    if not moved < 1e100:
        _fill(step, 0.0)
        return 0.0, 0.0
    if PRECISION < 0.5 * moved * moved < NEARLY * PRECISION:
        moved = largest_change(regression, step, at.scaled)
    felt = moved
    if moved > LARGE_STEP or penalty == 0.0:
        moved, felt = changes(regression, step, at.curvature, at.change)
        if penalty > 0.0:
            felt = moved
        if moved > LARGE_STEP:
            scale = _shortened(regression, coefs, at, step)
            moved *= scale
            for k in range(size):
                step[k] *= scale
    for k in range(size):
        coefs[k] += step[k]
    return moved, felt


@compiled_in_place
def _shortened(regression, coefs, at, step):
    """Return by what a step must be multiplied to decrease the loss; ``at.change`` is how it moves predictors."""
    target, weight, z, change, tried = regression.target, regression.weight, at.z, at.change, at.scaled
    scale = 1.0
    before = loss(z, target, weight) + _penalty_after(regression, coefs, 0.0, step)
    while scale > 1e-6:
        for i in range(len(z)):
            tried[i] = z[i] + scale * change[i]
        if loss(tried, target, weight) + _penalty_after(regression, coefs, scale, step) < before:
            break
        scale *= 0.5
    return scale


@compiled_in_place
def _newton(regression, coefs, start, at, newton, way):
    """Go on to the maximum; ``way`` is how far predictors have moved since the Hessian was taken, or large at first.

    ``coefs`` are ahead of ``start``, and in the end of ``at.z``, by the last step.
    """
    before = way
    for _ in range(MOST_STEPS):
        is_newton = way > (SHORT_WAY if regression.size <= FEW else SMALL_STEP)
        look(regression, start, at, newton, is_newton)
        start = at.z
        if regression.penalty == 0.0 and is_perfect(at.residual):
            _fill(newton.step, 0.0)
            return
        if is_newton:
            _factor_rows(regression, newton)
        _subtract_penalties(regression, coefs, newton.gradient)
        _solve(newton.factor, regression.size, newton.gradient, newton.step)
        moved, felt = _advance(regression, coefs, at, newton.step)
        way = 0.0 if is_newton else way
        if felt * (way + 0.5 * felt) <= PRECISION:
            return
        way += moved
        if not is_newton and moved > 0.5 * before:
            way = 1.0  # the kept Hessian does not serve
        before = moved


@compiled_in_place
def _from_parent(regression, coefs, parent, series, at, newton):
    """Go from the parent to the maximum, after a first step of Newton's method with the Hessian there.

    ``parent`` is the look there, ``series`` the one around it. Returns whether there was a look on the way: ``coefs``
    are ahead of ``at.z`` then, and of ``parent.z`` otherwise, by the last step.
    """
    size, step, more, gradient = regression.size, newton.step, newton.more, newton.gradient
    before, felt = _advance(regression, coefs, parent, step)
    left, way = 0.5 * felt * felt, before
    while left > PRECISION and way < NEAR:
        way = near_look(regression, step, series, at.scaled, gradient)
        _subtract_penalties(regression, coefs, gradient)
        _solve(newton.factor, size, gradient, more)
        for k in range(size):
            step[k] += more[k]
            coefs[k] += more[k]
        moved = _furthest(size, more, regression.reach)
        shrunk = moved / before
        left, before = moved * max(2.0 * shrunk, 0.2 * way), moved
        if way > SERIES_WAY or shrunk > 0.2:
            break
    if left <= PRECISION and way < SERIES_WAY:
        return False
    _newton(regression, coefs, parent.z, at, newton, way)
    return True


@compiled_in_place
def _fit_parent(regression, known, coefs, at, newton):
    """Fit a parent, unless its intercept and coefficients are known; look from there, and factor the Hessian."""
    is_known = not np.isnan(known[0])
    _fill(at.z, 0.0)
    for k in range(regression.size):
        coefs[k] = known[1 - regression.n_free + k] if is_known else 0.0
        newton.step[k] = coefs[k]
    if not is_known:
        _newton(regression, coefs, at.z, at, newton, 1.0)
    look(regression, at.z, at, newton, True)
    _factor_rows(regression, newton)
    _subtract_penalties(regression, coefs, newton.gradient)


@compiled_in_place
def _begin_child(regression, parent, parent_newton, at, newton):
    """Extend the parent's system by the last column of a child, and set the first step."""
    last = regression.size - 1
    _copy_square(parent_newton.factor, newton.factor, last)
    _copy(parent_newton.gradient, newton.gradient)
    newton.gradient[last] = dot(regression.columns[last], parent.residual)
    for j in range(last + 1):
        newton.hessian[last, j] = 0.0
    n_rows = len(parent.z)
    for begin in range(0, n_rows, BLOCK):
        block = Block(begin, min(begin + BLOCK, n_rows))
        add_hessian_row(regression.columns, last, parent.curvature, block, at.scaled, newton.hessian)
    _factor_row(newton.hessian, last, regression.penalty, newton.factor)
    _solve(newton.factor, regression.size, newton.gradient, newton.step)


@compiled
def _look_of(n_rows):
    return Look(np.empty(n_rows), np.empty(n_rows), np.empty(n_rows), np.empty(n_rows), np.empty(n_rows))


@compiled
def _newton_of(size):
    square, factor = np.zeros((size, size)), np.zeros((size, size))
    return NewtonStep(np.empty(size), np.empty(size), np.empty(size), square, factor)


@compiled
def logistic_fits(rows, form, moves, known, coefs, wrong):
    """Fit the children of some parents; set their coefficients, and the weight of training rows that they get wrong.

    Parameters
    ----------
    rows : Rows
        Targets are 0.0 or 1.0.
    form : Penalised
    moves : Moves
    known : float64 array of shape (n_parents, size + 1)
        Intercepts and coefficients of parents that were fitted before, NaN for others.
    coefs : float64 array of shape (n_children, size + 2), set
        The intercept, then parent's features, then the one added.
    wrong : float64 array of shape (n_children,), set
        Empty where nobody asks for it.
    """
    columns, target, weight = rows.columns, rows.target, rows.weight
    penalty, intercept = form.penalty, form.intercept
    parents, starts, added = moves.parents, moves.starts, moves.added
    n_rows, size = columns.shape[1], parents.shape[1] + intercept
    X, reach = np.ones((size + 1, n_rows)), np.zeros((size + 1, 2))
    reach[:intercept, 0] = 1.0
    of_parent = Regression(X, reach, target, weight, size, intercept, penalty)
    of_child = Regression(X, reach, target, weight, size + 1, intercept, penalty)
    parent, at, parent_newton, newton = _look_of(n_rows), _look_of(n_rows), _newton_of(size + 1), _newton_of(size + 1)
    series = Series(np.empty(n_rows), np.empty(n_rows), np.empty(n_rows), np.empty(n_rows))
    own, parent_coefs = np.empty(size + 1), np.empty(size)
    for p in range(len(parents)):
        for k in range(parents.shape[1]):
            copy_column(columns[parents[p, k]], X[intercept + k], reach[intercept + k])
        _fit_parent(of_parent, known[p], parent_coefs, parent, parent_newton)
        set_series(of_parent, parent, series)
        for c in range(starts[p], starts[p + 1]):
            copy_column(columns[added[c]], X[size], reach[size])
            _begin_child(of_child, parent, parent_newton, at, newton)
            _copy(parent_coefs, own)
            own[size] = 0.0
            start = at.z if _from_parent(of_child, own, parent, series, at, newton) else parent.z
            coefs[c, 0] = 0.0
            _copy(own, coefs[c, 1 - intercept :])
            if len(wrong):
                for begin in range(0, n_rows, BLOCK):
                    move(of_child, start, newton.step, Block(begin, min(begin + BLOCK, n_rows)), at.z)
                wrong[c] = weight_wrong(at.z, target, weight)


@compiled
def linear_errors(rows, coefs, moves, wrong):
    """Set the weight of the rows that linear classifiers get wrong: those of `logistic_fits`, on other rows."""
    columns, target, weight = rows.columns, rows.target, rows.weight
    parents, starts, added = moves.parents, moves.starts, moves.added
    z = np.empty(columns.shape[1])
    for p in range(len(parents)):
        for c in range(starts[p], starts[p + 1]):
            _fill(z, coefs[c, 0])
            for k in range(parents.shape[1]):
                _add(z, coefs[c, 1 + k], columns[parents[p, k]])
            _add(z, coefs[c, coefs.shape[1] - 1], columns[added[c]])
            wrong[c] = weight_wrong(z, target, weight)


@compiled_sum
def _add(z, factor, column):
    for i in range(len(z)):
        z[i] += factor * column[i]
