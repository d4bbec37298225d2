"""The minimum cover as an integer program, solved by HiGHS through SciPy: an independent second opinion."""

from __future__ import annotations

import numpy as np

from fewest.budget import TIME_LIMIT
from fewest.cover.solver.problem import Cover, CoverProblem
from fewest.kernels import bits


def solve_cover_with_highs(problem: CoverProblem, time_limit: float | None = None) -> Cover:
    """Find a minimum cover with `scipy.optimize.milp`.

    The same problem and the same kind of answer as `solve_cover`, by other
    people's code. It proves its bound by linear programming, so ``proof`` is empty.

    Parameters
    ----------
    problem : CoverProblem
    time_limit : float, optional
        Seconds.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    uncoverable = problem.uncoverable()
    if uncoverable:
        return Cover(None, float("inf"), float("inf"), is_optimal=False, proof=uncoverable)
    lower, upper = np.zeros(problem.n_features), np.ones(problem.n_features)
    lower[list(problem.include)] = 1
    upper[list(problem.forbid)] = 0
    incidence = csr_array(bits.unpack(problem.words, problem.n_features).astype(np.float64))
    rows_to_cover = LinearConstraint(incidence, lb=1) if incidence.shape[0] else ()
    found = milp(
        problem.units.astype(np.float64),
        integrality=np.ones(problem.n_features),
        bounds=Bounds(lower, upper),
        constraints=rows_to_cover,
        options={"mip_rel_gap": 0} | ({} if time_limit is None else {"time_limit": time_limit}),
    )
    is_optimal = found.status == 0
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
