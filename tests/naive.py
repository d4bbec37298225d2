"""Slow oracles, written from the documents. Nothing here imports fewest.

Rows are tuples of values; None is a value that separates nothing. The
functions follow Almuallim and Dietterich (1994): section 2 for sufficiency,
section 5.2 for conflicts, section 5.3 and Figure 2 for FOCUS.
"""

from fractions import Fraction
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


# Relief: Kira and Rendell (1992), Figure 1. Rows are tuples of Fractions (numbers), strings (names) and None (missing).


def spans(rows):
    """The normalisation unit of every feature: the range of its known numbers, 1 if they are all equal."""
    units = []
    for column in zip(*rows, strict=True):
        known = [v for v in column if v is not None and not isinstance(v, str)]
        units.append((max(known) - min(known) if known else 0) or 1)
    return units


def known_values(rows, classes, feature, label):
    """The values that a missing one may have: the known ones of its class, or else of all classes."""
    known = [row[feature] for row in rows if row[feature] is not None]
    own = [row[feature] for row, c in zip(rows, classes, strict=True) if c == label and row[feature] is not None]
    return own or known


def relief_diff(rows, classes, i, j, feature, unit, power):
    """diff to a power; the mean over what missing values may be."""
    sides = []
    for r in (i, j):
        value = rows[r][feature]
        sides.append([value] if value is not None else known_values(rows, classes, feature, classes[r]))
    pairs = [(a, b) for a in sides[0] for b in sides[1]]
    if not pairs:
        return 0
    total = sum(int(a != b) if isinstance(a, str) else (abs(a - b) / unit) ** power for a, b in pairs)
    return Fraction(total) / len(pairs)


def relief_distance(rows, classes, i, j, units):
    return sum(relief_diff(rows, classes, i, j, f, unit, 2) for f, unit in enumerate(units))


def near(rows, classes, i, others, units, k):
    """The k nearest of some rows, each with what it counts for: ties at the end share what is left of k."""
    if not others:
        return []
    distance = {j: relief_distance(rows, classes, i, j, units) for j in others}
    k = min(k, len(others))
    last = sorted(distance.values())[k - 1]
    sure = [j for j in others if distance[j] < last]
    tied = [j for j in others if distance[j] == last]
    share = Fraction(k - len(sure), len(tied))
    return [(j, Fraction(1, k)) for j in sure] + [(j, share / k) for j in tied]


def relief_update(rows, classes, i, k=1, power=2, skip=True, pool=True):
    """The expected update of every feature for the drawn row i; zeros when it has no hit or no miss."""
    units, n = spans(rows), len(rows)
    others = [j for j in range(n) if j != i]
    if skip:
        others = [j for j in others if relief_distance(rows, classes, i, j, units)]
    hits = near(rows, classes, i, [j for j in others if classes[j] == classes[i]], units, k)
    misses = []
    labels = sorted(set(classes) - {classes[i]})
    for group in [labels] if pool else [[label] for label in labels]:
        found = near(rows, classes, i, [j for j in others if classes[j] in group], units, k)
        prior = Fraction(sum(c in group for c in classes), sum(c != classes[i] for c in classes)) if group else 0
        misses += [(j, weight * prior) for j, weight in found]
    if not hits or not misses:
        return [0] * len(units)
    return [
        sum(w * relief_diff(rows, classes, i, j, f, unit, power) for j, w in misses)
        - sum(w * relief_diff(rows, classes, i, j, f, unit, power) for j, w in hits)
        for f, unit in enumerate(units)
    ]


def relief(rows, classes, drawn, **options):
    """Relevance: the mean update of the drawn rows."""
    updates = [relief_update(rows, classes, i, **options) for i in drawn]
    return [sum(column) / len(drawn) for column in zip(*updates, strict=True)]


def rrelieff(rows, target, k):
    """RReliefF as Robnik-Šikonja and Kononenko (1997) write it, with equal influence of the k nearest."""
    units, n, nobody = spans(rows), len(rows), [0] * len(rows)
    span = max(target) - min(target) or 1
    n_dc, n_da, n_dcda = 0, [0] * len(units), [0] * len(units)
    for i in range(n):
        for j, weight in near(rows, nobody, i, [j for j in range(n) if j != i], units, k):
            apart = abs(target[i] - target[j]) / span
            n_dc += apart * weight
            for f, unit in enumerate(units):
                diff = relief_diff(rows, nobody, i, j, f, unit, 1)
                n_da[f] += diff * weight
                n_dcda[f] += apart * diff * weight
    if n_dc == 0:
        return [0] * len(units)
    return [dcda / n_dc - ((da - dcda) / (n - n_dc) if n != n_dc else 0) for da, dcda in zip(n_da, n_dcda, strict=True)]


def cfp_at(partitions, x):
    """The partitions [lower, upper, class, count] of one feature that hold a value; both ends belong to them."""
    return [p for p in partitions if p[0] <= x <= p[1]]


def cfp_feature_prediction(partitions, x, end_points="all"):
    """Güvenir and Şirin (1993), section 2: the class that one feature votes for, None for none."""
    here = cfp_at(partitions, x)
    points = [p for p in here if p[0] == p[1]]
    if end_points == "points" and points:
        here = points
    most = max((p[3] for p in here), default=0)
    classes = {p[2] for p in here if p[3] == most}
    return classes.pop() if len(classes) == 1 else None


def cfp_add(partitions, x, c, limit, inclusive=False, between="merge"):
    """Add one value of class c to the partitions of a feature, in place."""
    here = cfp_at(partitions, x)
    own = [p for p in here if p[2] == c]
    properly = [p for p in here if p[0] < x < p[1]]
    if own:
        max(own, key=lambda p: (p[3], -p[0]))[3] += 1
    elif properly:
        (split,) = properly
        lower, upper, other, count = split
        below = int(count * ((x - lower) / (upper - lower)) + 0.5)
        partitions.remove(split)
        partitions += [[lower, x, other, below], [x, x, c, 1], [x, upper, other, count - below]]
    elif here:
        partitions.append([x, x, c, 1])
    else:
        joined = [p for p in cfp_neighbours(partitions, x) if p[2] == c and cfp_is_free(partitions, p, x)]
        gaps = [max(p[0] - x, x - p[1]) for p in joined]
        joined = [p for p, gap in zip(joined, gaps, strict=True) if gap < limit or (inclusive and gap <= limit)]
        if between == "nearer":
            joined = sorted(joined, key=lambda p: (max(p[0] - x, x - p[1]), p[0]))[:1]
        for p in joined:
            partitions.remove(p)
        ends = [x, *(end for p in joined for end in p[:2])]
        partitions.append([min(ends), max(ends), c, 1 + sum(p[3] for p in joined)])
    partitions.sort()


def cfp_neighbours(partitions, x):
    """The partitions that bound the undetermined one around x."""
    below = max((p[1] for p in partitions if p[1] < x), default=None)
    above = min((p[0] for p in partitions if p[0] > x), default=None)
    return [p for p in partitions if p[1] == below] + [p for p in partitions if p[0] == above]


def cfp_is_free(partitions, p, x):
    """Whether p can grow to x without growing over a partition that shares its end there."""
    return p[0] == p[1] or cfp_at(partitions, p[1] if p[1] < x else p[0]) == [p]


def cfp(rows, classes, limits, inclusive=False, between="merge", end_points="all", silence="neutral"):
    """CFP on rows with None for missing values: every feature's partitions, and its right and wrong predictions."""
    learned = [([], [0, 0]) for _ in limits]
    for row, c in zip(rows, classes, strict=True):
        for x, limit, (partitions, tally) in zip(row, limits, learned, strict=True):
            if x is None:
                continue
            guess = cfp_feature_prediction(partitions, x, end_points)
            if guess is not None or silence == "wrong":
                tally[guess != c] += 1
            cfp_add(partitions, x, c, limit, inclusive, between)
    return learned


def cfp_votes(learned, row, delta, end_points="all"):
    """The weights of the features that vote for each class; weights start at 1 and change by delta percent."""
    votes = {}
    for x, (partitions, (right, wrong)) in zip(row, learned, strict=True):
        guess = None if x is None else cfp_feature_prediction(partitions, x, end_points)
        if guess is not None:
            votes.setdefault(guess, []).append((1 + delta / 100) ** right * (1 - delta / 100) ** wrong)
    return votes


def cfp_predict(votes):
    """The class of the largest sum of weights; of equal sums, of the feature with the highest weight; or None."""
    if not votes:
        return None
    most = max(map(sum, votes.values()))
    tied = [c for c in votes if sum(votes[c]) > most * (1 - 1e-9)]
    highest = max(max(votes[c]) for c in tied)
    best = [c for c in tied if max(votes[c]) > highest * (1 - 1e-9)]
    return best[0] if len(best) == 1 else None


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
