"""What a search for the fewest features answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
