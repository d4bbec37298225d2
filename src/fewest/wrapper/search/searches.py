"""The orders in which a wrapper tries subsets: beam, exhaustive and floating search.

Beam search is Figure 1 of Ng (1998), forwards or backwards; exhaustive search, over every subset of every size, is the
idealisation that his theorems are about. Floating search goes back after every step, as long as that improves on what
is known of smaller sizes: Pudil, Novovičová and Kittler (1994), *Floating search methods in feature selection*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, islice
from math import comb

import numpy as np

from fewest.wrapper.search.subset_search import Step, SubsetPath, SubsetSearch, has_stalled
from fewest.wrapper.search.subsets import Candidates, SubsetSpace, neighbors


def n_beam_subsets(space: SubsetSpace, width: int) -> int:
    """Count the subsets that a forward beam search evaluates, at the most."""
    return 1 + sum(n_beam_candidates(len(space.units), space.most_units, width))


def n_beam_candidates(n_units: int, n_levels: int, width: int) -> list[int]:
    """Count the candidates of every level of a beam search, at the most; the start has none."""
    counts, beam = [], 1
    for level in range(n_levels):
        counts.append(min(beam * (n_units - level), comb(n_units, level + 1)))
        beam = min(width, counts[-1])
    return counts


def beam_search(search: SubsetSearch, width: int, *, forward: bool = True) -> SubsetPath:
    """Go from the empty set to all units, or back, keeping the ``width`` best subsets of each size.

    Steps 2 to 8 of Figure 1. The hypothesis of least loss of each size is
    kept; which loss that is, training or hold-out error, is the evaluator's.
    """
    return search.run(_beam_levels(search, width, forward))


def _beam_levels(search: SubsetSearch, width: int, forward: bool) -> Iterator[Step]:
    n_units = len(search.space.units)
    start = () if forward else tuple(range(n_units))
    beam = np.array([start], dtype=np.int64).reshape(1, len(start))
    yield search.only(start)
    for _ in range(search.space.most_units if forward else n_units):
        positions, losses, candidates = search.best(neighbors(beam, n_units, adds=forward), width)
        if not len(positions):
            return
        beam = candidates.units(positions)
        yield search.step(tuple(beam[0].tolist()), float(losses[0]), len(candidates))


def n_subsets(space: SubsetSpace) -> int:
    """Count the subsets that `exhaustive_search` evaluates, at the most."""
    return sum(space.n_subsets(level) for level in range(space.most_units + 1))


def exhaustive_search(search: SubsetSearch) -> SubsetPath:
    """Evaluate all subsets, size by size, and keep the best of each."""
    return search.run(_all_levels(search))


def _all_levels(search: SubsetSearch) -> Iterator[Step]:
    yield search.only(())
    for level in range(1, search.space.most_units + 1):
        best: tuple[float, int, tuple[int, ...]] | None = None
        n_tried = 0
        for number, candidates in enumerate(_all_of_size(len(search.space.units), level, search.block)):
            positions, losses, candidates = search.best(candidates, 1)
            n_tried += len(candidates)
            if len(positions):
                key = number if search.seed is None else int(search.keys.of(candidates.take(positions))[0])
                found = (float(losses[0]), key, candidates.subset(int(positions[0])))
                best = found if best is None else min(best, found)
        if best is None:
            return
        yield search.step(best[2], best[0], n_tried)


def _all_of_size(n_units: int, level: int, size: int) -> Iterator[Candidates]:
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
    """Yield prefixes until they have this many candidates."""
    n_candidates = 0
    while n_candidates < size:
        prefix = next(islice(prefixes, 1), None)
        if prefix is None:
            return
        n_candidates += n_units - 1 - (prefix[-1] if prefix else -1)
        yield prefix


def floating_search(search: SubsetSearch, *, forward: bool = True) -> SubsetPath:
    """Add the best unit and take away units while the rest is the best of its size, or the other way round."""
    return search.run(_floating_steps(search, forward))


def _floating_steps(search: SubsetSearch, forward: bool) -> Iterator[Step]:
    """Yield every step that reaches a new level; those that improve an old one are put in its place."""
    n_units = len(search.space.units)
    end = search.space.most_units if forward else 0
    current = () if forward else tuple(range(n_units))
    yield search.only(current)
    while len(current) != end:
        step = _best_neighbor(search, current, adds=forward)
        if step is None:
            return
        known = search.steps.get(len(step.units))
        if known is None:
            yield step
        elif step.loss < known.loss:
            search.steps[len(step.units)] = replace(step, n_tried=known.n_tried + step.n_tried)
        current = search.steps[len(step.units)].units
        while (back := _improved(search, current, forward)) is not None:
            current = back


def _improved(search: SubsetSearch, current: tuple[int, ...], forward: bool) -> tuple[int, ...] | None:
    """Go one step back, if that is better than the best known of that size."""
    if has_stalled(search.judged, search.patience) or len(current) == (len(search.space.units) if not forward else 0):
        return None
    step = _best_neighbor(search, current, adds=not forward)
    if step is None:
        return None
    known = search.steps.get(len(step.units))
    if known is not None and not step.loss < known.loss:
        search.steps[len(step.units)] = replace(known, n_tried=known.n_tried + step.n_tried)
        return None
    n_tried = step.n_tried + (0 if known is None else known.n_tried)
    search.steps[len(step.units)] = replace(step, n_tried=n_tried)
    return step.units


def _best_neighbor(search: SubsetSearch, units: tuple[int, ...], *, adds: bool) -> Step | None:
    parents = np.array([units], dtype=np.int64).reshape(1, len(units))
    positions, losses, candidates = search.best(neighbors(parents, len(search.space.units), adds=adds), 1)
    if not len(positions):
        return None
    return search.step(candidates.subset(int(positions[0])), float(losses[0]), len(candidates))
