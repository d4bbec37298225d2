"""What a logistic regression asks of its rows: where predictors move, gradients, Hessians, and what is left of a loss.

Rows go by in blocks that stay close to the processor: a look moves their
linear predictors by the last step, and adds up the gradient and the Hessian there.
"""

from __future__ import annotations

from fewest.kernels.compiled import compiled_in_place_max, compiled_in_place_sum, compiled_sum
from fewest.wrapper.kernels.layout import BORDER, PERFECT

# Rows in a block.
BLOCK = 512


@compiled_in_place_max
def copy_column(source, target, reach):
    """Copy a column; note the middle of its range, and how far it reaches from there."""
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
def _add_step(rows, size, step, begin, end, own):
    """Add to what a block has how a step moves its linear predictors."""
    whole = size // 4 * 4
    for k in range(0, whole, 4):  # four at a time, so that what is loaded serves four products
        r0, r1, r2, r3 = rows[k, begin:end], rows[k + 1, begin:end], rows[k + 2, begin:end], rows[k + 3, begin:end]
        a, b, c, d = step[k], step[k + 1], step[k + 2], step[k + 3]
        for i in range(len(own)):
            own[i] += (a * r0[i] + b * r1[i]) + (c * r2[i] + d * r3[i])
    for k in range(whole, size):
        row, length = rows[k, begin:end], step[k]
        for i in range(len(own)):
            own[i] += length * row[i]


@compiled_in_place_sum
def move(rows, size, start, step, begin, end, z):
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
def dot(a, b):
    """Sum the products of two columns."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@compiled_in_place_sum
def _add_products(rows, size, begin, end, own, totals):
    """Add the sums of products of what a block has with each of its rows."""
    whole = size // 4 * 4
    for k in range(0, whole, 4):  # four at a time, as above
        r0, r1, r2, r3 = rows[k, begin:end], rows[k + 1, begin:end], rows[k + 2, begin:end], rows[k + 3, begin:end]
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
        totals[k] += dot(own, rows[k, begin:end])


@compiled_in_place_sum
def add_hessian_row(rows, k, curvature, begin, end, scaled, hessian):
    """Add what a block says about the row of the Hessian of the k-th direction, up to the diagonal."""
    own, bent, row = scaled[: end - begin], curvature[begin:end], rows[k, begin:end]
    for i in range(len(own)):
        own[i] = bent[i] * row[i]
    _add_products(rows, k + 1, begin, end, own, hessian[k])


@compiled_in_place_sum
def look(rows, size, start, step, z, target, weight, work, gradient, hessian, with_hessian):
    """Move all linear predictors, and set the gradient of the likelihood and, if asked for, the Hessian there."""
    residual, curvature, scaled = work[0], work[1], work[2]
    for k in range(size):
        gradient[k] = 0.0
        for j in range(k + 1):
            hessian[k, j] = 0.0 if with_hessian else hessian[k, j]
    for begin in range(0, len(z), BLOCK):
        end = min(begin + BLOCK, len(z))
        move(rows, size, start, step, begin, end, z)
        place = residual[begin:end]
        _set_probabilities(z[begin:end], target[begin:end], weight[begin:end], place, curvature[begin:end])
        _add_products(rows, size, begin, end, place, gradient)
        if with_hessian:
            for k in range(size):
                add_hessian_row(rows, k, curvature, begin, end, scaled, hessian)


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
def largest_change(rows, size, step, scratch):
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
def set_series(target, weight, residual, curvature, series):
    """Set what `near_look` needs to know of the predictors that it starts from."""
    for i in range(len(residual)):
        p = target[i] - residual[i] / weight[i] if weight[i] > 0.0 else 0.5
        series[0, i], series[1, i] = residual[i], curvature[i]
        series[2, i], series[3, i] = curvature[i] * (0.5 - p), p * (1.0 - p)


@compiled_in_place_max
def near_look(rows, size, step, series, scratch, gradient):
    """Set the gradient after a step that is not long; return how far it moves a linear predictor at most.

    Without exponentials: by the series of the logistic function up to the fifth power of the way.
    """
    furthest = 0.0
    for k in range(size):
        gradient[k] = 0.0
    for begin in range(0, rows.shape[1], BLOCK):
        end = min(begin + BLOCK, rows.shape[1])
        own, residual, curvature = scratch[: end - begin], series[0, begin:end], series[1, begin:end]
        bend, spread = series[2, begin:end], series[3, begin:end]
        for i in range(len(own)):
            own[i] = 0.0
        _add_step(rows, size, step, begin, end, own)
        for i in range(len(own)):
            furthest = max(furthest, abs(own[i]))
        for i in range(len(own)):
            d, q = own[i], spread[i]
            square = d * d
            even = 1.0 + square * (1.0 / 12.0) * (1.0 - 12.0 * q)
            odd = 1.0 + square * (1.0 / 6.0) * (1.0 - 6.0 * q + square * 0.05 * (1.0 - 30.0 * q + 120.0 * q * q))
            own[i] = residual[i] - d * (curvature[i] * odd + bend[i] * d * even)
        _add_products(rows, size, begin, end, own, gradient)
    return furthest


@compiled_sum
def changes(rows, size, step, curvature, change):
    """Set how a step moves the linear predictors; return the largest change, and four times that of a probability.

    Without a penalty predictors may grow for ever, and only what probabilities feel of it comes to an end.
    """
    for i in range(len(change)):
        change[i] = 0.0
    for k in range(size):
        for i in range(len(change)):
            change[i] += step[k] * rows[k, i]
    largest, felt = 0.0, 0.0
    for i in range(len(change)):
        largest = max(largest, abs(change[i]))
        felt = max(felt, 4.0 * curvature[i] * abs(change[i]))
    return largest, felt


@compiled_sum
def weight_wrong(z, target, weight):
    """Return the weight of the rows whose class the sign of the linear predictor does not tell."""
    total = 0.0
    for i in range(len(z)):
        total += weight[i] * ((z[i] > BORDER) != (target[i] > 0.5))
    return total
