"""Almuallim and Dietterich (1994), section 7: ID3 and FRINGE; and the MDL cuts of Fayyad and Irani (1993)."""

from itertools import pairwise
from math import inf, log2

from naive.min_features import entropy


def class_counts(classes, weights):
    counts = {}
    for c, w in zip(classes, weights, strict=True):
        counts[c] = counts.get(c, 0) + w
    return counts


def node_entropy(classes, weights):
    counts = class_counts(classes, weights).values()
    return -sum(n / sum(counts) * log2(n / sum(counts)) for n in counts)


def id3(rows, classes, weights=None, above=()):
    """ID3 by information gain: ``(feature, class, counts, {value: subtree})``, a leaf ``(None, class, counts)``.

    An impure node is split even for no gain; a feature that is constant at
    the node is no candidate; the first of equal features is taken. ``above``
    are the class counts of the nodes above, the nearest first: they decide
    between equally frequent classes, and the first class if they do not.
    """
    weights = weights or [1] * len(rows)
    counts = class_counts(classes, weights)
    ladder = (counts, *above)
    predicted = min(counts, key=lambda c: ([round(-level[c], 9) for level in ladder], c))
    best, least = None, inf
    if len(counts) > 1:
        for x in range(len(rows[0])):
            parts = split_by(rows, x)
            if len(parts) == 1:
                continue
            left = sum(
                sum(weights[i] for i in part) * node_entropy([classes[i] for i in part], [weights[i] for i in part])
                for part in parts.values()
            )
            if left < least - 1e-9:
                best, least = x, left
    if best is None:
        return None, predicted, counts
    branches = {
        value: id3([rows[i] for i in part], [classes[i] for i in part], [weights[i] for i in part], ladder)
        for value, part in split_by(rows, best).items()
    }
    return best, predicted, counts, branches


def split_by(rows, x):
    parts = {}
    for i, row in enumerate(rows):
        parts.setdefault(row[x], []).append(i)
    return parts


def id3_predict(tree, row):
    """Follow the branches; where there is none for a value, the node itself answers."""
    while tree[0] is not None and row[tree[0]] in tree[3]:
        tree = tree[3][row[tree[0]]]
    return tree[1]


def boolean_tests(rows):
    """The Boolean columns ``column = value`` for every value; only the last one where there are two, none where one."""
    tests = []
    for x in range(len(rows[0])):
        values = sorted({row[x] for row in rows})
        tests += [(x, value) for value in (values if len(values) > 2 else values[1:])]
    return [tuple(int(row[x] == value) for x, value in tests) for row in rows]


def leaves_of(tree, path=()):
    """Every leaf's path, as ((feature, value), ...), and class."""
    if tree[0] is None:
        return [(path, tree[1])]
    return [leaf for value, branch in tree[3].items() for leaf in leaves_of(branch, (*path, (tree[0], value)))]


def fringe(rows, classes, max_trees=10):
    """FRINGE over rows of 0 and 1: the conjunctions as pairs of (feature, value), the last tree, the number of trees.

    Leaves are visited from left to right: depth first, and from value 0 to value 1.
    """
    rows, conjunctions, n_trees = [tuple(row) for row in rows], [], 0
    while True:
        tree, n_trees = id3(rows, classes), n_trees + 1
        new = []
        for path, label in sorted(leaves_of(tree), key=lambda leaf: [value for _, value in leaf[0]]):
            if len(path) < 2 or (max(classes) == 1 and label == 0):
                continue
            column = [int(all(row[x] == value for x, value in path[-2:])) for row in rows]
            opposite = [1 - value for value in column]
            columns = [[row[x] for row in rows] for x in range(len(rows[0]))] + [c for _, c in new]
            if column not in columns and opposite not in columns:
                new.append((path[-2:], column))
        if n_trees == max_trees or not new:
            return conjunctions, tree, n_trees
        conjunctions += [pair for pair, _ in new]
        rows = [(*row, *(column[i] for _, column in new)) for i, row in enumerate(rows)]


def class_entropy(classes):
    return -sum(classes.count(c) / len(classes) * log2(classes.count(c) / len(classes)) for c in set(classes))


def mdl_cuts(values, classes):
    """Fayyad and Irani (1993): the cut of the least entropy, if it pays for its description, and so on inside."""
    pairs = sorted(zip(values, classes, strict=True))
    borders = sorted(set(values))
    whole = [c for _, c in pairs]
    best = None
    for low, high in pairwise(borders):
        left, right = ([c for v, c in pairs if side(v, low)] for side in (lambda v, b: v <= b, lambda v, b: v > b))
        after = (len(left) * class_entropy(left) + len(right) * class_entropy(right)) / len(whole)
        if best is None or after < best[0] - 1e-12:
            best = (after, low, high, left, right)
    if best is None:
        return []
    after, low, high, left, right = best
    k, k_left, k_right = (len(set(part)) for part in (whole, left, right))
    saved = k * class_entropy(whole) - k_left * class_entropy(left) - k_right * class_entropy(right)
    price = (log2(len(whole) - 1) + log2(3**k - 2) - saved) / len(whole)
    if class_entropy(whole) - after <= price:
        return []
    lower = mdl_cuts(*zip(*[(v, c) for v, c in pairs if v <= low], strict=True))
    upper = mdl_cuts(*zip(*[(v, c) for v, c in pairs if v > low], strict=True))
    return [*lower, (low + high) / 2, *upper]


def boolean_id3(rows, classes, features):
    """ID3 over Boolean features: a class for a leaf, else (feature, tree for 0, tree for 1).

    Section 7 and the usual reading of what it leaves open: information gain,
    also when it is 0; no feature constant at a node; the lowest index among equals; 0 where there is no example.
    """
    if len(set(classes)) <= 1:
        return classes[0] if classes else 0
    varying = [x for x in features if len({row[x] for row in rows}) == 2]
    best = min(varying, key=lambda x: (round(entropy(rows, classes, [x]), 9), x))
    branches = []
    for value in (0, 1):
        kept = [i for i, row in enumerate(rows) if row[best] == value]
        branches.append(boolean_id3([rows[i] for i in kept], [classes[i] for i in kept], features))
    return best, *branches


def boolean_prediction(tree, row):
    while isinstance(tree, tuple):
        tree = tree[1 + row[tree[0]]]
    return tree


def boolean_fringe(rows, classes, instances):
    """FRINGE, at most ten trees: the last tree, and the instances with the features that it made.

    For every positive leaf at depth two or more, from left to right, the last
    two tests on its path are joined; what equals a feature, or its opposite, on the sample is not new.
    """
    rows, instances = list(rows), list(instances)
    for n_trees in range(1, 11):
        tree = boolean_id3(rows, classes, range(len(instances[0])))
        if n_trees == 10:
            break
        before = len(instances[0])
        for path in boolean_positive_paths(tree, ()):
            if len(path) >= 2:
                column = [boolean_meets(row, path[-2:]) for row in rows]
                old = [[row[x] for row in rows] for x in range(len(rows[0]))]
                if column not in old and [1 - value for value in column] not in old:
                    rows = [(*row, value) for row, value in zip(rows, column, strict=True)]
                    instances = [(*row, boolean_meets(row, path[-2:])) for row in instances]
        if len(instances[0]) == before:
            break
    return tree, instances


def boolean_positive_paths(tree, path):
    if isinstance(tree, tuple):
        for value in (0, 1):
            yield from boolean_positive_paths(tree[1 + value], (*path, (tree[0], value)))
    elif tree == 1:
        yield path


def boolean_meets(row, tests):
    return int(all(row[x] == value for x, value in tests))
