"""Logistic regressions on many subsets of features at once, by Newton's method from the fits of their parents.

Subsets come as parents, each with several features that are added to it one
at a time. A parent is fitted first. For its children the first step then
needs no exponentials: probabilities and the factored Hessian of the parent are
known, and only the row of the new feature joins them. Once a step is small, the Hessian
is kept (the chord method): for many features it is most of the work.

Rows go by in blocks that stay close to the processor: a pass moves their
linear predictors by the last step, and adds up the gradient and the Hessian
there. So the last step of all, which nothing follows, moves only coefficients.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_in_place_max, compiled_in_place_sum, compiled_sum

# Predictors are right to about this: what a step leaves is, at most, itself times the way since the Hessian was taken,
# and half of its own square.
PRECISION = 1e-7
# What seems to leave less than so many times as much is measured: the bound on a step is a few times too large.
NEARLY = 400.0
# A Hessian serves as long as predictors have moved by less since: what is left shrinks by such a factor at every step.
SMALL_STEP = 0.05
# To this size a new Hessian costs less than the exponentials of another step, which a shorter way makes unlikely.
FEW, SHORT_WAY = 8, 0.004
# The first step of a child, if it is longer, is bent as the third derivatives say: one look more is then enough.
BENT_WAY = 0.025
# Above this, a step may overshoot, and is halved until it makes the loss smaller.
LARGE_STEP = 3.0
MOST_STEPS = 60
# Classes that a plane separates have no maximum of the likelihood without a penalty: stop where all is explained.
PERFECT = 1e-4
# A direction that the others explain up to this part of its length is left out of a step.
DEPENDENT = 1e-11
# Rows in a block.
BLOCK = 512


@compiled
def _copy(source, target):
    """Copy a vector; a loop compiles many times faster than slices do."""
    for i in range(len(source)):
        target[i] = source[i]


@compiled_in_place_max
def _copy_column(source, target, reach):
    """Copy a column; note the middle of its range, and how far it reaches from there."""
    low, high = source[0], source[0]
    for i in range(len(source)):
        low, high = min(low, source[i]), max(high, source[i])
        target[i] = source[i]
    reach[0], reach[1] = 0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low


@compiled
def _copy_square(source, target, size):
    for k in range(size):
        for j in range(k + 1):
            target[k, j] = source[k, j]


@compiled
def _fill(target, value):
    for i in range(len(target)):
        target[i] = value


@compiled_in_place_sum
def _exp(x):
    """Return e^x, for |x| <= 36, beyond which a probability is 0 or 1: that of x / 64 by its series, then squared.

    Products and sums alone run on vectors, four at a time; the library's function does not. Probabilities come out
    right to 1e-15: for large |x|, where e^x is not as good, they are all but 0 or 1.
    """
    x = x if x < 36.0 else 36.0
    x = x if x > -36.0 else -36.0
    r = x * (1.0 / 64.0)
    p = 1.0 / 40320
    p = p * r + 1.0 / 5040
    p = p * r + 1.0 / 720
    p = p * r + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    p *= p
    p *= p
    p *= p
    p *= p
    p *= p
    return p * p


@compiled_in_place_sum
def _add_step(rows, size, step, begin, end, own):
    """Add to what a block has how a step moves its linear predictors."""
    for k in range(size):
        row, length = rows[k, begin:end], step[k]
        for i in range(len(own)):
            own[i] += length * row[i]


@compiled_in_place_sum
def _move(rows, size, start, step, begin, end, z):
    """Set the linear predictors of a block: those at the start, moved by a step."""
    own, before = z[begin:end], start[begin:end]
    for i in range(len(own)):
        own[i] = before[i]
    _add_step(rows, size, step, begin, end, own)


@compiled_in_place_sum
def _set_probabilities(z, target, weight, residual, curvature):
    """Set the weighted residuals and the weights of the Hessian."""
    for i in range(len(z)):
        p = 1.0 / (1.0 + _exp(-z[i]))
        residual[i] = weight[i] * (target[i] - p)
        curvature[i] = weight[i] * p * (1.0 - p)


@compiled_in_place_sum
def _dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled_in_place_sum
def _add_hessian_row(rows, k, curvature, begin, end, scaled, hessian):
    """Add what a block says about the row of the Hessian of the k-th direction, up to the diagonal."""
    own, bent, row = scaled[: end - begin], curvature[begin:end], rows[k, begin:end]
    for i in range(len(own)):
        own[i] = bent[i] * row[i]
    whole = (k + 1) // 4 * 4
    for j in range(0, whole, 4):  # four at a time, so that what is loaded serves four products
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        r0, r1, r2, r3 = rows[j, begin:end], rows[j + 1, begin:end], rows[j + 2, begin:end], rows[j + 3, begin:end]
        for i in range(len(own)):
            a += own[i] * r0[i]
            b += own[i] * r1[i]
            c += own[i] * r2[i]
            d += own[i] * r3[i]
        hessian[k, j] += a
        hessian[k, j + 1] += b
        hessian[k, j + 2] += c
        hessian[k, j + 3] += d
    for j in range(whole, k + 1):
        hessian[k, j] += _dot(own, rows[j, begin:end])


@compiled_in_place_sum
def _look(rows, size, start, step, z, target, weight, work, gradient, hessian, with_hessian):
    """Move all linear predictors, and set the gradient of the likelihood and, if asked for, the Hessian there."""
    residual, curvature, scaled = work[0], work[1], work[2]
    for k in range(size):
        gradient[k] = 0.0
        for j in range(k + 1):
            hessian[k, j] = 0.0 if with_hessian else hessian[k, j]
    for begin in range(0, len(z), BLOCK):
        end = min(begin + BLOCK, len(z))
        _move(rows, size, start, step, begin, end, z)
        place = residual[begin:end]
        _set_probabilities(z[begin:end], target[begin:end], weight[begin:end], place, curvature[begin:end])
        for k in range(size):
            gradient[k] += _dot(rows[k, begin:end], place)
            if with_hessian:
                _add_hessian_row(rows, k, curvature, begin, end, scaled, hessian)


@compiled_in_place_sum
def _is_perfect(residual):
    """Return whether no residual is left."""
    furthest = 0.0
    for i in range(len(residual)):
        furthest = max(furthest, abs(residual[i]))
    return furthest < PERFECT


@compiled_sum
def _loss(z, target, weight):
    """Return minus the log likelihood."""
    total = 0.0
    for i in range(len(z)):
        margin = z[i] if target[i] > 0.5 else -z[i]
        total += weight[i] * (np.log1p(np.exp(-abs(margin))) + max(-margin, 0.0))
    return total


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


@compiled_in_place_max
def _largest_change(rows, size, step, scratch):
    """Return how far a step moves a linear predictor at most."""
    largest = 0.0
    for begin in range(0, rows.shape[1], BLOCK):
        end = min(begin + BLOCK, rows.shape[1])
        change = scratch[: end - begin]
        for i in range(len(change)):
            change[i] = 0.0
        _add_step(rows, size, step, begin, end, change)
        for i in range(len(change)):
            largest = max(largest, abs(change[i]))
    return largest


@compiled_in_place_sum
def _set_bend(target, weight, residual, curvature, bend):
    """Set how fast the weights of the Hessian grow with the linear predictors."""
    for i in range(len(bend)):
        p = target[i] - residual[i] / weight[i] if weight[i] > 0.0 else 0.5
        bend[i] = curvature[i] * (1.0 - 2.0 * p)


@compiled_in_place_sum
def _set_bent_gradient(rows, size, step, bend, scratch, gradient):
    """Set what is left of the gradient after a step of Newton's method, as far as the third derivatives tell."""
    for k in range(size):
        gradient[k] = 0.0
    for begin in range(0, len(bend), BLOCK):
        end = min(begin + BLOCK, len(bend))
        change, bent = scratch[: end - begin], bend[begin:end]
        for i in range(len(change)):
            change[i] = 0.0
        _add_step(rows, size, step, begin, end, change)
        for i in range(len(change)):
            change[i] *= -0.5 * bent[i] * change[i]
        for k in range(size):
            gradient[k] += _dot(rows[k, begin:end], change)


@compiled_sum
def _changes(rows, size, step, curvature, change):
    """Set how a step moves the linear predictors; return the largest change, and four times that of a probability.

    Without a penalty predictors may grow for ever, and only what probabilities feel of it comes to an end.
    """
    _fill(change, 0.0)
    for k in range(size):
        for i in range(len(change)):
            change[i] += step[k] * rows[k, i]
    largest, felt = 0.0, 0.0
    for i in range(len(change)):
        largest = max(largest, abs(change[i]))
        felt = max(felt, 4.0 * curvature[i] * abs(change[i]))
    return largest, felt


@compiled
def _penalty_of(coefs, size, n_free, penalty):
    total = 0.0
    for k in range(n_free, size):
        total += coefs[k] * coefs[k]
    return 0.5 * penalty * total


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
    middle, moved = 0.0, 0.0
    for k in range(size):
        middle += step[k] * reach[k, 0]
        moved += abs(step[k]) * reach[k, 1]
    moved += abs(middle)
    if not moved < 1e100:
        _fill(step, 0.0)
        return 0.0, 0.0
    if PRECISION < 0.5 * moved * moved < NEARLY * PRECISION:
        moved = _largest_change(rows, size, step, work[2])
    felt = moved
    if moved > LARGE_STEP or penalty == 0.0:
        change = work[3]
        moved, felt = _changes(rows, size, step, work[1], change)
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
    before = _loss(z, target, weight) + _penalty_of(coefs, size, n_free, penalty)
    tried_z, tried = np.empty_like(z), np.empty(size)
    while scale > 1e-6:
        for i in range(len(z)):
            tried_z[i] = z[i] + scale * change[i]
        for k in range(size):
            tried[k] = coefs[k] + scale * step[k]
        if _loss(tried_z, target, weight) + _penalty_of(tried, size, n_free, penalty) < before:
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
        _look(rows, size, start, step, z, target, weight, work, gradient, hessian, is_newton)
        start = z
        if penalty == 0.0 and _is_perfect(work[0]):
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
def logistic_fits(columns, target, weight, penalty, intercept, parents, starts, added, coefs, wrong):
    """Fit the children of some parents; set their coefficients, and the weight of training rows that they get wrong.

    Parameters
    ----------
    columns : float64 array of shape (n_features, n_rows)
    target : float64 array of shape (n_rows,)
        0 or 1.
    weight : float64 array of shape (n_rows,)
    penalty : float
        Half of it times the squared coefficients is added to the loss; the intercept is not penalised.
    intercept : int
        1 with an intercept, 0 without.
    parents : int array of shape (n_parents, size)
    starts : int array of shape (n_parents + 1,)
        Children of parent p add ``added[starts[p]:starts[p + 1]]``.
    coefs : float64 array of shape (n_children, size + 2), set
        The intercept, then parent's features, then the one added.
    wrong : float64 array of shape (n_children,), set
        Empty where nobody asks for it.
    """
    n_rows, size = columns.shape[1], parents.shape[1] + intercept
    rows, reach = np.ones((size + 1, n_rows)), np.zeros((size + 1, 2))
    reach[:intercept, 0] = 1.0
    hessian, factor = np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))
    parent_hessian, parent_factor = np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))
    work, parent_work = np.zeros((4, n_rows)), np.zeros((4, n_rows))
    z, parent_z, nothing, bend = np.empty(n_rows), np.empty(n_rows), np.zeros(n_rows), np.empty(n_rows)
    own, parent_coefs = np.empty(size + 1), np.empty(size)
    step, more, gradient, parent_gradient = np.empty((4, size + 1))
    for p in range(len(parents)):
        for k in range(parents.shape[1]):
            _copy_column(columns[parents[p, k]], rows[intercept + k], reach[intercept + k])
        _fill(parent_coefs, 0.0)
        _fill(step, 0.0)
        place = (rows, size, intercept, reach, target, weight, penalty)
        _newton(*place, parent_coefs, nothing, step, parent_z, parent_work, parent_gradient, hessian, factor, 1.0)
        _look(rows, size, parent_z, step, parent_z, target, weight, parent_work, parent_gradient, parent_hessian, True)
        for k in range(size):
            _factor_row(parent_hessian, k, penalty if k >= intercept else 0.0, parent_factor)
            parent_gradient[k] -= penalty * parent_coefs[k] if k >= intercept else 0.0
        _set_bend(target, weight, parent_work[0], parent_work[1], bend)
        for c in range(starts[p], starts[p + 1]):
            _copy_column(columns[added[c]], rows[size], reach[size])
            _copy_square(parent_factor, factor, size)
            _copy(parent_gradient, gradient)
            gradient[size] = _dot(rows[size], parent_work[0])
            for j in range(size + 1):
                hessian[size, j] = 0.0
            for begin in range(0, n_rows, BLOCK):
                end = min(begin + BLOCK, n_rows)
                _add_hessian_row(rows, size, parent_work[1], begin, end, work[2], hessian)
            _factor_row(hessian, size, penalty, factor)
            _solve(factor, size + 1, gradient, step)
            _copy(parent_coefs, own)
            own[size] = 0.0
            place = (rows, size + 1, intercept, reach, target, weight, penalty)
            moved, felt = _advance(*place, own, parent_z, step, parent_work)
            if BENT_WAY < moved < LARGE_STEP:
                _set_bent_gradient(rows, size + 1, step, bend, work[2], gradient)
                _solve(factor, size + 1, gradient, more)
                for k in range(size + 1):
                    step[k] += more[k]
                    own[k] += more[k]
            start = parent_z
            if 0.5 * felt * felt > PRECISION:
                _newton(*place, own, parent_z, step, z, work, gradient, hessian, factor, moved)
                start = z
            coefs[c, 0] = 0.0
            _copy(own, coefs[c, 1 - intercept :])
            if len(wrong):
                for begin in range(0, n_rows, BLOCK):
                    _move(rows, size + 1, start, step, begin, min(begin + BLOCK, n_rows), z)
                wrong[c] = _wrong(z, target, weight)


@compiled_sum
def _wrong(z, target, weight):
    total = 0.0
    for i in range(len(z)):
        total += weight[i] * ((z[i] > 0.0) != (target[i] > 0.5))
    return total


@compiled
def linear_errors(columns, target, weight, coefs, parents, starts, added, wrong):
    """Set the weight of the rows that linear classifiers get wrong: those of `logistic_fits`, on other rows."""
    z = np.empty(columns.shape[1])
    for p in range(len(parents)):
        for c in range(starts[p], starts[p + 1]):
            _fill(z, coefs[c, 0])
            for k in range(parents.shape[1]):
                _add(z, coefs[c, 1 + k], columns[parents[p, k]])
            _add(z, coefs[c, coefs.shape[1] - 1], columns[added[c]])
            wrong[c] = _wrong(z, target, weight)


@compiled_sum
def _add(z, factor, column):
    for i in range(len(z)):
        z[i] += factor * column[i]
