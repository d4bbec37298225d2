"""Ng (1998): the three algorithms over any function from a subset to its errors, by loops over subsets."""

from itertools import combinations


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
