"""What a search is given and what it returns: the questions it asks of its examples, and the answer.

`fewest.cover.sample.Sample` answers the questions in memory, `fewest.cover.blocks` where the rows are in blocks. An
algorithm that asks nothing else runs on both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np

from fewest.budget import Budget
from fewest.cover.kernels.differences import NumericColumns
from fewest.cover.options import PAIRS

if TYPE_CHECKING:
    from fewest.cover.focus2 import SearchTree
    from fewest.cover.sample import Sample

RowPair = tuple[int, int]
Check = Callable[[], None]
"""Called now and then during long work; raises to end it."""
Measure = Callable[[np.ndarray], np.ndarray]
"""Scores groups, given their rows by class along the last axis. The scores of groups add up."""


class MissedPairs(NamedTuple):
    """Pairs of rows that a subset should separate and does not, and which features would."""

    rows: np.ndarray  # (2, n_pairs)
    features: np.ndarray  # Boolean (n_pairs, n_features)

    @classmethod
    def from_rows(cls, i: np.ndarray, j: np.ndarray, features: np.ndarray) -> MissedPairs:
        """Leave out the pairs that nothing separates."""
        kept = features.any(axis=1)
        return cls(np.stack([i[kept], j[kept]]), features[kept])

    def __len__(self) -> int:
        return self.rows.shape[1]


class Coverage(Protocol):
    """The conflicts that a subset, built one feature after the other, leaves uncovered."""

    @property
    def n_uncovered(self) -> int:
        """Count the pairs of rows of different class that the subset leaves unseparated."""

    def uncovered_after(self) -> np.ndarray:
        """Count, for every feature, the pairs that the subset would leave with it."""

    def extended(self, feature: int) -> Self:
        """Return the coverage of the subset with one more feature."""


class Partition(Coverage, Protocol):
    """Groups of rows that agree on a subset, without those in which no feature separates anything any more."""

    @property
    def n_rows(self) -> int:
        """Count the rows in groups of several classes."""

    @property
    def is_settled(self) -> bool:
        """Return whether no feature could separate any pair that is left."""

    def scores_after(self, measure: Measure) -> np.ndarray:
        """Score every feature by the groups that it would make, added up with those left out."""


class Examples(ABC):
    """Examples with discrete features and classes."""

    tolerance: float
    """The fraction of the pairs of rows of different class that may stay uncovered."""
    criterion: str = PAIRS
    """Whether that is a fraction of all of them, or of those that chance would leave."""
    numeric: NumericColumns | None
    """The features that separate two rows only when a margin lies between their values."""

    # ------------------------------------------------------------------ size

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Return the number of rows."""

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Return the number of features."""

    @property
    @abstractmethod
    def largest_code(self) -> int:
        """Return the largest code of any feature."""

    @property
    @abstractmethod
    def n_pairs(self) -> int:
        """Count the pairs of rows of different class: the conflicts with their copies, contradictions included."""

    @property
    @abstractmethod
    def is_pairwise(self) -> bool:
        """Return whether agreeing is no equivalence: values are unknown, or only differ from a margin on.

        Rows then fall into no groups, and pairs are compared one by one.
        """

    # ------------------------------------------------------------------ tolerance

    @property
    def n_tolerated(self) -> int:
        """Return how many pairs the tolerance alone allows to stay uncovered."""
        # In decimals, as the tolerance was written: 0.29 of 100 pairs are 29.
        return floor(Fraction(str(float(self.tolerance))) * self.n_pairs) if self.tolerance else 0

    @cached_property
    def max_uncovered(self) -> int:
        """Return the maximum of uncovered pairs: what the tolerance allows, and what nothing can separate."""
        return max(self.n_tolerated, self.n_contradictions)

    @cached_property
    def is_tolerant(self) -> bool:
        """Return whether some pair that could be separated need not be."""
        return self.tolerance > 0 and self.n_tolerated > self.n_contradictions

    # ------------------------------------------------------------------ contradictions

    @property
    @abstractmethod
    def knows_contradictions(self) -> bool:
        """Return whether contradictions are known before a search; in blocks they take passes of their own."""

    @abstractmethod
    def settle(self, subset: Sequence[int]) -> None:
        """Take note of a subset that separates whatever can be separated: what it leaves are contradictions."""

    @property
    @abstractmethod
    def n_contradictions(self) -> int:
        """Return the number of pairs of rows of different class that no feature separates."""

    @property
    @abstractmethod
    def contradiction(self) -> RowPair | None:
        """Return one such pair of rows, or None."""

    # ------------------------------------------------------------------ what a subset leaves

    @cached_property
    def needs_no_feature(self) -> bool:
        """Return whether the empty subset is sufficient: one class, or no pair that can or must be separated."""
        if self.is_tolerant:
            return self.n_pairs <= self.max_uncovered
        return not len(self.missed_pairs((), 1))

    def n_uncovered(self, subset: Sequence[int]) -> int:
        """Count the pairs of rows of different class that agree on ``subset``."""
        return self.restricted(subset).n_contradictions

    @abstractmethod
    def witness(self, subset: Sequence[int]) -> RowPair | None:
        """Return two rows of different class that agree on ``subset``, though another feature separates them.

        None if it is sufficient.
        """

    @abstractmethod
    def missed_pairs(self, subset: Sequence[int], most: int) -> MissedPairs:
        """Return some pairs of rows that ``subset`` should separate and does not; none if it is sufficient.

        The pairs do not depend on how the rows are stored: of the rows that differ in class from the first row of
        their group, every so many-th; where all of these happen to be contradictions, whatever else there is to
        separate in the groups.
        """

    @abstractmethod
    def restricted(self, subset: Sequence[int]) -> Sample:
        """Return the rows as the features of a subset see them."""

    @abstractmethod
    def coverage(self, budget: Budget | None = None) -> Coverage:
        """Return what the empty subset leaves uncovered."""

    @abstractmethod
    def partition(self, check: Check | None = None) -> Partition:
        """Return all rows in one group; ``check`` is called before every pass that takes long."""

    # ------------------------------------------------------------------ some rows

    @abstractmethod
    def some_rows(self, most: int) -> tuple[Sample, np.ndarray]:
        """Return a fixed random sample of at most so many rows, and their numbers."""

    @abstractmethod
    def row_differences(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return, for pairs of rows, the Boolean matrix (pairs x features) of which separate them."""

    @abstractmethod
    def class_of(self, row: int) -> int:
        """Return the class of a row."""


def sampled_rows(n_rows: int, most: int) -> np.ndarray:
    """Return the fixed random choice of rows that stands for all."""
    return np.sort(np.random.default_rng(0).choice(n_rows, most, replace=False))


class GroupRows(NamedTuple):
    """Rows that show whether a group has something to separate: -1 where there is none."""

    first: np.ndarray  # its first row
    other_class: np.ndarray  # the first that differs from it in class
    is_beside: np.ndarray  # whether that one differs from it in nothing else
    other_cell: np.ndarray  # the first that differs from it in some feature

    def violating(self, class_of: Callable[[np.ndarray], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return two rows of different class and cell from every group that has such, ordered by first rows."""
        chosen = np.flatnonzero((self.other_class >= 0) & (self.other_cell >= 0))
        chosen = chosen[np.argsort(self.first[chosen], kind="stable")]
        first, other_class, is_beside, other_cell = (rows[chosen] for rows in self)
        is_alike = class_of(other_cell) == class_of(first)
        return np.where(is_beside & is_alike, other_class, first), np.where(is_beside, other_cell, other_class)


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
        Tests made, the one of the empty set included; with a tolerance, subsets whose uncovered pairs were counted.
    history : tuple of dict
        One record for every step of the search.
    stopped_by : str or None
        ``"time limit"``, ``"memory limit"`` or ``"interrupt"`` when the search ended before its proof.
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
