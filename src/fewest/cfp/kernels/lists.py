"""The plain twin of `add_examples`: one feature's partitions in lists, which Python reads ten times as fast as arrays.

A boundary is found by halving and comes with its place in the list, so that there is nothing to link, to guide or to
fold: what `growth` does to nodes is done to entries here, with the same arithmetic and so the same partitions.
"""

from __future__ import annotations

from bisect import bisect_right
from math import inf

import numpy as np

from fewest.cfp.kernels.growth import Rules
from fewest.cfp.kernels.line import PartitionArrays
from fewest.cfp.kernels.locate import NONE


class BoundaryLists:
    """One feature's line while it grows: the boundaries in ascending order, after one at minus infinity.

    Parameters
    ----------
    arrays : PartitionArrays
        What is known so far.
    right, wrong : int
        The predictions so far.
    """

    def __init__(self, arrays: PartitionArrays, right: int, wrong: int) -> None:
        self.boundary = [-inf, *arrays.boundary.tolist()]
        self.after_class = [NONE, *arrays.after_class.tolist()]
        self.after_count = [0, *arrays.after_count.tolist()]
        self.points: list[dict[int, int]] = [{} for _ in self.boundary]  # at every boundary, the counts of classes
        triples = zip(*(array.tolist() for array in arrays[3:]), strict=True)
        for position, label, count in triples:
            self.points[position + 1][label] = count
        self.right, self.wrong = right, wrong

    def add(self, values: np.ndarray, classes: np.ndarray, limit: float, rules: Rules) -> None:
        """Predict and then learn examples, in order; values that are NaN are left out."""
        boundary, after_class, after_count = self.boundary, self.after_class, self.after_count
        right, wrong = self.right, self.wrong
        for x, own in zip(values.tolist(), classes.tolist(), strict=True):
            if x != x:
                continue
            at = bisect_right(boundary, x) - 1
            holder, is_at_boundary = after_class[at], boundary[at] == x
            if is_at_boundary:
                holder = self._class_at(at, rules.ends_count)
            elif holder == own:
                right += 1
                after_count[at] += 1
                continue
            if holder == own:
                right += 1
            elif holder != NONE or rules.silence_is_wrong:
                wrong += 1
            if is_at_boundary:
                self._add_at_boundary(at, own)
            elif holder != NONE:
                self._specialise(at, x, own)
            else:
                self._generalise(at, x, own, limit, rules)
        self.right, self.wrong = right, wrong

    def arrays(self) -> PartitionArrays:
        """Return the partitions, points by boundary and class."""
        points = [
            (position, label, count)
            for position, own in enumerate(self.points[1:])
            for label, count in sorted(own.items())
        ]
        return PartitionArrays(
            np.array(self.boundary[1:], dtype=np.float64),
            np.array(self.after_class[1:], dtype=np.int32),
            np.array(self.after_count[1:], dtype=np.int32),
            *np.array(points, dtype=np.int32).reshape(-1, 3).T.copy(),
        )

    def _class_at(self, at: int, ends_count: bool) -> int:
        best, most = NONE, NONE
        for label, count in self.points[at].items():
            if count > most:
                best, most = label, count
            elif count == most:
                best = NONE
        if most != NONE and not ends_count:
            return best
        for end in (at - 1, at):
            if end >= 0 and self.after_class[end] != NONE:
                if self.after_count[end] > most:
                    best, most = self.after_class[end], self.after_count[end]
                elif self.after_count[end] == most and best != self.after_class[end]:
                    best = NONE
        return best

    def _add_at_boundary(self, at: int, own: int) -> None:
        points, counts = self.points[at], self.after_count
        is_before, is_after = at > 0 and self.after_class[at - 1] == own, self.after_class[at] == own
        if own in points:
            points[own] += 1
        elif is_before and not (is_after and counts[at] > counts[at - 1]):
            counts[at - 1] += 1
        elif is_after:
            counts[at] += 1
        else:
            points[own] = 1

    def _insert(self, at: int, x: float, label: int, count: int, points: dict[int, int]) -> None:
        self.boundary.insert(at, x)
        self.after_class.insert(at, label)
        self.after_count.insert(at, count)
        self.points.insert(at, points)

    def _remove(self, at: int) -> None:
        for each in (self.boundary, self.after_class, self.after_count, self.points):
            del each[at]

    def _specialise(self, at: int, x: float, own: int) -> None:
        count, lower, upper = self.after_count[at], self.boundary[at], self.boundary[at + 1]
        below = int(count * ((x - lower) / (upper - lower)) + 0.5)  # as `share_below` does
        self.after_count[at] = below
        self._insert(at + 1, x, self.after_class[at], count - below, {own: 1})

    def _generalise(self, at: int, x: float, own: int, limit: float, rules: Rules) -> None:
        above = at + 1
        joins_left = self._may_grow(at, at - 1, own) and _is_within(x - self.boundary[at], limit, rules)
        joins_right = above < len(self.boundary) and self._may_grow(above, above, own)
        joins_right = joins_right and _is_within(self.boundary[above] - x, limit, rules)
        if joins_left and joins_right and not rules.merges:
            joins_left = x - self.boundary[at] <= self.boundary[above] - x
            joins_right = not joins_left
        if joins_left and joins_right:
            self._merge(at, own)
        elif joins_left:
            self._extend_up(at, x, own)
        elif joins_right:
            self._extend_down(above, x, own)
        else:
            self._insert(above, x, NONE, 0, {own: 1})

    def _may_grow(self, at: int, start: int, own: int) -> bool:
        """Return whether a partition of a class ends at a boundary, a point or a range that shares it with no point."""
        points = self.points[at]
        return own in points or (not points and start >= 0 and self.after_class[start] == own)

    def _merge(self, at: int, own: int) -> None:
        count, above = 1, at + 1
        if own in self.points[above]:
            count += self.points[above].pop(own)
        else:
            count += self.after_count[above]
            self._remove(above)
        if own in self.points[at]:
            count += self.points[at].pop(own)
        else:
            count += self.after_count[at - 1]
            self._remove(at)
            at -= 1
        self.after_class[at], self.after_count[at] = own, count

    def _extend_up(self, at: int, x: float, own: int) -> None:
        if own in self.points[at]:
            self.after_class[at], self.after_count[at] = own, self.points[at].pop(own) + 1
            self._insert(at + 1, x, NONE, 0, {})
        else:
            self.after_count[at - 1] += 1
            self.boundary[at] = x

    def _extend_down(self, at: int, x: float, own: int) -> None:
        if own in self.points[at]:
            self._insert(at, x, own, self.points[at].pop(own) + 1, {})
        else:
            self.after_count[at] += 1
            self.boundary[at] = x


def _is_within(gap: float, limit: float, rules: Rules) -> bool:
    return gap < limit or (rules.inclusive and gap <= limit)
