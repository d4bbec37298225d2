"""Ng (1998): the three algorithms over any function from a subset to its errors, by loops over subsets."""

from itertools import combinations
from math import exp, log, pi


def exhaustive(n_features, guide):
    """Return, for every size, the subset of least guiding error, the first of equals."""
    best = {}
    for size in range(n_features + 1):
        best[size] = min(combinations(range(n_features), size), key=guide)
    return best


def beam(n_features, guide, width):
    """Return the same as found by Figure 1, and how many subsets were tried of each size."""
    beam, best, tried = [()], {0: ()}, {0: 1}
    for size in range(1, n_features + 1):
        grown = []
        for subset in beam:
            for feature in range(n_features):
                if feature not in subset and (new := tuple(sorted((*subset, feature)))) not in grown:
                    grown.append(new)
        ranked = sorted(grown, key=guide)  # stable: equals stay in the order in which they came up
        beam, best[size], tried[size] = ranked[:width], ranked[0], len(grown)
    return best, tried


def backward(n_features, guide, width):
    """Return the best subset of every size, from all features to none."""
    start = tuple(range(n_features))
    beam, best = [start], {n_features: start}
    for size in range(n_features - 1, -1, -1):
        shrunk = []
        for subset in beam:
            for feature in subset:
                if (new := tuple(other for other in subset if other != feature)) not in shrunk:
                    shrunk.append(new)
        ranked = sorted(shrunk, key=guide)
        beam, best[size] = ranked[:width], ranked[0]
    return best


def floating(n_features, guide):
    """Return the best subset of every size by sequential forward floating search."""
    best, current = {0: ()}, ()
    while len(current) < n_features:
        current = min((tuple(sorted((*current, j))) for j in range(n_features) if j not in current), key=guide)
        if len(current) not in best or guide(current) < guide(best[len(current)]):
            best[len(current)] = current
        current = best[len(current)]
        while current:
            smaller = min((tuple(other for other in current if other != j) for j in current), key=guide)
            if guide(smaller) >= guide(best[len(smaller)]):
                break
            best[len(smaller)] = current = smaller
    return best


def choice(best, judge):
    """Return the subset, among the best of every size, that is judged best; the smallest of equals."""
    return min((best[size] for size in sorted(best)), key=judge)


def logistic(rows, labels, weights, penalty, has_intercept):
    """Return intercept and coefficients of the penalised maximum likelihood, by Newton's method with exact algebra."""
    size = len(rows[0]) + 1
    coefs = [0.0] * size
    points = [[1.0 if has_intercept else 0.0, *row] for row in rows]
    for _ in range(100):
        gradient = [-penalty * b * (k > 0) for k, b in enumerate(coefs)]
        hessian = [[penalty * (j == k > 0) for j in range(size)] for k in range(size)]
        for x, label, weight in zip(points, labels, weights, strict=True):
            p = 1 / (1 + exp(-sum(b * v for b, v in zip(coefs, x, strict=True))))
            for k in range(size):
                gradient[k] += weight * (label - p) * x[k]
                for j in range(size):
                    hessian[k][j] += weight * p * (1 - p) * x[k] * x[j]
        if not has_intercept:
            hessian[0][0] = 1.0
        step = solved(hessian, gradient)
        coefs = [b + d for b, d in zip(coefs, step, strict=True)]
        if max(abs(d) for d in step) < 1e-13:
            break
    return coefs


def multinomial(rows, labels, weights, penalty, has_intercept, n_classes):
    """Return intercepts and coefficients of every class, likewise; those of the last class are what the others leave.

    The coefficients of a feature, and the intercepts, have the sum 0. Without this the penalty would be less.
    """
    size = len(rows[0]) + 1
    points = [[1.0 if has_intercept else 0.0, *row] for row in rows]
    free = [(k, j) for k in range(n_classes - 1) for j in range(size) if has_intercept or j > 0]
    coefs = [[0.0] * size for _ in range(n_classes)]
    for _ in range(200):
        gradient = [-penalty * (coefs[k][j] - coefs[-1][j]) * (j > 0) for k, j in free]
        hessian = [[penalty * ((k == o) + 1) * (i == j > 0) for o, i in free] for k, j in free]
        for x, label, weight in zip(points, labels, weights, strict=True):
            scores = [exp(sum(b * v for b, v in zip(own, x, strict=True))) for own in coefs]
            p = [score / sum(scores) for score in scores]
            for a, (k, j) in enumerate(free):  # the score of class k grows with it, and that of the last class falls
                gradient[a] += weight * ((label == k) - p[k] - (label == n_classes - 1) + p[-1]) * x[j]
                for b, (o, i) in enumerate(free):
                    means = (p[k] - p[-1]) * (p[o] - p[-1])
                    hessian[a][b] += weight * (p[k] * (k == o) + p[-1] - means) * x[j] * x[i]
        step = solved(hessian, gradient)
        longest = max(abs(d) for d in step)
        for (k, j), d in zip(free, step, strict=True):
            coefs[k][j] += d / max(longest, 1)
            coefs[-1][j] -= d / max(longest, 1)
        if longest < 1e-13:
            break
    return coefs


def solved(matrix, side):
    """Return the solution of a linear system, by elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, side, strict=True)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def squared_error(rows, targets, penalty, new_rows, new_targets):
    """Return the sum of squared errors, on other rows, of the ridge regression through the origin."""
    size = len(rows[0])
    matrix = [[sum(x[j] * x[k] for x in rows) + penalty * (j == k) for k in range(size)] for j in range(size)]
    coefs = solved(matrix, [sum(x[j] * y for x, y in zip(rows, targets, strict=True)) for j in range(size)])
    return sum(
        (y - sum(b * v for b, v in zip(coefs, x, strict=True))) ** 2 for x, y in zip(new_rows, new_targets, strict=True)
    )


def gaussian_wrong(rows, labels, weights, priors, means, variances):
    """Return the weight of the rows that naive Bayes with normal densities gets wrong, the first of equals winning."""
    wrong = 0.0
    for x, label, weight in zip(rows, labels, weights, strict=True):
        scores = [
            log(prior)
            + sum(
                -0.5 * log(2 * pi * variance) - (value - mean) ** 2 / (2 * variance)
                for value, mean, variance in zip(x, means[c], variances[c], strict=True)
            )
            for c, prior in enumerate(priors)
        ]
        wrong += weight * (scores.index(max(scores)) != label)
    return wrong


def bernoulli_wrong(rows, labels, weights, priors, chances):
    """Return the same for features that are 0 or 1, by the chances of a 1."""
    wrong = 0.0
    for x, label, weight in zip(rows, labels, weights, strict=True):
        scores = [
            log(prior) + sum(log(p if value else 1 - p) for value, p in zip(x, chances[c], strict=True))
            for c, prior in enumerate(priors)
        ]
        wrong += weight * (scores.index(max(scores)) != label)
    return wrong
