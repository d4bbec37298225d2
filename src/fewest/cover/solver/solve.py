"""Solve a cover problem as it stands: make it smaller, then search; or have HiGHS solve it, as a second opinion.

Three rules make it smaller without changing what it costs, applied until none
applies: a conflict that includes another is covered with it; a feature that
alone can cover a conflict is essential; and a feature that covers nothing but
what another one covers, at no higher a price, is not needed. They need to know
all conflicts, and they keep *some* minimum cover, not all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fewest.budget import TIME_LIMIT, Budget
from fewest.cover.kernels.conflicts import minimal
from fewest.cover.solver.minimum import MinimumCover
from fewest.cover.solver.problem import Cover, CoverProblem, Subset
from fewest.kernels import bits

# Comparing all pairs of conflicts or of features pays only as long as it is cheaper than searching: words to compare.
MOST_COMPARED = 2e8


def solve_cover(problem: CoverProblem, budget: Budget | None = None) -> Cover:
    """Find and prove a minimum cover: make the problem smaller, split it, then branch and bound.

    Parameters
    ----------
    problem : CoverProblem
        The conflicts to cover, and what features cost.
    budget : Budget, default=None
        A time limit, and who is shown the progress. By default there is no limit.

    Returns
    -------
    Cover
        The best cover found, a lower bound of the cost, and the conflicts that prove it.

    See Also
    --------
    CoverProblem : The problem.
    solve_cover_with_highs : The same by SciPy's integer programming, as a second opinion.

    Examples
    --------
    >>> from fewest.cover.solver import CoverProblem, solve_cover
    >>> solve_cover(CoverProblem.from_sets([{0, 1}, {1, 2}], n_features=3)).subset
    (1,)
    """
    uncoverable = problem.uncoverable()
    if uncoverable:
        return Cover(None, float("inf"), float("inf"), is_optimal=False, proof=uncoverable)
    if problem.at_most:
        # A dominated feature may be within a limit that the better one exceeds, and a limit ties parts together.
        greedy = greedy_cover(problem)
        return MinimumCover(problem, greedy if problem.allows(greedy) else None).run(budget or Budget())
    reduced = reduce_problem(problem)
    smaller, budget = reduced.problem, budget or Budget()
    chosen, proof = set(smaller.include), list(reduced.forcing)
    lower, n_nodes, stopped_by = smaller.units_of(smaller.include), 0, None
    for part in components(smaller.words):
        # A part pays for its own features only: what is included is paid for already.
        own = CoverProblem(smaller.words[:, part], problem.n_features, costs=problem.costs, exclude=smaller.exclude)
        search = MinimumCover(own, greedy_cover(own))
        cover = search.run(budget)
        chosen.update(search.best)
        proof.extend(int(reduced.numbers[part[c]]) for c in cover.proof)
        lower, n_nodes, stopped_by = lower + search.lower, n_nodes + cover.n_nodes, stopped_by or cover.stopped_by
    cost = problem.units_of(chosen)
    return Cover(
        tuple(sorted(chosen)),
        problem.in_costs(cost),
        problem.in_costs(lower),
        cost == lower,
        tuple(sorted(proof)),
        n_nodes,
        stopped_by,
    )


def components(words: np.ndarray) -> list[np.ndarray]:
    """Return the conflicts, by position, in parts that share no feature: each is a problem of its own."""
    left = np.arange(words.shape[1])
    parts = []
    while len(left):
        reached, n_before = words[:, left[0]].copy(), -1
        inside = np.zeros(len(left), dtype=bool)
        while inside.sum() != n_before:
            n_before = int(inside.sum())
            inside = (words[:, left] & reached[:, None]).any(axis=0)
            reached = np.bitwise_or.reduce(words[:, left[inside]], axis=1)
        parts.append(left[inside])
        left = left[~inside]
    return parts


def greedy_cover(problem: CoverProblem) -> Subset:
    """Cover the most conflicts per cost, again and again; then leave out what has become superfluous."""
    chosen = list(problem.include)
    usable = np.ones(problem.n_features, dtype=bool)
    usable[list(problem.exclude)] = False
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


@dataclass(frozen=True)
class Reduced:
    """A smaller problem over the same features, and what it has to do with the original.

    Attributes
    ----------
    problem : CoverProblem
        Essential features are included, dominated ones excluded.
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
    included, excluded = list(problem.include), list(problem.exclude)
    numbers = bits.missed(problem.words, bits.mask(included, n_features))
    words = problem.words[:, numbers] & ~bits.mask(excluded, n_features)[:, None]
    forcing: list[int] = []
    n_before = None
    while n_before != (len(numbers), len(excluded)):
        n_before = (len(numbers), len(excluded))
        words, numbers = without_supersets(words, numbers)
        singles = np.flatnonzero(bits.sizes(words) == 1)
        forcing.extend(numbers[singles].tolist())
        essential = [bits.members(words[:, single])[0] for single in singles]
        included.extend(essential)
        still_open = bits.missed(words, bits.mask(essential, n_features))
        words, numbers = words[:, still_open], numbers[still_open]
        dominated = _dominated(words, problem.units)
        excluded.extend(dominated)
        words = words & ~bits.mask(dominated, n_features)[:, None]
    smaller = CoverProblem(words, n_features, costs=problem.costs, include=included, exclude=excluded)
    return Reduced(smaller, numbers, tuple(forcing))


def without_supersets(words: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Leave out conflicts that include another one, unless there are too many to compare."""
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


def solve_cover_with_highs(problem: CoverProblem, time_limit: float | None = None) -> Cover:
    """Find a minimum cover with `scipy.optimize.milp`.

    The same problem and the same kind of answer as `solve_cover`, by other
    people's code. It proves its bound by linear programming, so ``proof`` is empty.

    Parameters
    ----------
    problem : CoverProblem
        The conflicts to cover, and what features cost.
    time_limit : float, default=None
        Seconds. By default there is no limit.

    Returns
    -------
    Cover
        The best cover found and a lower bound of the cost.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    uncoverable = problem.uncoverable()
    if uncoverable:
        return Cover(None, float("inf"), float("inf"), is_optimal=False, proof=uncoverable)
    lower, upper = np.zeros(problem.n_features), np.ones(problem.n_features)
    lower[list(problem.include)] = 1
    upper[list(problem.exclude)] = 0
    incidence = csr_array(bits.unpack(problem.words, problem.n_features).astype(np.float64))
    constraints = [LinearConstraint(incidence, lb=1)] if incidence.shape[0] else []
    for most, some in problem.at_most:
        constraints.append(LinearConstraint(np.isin(np.arange(problem.n_features), list(some)).astype(float), ub=most))
    found = milp(
        problem.units.astype(np.float64),
        integrality=np.ones(problem.n_features),
        bounds=Bounds(lower, upper),
        constraints=constraints,
        options={"mip_rel_gap": 0} | ({} if time_limit is None else {"time_limit": time_limit}),
    )
    is_optimal = found.status == 0
    if found.status == 2:  # the limits leave nothing
        return Cover(None, float("inf"), float("inf"), is_optimal=False)
    bound = int(np.ceil(found.mip_dual_bound - 1e-6)) if found.mip_dual_bound is not None else 0
    if found.x is None:
        return Cover(None, float("inf"), problem.in_costs(bound), is_optimal=False, stopped_by=TIME_LIMIT)
    subset = tuple(np.flatnonzero(found.x > 0.5).tolist())
    cost = problem.cost_of(subset)
    return Cover(
        subset,
        cost,
        lower_bound=cost if is_optimal else problem.in_costs(bound),
        is_optimal=is_optimal,
        n_nodes=int(found.mip_node_count or 0),
        stopped_by=None if is_optimal else TIME_LIMIT,
    )
