"""Covers in plain Python, with integers as sets: starts at once, and is meant to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from fewest.cover.kernels import ORDER_SAMPLE
from fewest.kernels.compile_or_not import Work

# What a node is taken to cost plain Python for every word of a conflict. It takes about 100 ns; but a search grows
# exponentially, and one that has come so far is expected to take fifty times as long.
NANOSECONDS = 5_000.0

# Sets of more members are taken apart by NumPy: every step of a loop would go through the whole integer.
FEW_BITS = 512

Limits = tuple[np.ndarray, np.ndarray]
"""How many features of some may be chosen, and which these are: see `CoverProblem.limits`."""
Check = Callable[[], None]
"""Called now and then during a search; raises to end it."""


class TooLongForPlainError(Exception):
    """Ends a search that has become too large for plain Python."""


class TooManyNodesError(Exception):
    """Ends a search that has more nodes than it was given."""


class CoverEngine(Protocol):
    """Lists covers of a growing set of conflicts."""

    n_nodes: int
    most_nodes: float

    def add(self, words: np.ndarray) -> None:
        """Add conflicts, word-major."""

    def covers(self, limit: int, check: Check) -> Iterator[tuple[int, ...]]:
        """Yield covers of the conflicts so far that cost at most ``limit``, each once.

        When conflicts have been added after a cover, the search looks at the
        same place again. None is left out that costs exactly the minimum.
        """

    def used(self) -> list[int]:
        """Return the conflicts that the last search needed to exclude what it excluded."""


class PlainEngine:
    """Depth-first search that raises `TooLongForPlainError` once compiled code should do the work.

    Node for node it is the search of `fewest.cover.kernels.covers`, so that the covers, their order and the number of
    nodes do not depend on which of the two has found them.
    """

    def __init__(self, units: np.ndarray, allowed: np.ndarray, work: Work, limits: Limits | None = None):
        self.units = units.tolist()
        self.allowed = _as_int(allowed)
        self.cheapest = min((self.units[x] for x in _members(self.allowed)), default=1)
        self.work = work
        self.n_words = len(allowed)
        self.conflicts: list[int] = []
        self.n_nodes = 0
        self.most_nodes = float("inf")
        self._used: set[int] = set()
        room, limited = limits or ((), ())
        self.limits = [(int(most), _as_int(some)) for most, some in zip(room, limited, strict=True)]

    def add(self, words: np.ndarray) -> None:
        """Add conflicts, without the features that may not be chosen."""
        self.conflicts.extend(_as_int(conflict) & self.allowed for conflict in words.T)

    def used(self) -> list[int]:
        """Return the conflicts branched on or cut with."""
        return sorted(self._used)

    def covers(self, limit: int, check: Check) -> Iterator[tuple[int, ...]]:
        """Search from the root."""
        self._used = set()
        yield from self._covers((), 0, limit, check)

    def _covers(self, chosen: tuple[int, ...], banned: int, left: int, check: Check) -> Iterator[tuple[int, ...]]:
        """Yield the covers that extend ``chosen`` by features not ``banned`` for what is ``left``."""
        inside = sum(1 << x for x in chosen)
        while not (open_conflicts := self._open(inside)):
            n_before = len(self.conflicts)
            yield chosen
            if len(self.conflicts) == n_before:
                return
            if chosen:
                self._count(check)  # the node is looked at again
        n_known = len(self.conflicts)
        tightest = min(open_conflicts, key=lambda c: (self.conflicts[c] & ~banned).bit_count())
        self._used.add(tightest)
        choices = _members(self.conflicts[tightest] & ~banned)
        if not chosen or left >= 3 * self.cheapest:  # else each choice is settled in no time, in whatever order
            sample = open_conflicts[:: max(1, len(open_conflicts) // ORDER_SAMPLE)]
            choices.sort(key=self._n_covered(choices, [self.conflicts[c] for c in sample]).__getitem__, reverse=True)
        for x in choices:
            self._count(check)
            after = left - self.units[x]
            full = self._full(inside | 1 << x)
            if after >= 2 * self.cheapest:
                yield from self._covers((*chosen, x), banned | full, after, check)
            elif after >= 0:
                is_settled = False
                while not is_settled:
                    open_conflicts += self._open(inside, since=n_known)
                    n_known = len(self.conflicts)
                    for cover in self._completed((*chosen, x), open_conflicts, banned | full, after):
                        yield cover
                        if len(self.conflicts) > n_known:
                            break  # look here again
                    is_settled = len(self.conflicts) == n_known
                    if not is_settled:
                        self._count(check)  # the node is looked at again
            banned |= 1 << x

    def _completed(
        self, chosen: tuple[int, ...], open_conflicts: list[int], banned: int, left: int
    ) -> list[tuple[int, ...]]:
        """Return the covers that ``chosen`` makes with at most one more feature.

        The conflicts are those that ``chosen`` without its last feature leaves open; the first few of those that this
        one does not cover have, mostly, nothing in common.
        """
        last = 1 << chosen[-1]
        rest = self.allowed & ~banned if left >= self.cheapest else 0
        is_cover = True
        for c in open_conflicts:
            conflict = self.conflicts[c]
            if not conflict & last:
                is_cover = False
                self._used.add(c)
                rest &= conflict
                if not rest:
                    return []
        return [chosen] if is_cover else [(*chosen, y) for y in _members(rest) if self.units[y] <= left]

    def _full(self, inside: int) -> int:
        """Return the features of which no more may be chosen beside those of a set."""
        full = 0
        for most, some in self.limits:
            full |= some if (inside & some).bit_count() >= most else 0
        return full

    def _open(self, inside: int, since: int = 0) -> list[int]:
        """Return the conflicts, from one on, that no feature of a set covers."""
        return [c for c, conflict in enumerate(self.conflicts[since:], since) if not conflict & inside]

    def _n_covered(self, choices: list[int], conflicts: list[int]) -> Mapping[int, int] | Sequence[int]:
        """Return how many of the conflicts each choice covers."""
        if 64 * self.n_words > FEW_BITS:
            return _counts(conflicts, self.n_words)
        return {x: sum(conflict >> x & 1 for conflict in conflicts) for x in choices}

    def _count(self, check: Check) -> None:
        self.n_nodes += 1
        if self.n_nodes > self.most_nodes:
            raise TooManyNodesError
        if self.work.compiles(len(self.conflicts) * self.n_words, NANOSECONDS):
            raise TooLongForPlainError
        if self.n_nodes % 256 == 0:
            check()


def _as_int(words: np.ndarray) -> int:
    return int.from_bytes(words.astype("<u8").tobytes(), "little")


def _members(number: int) -> list[int]:
    if number.bit_length() > FEW_BITS:
        return np.flatnonzero(_bits(number, -(-number.bit_length() // 64))).tolist()
    found = []
    while number:
        low = number & -number
        found.append(low.bit_length() - 1)
        number ^= low
    return found


def _counts(sets: list[int], n_words: int) -> list[int]:
    """Return how many of the sets have each member."""
    counts = np.zeros(64 * n_words, dtype=np.int64)
    for each in sets:
        counts += _bits(each, n_words)
    return counts.tolist()


def _bits(number: int, n_words: int) -> np.ndarray:
    return np.unpackbits(np.frombuffer(number.to_bytes(8 * n_words, "little"), dtype=np.uint8), bitorder="little")
