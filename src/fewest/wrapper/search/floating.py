"""Sequential floating search: after every step, go back as long as that improves on what is known of smaller sizes.

Pudil, Novovičová and Kittler (1994), *Floating search methods in feature
selection*. Forward or backward; the beam has a width of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fewest.wrapper.search.subset_search import Step, SubsetPath, SubsetSearch, has_stalled
from fewest.wrapper.search.subsets import neighbors


def floating_search(search: SubsetSearch, *, forward: bool = True) -> SubsetPath:
    """Add the best unit and take away units while the rest is the best of its size, or the other way round."""
    return search.run(_steps(search, forward))


def _steps(search: SubsetSearch, forward: bool) -> Iterator[Step]:
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
