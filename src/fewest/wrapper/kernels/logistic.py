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

import numpy as np

from fewest.kernels.compiled import compiled, compiled_sum
from fewest.wrapper.kernels.logistic_rows import (
    BLOCK,
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
# To this size a new Hessian costs less than the exponentials of another step, which a shorter way makes unlikely.
FEW, SHORT_WAY = 8, 0.004
# A child looks around its parent without exponentials: a guide so far away, and precise so near.
NEAR, SERIES_WAY = 1.0, 0.15
# Above this, a step may overshoot, and is halved until it makes the loss smaller.
LARGE_STEP = 3.0
MOST_STEPS = 60
# A direction that the others explain up to this part of its length is left out of a step.
DEPENDENT = 1e-11


@compiled
def _copy(source, target):
    """Copy a vector; a loop compiles many times faster than slices do."""
    for i in range(len(source)):
        target[i] = source[i]


@compiled
def _copy_square(source, target, size):
    for k in range(size):
        for j in range(k + 1):
            target[k, j] = source[k, j]


@compiled
def _fill(target, value):
    for i in range(len(target)):
        target[i] = value


@compiled
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
        factor[k, k] = 1e150  # the step in this direction becomes 0
        return True
    factor[k, k] = np.sqrt(rest)
    return False


@compiled
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


@compiled
def _penalty_of(coefs, size, n_free, penalty):
    total = 0.0
    for k in range(n_free, size):
        total += coefs[k] * coefs[k]
    return 0.5 * penalty * total


@compiled
def _furthest(size, step, reach):
    """Return how far a step moves predictors at most."""
    middle, moved = 0.0, 0.0
    for k in range(size):
        middle += step[k] * reach[k, 0]
        moved += abs(step[k]) * reach[k, 1]
    return moved + abs(middle)


@compiled
def _advance(rows, size, n_free, reach, target, weight, penalty, coefs, z, step, work):
    """Take a step, halved as long as it does not make the loss smaller.

    Returns
    -------
    moved : float
        How far predictors move, at most; 0 where the step leads nowhere.
    felt : float
        The same, or, without a penalty, how far probabilities do.
    """
    moved = _furthest(size, step, reach)
    if not moved < 1e100:
        _fill(step, 0.0)
        return 0.0, 0.0
    if PRECISION < 0.5 * moved * moved < NEARLY * PRECISION:
        moved = largest_change(rows, size, step, work[2])
    felt = moved
    if moved > LARGE_STEP or penalty == 0.0:
        change = work[3]
        moved, felt = changes(rows, size, step, work[1], change)
        if penalty > 0.0:
            felt = moved
        if moved > LARGE_STEP:
            scale = _shortened(size, n_free, target, weight, penalty, coefs, z, step, change)
            moved *= scale
            for k in range(size):
                step[k] *= scale
    for k in range(size):
        coefs[k] += step[k]
    return moved, felt


@compiled
def _shortened(size, n_free, target, weight, penalty, coefs, z, step, change):
    """Return by what a step must be multiplied to make the loss smaller."""
    scale = 1.0
    before = loss(z, target, weight) + _penalty_of(coefs, size, n_free, penalty)
    tried_z, tried = np.empty_like(z), np.empty(size)
    while scale > 1e-6:
        for i in range(len(z)):
            tried_z[i] = z[i] + scale * change[i]
        for k in range(size):
            tried[k] = coefs[k] + scale * step[k]
        if loss(tried_z, target, weight) + _penalty_of(tried, size, n_free, penalty) < before:
            break
        scale *= 0.5
    return scale


@compiled
def _newton(
    rows, size, n_free, reach, target, weight, penalty, coefs, start, step, z, work, gradient, hessian, factor, way
):
    """Go on to the maximum; ``way`` is how far predictors have moved since the Hessian was taken, or large at first.

    ``coefs`` are ahead of ``start``, and in the end of ``z``, by the last step.
    """
    before = way
    for _ in range(MOST_STEPS):
        is_newton = way > (SHORT_WAY if size <= FEW else SMALL_STEP)
        look(rows, size, start, step, z, target, weight, work, gradient, hessian, is_newton)
        start = z
        if penalty == 0.0 and is_perfect(work[0]):
            _fill(step, 0.0)
            return
        for k in range(size):
            if is_newton:
                _factor_row(hessian, k, penalty if k >= n_free else 0.0, factor)
            gradient[k] -= penalty * coefs[k] if k >= n_free else 0.0
        _solve(factor, size, gradient, step)
        moved, felt = _advance(rows, size, n_free, reach, target, weight, penalty, coefs, z, step, work)
        way = 0.0 if is_newton else way
        if felt * (way + 0.5 * felt) <= PRECISION:
            return
        way += moved
        if not is_newton and moved > 0.5 * before:
            way = 1.0  # the kept Hessian does not serve
        before = moved


@compiled
def _from_parent(place, coefs, origin, series, step, more, z, parent_work, work, gradient, hessian, factor):
    """Go from the parent to the maximum, after a first step of Newton's method with the Hessian there.

    Returns whether there was a look on the way: ``coefs`` are ahead of ``z``
    then, and of ``origin`` otherwise, by the last step.
    """
    rows, size, n_free, reach, _, _, penalty = place
    before, felt = _advance(*place, coefs, origin, step, parent_work)
    left, way = 0.5 * felt * felt, before
    while left > PRECISION and way < NEAR:
        way = near_look(rows, size, step, series, work[2], gradient)
        for k in range(n_free, size):
            gradient[k] -= penalty * coefs[k]
        _solve(factor, size, gradient, more)
        for k in range(size):
            step[k] += more[k]
            coefs[k] += more[k]
        moved = _furthest(size, more, reach)
        shrunk = moved / before
        left, before = moved * max(2.0 * shrunk, 0.2 * way), moved
        if way > SERIES_WAY or shrunk > 0.2:
            break
    if left <= PRECISION and way < SERIES_WAY:
        return False
    _newton(*place, coefs, origin, step, z, work, gradient, hessian, factor, way)
    return True


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
    hessian, factor = np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))
    parent_hessian, parent_factor = np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))
    work, parent_work = np.zeros((4, n_rows)), np.zeros((4, n_rows))
    z, parent_z, nothing, series = np.empty(n_rows), np.empty(n_rows), np.zeros(n_rows), np.empty((4, n_rows))
    own, parent_coefs = np.empty(size + 1), np.empty(size)
    step, more, gradient, parent_gradient = np.empty((4, size + 1))
    for p in range(len(parents)):
        for k in range(parents.shape[1]):
            copy_column(columns[parents[p, k]], X[intercept + k], reach[intercept + k])
        start = nothing
        _copy(known[p, 1 - intercept :], parent_coefs)
        _copy(parent_coefs, step)
        if np.isnan(known[p, 0]):
            _fill(parent_coefs, 0.0)
            _fill(step, 0.0)
            place = (X, size, intercept, reach, target, weight, penalty)
            _newton(*place, parent_coefs, nothing, step, parent_z, parent_work, parent_gradient, hessian, factor, 1.0)
            start = parent_z
        look(X, size, start, step, parent_z, target, weight, parent_work, parent_gradient, parent_hessian, True)
        for k in range(size):
            _factor_row(parent_hessian, k, penalty if k >= intercept else 0.0, parent_factor)
            parent_gradient[k] -= penalty * parent_coefs[k] if k >= intercept else 0.0
        set_series(target, weight, parent_work[0], parent_work[1], series)
        for c in range(starts[p], starts[p + 1]):
            copy_column(columns[added[c]], X[size], reach[size])
            _copy_square(parent_factor, factor, size)
            _copy(parent_gradient, gradient)
            gradient[size] = dot(X[size], parent_work[0])
            for j in range(size + 1):
                hessian[size, j] = 0.0
            for begin in range(0, n_rows, BLOCK):
                end = min(begin + BLOCK, n_rows)
                add_hessian_row(X, size, parent_work[1], begin, end, work[2], hessian)
            _factor_row(hessian, size, penalty, factor)
            _solve(factor, size + 1, gradient, step)
            _copy(parent_coefs, own)
            own[size] = 0.0
            place = (X, size + 1, intercept, reach, target, weight, penalty)
            tools = (step, more, z, parent_work, work, gradient, hessian, factor)
            start = z if _from_parent(place, own, parent_z, series, *tools) else parent_z
            coefs[c, 0] = 0.0
            _copy(own, coefs[c, 1 - intercept :])
            if len(wrong):
                for begin in range(0, n_rows, BLOCK):
                    move(X, size + 1, start, step, begin, min(begin + BLOCK, n_rows), z)
                wrong[c] = weight_wrong(z, target, weight)


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
