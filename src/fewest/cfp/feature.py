"""The partitions of one feature, how it learns them, and what it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fewest.cfp.kernels.cuts import EARLY, room_for_cuts
from fewest.cfp.kernels.growth import Rules
from fewest.cfp.kernels.line import N_SIZES, NODES, POINTS, RIGHT, WRONG, Line, PartitionArrays, list_partitions
from fewest.cfp.kernels.lists import BoundaryLists
from fewest.cfp.kernels.locate import AHEAD, NONE, padded, room_for_grid
from fewest.cfp.kernels.partitions import add_examples, block_length

# Plain Python takes about so long to learn a value.
SECONDS_A_VALUE = 5e-6
KERNELS = "fewest.cfp.kernels.partitions"
# New boundaries for which there is room at first.
FIRST_ROOM = 1024


class LineMemory:
    """The arrays of a line, used again by the next one: memory that is fresh every time is slow.

    Only one line may be in use at a time.
    """

    def __init__(self) -> None:
        self._line: Line | None = None

    def line(self, n_boundaries: int) -> Line:
        """Return a line with room for ``n_boundaries`` at least; nothing in it has a meaning yet."""
        if self._line is None or len(self._line.boundary) < n_boundaries:
            self._line = None  # let go of it first
            self._line = _line(n_boundaries)
        return self._line


def _line(n_boundaries: int) -> Line:
    cuts, kept = room_for_cuts(n_boundaries)
    larger = {
        "boundary": np.empty(n_boundaries),
        "guide_boundary": np.empty(n_boundaries + AHEAD),
        "cuts": cuts,
        "kept": kept,
        "where": np.empty(block_length(n_boundaries) + EARLY, dtype=np.uint32),
        "grid": room_for_grid(n_boundaries),
        "sizes": np.empty(N_SIZES, dtype=np.int64),
    }
    return Line(**{name: np.empty(n_boundaries, dtype=np.int32) for name in Line._fields} | larger)


class Partition(NamedTuple):
    """One partition: its ends, its class, and the number of examples that it represents."""

    lower: float
    upper: float
    label: int
    n_examples: int


@dataclass(frozen=True, eq=False)
class FeaturePartitions:
    """The partitions of one feature, as boundaries in ascending order.

    Attributes
    ----------
    boundary : ndarray of shape (n_boundaries,)
        The values at which a partition begins or ends.
    after_class, after_count : ndarray of shape (n_boundaries,)
        The range partition from each boundary to the next; class -1 where nothing is determined.
    point_boundary, point_class, point_count : ndarray of shape (n_points,)
        The point partitions, by boundary and class.
    right, wrong : int
        Predictions that this feature made for training examples before it learned them.
    """

    boundary: np.ndarray
    after_class: np.ndarray
    after_count: np.ndarray
    point_boundary: np.ndarray
    point_class: np.ndarray
    point_count: np.ndarray
    right: int = 0
    wrong: int = 0

    @classmethod
    def empty(cls) -> FeaturePartitions:
        """Return a feature that has seen nothing."""
        after_class, after_count, *points = _integers(5)
        return cls(np.empty(0), after_class, after_count, *points)  # type: ignore[arg-type]  # three arrays

    def __len__(self) -> int:
        return len(self.point_class) + int((self.after_class != NONE).sum())

    # ------------------------------------------------------------------ learning

    def learned(
        self,
        values: np.ndarray,
        classes: np.ndarray,
        limit: float,
        rules: Rules,
        *,
        compiled: bool = False,
        memory: LineMemory | None = None,
    ) -> FeaturePartitions:
        """Return what the feature knows after more examples, in their order; NaN is a missing value."""
        if not compiled:
            lists = BoundaryLists(self._arrays, self.right, self.wrong)
            lists.add(values, classes, limit, rules)
            return FeaturePartitions(*lists.arrays(), right=lists.right, wrong=lists.wrong)
        known, row, growth = self, 0, 0.0
        memory = memory or LineMemory()
        while row < len(values):
            line = known._opened(len(values) - row, growth, memory)
            done, row = row, add_examples.compiled(line, values, classes, row, limit, rules)
            growth = line.sizes[NODES] / max(1, row - done)
            known = _closed(line)
        return known

    @property
    def _arrays(self) -> PartitionArrays:
        points = self.point_boundary, self.point_class, self.point_count
        return PartitionArrays(self.boundary, self.after_class, self.after_count, *points)

    def _opened(self, n_examples: int, growth: float, memory: LineMemory) -> Line:
        """Lay the partitions out for growing.

        There is room for as many again, or for a moderate number of examples,
        or, if each has brought about ``growth`` boundaries so far, for all to come.
        """
        n_boundaries, n_points = len(self.boundary), len(self.point_class)
        expected = int(min(n_examples, 1.5 * growth * n_examples))
        line = memory.line(1 + n_boundaries + max(min(n_examples, FIRST_ROOM), n_boundaries, 2 * n_points, expected))
        n_nodes = n_boundaries + 1
        line.boundary[0], line.boundary[1:n_nodes] = -np.inf, self.boundary
        line.after_class[0], line.after_class[1:n_nodes] = NONE, self.after_class
        line.after_count[0], line.after_count[1:n_nodes] = 0, self.after_count
        line.following[:n_nodes] = np.arange(1, n_nodes + 1)
        line.following[n_boundaries] = NONE
        line.preceding[:n_nodes] = np.arange(-1, n_boundaries)
        line.point_class[:n_points], line.point_count[:n_points] = self.point_class, self.point_count
        line.first_point[:n_nodes] = NONE
        line.next_point[:n_points] = np.arange(1, n_points + 1)
        if n_points:
            is_first = np.diff(self.point_boundary, prepend=NONE) != 0
            line.first_point[self.point_boundary[is_first] + 1] = np.flatnonzero(is_first)
            line.next_point[np.flatnonzero(is_first)[1:] - 1] = NONE
            line.next_point[n_points - 1] = NONE
        line.sizes[:] = 0
        line.sizes[[NODES, POINTS, RIGHT, WRONG]] = n_nodes, n_points, self.right, self.wrong
        return line

    # ------------------------------------------------------------------ predicting

    @cached_property
    def _at_all(self) -> np.ndarray:
        """Return the class at every boundary, with the ranges that end there."""
        before = np.arange(len(self.boundary)) - 1
        starts, ends = self.after_class != NONE, np.append(False, self.after_class[:-1] != NONE)[: len(self.boundary)]
        return _most_counted(
            len(self.boundary),
            np.concatenate([self.point_boundary, np.flatnonzero(starts), np.flatnonzero(ends)]),
            np.concatenate([self.point_class, self.after_class[starts], self.after_class[before[ends]]]),
            np.concatenate([self.point_count, self.after_count[starts], self.after_count[before[ends]]]),
        )

    @cached_property
    def _at_points(self) -> np.ndarray:
        """Return the class at every boundary, by its points alone where it has some."""
        has_points = np.zeros(len(self.boundary), dtype=bool)
        has_points[self.point_boundary] = True
        points = _most_counted(len(self.boundary), self.point_boundary, self.point_class, self.point_count)
        return np.where(has_points, points, self._at_all)

    def table(self, end_points: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return all boundaries after -inf, the class predicted at each, and the class predicted after each."""
        at = self._at_all if end_points == "all" else self._at_points
        before_all = np.array([NONE], dtype=np.int32)
        boundaries = np.concatenate([[-np.inf], self.boundary])
        return boundaries, np.concatenate([before_all, at]), np.concatenate([before_all, self.after_class])

    def ballot(self, end_points: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the same in the form that `add_votes` takes."""
        _, at, after = self.table(end_points)
        return padded(self.boundary), np.stack([after, at], axis=1).ravel()

    def shares(self, end_points: str, class_counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what `add_shares` takes: every class's share of the vote between the boundaries and at them.

        A partition counts as much as the part that it represents of all examples of its class, so that rare
        classes are heard, too (Demiröz and Güvenir, 1997).
        """
        after, points = np.zeros((2, len(self.boundary) + 1, len(class_counts)))
        ranges = np.flatnonzero(self.after_class != NONE)
        after[ranges + 1, self.after_class[ranges]] = self.after_count[ranges]
        points[self.point_boundary + 1, self.point_class] = self.point_count
        ends = after.copy()
        ends[1:] += after[:-1]
        has_points = points.any(axis=1, keepdims=True)
        at = np.where(has_points & (end_points == "points"), points, points + ends)
        relative = np.stack([after, at], axis=1).reshape(-1, len(class_counts)) / np.maximum(class_counts, 1)
        together = relative.sum(axis=1, keepdims=True)
        return padded(self.boundary), relative / np.where(together > 0, together, 1)

    def predict(self, values: np.ndarray, end_points: str = "all") -> np.ndarray:
        """Return the class that the feature votes for, -1 for none, for every value."""
        boundaries, at, after = self.table(end_points)
        index = np.searchsorted(boundaries, values, side="right") - 1
        return np.where(np.isnan(values), NONE, np.where(boundaries[index] == values, at[index], after[index]))

    # ------------------------------------------------------------------ showing and keeping

    def partitions(self) -> list[Partition]:
        """List the partitions by their ends and classes."""
        ranges = np.flatnonzero(self.after_class != NONE)
        lowers = np.concatenate([self.boundary[ranges], self.boundary[self.point_boundary]])
        uppers = np.concatenate([self.boundary[ranges + 1], self.boundary[self.point_boundary]])
        classes = np.concatenate([self.after_class[ranges], self.point_class])
        counts = np.concatenate([self.after_count[ranges], self.point_count])
        order = np.lexsort([classes, uppers, lowers])
        columns = (column[order].tolist() for column in (lowers, uppers, classes, counts))
        return [Partition(*entry) for entry in zip(*columns, strict=True)]

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays by the names that model files give them."""
        return {stored: np.asarray(getattr(self, name)) for name, stored in STORED.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], n_classes: int) -> FeaturePartitions:
        """Return the partitions that a file holds; raise ValueError when they are none."""
        named: dict[str, Any] = {name: arrays[stored] for name, stored in STORED.items()}
        kinds = {name: "f" if name == "boundary" else "i" for name in named if name not in ("right", "wrong")}
        if any(named[name].ndim != 1 or named[name].dtype.kind != kind for name, kind in kinds.items()):
            raise ValueError("its partitions are not numeric")
        made = cls(**named | {"right": int(named["right"]), "wrong": int(named["wrong"])})
        n_boundaries, n_points = len(made.boundary), len(made.point_boundary)
        classes = np.concatenate([made.after_class, made.point_class])
        sound = (
            len(made.after_class) == len(made.after_count) == n_boundaries
            and len(made.point_class) == len(made.point_count) == n_points
            and np.isfinite(made.boundary).all()
            and (np.diff(made.boundary) > 0).all()
            and (np.diff(made.point_boundary) >= 0).all()
            and (not n_points or 0 <= made.point_boundary.min() <= made.point_boundary.max() < n_boundaries)
            and (not len(classes) or NONE <= classes.min() <= classes.max() < n_classes)
            and (not n_points or made.point_class.min() >= 0)
            and (not n_boundaries or made.after_class[-1] == NONE)
        )
        if not sound:
            raise ValueError("its partitions are not in order")
        return made


STORED = {field.name: field.name for field in fields(FeaturePartitions)}
STORED |= {"boundary": "place", "point_boundary": "point_place"}
"""What model files call the arrays."""


def _integers(number: int, length: int = 0) -> tuple[np.ndarray, ...]:
    return tuple(np.empty(length, dtype=np.int32) for _ in range(number))


def _closed(line: Line) -> FeaturePartitions:
    """Take the partitions from a line."""
    most_boundaries, most_points = line.sizes[NODES] - 1, line.sizes[POINTS]
    room = PartitionArrays(np.empty(most_boundaries), *_integers(2, most_boundaries), *_integers(3, most_points))
    n_boundaries, n_points = list_partitions.compiled(line, room)
    if n_boundaries < most_boundaries or n_points < most_points:
        lengths = [n_boundaries] * 3 + [n_points] * 3
        room = PartitionArrays(*(array[:n].copy() for array, n in zip(room, lengths, strict=True)))
    return FeaturePartitions(*room, right=int(line.sizes[RIGHT]), wrong=int(line.sizes[WRONG]))


def _most_counted(n_boundaries: int, boundaries: np.ndarray, classes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the class of the highest count at every boundary; -1 where there is none, or two share it."""
    best = np.full(n_boundaries, NONE, dtype=np.int32)
    if not len(boundaries):
        return best
    order = np.argsort(boundaries, kind="stable")  # few ascending runs, which are merged
    boundaries, classes, counts = boundaries[order], classes[order], counts[order]
    starts = np.flatnonzero(np.diff(boundaries, prepend=NONE))
    most = np.repeat(np.maximum.reduceat(counts, starts), np.diff(starts, append=len(boundaries)))
    lowest = np.minimum.reduceat(np.where(counts == most, classes, np.iinfo(classes.dtype).max), starts)
    highest = np.maximum.reduceat(np.where(counts == most, classes, NONE), starts)
    best[boundaries[starts]] = np.where(lowest == highest, lowest, NONE)
    return best
