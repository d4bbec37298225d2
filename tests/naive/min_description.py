"""The shortest description of the classes: a Dirichlet-multinomial with Jeffreys' prior in every cell, in bits."""

from itertools import combinations
from math import comb, lgamma, log, log2


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
