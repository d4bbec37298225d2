"""What a search for the fewest features answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.cover.blocks.sample import AnySample
from fewest.cover.sample import RowPair

if TYPE_CHECKING:
    from fewest.cover.focus2 import SearchTree


@dataclass(frozen=True)
class Answer:
    """A sufficient subset and what is known about it.

    Attributes
    ----------
    subset : tuple of int
        The chosen features, ascending.
    cost : float
        What they cost: their number, unless features have costs.
    lower_bound : float
        No sufficient subset costs less.
    n_sufficiency_tests : int
        Tests made, the one of the empty set included.
    history : tuple of dict
        One record for every step of the search.
    stopped_by : str or None
        ``"time limit"`` or ``"interrupt"`` when the search ended before its proof.
    tree : SearchTree or None
        What FOCUS-2 did, if it was asked to remember.
    """

    subset: tuple[int, ...]
    cost: float
    lower_bound: float
    n_sufficiency_tests: int
    history: tuple[dict[str, Any], ...]
    stopped_by: str | None = None
    tree: SearchTree | None = None

    @classmethod
    def from_tests(
        cls, subset: tuple[int, ...], tests_by_size: Sequence[int], lower_bound: int, stopped_by: str | None = None
    ) -> Answer:
        """Make the answer of a search that goes by size and counts its tests of each."""
        history = tuple({"size": size, "n_sufficiency_tests": n} for size, n in enumerate(tests_by_size))
        return cls(subset, len(subset), lower_bound, sum(tests_by_size), history, stopped_by)

    @property
    def is_optimal(self) -> bool:
        """Return whether no cheaper subset exists."""
        return self.cost == self.lower_bound

    @property
    def gap(self) -> float:
        """Return how much cheaper, relatively, a better subset could be."""
        return 0.0 if self.is_optimal else (self.cost - self.lower_bound) / self.cost


def needed_for(sample: AnySample, subset: Sequence[int]) -> dict[int, RowPair | None]:
    """Return, for each feature of a sufficient subset, two rows of different class that it alone separates.

    None marks a feature that the subset could do without.
    """
    # Among the features of the subset, a pair that the others leave is one that this feature separates.
    chosen = sample.restricted(subset)
    others = {k: [other for other in range(len(subset)) if other != k] for k in range(len(subset))}
    return {feature: chosen.witness(others[k]) for k, feature in enumerate(subset)}


def as_mask(subset: Sequence[int], n_features: int) -> np.ndarray:
    """Return the subset as scikit-learn's Boolean support."""
    support = np.zeros(n_features, dtype=bool)
    support[list(subset)] = True
    return support
