"""Who solves the instances: `MinFeatures`, and its peers on the explicit cover problem."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from instances import Instance, noise

from fewest.kernels import bits
from fewest.kernels.conflicts import Conflicts, minimal
from fewest.search.focus2 import focus2
from fewest.search.min_features import MinFeaturesSearch
from fewest.search.sample import Sample
from fewest.solvers import Budget, CoverProblem, solve_cover_with_highs
from fewest.solvers.budget import OutOfBudgetError

Outcome = dict[str, float | int | bool | None]


def min_features(instance: Instance, cap: float) -> Outcome:
    """Run ours, from the examples to the proof."""
    import fewest.solvers.compiled  # noqa: F401 (so that it is used from the start)

    warm_up = noise(20, 40)  # load the machine code that earlier runs left on disk
    MinFeaturesSearch(Sample(warm_up.codes, warm_up.classes)).run()
    started = time.perf_counter()
    search = MinFeaturesSearch(Sample(instance.codes, instance.classes))
    answer = search.run(Budget(cap))
    return {
        "seconds": time.perf_counter() - started,
        "size": len(answer.subset),
        "bound": int(answer.lower_bound),
        "solved": answer.is_optimal,
        "n_conflicts": search.n_conflicts,
        "n_nodes": search.n_nodes,
    }


def focus_2(instance: Instance, cap: float) -> Outcome:
    """Run the document's own algorithm, from the examples to the proof."""
    started = time.perf_counter()
    answer = focus2(Sample(instance.codes, instance.classes), Budget(cap), max_memory=8e9)
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "size": len(answer.subset), "solved": answer.is_optimal}


def _explicit(instance: Instance, cap: float) -> tuple[Conflicts, float]:
    """List all distinct conflicts, without supersets as far as finding these does not take too long."""
    started = time.perf_counter()
    conflicts = Sample(instance.codes, instance.classes).conflicts(max_memory=16e9)
    budget = Budget(cap / 4)
    with suppress(OutOfBudgetError):
        conflicts = minimal(conflicts, lambda: budget.check(str))
    return conflicts, time.perf_counter() - started


def _on_conflicts(solve: Callable[[np.ndarray, int, float], int | None]) -> Callable[[Instance, float], Outcome]:
    """Time a solver on the explicit conflicts; making them is not held against it."""

    def run(instance: Instance, cap: float) -> Outcome:
        conflicts, preparing = _explicit(instance, cap)
        solve(conflicts.words[:, :1], conflicts.n_features, cap)  # import and compile what it needs
        started = time.perf_counter()
        size = solve(conflicts.words, conflicts.n_features, cap)
        seconds = time.perf_counter() - started
        return {"seconds": seconds, "size": size, "solved": size is not None, "preparing_seconds": preparing}

    return run


@_on_conflicts
def simple(words: np.ndarray, n_features: int, cap: float) -> int | None:  # noqa: ARG001 (killed at the cap)
    """Run the baseline: iterative deepening over all conflicts."""
    from baseline import simple_search

    return simple_search(words, n_features)


@_on_conflicts
def cp_sat(words: np.ndarray, n_features: int, cap: float) -> int | None:
    """Run OR-tools' CP-SAT."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [model.new_bool_var(f"x{j}") for j in range(n_features)]
    for row in bits.unpack(words, n_features):
        model.add_bool_or([chosen[j] for j in np.flatnonzero(row)])
    model.minimize(sum(chosen))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = cap
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else None


@_on_conflicts
def rc2(words: np.ndarray, n_features: int, cap: float) -> int | None:  # noqa: ARG001 (killed at the cap)
    """Run python-sat's minimum hitting sets by RC2."""
    from pysat.examples.hitman import Hitman

    sets = [np.flatnonzero(row).tolist() for row in bits.unpack(words, n_features)]
    with Hitman(bootstrap_with=sets, htype="rc2") as solver:
        return len(solver.get())


@_on_conflicts
def highs(words: np.ndarray, n_features: int, cap: float) -> int | None:
    """Run HiGHS through SciPy."""
    cover = solve_cover_with_highs(CoverProblem(words, n_features), time_limit=cap)
    return len(cover.subset) if cover.is_optimal and cover.subset is not None else None


CONTESTANTS = {
    "MinFeatures": min_features,
    "simple": simple,
    "RC2": rc2,
    "CP-SAT": cp_sat,
    "HiGHS": highs,
    "Focus2": focus_2,
}
