"""Exhaustive search: evaluate every subset of every size, the idealisation that the theorems are about."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice

import numpy as np

from fewest.wrapper.search.subset_search import Step, SubsetPath, SubsetSearch
from fewest.wrapper.search.subsets import Candidates, SubsetSpace


def n_subsets(space: SubsetSpace) -> int:
    """Count the subsets that `exhaustive_search` evaluates, at the most."""
    return sum(space.n_subsets(level) for level in range(space.most_units + 1))


def exhaustive_search(search: SubsetSearch) -> SubsetPath:
    """Evaluate all subsets, size by size, and keep the best of each."""
    return search.run(_levels(search))


def _levels(search: SubsetSearch) -> Iterator[Step]:
    yield search.only(())
    for level in range(1, search.space.most_units + 1):
        best: tuple[float, int, tuple[int, ...]] | None = None
        n_tried = 0
        for number, candidates in enumerate(_blocks(len(search.space.units), level, search.block)):
            positions, losses, candidates = search.best(candidates, 1)
            n_tried += len(candidates)
            if len(positions):
                key = number if search.seed is None else int(search.keys.of(candidates.take(positions))[0])
                found = (float(losses[0]), key, candidates.subset(int(positions[0])))
                best = found if best is None else min(best, found)
        if best is None:
            return
        yield search.step(best[2], best[0], n_tried)


def _blocks(n_units: int, level: int, size: int) -> Iterator[Candidates]:
    """Yield all subsets of a size in ascending order: those that share all but the last unit have one parent."""
    prefixes = (prefix for prefix in combinations(range(n_units), level - 1) if not prefix or prefix[-1] < n_units - 1)
    while block := list(_up_to(prefixes, n_units, size)):
        parents = np.array(block, dtype=np.int64).reshape(len(block), level - 1)
        last = parents[:, -1] if level > 1 else np.full(1, -1)
        counts = n_units - 1 - last
        parent = np.repeat(np.arange(len(parents)), counts)
        unit = np.fromiter(chain.from_iterable(range(end + 1, n_units) for end in last.tolist()), dtype=np.int64)
        yield Candidates(parents, parent, unit, adds=True)


def _up_to(prefixes: Iterator[tuple[int, ...]], n_units: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield prefixes until they have so many candidates."""
    n_candidates = 0
    while n_candidates < size:
        prefix = next(islice(prefixes, 1), None)
        if prefix is None:
            return
        n_candidates += n_units - 1 - (prefix[-1] if prefix else -1)
        yield prefix
