"""A sufficient subset that is quickly found and usually small: what a search starts from, or ends with when stopped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.cover.coverage import RowPartition, Rows
from fewest.cover.examples import Examples
from fewest.cover.tolerant import tolerable_subset
from fewest.kernels.partition import numbered

# Features are judged by the pairs among so many rows, and then by so many violated pairs at a time.
SAMPLED_ROWS = 20_000
JUDGING_PAIRS = 256


def irreducible_subset(
    sample: Examples,
    include: Sequence[int] = (),
    costs: np.ndarray | None = None,
    known: np.ndarray | None = None,
) -> tuple[int, ...]:
    """Find a sufficient subset, ``include`` among it, from which no other feature can be left out.

    Simple-Greedy on a sample of the rows; then, as long as a test of all
    rows finds violated pairs, the feature that separates the most of them;
    then drop, the dearest first, what has become superfluous. ``known``
    conflicts (Boolean, conflicts x features) spare it most tests: a feature that alone
    covers one of them is not superfluous.
    """
    worth = np.ones(sample.n_features) if costs is None else 1 / np.asarray(costs, dtype=np.float64)
    chosen = list(dict.fromkeys(include))
    if sample.is_tolerant:
        return tolerable_subset(sample.coverage(), sample.max_uncovered, chosen, worth)
    if not sample.is_pairwise:
        chosen = _greedy(sample, chosen, worth)
    while len(missed := sample.missed_pairs(chosen, JUDGING_PAIRS)):
        covered = missed.features.sum(axis=0)
        chosen.append(int((covered * worth).argmax()))
    needed = set(include)
    if known is not None:
        needed |= _alone(chosen, known)
    for feature in sorted(set(chosen) - needed, key=lambda x: worth[x]):
        rest = [other for other in chosen if other != feature]
        if not len(sample.missed_pairs(rest, 1)):
            chosen = rest
    return tuple(sorted(chosen))


def _alone(chosen: list[int], known: np.ndarray) -> set[int]:
    """Return the chosen features that alone, among the chosen, cover some conflict."""
    if not chosen:
        return set()
    covers = known[:, chosen]
    return {chosen[k] for k in covers[covers.sum(axis=1) == 1].argmax(axis=1)}


def _greedy(sample: Examples, chosen: list[int], worth: np.ndarray) -> list[int]:
    """Choose the feature that covers the most uncovered conflicts per cost, until none is left in the sampled rows."""
    some, _ = sample.some_rows(SAMPLED_ROWS)
    left = RowPartition.of_all(Rows.of_distinct(np.asfortranarray(some.cell_codes), numbered(some.cell_labels)))
    for feature in chosen:
        left = left.extended(feature)
    chosen = list(chosen)
    while not left.is_settled:
        gains = (left.n_uncovered - left.uncovered_after()) * worth
        chosen.append(int(gains.argmax()))
        left = left.extended(chosen[-1])
    return chosen
