"""What one feature has learned: its partitions, and how often it was right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fewest.cfp.kernels.cuts import EARLY, room_for_cuts
from fewest.cfp.kernels.growth import Rules
from fewest.cfp.kernels.line import N_SIZES, NODES, POINTS, RIGHT, WRONG, Line, listed
from fewest.cfp.kernels.partitions import add_examples, block_length
from fewest.cfp.kernels.places import AHEAD, NONE, padded, room_for_grid

# Plain Python takes so long to learn a value.
SECONDS_A_VALUE = 33e-6
# New places for which there is room at first.
FIRST_ROOM = 1024


class LineMemory:
    """The arrays of a line, used again by the next one: memory that is fresh every time is slow.

    Only one line may be in use at a time.
    """

    def __init__(self) -> None:
        self._line: Line | None = None

    def line(self, n_places: int) -> Line:
        """Return a line with room for so many places, at least; nothing in it has a meaning yet."""
        if self._line is None or len(self._line.place) < n_places:
            self._line = None  # let go of it first
            self._line = _line(n_places)
        return self._line


def _line(n_places: int) -> Line:
    cuts, kept = room_for_cuts(n_places)
    larger = {
        "place": np.empty(n_places),
        "guide_place": np.empty(n_places + AHEAD),
        "cuts": cuts,
        "kept": kept,
        "where": np.empty(block_length(n_places) + EARLY, dtype=np.uint32),
        "grid": room_for_grid(n_places),
        "sizes": np.empty(N_SIZES, dtype=np.int64),
    }
    return Line(**{name: np.empty(n_places, dtype=np.int32) for name in Line._fields} | larger)


class Partition(NamedTuple):
    """One partition: its ends, its class, and the number of examples that it represents."""

    lower: float
    upper: float
    label: int
    n_examples: int


@dataclass(frozen=True, eq=False)
class FeaturePartitions:
    """The partitions of one feature, as places in ascending order.

    Attributes
    ----------
    place : ndarray of shape (n_places,)
        The values at which a partition begins or ends.
    after_class, after_count : ndarray of shape (n_places,)
        The range partition from each place to the next; class -1 where nothing is determined.
    point_place, point_class, point_count : ndarray of shape (n_points,)
        The point partitions, by place and class.
    right, wrong : int
        Predictions that this feature made for training examples before it learned them.
    """

    place: np.ndarray
    after_class: np.ndarray
    after_count: np.ndarray
    point_place: np.ndarray
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
        add, write = (add_examples.compiled, listed.compiled) if compiled else (add_examples, listed)
        known, row, growth = self, 0, 0.0
        memory = memory or LineMemory()
        while row < len(values):
            line = known._opened(len(values) - row, growth, memory)
            done, row = row, add(line, values, classes, row, limit, rules)
            growth = line.sizes[NODES] / max(1, row - done)
            known = _closed(line, write)
        return known

    def _opened(self, n_examples: int, growth: float, memory: LineMemory) -> Line:
        """Lay the partitions out for growing.

        There is room for as many again, or for a moderate number of examples,
        or, if each has brought about ``growth`` places so far, for all to come.
        """
        n_places, n_points = len(self.place), len(self.point_class)
        expected = int(min(n_examples, 1.5 * growth * n_examples))
        line = memory.line(1 + n_places + max(min(n_examples, FIRST_ROOM), n_places, 2 * n_points, expected))
        n_nodes = n_places + 1
        line.place[0], line.place[1:n_nodes] = -np.inf, self.place
        line.after_class[0], line.after_class[1:n_nodes] = NONE, self.after_class
        line.after_count[0], line.after_count[1:n_nodes] = 0, self.after_count
        line.following[:n_nodes] = np.arange(1, n_nodes + 1)
        line.following[n_places] = NONE
        line.preceding[:n_nodes] = np.arange(-1, n_places)
        line.point_class[:n_points], line.point_count[:n_points] = self.point_class, self.point_count
        line.first_point[:n_nodes] = NONE
        line.next_point[:n_points] = np.arange(1, n_points + 1)
        if n_points:
            is_first = np.diff(self.point_place, prepend=NONE) != 0
            line.first_point[self.point_place[is_first] + 1] = np.flatnonzero(is_first)
            line.next_point[np.flatnonzero(is_first)[1:] - 1] = NONE
            line.next_point[n_points - 1] = NONE
        line.sizes[:] = 0
        line.sizes[[NODES, POINTS, RIGHT, WRONG]] = n_nodes, n_points, self.right, self.wrong
        return line

    # ------------------------------------------------------------------ predicting

    @cached_property
    def _at_all(self) -> np.ndarray:
        """Return the class at every place, with the ranges that end there."""
        before = np.arange(len(self.place)) - 1
        starts, ends = self.after_class != NONE, np.append(False, self.after_class[:-1] != NONE)[: len(self.place)]
        return _most_counted(
            len(self.place),
            np.concatenate([self.point_place, np.flatnonzero(starts), np.flatnonzero(ends)]),
            np.concatenate([self.point_class, self.after_class[starts], self.after_class[before[ends]]]),
            np.concatenate([self.point_count, self.after_count[starts], self.after_count[before[ends]]]),
        )

    @cached_property
    def _at_points(self) -> np.ndarray:
        """Return the class at every place, by its points alone where it has some."""
        has_points = np.zeros(len(self.place), dtype=bool)
        has_points[self.point_place] = True
        points = _most_counted(len(self.place), self.point_place, self.point_class, self.point_count)
        return np.where(has_points, points, self._at_all)

    def table(self, end_points: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return all places after -inf, the class predicted at each, and the class predicted after each."""
        at = self._at_all if end_points == "all" else self._at_points
        before_all = np.array([NONE], dtype=np.int32)
        places = np.concatenate([[-np.inf], self.place])
        return places, np.concatenate([before_all, at]), np.concatenate([before_all, self.after_class])

    def ballot(self, end_points: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the same in the form in which `add_votes` takes it."""
        _, at, after = self.table(end_points)
        return padded(self.place), np.stack([after, at], axis=1).ravel()

    def shares(self, end_points: str, class_counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what `add_shares` takes: every class's share of the vote between the places and at them.

        A partition counts as much as the part that it represents of all examples of its class, so that rare
        classes are heard, too (Demiröz and Güvenir, 1997).
        """
        after, points = np.zeros((2, len(self.place) + 1, len(class_counts)))
        ranges = np.flatnonzero(self.after_class != NONE)
        after[ranges + 1, self.after_class[ranges]] = self.after_count[ranges]
        points[self.point_place + 1, self.point_class] = self.point_count
        ends = after.copy()
        ends[1:] += after[:-1]
        has_points = points.any(axis=1, keepdims=True)
        at = np.where(has_points & (end_points == "points"), points, points + ends)
        relative = np.stack([after, at], axis=1).reshape(-1, len(class_counts)) / np.maximum(class_counts, 1)
        together = relative.sum(axis=1, keepdims=True)
        return padded(self.place), relative / np.where(together > 0, together, 1)

    def predict(self, values: np.ndarray, end_points: str = "all") -> np.ndarray:
        """Return the class that the feature votes for, -1 for none, for every value."""
        places, at, after = self.table(end_points)
        index = np.searchsorted(places, values, side="right") - 1
        return np.where(np.isnan(values), NONE, np.where(places[index] == values, at[index], after[index]))

    # ------------------------------------------------------------------ showing and keeping

    def partitions(self) -> list[Partition]:
        """List the partitions by their ends and classes."""
        ranges = np.flatnonzero(self.after_class != NONE)
        lowers = np.concatenate([self.place[ranges], self.place[self.point_place]])
        uppers = np.concatenate([self.place[ranges + 1], self.place[self.point_place]])
        classes = np.concatenate([self.after_class[ranges], self.point_class])
        counts = np.concatenate([self.after_count[ranges], self.point_count])
        order = np.lexsort([classes, uppers, lowers])
        columns = (column[order].tolist() for column in (lowers, uppers, classes, counts))
        return [Partition(*entry) for entry in zip(*columns, strict=True)]

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays by name."""
        return {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], n_classes: int) -> FeaturePartitions:
        """Make partitions of what a file holds; raise ValueError when they are none."""
        named: dict[str, Any] = {field.name: arrays[field.name] for field in fields(cls)}
        kinds = {name: "f" if name == "place" else "i" for name in named if name not in ("right", "wrong")}
        if any(named[name].ndim != 1 or named[name].dtype.kind != kind for name, kind in kinds.items()):
            raise ValueError("its partitions are not made of numbers")
        made = cls(**named | {"right": int(named["right"]), "wrong": int(named["wrong"])})
        n_places, n_points = len(made.place), len(made.point_place)
        classes = np.concatenate([made.after_class, made.point_class])
        sound = (
            len(made.after_class) == len(made.after_count) == n_places
            and len(made.point_class) == len(made.point_count) == n_points
            and np.isfinite(made.place).all()
            and (np.diff(made.place) > 0).all()
            and (np.diff(made.point_place) >= 0).all()
            and (not n_points or 0 <= made.point_place.min() <= made.point_place.max() < n_places)
            and (not len(classes) or NONE <= classes.min() <= classes.max() < n_classes)
            and (not n_points or made.point_class.min() >= 0)
            and (not n_places or made.after_class[-1] == NONE)
        )
        if not sound:
            raise ValueError("its partitions are not in order")
        return made


def _integers(number: int, length: int = 0) -> tuple[np.ndarray, ...]:
    return tuple(np.empty(length, dtype=np.int32) for _ in range(number))


def _closed(line: Line, write: Callable[..., tuple[int, int]]) -> FeaturePartitions:
    """Take the partitions from a line."""
    most_places, most_points = line.sizes[NODES] - 1, line.sizes[POINTS]
    by_place = [np.empty(most_places), *_integers(2, most_places)]
    by_point = [*_integers(3, most_points)]
    n_places, n_points = write(line, *by_place, *by_point)
    if n_places < most_places or n_points < most_points:
        by_place, by_point = [a[:n_places].copy() for a in by_place], [a[:n_points].copy() for a in by_point]
    names = [field.name for field in fields(FeaturePartitions)]
    arrays = dict(zip(names, [*by_place, *by_point], strict=False))
    return FeaturePartitions(**arrays, right=int(line.sizes[RIGHT]), wrong=int(line.sizes[WRONG]))


def _most_counted(n_places: int, places: np.ndarray, classes: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the class of the highest count at every place; -1 where there is none, or two share it."""
    best = np.full(n_places, NONE, dtype=np.int32)
    if not len(places):
        return best
    order = np.argsort(places, kind="stable")  # few ascending runs, which are merged
    places, classes, counts = places[order], classes[order], counts[order]
    starts = np.flatnonzero(np.diff(places, prepend=NONE))
    most = np.repeat(np.maximum.reduceat(counts, starts), np.diff(starts, append=len(places)))
    lowest = np.minimum.reduceat(np.where(counts == most, classes, np.iinfo(classes.dtype).max), starts)
    highest = np.maximum.reduceat(np.where(counts == most, classes, NONE), starts)
    best[places[starts]] = np.where(lowest == highest, lowest, NONE)
    return best
