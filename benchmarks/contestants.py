"""Who solves the instances: `MinFeatures`, and its peers on the explicit cover problem."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from instances import Instance

from fewest.budget import Budget, OutOfBudgetError
from fewest.cover.focus2 import focus2
from fewest.cover.kernels.conflicts import Conflicts, minimal
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.cover.solver import CoverProblem, solve_cover_with_highs

Outcome = dict[str, float | int | bool | None]


def explicit_conflicts(instance: Instance, cap: float) -> Conflicts:
    """List all distinct conflicts, without supersets as far as finding these takes no longer than a contestant may."""
    conflicts = Sample(instance.codes, instance.classes).conflicts(max_memory=16e9)
    budget = Budget(cap)
    with suppress(OutOfBudgetError):
        conflicts = conflicts.take(minimal(conflicts.words, lambda: budget.check(str)))
    return conflicts


def min_features(instance: Instance, cap: float) -> Outcome:
    """Run ours, from the examples to the proof."""
    search = MinFeaturesSearch(Sample(instance.codes, instance.classes))
    answer = search.run(Budget(cap))
    return {
        "size": len(answer.subset),
        "bound": int(answer.lower_bound),
        "solved": answer.is_optimal,
        "n_conflicts": search.n_conflicts,
        "n_nodes": search.n_nodes,
    }


def focus_2(instance: Instance, cap: float) -> Outcome:
    """Run the paper's own algorithm, from the examples to the proof."""
    answer = focus2(Sample(instance.codes, instance.classes), Budget(cap), max_memory=8e9)
    return {"size": len(answer.subset), "solved": answer.is_optimal}


def simple(conflicts: Conflicts, cap: float) -> Outcome:  # noqa: ARG001 (ended from outside)
    """Run the baseline: iterative deepening over all conflicts."""
    from baseline import simple_search

    return {"size": simple_search(conflicts.words, conflicts.n_features), "solved": True}


def cp_sat(conflicts: Conflicts, cap: float) -> Outcome:
    """Run OR-tools' CP-SAT."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"x{j}") for j in range(conflicts.n_features)]
    for row in conflicts.to_array():
        model.add_bool_or([chosen[j] for j in np.flatnonzero(row)])
    model.minimize(sum(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = cap
    is_solved = solver.solve(model) == cp_model.OPTIMAL
    return {"size": round(solver.objective_value) if is_solved else None, "solved": is_solved}


def rc2(conflicts: Conflicts, cap: float) -> Outcome:  # noqa: ARG001 (ended from outside)
    """Run python-sat's minimum hitting sets by RC2."""
    from pysat.examples.hitman import Hitman

    with Hitman(bootstrap_with=[np.flatnonzero(row).tolist() for row in conflicts.to_array()], htype="rc2") as solver:
        return {"size": len(solver.get()), "solved": True}


def highs(conflicts: Conflicts, cap: float) -> Outcome:
    """Run HiGHS through SciPy."""
    cover = solve_cover_with_highs(CoverProblem(conflicts.words, conflicts.n_features), time_limit=cap)
    return {"size": None if cover.subset is None else len(cover.subset), "solved": cover.is_optimal}


# What each contestant starts from: the examples, or all their conflicts.
FROM_EXAMPLES = {"MinFeatures": min_features, "Focus2": focus_2}
FROM_CONFLICTS = {"simple": simple, "RC2": rc2, "CP-SAT": cp_sat, "HiGHS": highs}
