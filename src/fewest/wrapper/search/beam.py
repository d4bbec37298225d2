"""Beam search over subsets: Figure 1 of Ng (1998), forwards or backwards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fewest.wrapper.search.subset_search import Step, SubsetPath, SubsetSearch
from fewest.wrapper.search.subsets import neighbors


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
