"""What a logistic regression asks of its rows: where predictors move, gradients, Hessians, and what is left of a loss.

Rows go by in blocks that stay close to the processor: a look moves their
linear predictors by the last step, and adds up the gradient and the Hessian there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.compiled import compiled_in_place_max, compiled_in_place_sum, compiled_sum
from fewest.wrapper.kernels.layout import BORDER, PERFECT

# Rows in a block.
BLOCK = 512


class Regression(NamedTuple):
    """One regression: its features and what they are to explain.

    Attributes
    ----------
    columns : float64 array of shape (size or more, n_rows)
        Ones for the intercept, if there is one, then the features.
    reach : float64 array of shape (size or more, 2)
        The middle of the range of every column, and how far it reaches from there.
    target, weight : arrays of shape (n_rows,)
    size : int
        How many of the columns count.
    n_free : int
        How many of them, the first, are not penalised.
    penalty : float
    """

    columns: np.ndarray
    reach: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    size: int
    n_free: int
    penalty: float


class Look(NamedTuple):
    """The rows as seen from certain coefficients, and room to work; all arrays of shape (n_rows,).

    Attributes
    ----------
    z : linear predictors
    residual : weighted differences of target and probability
    curvature : weights of the rows in the Hessian
    scaled, change : overwritten at will
    """

    z: np.ndarray
    residual: np.ndarray
    curvature: np.ndarray
    scaled: np.ndarray
    change: np.ndarray


class Block(NamedTuple):
    """The rows of a block: from ``begin`` to before ``end``."""

    begin: int
    end: int


@compiled_in_place_max
def copy_column(source, target, reach):
    """Copy a column; set the middle of its range, and how far it reaches from there."""
    low, high = source[0], source[0]
    for i in range(len(source)):
        low, high = min(low, source[i]), max(high, source[i])
        target[i] = source[i]
    reach[0], reach[1] = 0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low


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
def _add_step(columns, size, step, block, own):
    """Add to the values of a block how a step moves its linear predictors."""
    begin, end = block.begin, block.end
    whole = size // 4 * 4
    for k in range(0, whole, 4):  # four at a time, so that what is loaded serves four products
        r0, r1 = columns[k, begin:end], columns[k + 1, begin:end]
        r2, r3 = columns[k + 2, begin:end], columns[k + 3, begin:end]
        a, b, c, d = step[k], step[k + 1], step[k + 2], step[k + 3]
        for i in range(len(own)):
            own[i] += (a * r0[i] + b * r1[i]) + (c * r2[i] + d * r3[i])
    for k in range(whole, size):
        row, length = columns[k, begin:end], step[k]
        for i in range(len(own)):
            own[i] += length * row[i]


@compiled_in_place_sum
def move(regression, start, step, block, z):
    """Set the linear predictors of a block: those at the start, moved by a step."""
    own, before = z[block.begin : block.end], start[block.begin : block.end]
    for i in range(len(own)):
        own[i] = before[i]
    _add_step(regression.columns, regression.size, step, block, own)


@compiled_in_place_sum
def _set_probabilities(z, target, weight, residual, curvature):
    """Set the weighted residuals and the weights of the Hessian."""
    for i in range(len(z)):
        p = 1.0 / (1.0 + _exp(-z[i]))
        residual[i] = weight[i] * (target[i] - p)
        curvature[i] = weight[i] * p * (1.0 - p)


@compiled_in_place_sum
def dot(a, b):
    """Sum the products of two columns."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled_in_place_sum
def _add_products(columns, size, block, own, totals):
    """Add the sums of products of the values of a block with each of its columns."""
    begin, end = block.begin, block.end
    whole = size // 4 * 4
    for k in range(0, whole, 4):  # four at a time, as above
        r0, r1 = columns[k, begin:end], columns[k + 1, begin:end]
        r2, r3 = columns[k + 2, begin:end], columns[k + 3, begin:end]
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for i in range(len(own)):
            a += own[i] * r0[i]
            b += own[i] * r1[i]
            c += own[i] * r2[i]
            d += own[i] * r3[i]
        totals[k] += a
        totals[k + 1] += b
        totals[k + 2] += c
        totals[k + 3] += d
    for k in range(whole, size):
        totals[k] += dot(own, columns[k, begin:end])


@compiled_in_place_sum
def add_hessian_row(columns, k, curvature, block, scaled, hessian):
    """Add the part of a block to the row of the Hessian of the k-th direction, up to the diagonal."""
    begin, end = block.begin, block.end
    own, bent, row = scaled[: end - begin], curvature[begin:end], columns[k, begin:end]
    for i in range(len(own)):
        own[i] = bent[i] * row[i]
    _add_products(columns, k + 1, block, own, hessian[k])


@compiled_in_place_sum
def look(regression, start, at, newton, with_hessian):
    """Move all linear predictors by the last step; set the gradient there and, if asked for, the Hessian.

    Parameters
    ----------
    regression : Regression
    start : float64 array of shape (n_rows,)
        The linear predictors to move; may be ``at.z``.
    at : Look, set
    newton : NewtonStep
        ``step`` is the last one; ``gradient`` and, if asked for, ``hessian`` are set.
    with_hessian : bool
    """
    columns, size, gradient, hessian = regression.columns, regression.size, newton.gradient, newton.hessian
    for k in range(size):
        gradient[k] = 0.0
        for j in range(k + 1):
            hessian[k, j] = 0.0 if with_hessian else hessian[k, j]
    n_rows = columns.shape[1]
    for begin in range(0, n_rows, BLOCK):
        end = min(begin + BLOCK, n_rows)
        block = Block(begin, end)
        move(regression, start, newton.step, block, at.z)
        own = at.residual[begin:end]
        target, weight = regression.target[begin:end], regression.weight[begin:end]
        _set_probabilities(at.z[begin:end], target, weight, own, at.curvature[begin:end])
        _add_products(columns, size, block, own, gradient)
        if with_hessian:
            for k in range(size):
                add_hessian_row(columns, k, at.curvature, block, at.scaled, hessian)


@compiled_in_place_sum
def is_perfect(residual):
    """Return whether no residual is left."""
    furthest = 0.0
    for i in range(len(residual)):
        furthest = max(furthest, abs(residual[i]))
    return furthest < PERFECT


@compiled_in_place_sum
def _log1p(x):
    """Return log(1 + x), for 0 <= x <= 1, to 1e-10: by the series of the inverse hyperbolic tangent, as `_exp`."""
    t = x / (2.0 + x)
    s = t * t
    p = 1.0 / 17
    p = p * s + 1.0 / 15
    p = p * s + 1.0 / 13
    p = p * s + 1.0 / 11
    p = p * s + 1.0 / 9
    p = p * s + 1.0 / 7
    p = p * s + 1.0 / 5
    p = p * s + 1.0 / 3
    return 2.0 * t * (p * s + 1.0)


@compiled_in_place_sum
def loss(z, target, weight):
    """Return minus the log likelihood."""
    total = 0.0
    for i in range(len(z)):
        margin = (2.0 * target[i] - 1.0) * z[i]
        total += weight[i] * (_log1p(_exp(-abs(margin))) + 0.5 * (abs(margin) - margin))
    return total


@compiled_in_place_max
def largest_change(regression, step, scratch):
    """Return how far a step moves a linear predictor at most."""
    columns, largest = regression.columns, 0.0
    for begin in range(0, columns.shape[1], BLOCK):
        end = min(begin + BLOCK, columns.shape[1])
        change = scratch[: end - begin]
        for i in range(len(change)):
            change[i] = 0.0
        _add_step(columns, regression.size, step, Block(begin, end), change)
        for i in range(len(change)):
            largest = max(largest, abs(change[i]))
    return largest


class Series(NamedTuple):
    """The coefficients of the logistic function's series around the predictors of a parent; one a row.

    Attributes
    ----------
    residual, curvature : the function and its first derivative, weighted
    bend : half its second derivative, weighted
    spread : p (1 - p), of which higher derivatives are polynomials
    """

    residual: np.ndarray
    curvature: np.ndarray
    bend: np.ndarray
    spread: np.ndarray


@compiled_in_place_sum
def set_series(regression, at, series):
    """Set the series around the predictors of a look."""
    target, weight, residual, curvature = regression.target, regression.weight, at.residual, at.curvature
    own_residual, own_curvature, bend, spread = series.residual, series.curvature, series.bend, series.spread
    for i in range(len(residual)):
        p = target[i] - residual[i] / weight[i] if weight[i] > 0.0 else 0.5
        own_residual[i], own_curvature[i] = residual[i], curvature[i]
        bend[i], spread[i] = curvature[i] * (0.5 - p), p * (1.0 - p)


@compiled_in_place_max
def near_look(regression, step, series, scratch, gradient):
    """Set the gradient after a step that is not long; return how far it moves a linear predictor at most.

    Without exponentials: by the series of the logistic function up to the fifth power of the way.
    """
    columns, size, furthest = regression.columns, regression.size, 0.0
    for k in range(size):
        gradient[k] = 0.0
    for begin in range(0, columns.shape[1], BLOCK):
        end = min(begin + BLOCK, columns.shape[1])
        own, residual, curvature = scratch[: end - begin], series.residual[begin:end], series.curvature[begin:end]
        bend, spread = series.bend[begin:end], series.spread[begin:end]
        for i in range(len(own)):
            own[i] = 0.0
        _add_step(columns, size, step, Block(begin, end), own)
        for i in range(len(own)):
            furthest = max(furthest, abs(own[i]))
        for i in range(len(own)):
            d, q = own[i], spread[i]
            square = d * d
            even = 1.0 + square * (1.0 / 12.0) * (1.0 - 12.0 * q)
            odd = 1.0 + square * (1.0 / 6.0) * (1.0 - 6.0 * q + square * 0.05 * (1.0 - 30.0 * q + 120.0 * q * q))
            own[i] = residual[i] - d * (curvature[i] * odd + bend[i] * d * even)
        _add_products(columns, size, Block(begin, end), own, gradient)
    return furthest


@compiled_sum
def changes(regression, step, curvature, change):
    """Set how a step moves the linear predictors; return the largest change, and four times that of a probability.

    Without a penalty predictors may grow for ever, and only what probabilities feel of it comes to an end.
    """
    columns = regression.columns
    for i in range(len(change)):
        change[i] = 0.0
    for k in range(regression.size):
        for i in range(len(change)):
            change[i] += step[k] * columns[k, i]
    largest, felt = 0.0, 0.0
    for i in range(len(change)):
        largest = max(largest, abs(change[i]))
        felt = max(felt, 4.0 * curvature[i] * abs(change[i]))
    return largest, felt


@compiled_sum
def weight_wrong(z, target, weight):
    """Return the weight of the rows whose class is not that of the linear predictor's sign."""
    total = 0.0
    for i in range(len(z)):
        total += weight[i] * ((z[i] > BORDER) != (target[i] > 0.5))
    return total
