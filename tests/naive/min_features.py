"""Almuallim and Dietterich (1994): sufficiency (section 2), conflicts (5.2), FOCUS (5.3, Figure 2), greed (6).

Rows are tuples of values; None is a value that separates nothing.
"""

from fractions import Fraction
from itertools import combinations
from math import floor, inf, log2


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


def explains_beyond_chance(rows, classes, subset, hundredths):
    """Whether a subset leaves at most so many hundredths of the pairs of different class that chance would leave.

    By definition: the mean over all assignments of the classes to the rows, of which every pair of rows is as often
    given different classes as any other. Pairs that nothing separates may always stay.
    """
    pairs = list(combinations(range(len(rows)), 2))
    differ = [(i, j) for i, j in pairs if classes[i] != classes[j]]
    alike = [(i, j) for i, j in pairs if all(rows[i][x] == rows[j][x] for x in subset)]
    left = [pair for pair in alike if pair in set(differ)]
    by_chance = Fraction(len(differ), max(1, len(pairs))) * len(alike)
    return len(left) <= max(Fraction(hundredths, 100) * by_chance, len(contradictions(rows, classes)))


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


def cheapest_covers(sets, n_features, costs, include=(), exclude=(), allows=lambda _: True):
    """All subsets of the least cost that meet every set, by trying all; (None, []) if there is none."""
    best, found = None, []
    for size in range(n_features + 1):
        for subset in combinations(range(n_features), size):
            if set(include) - set(subset) or set(exclude) & set(subset):
                continue
            if allows(subset) and all(set(subset) & set(s) for s in sets):
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


def allowed_subsets(certificate, rows, classes):
    """Every cost and subset that does what a certificate asks of rows (dicts of values, None where missing)."""
    names = [name for name in certificate["columns"] if name not in certificate["exclude"]]
    margins, costs = certificate.get("margins") or {}, certificate.get("costs")
    grouped = [frozenset(group) for group in certificate.get("feature_groups") or [] if group]
    choices = grouped + [frozenset([name]) for name in names if not any(name in group for group in grouped)]

    def price(choice):
        return max(Fraction(1 if costs is None else str(costs[name])) for name in choice)

    def differ(name, one, other):
        a, b = one[name], other[name]
        if a is None or b is None:
            return certificate["missing"] == "value" and (a is None) != (b is None)
        return abs(a - b) >= margins[name] * (1 - 1e-9) if name in margins else a != b

    pairs = [(i, j) for i in range(len(rows)) for j in range(i) if classes[i] != classes[j]]
    sets = [{name for name in names if differ(name, rows[i], rows[j])} for i, j in pairs]
    n_contradictions = sum(not members for members in sets)
    n_left = max(n_contradictions, floor(Fraction(str(certificate.get("tolerance", 0))) * len(sets)))

    def is_allowed(taken):
        subset = frozenset().union(*taken)
        return (
            set(certificate["include"]) <= subset
            and sum(not subset & members for members in sets) <= n_left
            and all(subset & set(some) for some in certificate.get("any_of") or [])
            and all(
                sum(bool(choice & set(some)) for choice in taken) <= most
                for most, some in certificate.get("at_most") or []
            )
        )

    every = (taken for size in range(len(choices) + 1) for taken in combinations(choices, size))
    return [(sum(map(price, taken)), frozenset().union(*taken)) for taken in every if is_allowed(taken)]


def certificate_is_true(certificate, rows, classes):
    """Whether a certificate's claims are true, by enumeration."""
    allowed = allowed_subsets(certificate, rows, classes)
    return (
        certificate["n_rows"] == len(rows)
        and (Fraction(str(certificate["cost"])), frozenset(certificate["features"])) in allowed
        and min(cost for cost, _ in allowed) >= Fraction(str(certificate["lower_bound"]))
    )
