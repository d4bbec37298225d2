"""Slow oracles, written from the documents. Nothing here imports fewest.

Rows are tuples of values; None is a value that separates nothing. The
functions follow Almuallim and Dietterich (1994): section 2 for sufficiency,
section 5.2 for conflicts, section 5.3 and Figure 2 for FOCUS.
"""

from itertools import combinations, pairwise
from math import inf, log2


def differ(a, b):
    return a is not None and b is not None and a != b


def conflict(row_i, row_j):
    """The features in which two rows differ."""
    return frozenset(k for k, (a, b) in enumerate(zip(row_i, row_j, strict=True)) if differ(a, b))


def conflicting_pairs(rows, classes):
    """Pairs (i, j) of rows of different class, the higher class outside and the lower class inside."""
    n = len(rows)
    return [(i, j) for i in range(n) for j in range(n) if classes[i] > classes[j]]


def all_conflicts(rows, classes):
    """The conflict of every such pair, in order of generation, with copies."""
    return [conflict(rows[i], rows[j]) for i, j in conflicting_pairs(rows, classes)]


def distinct(items):
    return list(dict.fromkeys(items))


def minimal(sets):
    return [s for s in sets if not any(other < s for other in sets)]


def contradictions(rows, classes):
    """Pairs of rows that differ in class and in nothing else."""
    return [(i, j) for i, j in conflicting_pairs(rows, classes) if not conflict(rows[i], rows[j])]


def uncovered(rows, classes, subset):
    """Pairs of rows of different class that agree on the subset."""
    chosen = set(subset)
    return [(i, j) for i, j in conflicting_pairs(rows, classes) if not conflict(rows[i], rows[j]) & chosen]


def is_sufficient(rows, classes, subset):
    """Every pair that can be separated is; the same as sufficiency when there are no contradictions."""
    chosen = set(subset)
    return all(c & chosen for c in all_conflicts(rows, classes) if c)


def smallest_sufficient_subsets(rows, classes, n_features):
    for size in range(n_features + 1):
        found = [s for s in combinations(range(n_features), size) if is_sufficient(rows, classes, s)]
        if found:
            return found
    raise AssertionError("all features together are sufficient")


def smallest_tolerable_subsets(rows, classes, n_features, most):
    """The smallest subsets that leave at most so many pairs of rows of different class unseparated."""
    for size in range(n_features + 1):
        found = [s for s in combinations(range(n_features), size) if len(uncovered(rows, classes, s)) <= most]
        if found:
            return found
    raise AssertionError("all features together leave only the contradictions")


def focus1(rows, classes, n_features):
    """FOCUS-1 with lexicographic order inside a size: the subset and the number of tests."""
    n_tests = 0
    for size in range(n_features + 1):
        for subset in combinations(range(n_features), size):
            n_tests += 1
            if is_sufficient(rows, classes, subset):
                return subset, n_tests
    raise AssertionError("all features together are sufficient")


def focus2(rows, classes):
    """FOCUS-2, Figure 2: the subset, the number of tests and the tested sets in order."""
    if len(set(classes)) <= 1:
        return (), 1, []
    conflicts = [c for c in all_conflicts(rows, classes) if c]
    if not conflicts:
        return (), 1, []
    queue = [(frozenset(), frozenset())]
    tested = []
    while True:
        inside, outside = queue.pop(0)
        out = set(outside)
        tightest = min((c for c in conflicts if not c & inside), key=lambda c: len(c - outside))
        for x in sorted(tightest - outside):
            tested.append(tuple(sorted(inside | {x})))
            if is_sufficient(rows, classes, inside | {x}):
                return tested[-1], 1 + len(tested), tested
            queue.append((inside | {x}, frozenset(out)))
            out.add(x)


def cheapest_covers(sets, n_features, costs, include=(), forbid=()):
    """All subsets of the least cost that meet every set, by trying all; (None, []) if there is none."""
    best, found = None, []
    for size in range(n_features + 1):
        for subset in combinations(range(n_features), size):
            if set(include) - set(subset) or set(forbid) & set(subset):
                continue
            if all(set(subset) & set(s) for s in sets):
                cost = sum(costs[x] for x in subset)
                if best is None or cost < best:
                    best, found = cost, []
                if cost == best:
                    found.append(subset)
    return best, sorted(found)


def groups_by(rows, subset):
    groups = {}
    for i, row in enumerate(rows):
        groups.setdefault(tuple(row[x] for x in subset), []).append(i)
    return list(groups.values())


def entropy(rows, classes, subset):
    """Equation (2): the entropy of the class given the subset."""
    total = 0.0
    for group in groups_by(rows, subset):
        for c in {classes[i] for i in group}:
            share = sum(classes[i] == c for i in group) / len(group)
            total -= len(group) / len(rows) * share * log2(share)
    return total


def greedy(rows, classes, n_features, score):
    """Section 6: add the feature of the least score, the lowest index among equals, until the subset is sufficient."""
    chosen, scores = [], []
    while not is_sufficient(rows, classes, chosen):
        candidates = [x for x in range(n_features) if x not in chosen]
        scored = [score(chosen, x) for x in candidates]
        best = min(range(len(candidates)), key=lambda k: (round(scored[k], 9), candidates[k]))
        chosen.append(candidates[best])
        scores.append(scored[best])
    return chosen, scores


def mutual_information_greedy(rows, classes, n_features):
    return greedy(rows, classes, n_features, lambda chosen, x: entropy(rows, classes, [*chosen, x]))


def simple_greedy(rows, classes, n_features):
    return greedy(rows, classes, n_features, lambda chosen, x: len(uncovered(rows, classes, [*chosen, x])))


def weighted_greedy(rows, classes, n_features):
    """Section 6.3, over the conflicts not yet covered, with their multiplicity."""

    def score(chosen, x):
        credit = 0.0
        for c in all_conflicts(rows, classes):
            if x in c and not c & set(chosen):
                credit += 1 / (len(c) - 1) if len(c) > 1 else inf
        return -credit

    chosen, scores = greedy(rows, classes, n_features, score)
    return chosen, [-s for s in scores]


# ---------------------------------------------------------------------- section 7: ID3 and FRINGE


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
    """The truths of ``column = value`` for every value; only of the last one where there are two, none where one."""
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

    Leaves are visited level by level, and from value 0 to value 1.
    """
    rows, conjunctions, n_trees = [tuple(row) for row in rows], [], 0
    while True:
        tree, n_trees = id3(rows, classes), n_trees + 1
        new = []
        for path, label in sorted(leaves_of(tree), key=lambda leaf: (len(leaf[0]), [value for _, value in leaf[0]])):
            if len(path) < 2 or (max(classes) == 1 and label == 0):
                continue
            column = [int(all(row[x] == value for x, value in path[-2:])) for row in rows]
            opposite = [1 - truth for truth in column]
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


# ---------------------------------------------------------------------- Littlestone (1988)


def winnow(examples, n_features, kind, alpha, theta):
    """Mistaken trials and final weights of WINNOW1, WINNOW2 or the balanced variant, in exact arithmetic.

    Examples are (tuple of 0 and 1, truth); alpha and theta are fractions. The
    balanced variant keeps a weight for and one against every feature, and has a
    feature that is always 1.
    """
    extra = (1,) if kind == "balanced" else ()
    plus = [alpha / alpha] * (n_features + len(extra))
    minus = [alpha / alpha * (kind == "balanced")] * len(plus)
    mistakes = []
    for trial, (instance, truth) in enumerate(examples):
        x = (*instance, *extra)
        predicted = sum((p - m) * x_i for p, m, x_i in zip(plus, minus, x, strict=True)) > theta
        if predicted == truth:
            continue
        mistakes.append(trial)
        for i, x_i in enumerate(x):
            if x_i and truth:
                plus[i], minus[i] = plus[i] * alpha, minus[i] / alpha
            elif x_i:
                plus[i], minus[i] = (0 if kind == "winnow1" else plus[i] / alpha), minus[i] * alpha
    return mistakes, [p - m for p, m in zip(plus, minus, strict=True)]


def consistent(concepts, instance, value):
    """xi_value(C, x): concepts are tuples of values, instances are positions in them."""
    return [concept for concept in concepts if concept[instance] == value]


def halving(concepts, trials):
    """The predictions of the halving algorithm."""
    predictions = []
    for instance, truth in trials:
        ones, zeros = consistent(concepts, instance, 1), consistent(concepts, instance, 0)
        predictions.append(int(len(ones) > len(zeros)))
        concepts = ones if truth else zeros
    return predictions


def largest_tree(concepts):
    """K(C): the height of the largest complete mistake tree."""
    if not concepts:
        return -1
    heights = [0]
    for instance in range(len(concepts[0])):
        zeros, ones = (consistent(concepts, instance, value) for value in (0, 1))
        if zeros and ones:
            heights.append(1 + min(largest_tree(zeros), largest_tree(ones)))
    return max(heights)


def standard_optimal(concepts, trials):
    """The predictions of the standard optimal algorithm."""
    predictions = []
    for instance, truth in trials:
        ones, zeros = consistent(concepts, instance, 1), consistent(concepts, instance, 0)
        predictions.append(int(largest_tree(ones) > largest_tree(zeros)))
        concepts = ones if truth else zeros
    return predictions


def vc_dimension(concepts):
    """The size of the largest shattered set of instances."""
    sizes = range(len(concepts[0]) + 1)
    return max(
        size
        for size in sizes
        for chosen in combinations(sizes[:-1], size)
        if len({tuple(concept[x] for x in chosen) for concept in concepts}) == 2**size
    )
