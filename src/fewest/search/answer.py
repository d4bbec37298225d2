"""What a search for the fewest features answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fewest.kernels.sufficiency import separated
from fewest.search.sample import RowPair, Sample
from fewest.search.tree import SearchTree

TIME_LIMIT = "time limit"
INTERRUPT = "interrupt"


@dataclass(frozen=True)
class Answer:
    """A sufficient subset and what is known about it.

    Attributes
    ----------
    subset : tuple of int
        The chosen features, ascending.
    tests_by_size : tuple of int
        Sufficiency tests of subsets of 0, 1, 2, ... features.
    lower_bound : int
        No sufficient subset has fewer features.
    stopped_by : str or None
        ``"time limit"`` or ``"interrupt"`` when the search ended before its proof.
    tree : SearchTree or None
        What FOCUS-2 did, if it was asked to remember.
    """

    subset: tuple[int, ...]
    tests_by_size: tuple[int, ...]
    lower_bound: int
    stopped_by: str | None = None
    tree: SearchTree | None = None

    @property
    def n_sufficiency_tests(self) -> int:
        """Return the number of tests, the one of the empty set included."""
        return sum(self.tests_by_size)

    def history(self) -> list[dict[str, int]]:
        """Return one record for every size of subset tried."""
        return [{"size": size, "n_sufficiency_tests": n} for size, n in enumerate(self.tests_by_size)]

    @property
    def is_optimal(self) -> bool:
        """Return whether no smaller subset exists."""
        return len(self.subset) == self.lower_bound


def irreducible_subset(sample: Sample) -> tuple[int, ...]:
    """Find some sufficient subset from which no feature can be left out, fast.

    The answer of a search that ran out of time: cover the most of the pairs
    that a linear test shows uncovered, until there are none; then drop what
    later choices made superfluous.
    """
    chosen: list[int] = []
    while True:
        i, j = sample.violated_cells(chosen)
        if not len(i):
            break
        i, j = i[:256], j[:256]  # enough pairs to judge a feature by
        covered = separated(sample.cell_codes[i], sample.cell_codes[j]).sum(axis=0)
        chosen.append(int(covered.argmax()))
    for feature in tuple(chosen):
        rest = [other for other in chosen if other != feature]
        if sample.witness(rest) is None:
            chosen = rest
    return tuple(sorted(chosen))


def needed_for(sample: Sample, subset: Sequence[int]) -> dict[int, RowPair | None]:
    """Return, for each feature of a sufficient subset, two rows of different class that it alone separates.

    None marks a feature that the subset could do without.
    """
    return {feature: sample.witness([other for other in subset if other != feature]) for feature in subset}


def as_mask(subset: Sequence[int], n_features: int) -> np.ndarray:
    """Return the subset as scikit-learn's Boolean support."""
    support = np.zeros(n_features, dtype=bool)
    support[list(subset)] = True
    return support
