"""Who solves the instances: `MinFeatures`, and its peers on the explicit cover problem."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from instances import Instance

from fewest.budget import Budget, OutOfBudgetError
from fewest.cover.focus2 import focus2
from fewest.cover.kernels.conflicts import Conflicts, minimal
from fewest.cover.min_features import EXAMINED, LEARNED_WHEN_LONG, MinFeaturesSearch
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
    subset = _hit_by_cp_sat(conflicts.to_array(), cap)
    return {"size": None if subset is None else len(subset), "solved": subset is not None}


def _hit_by_cp_sat(rows: np.ndarray, cap: float) -> list[int] | None:
    """Return a smallest set that hits all sets, or None when it is not proven in time."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"x{j}") for j in range(rows.shape[1])]
    for row in rows:
        model.add_bool_or([chosen[j] for j in np.flatnonzero(row)])
    model.minimize(sum(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = cap
    if solver.solve(model) != cp_model.OPTIMAL:
        return None
    return [j for j, x in enumerate(chosen) if solver.value(x)]


def rc2(conflicts: Conflicts, cap: float) -> Outcome:  # noqa: ARG001 (ended from outside)
    """Run python-sat's minimum hitting sets by RC2."""
    from pysat.examples.hitman import Hitman

    with Hitman(bootstrap_with=[np.flatnonzero(row).tolist() for row in conflicts.to_array()], htype="rc2") as solver:
        return {"size": len(solver.get()), "solved": True}


def missed_conflicts(sample: Sample, subset: Sequence[int]) -> np.ndarray:
    """Return the tightest of the conflicts that a subset misses, as ours learns them: none if it is sufficient."""
    rows = sample.missed_pairs(subset, EXAMINED).features
    rows = np.unique(rows, axis=0)
    return rows[np.argsort(rows.sum(axis=1), kind="stable")[:LEARNED_WHEN_LONG]]


def cp_sat_lazily(instance: Instance, cap: float) -> Outcome:
    """Run CP-SAT on the conflicts that its own answers miss, until one misses none; it starts again every time."""
    sample, started = Sample(instance.codes, instance.classes), time.perf_counter()
    known, missed = np.zeros((0, sample.n_features), dtype=bool), missed_conflicts(sample, ())
    subset: list[int] = []
    while len(missed):
        known = np.concatenate([known, missed])
        hit = _hit_by_cp_sat(known, max(0.01, cap - (time.perf_counter() - started)))
        if hit is None:
            return {"size": None, "solved": False}
        subset = hit
        missed = missed_conflicts(sample, subset)
    return {"size": len(subset), "solved": True, "n_conflicts": len(known)}


def rc2_lazily(instance: Instance, cap: float) -> Outcome:  # noqa: ARG001 (ended from outside)
    """Run RC2 on the conflicts that its own answers miss, until one misses none; it goes on from where it was."""
    from pysat.examples.hitman import Hitman

    sample = Sample(instance.codes, instance.classes)
    subset: list[int] = []
    n_conflicts = 0
    with Hitman(htype="rc2") as solver:
        while len(missed := missed_conflicts(sample, subset)):
            n_conflicts += len(missed)
            for row in missed:
                solver.hit(np.flatnonzero(row).tolist())
            subset = sorted(solver.get())
    return {"size": len(subset), "solved": True, "n_conflicts": n_conflicts}


def highs(conflicts: Conflicts, cap: float) -> Outcome:
    """Run HiGHS through SciPy."""
    cover = solve_cover_with_highs(CoverProblem(conflicts.words, conflicts.n_features), time_limit=cap)
    return {"size": None if cover.subset is None else len(cover.subset), "solved": cover.is_optimal}


# What each contestant starts from: the examples, or all their conflicts.
FROM_EXAMPLES = {"MinFeatures": min_features, "Focus2": focus_2, "lazy RC2": rc2_lazily, "lazy CP-SAT": cp_sat_lazily}
FROM_CONFLICTS = {"simple": simple, "RC2": rc2, "CP-SAT": cp_sat, "HiGHS": highs}
