"""A sufficient subset that is quickly found and usually small: what a search starts from, or ends with when stopped."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.kernels.partition import in_mixed_groups, refine
from fewest.kernels.split_counts import uncovered_after
from fewest.search.coverage import coverage_of
from fewest.search.sample import Sample
from fewest.search.tolerant import tolerable_subset

# Features are judged by the pairs among so many cells, and then by so many violated pairs at a time.
SAMPLED_CELLS = 20_000
JUDGING_PAIRS = 256


def irreducible_subset(
    sample: Sample,
    include: Sequence[int] = (),
    costs: np.ndarray | None = None,
    pairs: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[int, ...]:
    """Find a sufficient subset, ``include`` among it, from which no other feature can be left out.

    Simple-Greedy on a sample of the cells; then, as long as a test of all
    cells finds violated pairs, the feature that separates the most of them;
    then drop, the dearest first, what has become superfluous. ``pairs`` of
    cells that must be separated, if some are known, spare it most tests: who
    alone separates one of them is not superfluous.
    """
    worth = np.ones(sample.n_features) if costs is None else 1 / np.asarray(costs, dtype=np.float64)
    chosen = list(dict.fromkeys(include))
    if sample.is_tolerant:
        return tolerable_subset(coverage_of(sample), sample.allowance, chosen, worth)
    if not sample.is_pairwise:
        chosen = _greedy(sample, chosen, worth)
    while True:
        i, j = (pairs[:JUDGING_PAIRS] for pairs in sample.violated_cells(chosen))
        if not len(i):
            break
        covered = sample.separating(i, j).sum(axis=0)
        chosen.append(int((covered * worth).argmax()))
    needed = set(include)
    if pairs is not None:
        needed |= _alone(sample, chosen, pairs)
    for feature in sorted(set(chosen) - needed, key=lambda x: worth[x]):
        rest = [other for other in chosen if other != feature]
        if not len(sample.violated_cells(rest)[0]):
            chosen = rest
    return tuple(sorted(chosen))


def _alone(sample: Sample, chosen: list[int], pairs: tuple[np.ndarray, np.ndarray]) -> set[int]:
    """Return the chosen features that alone, among the chosen, separate some pair."""
    if not chosen:
        return set()
    separates = sample.separating(*pairs)[:, chosen]
    return {chosen[k] for k in separates[separates.sum(axis=1) == 1].argmax(axis=1)}


def _greedy(sample: Sample, chosen: list[int], worth: np.ndarray) -> list[int]:
    """Choose the feature that covers the most uncovered conflicts per cost, until none is left in the sampled cells."""
    rows = np.arange(len(sample.cell_codes))
    if len(rows) > SAMPLED_CELLS:
        rows = np.sort(np.random.default_rng(0).choice(rows, SAMPLED_CELLS, replace=False))
    codes = np.asfortranarray(sample.cell_codes[rows])
    labels = np.unique(sample.cell_labels[rows], return_inverse=True)[1]
    groups = np.zeros(len(rows), dtype=np.int64)
    for feature in chosen:
        groups = refine(groups, codes[:, feature])
    chosen = list(chosen)
    while True:
        mixed = in_mixed_groups(groups, labels)
        if not len(mixed):
            return chosen
        codes = codes[mixed]
        labels, groups = (np.unique(numbers[mixed], return_inverse=True)[1] for numbers in (labels, groups))
        uncovered_now = int(uncovered_after(np.zeros((len(groups), 1), dtype=np.int8), labels, groups)[0])
        gains = (uncovered_now - uncovered_after(codes, labels, groups)) * worth
        chosen.append(int(gains.argmax()))
        groups = refine(groups, codes[:, chosen[-1]])
