"""Beam search over subsets: Figure 1 of Ng (1998), forwards or backwards."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from fewest.wrapper.search.subset_search import Step, SubsetPath, SubsetSearch
from fewest.wrapper.search.subsets import SubsetSpace, neighbors


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
    return search.run(_levels(search, width, forward))


def _levels(search: SubsetSearch, width: int, forward: bool) -> Iterator[Step]:
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
