"""Making a cover problem smaller without changing what it costs.

Three rules, applied until none applies: a conflict that includes another is
covered with it; a feature that alone can cover a conflict is essential; and a
feature that covers nothing but what another one covers, at no higher a price,
is not needed. They need to know all conflicts, and they keep *some* minimum
cover, not all of them: good for solving a problem as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest.cover.kernels.conflicts import minimal
from fewest.cover.solver.problem import CoverProblem
from fewest.kernels import bits

# Comparing all pairs of conflicts or of features pays only as long as it is cheaper than searching: words to compare.
MOST_COMPARED = 2e8


@dataclass(frozen=True)
class Reduced:
    """A smaller problem over the same features, and what it has to do with the original.

    Attributes
    ----------
    problem : CoverProblem
        Essential features are included, dominated ones forbidden.
    numbers : ndarray
        The position of each conflict in the original problem.
    forcing : tuple of int
        The conflicts of the original problem that make features essential.
    """

    problem: CoverProblem
    numbers: np.ndarray
    forcing: tuple[int, ...]


def reduce_problem(problem: CoverProblem) -> Reduced:
    """Apply the three rules until none applies."""
    n_features = problem.n_features
    included, forbidden = list(problem.include), list(problem.forbid)
    numbers = bits.missed(problem.words, bits.mask(included, n_features))
    words = problem.words[:, numbers] & ~bits.mask(forbidden, n_features)[:, None]
    forcing: list[int] = []
    n_before = None
    while n_before != (len(numbers), len(forbidden)):
        n_before = (len(numbers), len(forbidden))
        words, numbers = _without_supersets(words, numbers)
        singles = np.flatnonzero(bits.sizes(words) == 1)
        forcing.extend(numbers[singles].tolist())
        essential = [bits.members(words[:, single])[0] for single in singles]
        included.extend(essential)
        still_open = bits.missed(words, bits.mask(essential, n_features))
        words, numbers = words[:, still_open], numbers[still_open]
        dominated = _dominated(words, problem.units)
        forbidden.extend(dominated)
        words = words & ~bits.mask(dominated, n_features)[:, None]
    smaller = CoverProblem(words, n_features, costs=problem.costs, include=included, forbid=forbidden)
    return Reduced(smaller, numbers, tuple(forcing))


def _without_supersets(words: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if words.shape[1] ** 2 * len(words) > MOST_COMPARED:
        return words, numbers
    # Equal conflicts include each other, and would all go: keep one of each first.
    distinct = np.sort(np.unique(words, axis=1, return_index=True)[1])
    kept = distinct[minimal(words[:, distinct])]
    return np.ascontiguousarray(words[:, kept]), numbers[kept]


def _dominated(words: np.ndarray, units: np.ndarray) -> list[int]:
    """Return features that cover something, but nothing that a cheaper, or equally cheap, one does not cover."""
    n_features = len(units)
    covered = bits.pack(bits.unpack(words, n_features).T)  # words of conflicts x features
    if n_features**2 * len(covered) > MOST_COMPARED:
        return []
    alive = bits.sizes(covered) > 0
    for x in np.flatnonzero(alive):
        column = covered[:, x : x + 1]
        others = np.flatnonzero(alive & (units <= units[x]))
        others = others[others != x]
        # Of two features that cover the same for the same price, the one tried first goes, and is not there to match.
        if ((covered[:, others] & column) == column).all(axis=0).any():
            alive[x] = False
    return np.flatnonzero(~alive & (bits.sizes(covered) > 0)).tolist()
