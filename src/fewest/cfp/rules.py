"""A concept as rules: when a class wins the vote, in the form of the paper's Figure 1.

The vote depends on nothing but what each feature predicts, so a class is
described by the combinations of predictions with which it wins. These are
joined into terms, each allowing every feature a set of predictions; and a set
of predictions is a union of intervals of the feature's values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import inf, prod
from typing import NamedTuple

import numpy as np

from fewest.cfp.concept import Concept
from fewest.cfp.feature import FeaturePartitions
from fewest.cfp.kernels.locate import NONE

MOST_COMBINATIONS = 20_000
"""Past this number of combinations of predictions, rules would be nothing to read."""


class Interval(NamedTuple):
    """Values from ``lower`` to ``upper``; an end belongs to it or does not."""

    lower: float
    upper: float
    has_lower: bool
    has_upper: bool


Conditions = tuple[tuple[int, frozenset[int]], ...]
"""Features, and for each the predictions that a term allows it; those that predict the class come first."""


def n_combinations(concept: Concept) -> int:
    """Return how many combinations of predictions the features can make."""
    return prod(len(_possible(feature, concept.settings.end_points)) for feature in concept.features)


def terms(concept: Concept, label: int) -> list[Conditions]:
    """Return the terms with which a class wins the vote: one of them holds if and only if it does.

    Every combination with which it wins is widened, one feature after the
    other, by all predictions with which it still wins, those of the fewest
    voters first; combinations that are in a term already are passed over.
    """
    domains = [_possible(feature, concept.settings.end_points) for feature in concept.features]
    # Features that predict nothing are in no term, and NumPy has no more than 64 dimensions.
    speaking = [j for j, domain in enumerate(domains) if len(domain) > 1]
    shape = tuple(len(domains[j]) for j in speaking)
    wins = (_outcomes(concept, domains) == label).reshape(shape)
    covered = np.zeros(shape, dtype=bool)
    found = []
    for combination in sorted(np.argwhere(wins).tolist(), key=lambda c: (sum(map(bool, c)), [-v for v in c])):
        if covered[tuple(combination)]:
            continue
        allowed = _widened(wins, [[value] for value in combination])
        covered[np.ix_(*allowed)] = True
        sets = [(j, frozenset(domains[j][value] for value in own)) for j, own in zip(speaking, allowed, strict=True)]
        limited = [(j, allows) for j, allows in sets if len(allows) < len(domains[j])]
        found.append(tuple(sorted(limited, key=lambda condition: (NONE in condition[1], condition[0]))))
    return found


def _possible(feature: FeaturePartitions, end_points: str) -> list[int]:
    """Return all that a feature can predict, nothing (-1) first."""
    _, at, after = feature.table(end_points)
    return [NONE, *sorted({*at.tolist(), *after.tolist()} - {NONE})]


def _outcomes(concept: Concept, domains: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the class that wins with every combination, -1 for none."""
    combinations = np.array([*product(*domains)], dtype=np.int64).reshape(prod(map(len, domains)), len(domains))
    votes = concept.count(combinations.T, len(combinations))
    return concept.decide_by(lambda rows: combinations[rows].T, votes)


def _widened(wins: np.ndarray, allowed: list[list[int]]) -> list[list[int]]:
    for j, size in enumerate(wins.shape):
        for value in range(size):
            alone = [*allowed[:j], [value], *allowed[j + 1 :]]
            if value not in allowed[j] and wins[np.ix_(*alone)].all():
                allowed = [*allowed[:j], sorted([*allowed[j], value]), *allowed[j + 1 :]]
    return allowed


def intervals(feature: FeaturePartitions, allowed: frozenset[int], end_points: str) -> list[Interval]:
    """Return where on its line a feature makes one of these predictions."""
    boundaries, at, after = (array.tolist() for array in feature.table(end_points))
    found: list[Interval] = []

    def add(lower: float, upper: float, is_point: bool) -> None:
        if found and found[-1].upper == lower and (found[-1].has_upper or is_point):
            found[-1] = Interval(found[-1].lower, upper, found[-1].has_lower, is_point)
        else:
            found.append(Interval(lower, upper, is_point, is_point))

    for boundary, following, here, beyond in zip(boundaries, [*boundaries[1:], inf], at, after, strict=True):
        if boundary > -inf and here in allowed:
            add(boundary, boundary, True)
        if beyond in allowed:
            add(boundary, following, False)
    return found


# ---------------------------------------------------------------------- text


def describe(
    concept: Concept, names: Sequence[str], values: Sequence[Sequence[str] | None], label: int, most: int
) -> tuple[list[str], bool]:
    """Return a class's conjunctions as text, at most ``most``, and whether these are all.

    ``values`` holds the nominal values of every feature, None for a numeric one.
    """
    alternatives = _conjunctions(concept, names, values, label)
    listed = list(islice(alternatives, most + 1))
    return listed[:most], len(listed) <= most


def _conjunctions(
    concept: Concept, names: Sequence[str], values: Sequence[Sequence[str] | None], label: int
) -> Iterator[str]:
    for conditions in terms(concept, label):
        options = []
        for j, allowed in conditions:
            where = intervals(concept.features[j], allowed, concept.settings.end_points)
            nominal = values[j]
            if nominal is None:
                options.append([numeric_condition(names[j], interval) for interval in where])
            else:
                options.append(_nominal_conditions(names[j], nominal, where, NONE in allowed))
        for chosen in product(*options):
            yield " & ".join(chosen) or "always"


def numeric_condition(name: str, interval: Interval) -> str:
    """Write an interval as the paper does.

    >>> numeric_condition("f1", Interval(1.0, 2.5, True, True))
    '1 ≤ f1 & f1 ≤ 2.5'
    >>> numeric_condition("f2", Interval(-inf, 4.0, False, False))
    'f2 < 4'
    """
    lower, upper, has_lower, has_upper = interval
    if lower == upper:
        return f"{name} = {number(lower)}"
    if lower == -inf:
        return f"{name} {'≤' if has_upper else '<'} {number(upper)}"
    if upper == inf:
        return f"{name} {'≥' if has_lower else '>'} {number(lower)}"
    return f"{number(lower)} {'≤' if has_lower else '<'} {name} & {name} {'≤' if has_upper else '<'} {number(upper)}"


def _nominal_conditions(name: str, values: Sequence[str], where: Sequence[Interval], or_else: bool) -> list[str]:
    """Write the values that are meant; or, ``or_else`` for all other values, too, those that are not."""
    meant = {code for code in range(len(values)) if any(_holds(interval, code) for interval in where)}
    if not or_else:
        return [f"{name} = {values[code]}" for code in sorted(meant)]
    return [" & ".join(f"{name} ≠ {values[code]}" for code in range(len(values)) if code not in meant)]


def _holds(interval: Interval, x: float) -> bool:
    lower, upper, has_lower, has_upper = interval
    return lower < x < upper or (has_lower and x == lower) or (has_upper and x == upper)


def number(value: float) -> str:
    """Return a number in the fewest digits that distinguish it from all others, and 3.0 as 3."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
