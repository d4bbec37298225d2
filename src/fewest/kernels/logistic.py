"""Logistic regressions on many subsets of features at once, by Newton's method from the fits of their parents.

Subsets come as parents, each with several features that are added to it one
at a time. A parent is fitted first. For its children the first step then
needs no exponentials: probabilities and the factored Hessian of the parent are
known, and only the row of the new feature joins them. Once a step is small, the Hessian
is kept (the chord method): for many features it is most of the work.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiled import compiled, compiled_sum

# A step of Newton's method that moves no linear predictor by more than this is the last: the error that it leaves is of
# the order of its square. With the Hessian of an earlier step, it is only a fraction of the step.
LAST_NEWTON_STEP, LAST_CHORD_STEP = 1e-4, 1e-6
# Below this, the Hessian of the step before is good enough: what it leaves shrinks by such a factor at every step.
SMALL_STEP = 0.05
# To this size a new Hessian costs less than the exponentials of another step.
FEW = 8
# Above this, a step may overshoot, and is halved until it makes the loss smaller.
LARGE_STEP = 3.0
MOST_STEPS = 60
# Classes that a plane separates have no maximum of the likelihood without a penalty: stop where all is explained.
PERFECT = 1e-4
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


@compiled_sum
def _exp(x):
    """Return e^x, for |x| <= 36, beyond which a probability is 0 or 1: that of x / 64 by its series, then squared.

    Products and sums alone run on vectors, four at a time; the library's function does not.
    """
    x = x if x < 36.0 else 36.0
    x = x if x > -36.0 else -36.0
    r = x * (1.0 / 64.0)
    p = 1.0 / 479001600
    p = p * r + 1.0 / 39916800
    p = p * r + 1.0 / 3628800
    p = p * r + 1.0 / 362880
    p = p * r + 1.0 / 40320
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


@compiled_sum
def _probabilities(z, target, weight, residual, curvature):
    """Set the weighted residuals and the weights of the Hessian; return the largest residual."""
    for i in range(len(z)):
        p = 1.0 / (1.0 + _exp(-z[i]))
        residual[i] = weight[i] * (target[i] - p)
        curvature[i] = weight[i] * p * (1.0 - p)
    furthest = 0.0
    for i in range(len(z)):
        furthest = max(furthest, abs(residual[i]))
    return furthest


@compiled_sum
def _dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled_sum
def _loss(z, target, weight):
    """Return minus the log likelihood."""
    total = 0.0
    for i in range(len(z)):
        margin = z[i] if target[i] > 0.5 else -z[i]
        total += weight[i] * (np.log1p(np.exp(-abs(margin))) + max(-margin, 0.0))
    return total


@compiled_sum
def _hessian_row(rows, k, curvature, scaled, hessian):
    """Set the row of the Hessian of the k-th direction, up to the diagonal."""
    for i in range(len(curvature)):
        scaled[i] = curvature[i] * rows[k, i]
    whole = (k + 1) // 4 * 4
    for j in range(0, whole, 4):  # four at a time, so that what is loaded serves four products
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for i in range(len(scaled)):
            a += scaled[i] * rows[j, i]
            b += scaled[i] * rows[j + 1, i]
            c += scaled[i] * rows[j + 2, i]
            d += scaled[i] * rows[j + 3, i]
        hessian[k, j], hessian[k, j + 1], hessian[k, j + 2], hessian[k, j + 3] = a, b, c, d
    for j in range(whole, k + 1):
        total = 0.0
        for i in range(len(scaled)):
            total += scaled[i] * rows[j, i]
        hessian[k, j] = total


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


@compiled_sum
def _moved(rows, size, step, z, change):
    """Return the largest change of a linear predictor, and set all changes."""
    _fill(change, 0.0)
    for k in range(size):
        for i in range(len(z)):
            change[i] += step[k] * rows[k, i]
    largest = 0.0
    for i in range(len(z)):
        largest = max(largest, abs(change[i]))
    return largest


@compiled_sum
def _felt(curvature, change):
    """Return the largest change of a probability, four times: without a penalty, predictors may grow for ever."""
    largest = 0.0
    for i in range(len(change)):
        largest = max(largest, 4.0 * curvature[i] * abs(change[i]))
    return largest


@compiled
def _penalty_of(coefs, size, n_free, penalty):
    total = 0.0
    for k in range(n_free, size):
        total += coefs[k] * coefs[k]
    return 0.5 * penalty * total


@compiled
def _advance(size, n_free, target, weight, penalty, coefs, z, step, change, largest):
    """Take a step, halved as long as it does not make the loss smaller; return by how much predictors moved."""
    scale = 1.0
    if largest > LARGE_STEP:
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
    for i in range(len(z)):
        z[i] += scale * change[i]
    for k in range(size):
        coefs[k] += scale * step[k]
    return scale * largest


@compiled
def _newton(rows, size, n_free, target, weight, penalty, coefs, z, work, hessian, factor, moved):
    """Go on from ``coefs`` and ``z`` to the maximum; ``moved`` is the size of the last step, or large at first."""
    residual, curvature, change, gradient, step = work[0], work[1], work[2], np.empty(size), np.empty(size)
    for _ in range(MOST_STEPS):
        furthest = _probabilities(z, target, weight, residual, curvature)
        if penalty == 0.0 and furthest < PERFECT:
            return
        is_newton = moved > SMALL_STEP or size <= FEW
        if is_newton:
            for k in range(size):
                _hessian_row(rows, k, curvature, work[3], hessian)
                _factor_row(hessian, k, penalty if k >= n_free else 0.0, factor)
        for k in range(size):
            gradient[k] = _dot(rows[k], residual) - (penalty * coefs[k] if k >= n_free else 0.0)
        _solve(factor, size, gradient, step)
        largest = _moved(rows, size, step, z, change)
        if not largest < 1e100:
            return
        before = moved
        felt = _felt(curvature, change) if penalty == 0.0 else largest
        moved = _advance(size, n_free, target, weight, penalty, coefs, z, step, change, largest)
        if felt <= (LAST_NEWTON_STEP if is_newton else LAST_CHORD_STEP):
            return
        if before <= SMALL_STEP and moved > 0.5 * before:
            moved = 2 * SMALL_STEP  # the kept Hessian does not serve: make a new one


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
    """
    n_rows, size = columns.shape[1], parents.shape[1] + intercept
    rows = np.ones((size + 1, n_rows))
    work, hessian, factor = np.empty((4, n_rows)), np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))
    parent_coefs, parent_z = np.zeros(size), np.zeros(n_rows)
    residual, curvature = np.empty(n_rows), np.empty(n_rows)
    own, z, step, gradient = np.zeros(size + 1), np.empty(n_rows), np.empty(size + 1), np.zeros(size + 1)
    parent_hessian, parent_factor = np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))
    for p in range(len(parents)):
        for k in range(parents.shape[1]):
            _copy(columns[parents[p, k]], rows[intercept + k])
        _fill(parent_coefs, 0.0)
        _fill(parent_z, 0.0)
        _newton(rows, size, intercept, target, weight, penalty, parent_coefs, parent_z, work, hessian, factor, 1.0)
        _probabilities(parent_z, target, weight, residual, curvature)
        for k in range(size):
            _hessian_row(rows, k, curvature, work[3], parent_hessian)
            _factor_row(parent_hessian, k, penalty if k >= intercept else 0.0, parent_factor)
            gradient[k] = _dot(rows[k], residual) - (penalty * parent_coefs[k] if k >= intercept else 0.0)
        for c in range(starts[p], starts[p + 1]):
            _copy(columns[added[c]], rows[size])
            _copy_square(parent_hessian, hessian, size)
            _copy_square(parent_factor, factor, size)
            own[size] = 0.0
            _copy(parent_coefs, own)
            _copy(parent_z, z)
            _hessian_row(rows, size, curvature, work[3], hessian)
            _factor_row(hessian, size, penalty, factor)
            gradient[size] = _dot(rows[size], residual)
            _solve(factor, size + 1, gradient, step)
            largest = _moved(rows, size + 1, step, z, work[2])
            if largest < 1e100:
                moved = _advance(size + 1, intercept, target, weight, penalty, own, z, step, work[2], largest)
                if moved > LAST_NEWTON_STEP:
                    _newton(rows, size + 1, intercept, target, weight, penalty, own, z, work, hessian, factor, moved)
            coefs[c, 0] = 0.0
            _copy(own, coefs[c, 1 - intercept :])
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
