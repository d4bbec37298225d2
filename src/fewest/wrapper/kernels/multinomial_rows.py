"""What a logistic regression of several classes asks of its rows; they go by in blocks, as in `logistic_rows`."""

from __future__ import annotations

from fewest.kernels.compiled import compiled_in_place_sum
from fewest.wrapper.kernels.logistic_rows import BLOCK, BORDER, _add_products, _add_step, _exp


@compiled_in_place_sum
def set_share(chances, k, other, weight, begin, end, share):
    """Set the weights with which a block enters the Hessian of two classes."""
    p, q, w, own = chances[k, begin:end], chances[other, begin:end], weight[begin:end], share[begin:end]
    if k == other:
        for i in range(len(own)):
            own[i] = w[i] * p[i] * (1.0 - p[i])
    else:
        for i in range(len(own)):
            own[i] = -w[i] * p[i] * q[i]


@compiled_in_place_sum
def class_look(rows, size, coefs, labels, weight, chances, residual, gradient):
    """Set the probability of every class at these coefficients, and the gradient of the likelihood."""
    for k in range(len(coefs)):
        for j in range(size):
            gradient[k, j] = 0.0
    for begin in range(0, rows.shape[1], BLOCK):
        end = min(begin + BLOCK, rows.shape[1])
        for k in range(len(coefs)):
            own = chances[k, begin:end]
            for i in range(len(own)):
                own[i] = 0.0
            _add_step(rows, size, coefs[k], begin, end, own)
        _set_chances(chances, begin, end, residual)
        for k in range(len(coefs)):
            own, left, w, y = chances[k, begin:end], residual[k, begin:end], weight[begin:end], labels[begin:end]
            for i in range(len(own)):
                left[i] = w[i] * ((1.0 if y[i] == k else 0.0) - own[i])
            _add_products(rows, size, begin, end, left, gradient[k])


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
