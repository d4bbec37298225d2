"""A cover that is quickly found and usually good: where an exact search starts from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.cover.solver.problem import CoverProblem, Subset
from fewest.kernels import bits


def greedy_cover(problem: CoverProblem) -> Subset:
    """Cover the most conflicts per cost, again and again; then leave out what has become superfluous."""
    chosen = list(problem.include)
    usable = np.ones(problem.n_features, dtype=bool)
    usable[list(problem.forbid)] = False
    open_rows = bits.unpack(problem.words, problem.n_features)
    open_rows = open_rows[~open_rows[:, chosen].any(axis=1)]
    while len(open_rows):
        worth = np.where(usable, open_rows.sum(axis=0) / problem.units, -1.0)
        best = int(worth.argmax())
        chosen.append(best)
        open_rows = open_rows[~open_rows[:, best]]
    return without_superfluous(chosen, problem)


def without_superfluous(chosen: Sequence[int], problem: CoverProblem) -> Subset:
    """Drop features, the dearest first, that the others make unnecessary."""
    kept = set(chosen)
    for feature in sorted(kept - set(problem.include), key=lambda x: -int(problem.units[x])):
        rest = bits.mask(kept - {feature}, problem.n_features)
        if len(bits.missed(problem.words, rest)) == 0:
            kept.remove(feature)
    return tuple(sorted(kept))
