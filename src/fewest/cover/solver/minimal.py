"""All minimal covers: those from which no feature can be left out, be they minimum or not.

MMCS of Murakami and Uno (2014). Features are added one by one; each keeps the conflicts that it alone covers so far,
its *critical* ones, and a cover is extended only while no feature has lost the last of its own. So every cover found is
minimal, each is found once, and nothing needs to be remembered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np

from fewest.cover.solver.problem import CoverProblem, Subset
from fewest.cover.solver.solve import without_supersets
from fewest.kernels import bits


def minimal_covers(problem: CoverProblem, check: Callable[[], None] = lambda: None) -> Iterator[Subset]:
    """Yield every minimal cover, lazily.

    Parameters
    ----------
    problem : CoverProblem
        Its costs do not matter. What it includes is in every cover, needed or not; the others are minimal beside that.
    check : callable, optional
        Called before each step; it may raise to end the listing.

    Yields
    ------
    tuple of int
        The features of a cover, ascending.

    Examples
    --------
    >>> from fewest.cover.solver import CoverProblem
    >>> sorted(minimal_covers(CoverProblem.from_sets([{0, 1}, {1, 2}], n_features=3)))
    [(0, 2), (1,)]
    """
    missed = bits.missed(problem.words, bits.mask(problem.include, problem.n_features))
    words = problem.words[:, missed] & ~bits.mask(problem.exclude, problem.n_features)[:, None]
    words, _ = without_supersets(words, missed)
    conflicts = [int.from_bytes(column.tobytes(), sys.byteorder) for column in np.ascontiguousarray(words.T)]
    if not all(conflicts):
        return  # a conflict that nothing covers
    covered = [0] * problem.n_features  # the conflicts of every feature, as bits
    for c, conflict in enumerate(conflicts):
        for feature in _members(conflict):
            covered[feature] |= 1 << c

    def extended(chosen: Subset, critical: tuple[int, ...], still_open: int, candidates: int) -> Iterator[Subset]:
        check()
        if not still_open:
            yield tuple(sorted((*chosen, *problem.include)))
            return
        # The fewer candidates cover a conflict, the fewer branches; one with none ends here.
        tightest = min((conflicts[c] & candidates for c in _members(still_open)), key=int.bit_count)
        candidates &= ~tightest
        for feature in _members(tightest):
            left = tuple(own & ~covered[feature] for own in critical)
            if all(left):
                own = still_open & covered[feature]
                yield from extended((*chosen, feature), (*left, own), still_open & ~covered[feature], candidates)
                candidates |= 1 << feature

    yield from extended((), (), (1 << len(conflicts)) - 1, (1 << problem.n_features) - 1)


def substitutes(problem: CoverProblem, cover: Subset) -> dict[int, tuple[int, ...]]:
    """Return, for every feature of a cover, the others that could stand in its place, alone.

    Those are in every conflict that this feature alone covers.
    """
    found = {}
    outside = ~bits.mask([*cover, *problem.exclude], problem.n_features)
    for feature in cover:
        others = bits.mask([other for other in cover if other != feature], problem.n_features)
        only_its = problem.words[:, bits.missed(problem.words, others)]
        shared = np.bitwise_and.reduce(only_its, axis=1) & outside if only_its.shape[1] else outside & 0
        found[feature] = tuple(bits.members(shared))
    return found


def _members(number: int) -> Iterator[int]:
    """Yield the places of the ones, the lowest first."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
