"""How features go with each other and with the target: which stand for each other, and which say more together.

Values are put into groups first, at most nine a column and missing values one of them, so that one measure serves
columns of every kind, and a numeric target is cut into thirds. Every table of counts comes from one product of
indicator matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fewest.report.data_facts import target_groups, value_groups
from fewest.table import Column, Kind, Table

# What a reader looks at; more rows than this change no picture.
MOST_FEATURES, MOST_ROWS, MOST_PAIRS = 40, 5_000, 4
# Features of an association of at least this stand for each other; 1 are copies under other names.
ALIKE = 0.6
# Of an association of at least this, a pair with the one shows what a pair with the other has shown.
SAME = 0.95
# The probability that chance alone shows any pair as interacting.
LEVEL = 0.01
# So many rows of every class a cell make the test's approximation good (Cochran, 1954).
FULL_CELL = 5


@dataclass(frozen=True, eq=False)
class Groups:
    """Grouped values of some features and of the target, over the same rows.

    ``names[j]`` are the names of the groups of feature ``j``, ``codes[:, j]`` the group of every row, ``ranks[:, j]``
    the ranks of its numbers: the middle one for a missing number, and 0 everywhere for what is not numeric.
    """

    features: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    codes: np.ndarray
    class_names: tuple[str, ...]
    classes: np.ndarray
    ranks: np.ndarray

    @classmethod
    def of(cls, features: Table, target: Column, wanted: Sequence[str]) -> Groups:
        """Group the values of the wanted features, of evenly spaced rows where there are very many."""
        rows = np.unique(np.linspace(0, features.n_rows - 1, min(features.n_rows, MOST_ROWS)).astype(np.intp))
        class_names, classes = target_groups(target)
        grouped = [value_groups(features[name]) for name in wanted]
        codes = np.empty((len(rows), len(grouped)), dtype=np.intp)
        names = []
        for j, (labels, of_rows) in enumerate(grouped):
            used, codes[:, j] = np.unique(of_rows[rows], return_inverse=True)
            names.append(tuple(labels[k] for k in used))
        ranks = np.column_stack([_ranks(features[name], rows) for name in wanted])
        return cls(tuple(wanted), tuple(names), codes, tuple(class_names), classes[rows], ranks)

    @cached_property
    def starts(self) -> np.ndarray:
        """Return where the indicators of each feature begin; the last entry is the end."""
        return np.cumsum([0, *map(len, self.names)])

    @cached_property
    def indicators(self) -> np.ndarray:
        """Return a matrix of 0 and 1: a column for every group of every feature."""
        matrix = np.zeros((len(self.codes), int(self.starts[-1])), dtype=np.float32)
        rows = np.arange(len(self.codes))
        for j, start in enumerate(self.starts[:-1]):
            matrix[rows, start + self.codes[:, j]] = 1
        return matrix

    @cached_property
    def counts(self) -> np.ndarray:
        """Return the rows of each class that two groups share: classes x groups x groups."""
        parts = (self.indicators[self.classes == k] for k in range(len(self.class_names)))
        return np.stack([np.rint(part.T @ part) for part in parts]).astype(np.int64)

    @cached_property
    def correlation(self) -> np.ndarray:
        """Return the rank correlations of all features without their signs."""
        ranks = self.ranks - self.ranks.mean(axis=0)
        norms = np.sqrt((ranks**2).sum(axis=0))
        norms[norms == 0] = np.inf  # what is not numeric, or one number only, correlates with nothing
        return np.abs(ranks.T @ ranks) / np.outer(norms, norms)

    def span(self, j: int) -> slice:
        """Return where the groups of a feature stand among all groups."""
        return slice(int(self.starts[j]), int(self.starts[j + 1]))


def _ranks(column: Column, rows: np.ndarray) -> np.ndarray:
    ranks = np.zeros(len(rows))
    if column.kind is Kind.NUMERIC:
        from scipy.stats import rankdata

        known = ~column.is_missing[rows]
        ranks[known] = rankdata(column.values[rows][known])
        ranks[~known] = (np.count_nonzero(known) + 1) / 2
    return ranks


def association(counts: np.ndarray) -> float:
    """Return Cramér's V of a table of counts, corrected for chance: 0 for none, 1 where each determines the other.

    Bergsma (2013), *A bias-correction for Cramér's V and Tschuprow's T*, Journal of the Korean Statistical Society 42.

    Examples
    --------
    >>> association(np.array([[20, 0], [0, 30]]))
    1.0
    >>> association(np.array([[10, 10], [15, 15]]))
    0.0
    """
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0].astype(np.float64)
    n, (r, k) = counts.sum(), counts.shape
    if min(r, k) < 2 or n < 2:
        return 0.0
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / n
    squared = float(((counts - expected) ** 2 / expected).sum()) / n
    corrected = max(0.0, squared - (r - 1) * (k - 1) / (n - 1))
    rows, columns = (size - (size - 1) ** 2 / (n - 1) for size in (r, k))
    most = min(rows, columns) - 1
    return float(round(min(1.0, np.sqrt(corrected / most)), 12)) if most > 0 else 0.0


def strongest_alone(features: Table, target: Column, chosen: Sequence[str]) -> list[str]:
    """Return the features worth a look: the chosen ones, then those that go best with the target alone."""
    first = list(chosen)[:MOST_FEATURES]
    known = set(first)
    others = [name for name in features.names if name not in known]
    strength = target_associations(features, target, others)
    ranked = sorted(others, key=lambda name: -strength[name])
    return [*first, *ranked][:MOST_FEATURES]


def target_associations(features: Table, target: Column, names: Sequence[str]) -> dict[str, float]:
    """Return how strongly each feature goes with the target alone."""
    found = {}
    for name in names:  # one at a time, so that thousands of columns need no room
        groups = Groups.of(features, target, [name])
        counts = np.zeros((len(groups.names[0]), len(groups.class_names)), dtype=np.int64)
        np.add.at(counts, (groups.codes[:, 0], groups.classes), 1)
        found[name] = association(counts)
    return found


# ---------------------------------------------------------------------- features that stand for each other


def redundancy_facts(groups: Groups) -> dict[str, Any] | None:
    """Cluster features by their association; None for fewer than two.

    Returns
    -------
    dict
        ``leaves`` in the order of the drawing, ``merges`` from the closest on (the heights and leaf positions of both
        sides and their association), ``groups`` of features that stand for each other, with their least association.
    """
    from scipy.cluster.hierarchy import average, fcluster, leaves_list
    from scipy.spatial.distance import squareform

    n_features = len(groups.features)
    if n_features < 2:
        return None
    strength = _strengths(groups)
    tree = average(squareform(1 - strength, checks=False))
    leaves = leaves_list(tree).tolist()
    clusters = fcluster(tree, 1 - ALIKE, criterion="distance")
    found = []
    for k in np.unique(clusters):
        members = np.flatnonzero(clusters == k).tolist()
        if len(members) > 1:
            least = min(strength[i, j] for i in members for j in members)
            found.append({"features": [groups.features[j] for j in members], "least": float(least)})
    return {
        "leaves": [groups.features[j] for j in leaves],
        "merges": _merges(tree, leaves),
        "groups": sorted(found, key=lambda group: -group["least"]),
        "alike": ALIKE,
    }


def _strengths(groups: Groups) -> np.ndarray:
    """Return the association of every two features; of two numeric ones their rank correlation, where it is larger."""
    strength = np.eye(len(groups.features))
    for i in range(len(strength)):
        for j in range(i):
            strength[i, j] = strength[j, i] = _strength(groups, i, j)
    return strength


def _strength(groups: Groups, i: int, j: int) -> float:
    """Return the association of two features."""
    of_groups = association(groups.counts[:, groups.span(i), groups.span(j)].sum(axis=0))
    return min(1.0, max(of_groups, float(groups.correlation[i, j])))


def _merges(tree: np.ndarray, leaves: list[int]) -> list[dict[str, float]]:
    """Return, for every merge, where its two sides stand (in leaves from the top) and their associations."""
    n_leaves = len(leaves)
    place = {leaf: float(k) for k, leaf in enumerate(leaves)}
    height = dict.fromkeys(range(n_leaves), 0.0)
    merges = []
    for k, (a, b, distance, _) in enumerate(tree):
        a, b = sorted((int(a), int(b)), key=place.__getitem__)
        merges.append(
            {
                "top": place[a], "bottom": place[b], "top_height": height[a], "bottom_height": height[b],
                "height": float(distance),
            }
        )  # fmt: skip
        place[n_leaves + k], height[n_leaves + k] = (place[a] + place[b]) / 2, float(distance)
    return merges


# ---------------------------------------------------------------------- features that say more together


def interaction_facts(groups: Groups) -> list[dict[str, Any]]:
    """Return the pairs of features that say more about the target together than the two apart, the strongest first.

    What a pair says beyond its parts is I(a, b; y) - I(a; y) - I(b; y), in bits. Only what chance would hardly show in
    any of the pairs counts: the likelihood-ratio test, its level divided by the number of pairs. It is too lenient
    where cells hold few rows; there, what is gained must pay for the cells as well (Schwarz's criterion).
    """
    from scipy.stats import chi2

    n_features, n_rows = len(groups.features), len(groups.codes)
    rarest = int(np.bincount(groups.classes, minlength=len(groups.class_names)).min(initial=n_rows))
    n_pairs = n_features * (n_features - 1) // 2
    if not n_pairs or len(groups.class_names) < 2:
        return []
    alone = [_information(_own_counts(groups, j)) for j in range(n_features)]
    found = []
    for i in range(n_features):
        for j in range(i):
            table = groups.counts[:, groups.span(i), groups.span(j)]
            cells = table.reshape(len(table), -1)
            beyond = _information(cells) - alone[i] - alone[j]
            degrees = (len(groups.names[i]) - 1) * (len(groups.names[j]) - 1) * (len(table) - 1)
            statistic = 2 * np.log(2) * n_rows * beyond
            price = 0.0 if rarest >= FULL_CELL * cells.shape[1] else degrees * np.log(n_rows)
            if degrees and statistic > price and chi2.sf(statistic, degrees) < LEVEL / n_pairs:
                # What so many cells show by chance is taken off before pairs are ranked.
                found.append((beyond - degrees / (2 * np.log(2) * n_rows), j, i))
    shown: list[tuple[float, int, int]] = []
    for bits, first, second in sorted(found, reverse=True):
        if len(shown) < MOST_PAIRS and not any(_say_the_same(groups, (first, second), pair[1:]) for pair in shown):
            shown.append((bits, first, second))
    return [_pair(groups, first, second, bits) for bits, first, second in shown]


def _say_the_same(groups: Groups, pair: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether two pairs are the same features, or near-copies of these under other names."""
    ways = (other, other[::-1])
    return any(all(a == b or _strength(groups, a, b) >= SAME for a, b in zip(pair, way, strict=True)) for way in ways)


def _own_counts(groups: Groups, j: int) -> np.ndarray:
    """Return the counts of one feature: classes x its groups."""
    return np.stack([np.diagonal(table[groups.span(j), groups.span(j)]) for table in groups.counts])


def _information(counts: np.ndarray) -> float:
    """Return the mutual information of classes and groups, in bits."""
    shares = counts / counts.sum()
    expected = shares.sum(axis=1, keepdims=True) * shares.sum(axis=0)
    seen = shares > 0
    return float((shares[seen] * np.log2(shares[seen] / expected[seen])).sum())


def _pair(groups: Groups, first: int, second: int, bits: float) -> dict[str, Any]:
    """Describe the classes in every cell of two features."""
    table = groups.counts[:, groups.span(first), groups.span(second)]
    return {
        "features": [groups.features[first], groups.features[second]],
        "bits": float(bits),
        "rows": list(groups.names[first]),
        "columns": list(groups.names[second]),
        "cells": np.moveaxis(table, 0, -1).tolist(),
    }
