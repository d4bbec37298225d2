"""The shortest description of the classes: a Dirichlet-multinomial with Jeffreys' prior in every cell, in bits."""

from itertools import combinations
from math import comb, exp, lgamma, log, log1p, log2, pi


def description_of_classes(rows, classes, subset):
    """The bits of the classes, once the values of the subset are known; a class exists if some row has it."""
    n_classes = max(classes) + 1
    cells = {}
    for row, label in zip(rows, classes, strict=True):
        cells.setdefault(tuple(row[k] for k in subset), []).append(label)
    return -sum(_evidence([cell.count(k) for k in range(n_classes)]) for cell in cells.values()) / log(2)


def _evidence(counts):
    n_classes = len(counts)
    total = lgamma(n_classes / 2) - lgamma(sum(counts) + n_classes / 2)
    return total + sum(lgamma(count + 0.5) - lgamma(0.5) for count in counts)


def description(rows, classes, subset, n_candidates, costs, include=()):
    """The bits of the subset and of the classes: which of the candidates, a bit for each unit of cost, and the rest."""
    free = [k for k in subset if k not in include]
    named = log2(comb(n_candidates, len(free))) + sum(costs[k] for k in free)
    return named + description_of_classes(rows, classes, subset)


def shortest_descriptions(rows, classes, features, costs, include=()):
    """All subsets of the features with those included, by the bits of their descriptions."""
    free = [k for k in features if k not in include]
    found = {}
    for size in range(len(free) + 1):
        for chosen in combinations(free, size):
            subset = tuple(sorted((*include, *chosen)))
            found[subset] = description(rows, classes, subset, len(free), costs, include)
    return dict(sorted(found.items(), key=lambda one: one[1]))


def grouped(groups, n_features):
    """The features that enter together: those of every group, and each of the others alone."""
    alone = [(j,) for j in range(n_features) if not any(j in group for group in groups)]
    return [tuple(sorted(group)) for group in groups if group] + alone


def shortest_descriptions_of_units(rows, classes, units, costs):
    """All subsets of units of features, by the bits of their descriptions; choosing a unit is one choice."""
    found = {}
    for size in range(len(units) + 1):
        for chosen in combinations(units, size):
            subset = tuple(sorted(j for unit in chosen for j in unit))
            named = log2(comb(len(units), size)) + sum(costs[j] for j in subset)
            found[subset] = named + description_of_classes(rows, classes, subset)
    return found


def additive_description_of_classes(terms, classes, spread, spread_of_constant):
    """The bits of two classes under a logistic regression with normal priors, by Laplace's method: plain Newton steps.

    The logarithm of the likelihood times the prior at its maximum, plus that of the volume of the normal distribution
    with the same second derivatives.
    """
    rows = [(1.0, *row) for row in terms]
    n_weights = len(rows[0])
    precisions = [1 / spread_of_constant**2] + [1 / spread**2] * (n_weights - 1)
    weights = [0.0] * n_weights
    for _ in range(30):
        gradient, second = _derivatives(rows, classes, weights, precisions)
        step = _solved(second, gradient)[0]
        if max(map(abs, step)) < 1e-7:
            break
        size = 1.0
        while _log_joint(rows, classes, [w - size * s for w, s in zip(weights, step, strict=True)], precisions) < (
            _log_joint(rows, classes, weights, precisions)
        ):
            size /= 2
            if size < 1e-12:
                break
        weights = [w - size * s for w, s in zip(weights, step, strict=True)]
    _, second = _derivatives(rows, classes, weights, precisions)
    log_volume = n_weights * log(2 * pi) / 2 - log(_solved(second, [0.0] * n_weights)[1]) / 2
    return -(_log_joint(rows, classes, weights, precisions) + log_volume) / log(2)


def additive_description_by_quadrature(terms, classes, spread, spread_of_constant, n_points=61, reach=4.0):
    """The same bits for one term, as an integral over both weights on a grid."""
    rows = [(1.0, term) for term in terms]
    precisions = [1 / spread_of_constant**2, 1 / spread**2]
    total = 0.0
    steps = [2 * reach * one / (n_points - 1) for one in (spread_of_constant, spread)]
    for i in range(n_points):
        for j in range(n_points):
            weights = [-reach * spread_of_constant + i * steps[0], -reach * spread + j * steps[1]]
            total += exp(_log_joint(rows, classes, weights, precisions)) * steps[0] * steps[1]
    return -log2(total)


def _log_joint(rows, classes, weights, precisions):
    """The logarithm of the likelihood, and of the normal density of the weights."""
    total = 0.0
    for row, label in zip(rows, classes, strict=True):
        odds = sum(w * x for w, x in zip(weights, row, strict=True))
        signed = odds if label else -odds
        total -= log1p(exp(-signed)) if signed > 0 else log1p(exp(signed)) - signed
    return total + sum(
        (log(precision) - log(2 * pi) - precision * w * w) / 2 for w, precision in zip(weights, precisions, strict=True)
    )


def _derivatives(rows, classes, weights, precisions):
    """The gradient and the second derivatives of minus the same logarithm."""
    n = len(weights)
    gradient = [precision * w for w, precision in zip(weights, precisions, strict=True)]
    second = [[precisions[a] if a == b else 0.0 for b in range(n)] for a in range(n)]
    for row, label in zip(rows, classes, strict=True):
        p = 1 / (1 + exp(-sum(w * x for w, x in zip(weights, row, strict=True))))
        for a in range(n):
            gradient[a] += (p - label) * row[a]
            for b in range(n):
                second[a][b] += p * (1 - p) * row[a] * row[b]
    return gradient, second


def _solved(matrix, right):
    """The solution of a system of equations by elimination, and the determinant; the matrix is positive definite."""
    n, determinant = len(right), 1.0
    system = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for a in range(n):
        determinant *= system[a][a]
        for b in range(n):
            if b != a:
                factor = system[b][a] / system[a][a]
                system[b] = [x - factor * y for x, y in zip(system[b], system[a], strict=True)]
    return [system[a][n] / system[a][a] for a in range(n)], determinant
