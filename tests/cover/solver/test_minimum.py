from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import naive
from fewest.budget import Budget, OutOfBudgetError
from fewest.cover.solver import CoverProblem, MinimumCover, solve_cover, solve_cover_with_highs
from fewest.cover.solver.plain import NANOSECONDS
from fewest.cover.solver.solve import greedy_cover
from fewest.exceptions import ParameterError
from fewest.kernels import bits
from problems import cover_problems

# Plain Python alone, compiled code alone, and a change from one to the other in the middle of a search.
ENGINES = {"plain": "never", "compiled": "always", "both": "auto"}


@pytest.fixture(params=ENGINES, scope="class")
def engine(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", ENGINES[request.param])
        for cost in ("LOADING", "COMPILING"):
            patch.setattr(f"fewest.kernels.compile_or_not.{cost}", 60 * NANOSECONDS * 1e-9)
        yield request.param


def exact(costs):
    return [Fraction(str(cost)) for cost in costs]


def problem_of(problem):
    sets, n_features, costs, include, exclude = problem
    return CoverProblem.from_sets(sets, n_features, costs=costs, include=include, exclude=exclude)


@settings(deadline=None)
@given(problem=cover_problems())
def test_minimum_and_proof_are_true(engine, problem):
    sets, n_features, costs, include, exclude = problem
    best, covers = naive.cheapest_covers(sets, n_features, exact(costs), include, exclude)
    cover = solve_cover(problem_of(problem))
    if best is None:
        assert cover.subset is None
        assert not cover.is_optimal
        assert all(set(sets[c]) <= set(exclude) for c in cover.proof)
        return
    assert cover.subset in covers
    assert Fraction(str(cover.cost)) == Fraction(str(cover.lower_bound)) == best
    assert cover.is_optimal
    assert cover.gap == 0
    # The conflicts of the proof alone force the same cost.
    proof = [sets[c] for c in cover.proof]
    assert naive.cheapest_covers(proof, n_features, exact(costs), include, exclude)[0] == best


@settings(deadline=None)
@given(problem=cover_problems())
def test_all_minimum_covers_are_listed_once(engine, problem):
    sets, n_features, costs, include, exclude = problem
    best, covers = naive.cheapest_covers(sets, n_features, exact(costs), include, exclude)
    assume(best is not None)
    whole = problem_of(problem)
    search = MinimumCover(whole, greedy_cover(whole))
    search.run(Budget())
    assert sorted(search.covers(search.upper, Budget())) == covers
    for x in range(n_features):
        if x not in include:
            without = list(search.covers(search.upper, Budget(), without=[x]))
            assert sorted(without) == [cover for cover in covers if x not in cover]


@settings(deadline=None)
@given(problem=cover_problems(), batch=st.integers(1, 3))
def test_conflicts_learned_on_the_way_change_nothing(engine, problem, batch):
    """An oracle that gives away a few missed conflicts at a time leads to the same minimum and the same covers."""
    sets, n_features, costs, include, exclude = problem
    best, covers = naive.cheapest_covers(sets, n_features, exact(costs), include, exclude)
    assume(best is not None)
    whole = problem_of(problem)
    nothing = CoverProblem(whole.words[:, :0], n_features, costs=costs, include=include, exclude=exclude)
    learned = []

    def oracle(subset):
        missed = bits.missed(whole.words, bits.mask(subset, n_features))[:batch]
        learned.extend(missed.tolist())
        return whole.words[:, missed] if len(missed) else None

    search = MinimumCover(nothing, greedy_cover(whole), oracle)
    cover = search.run(Budget())
    assert cover.subset in covers
    assert cover.is_optimal
    proof = [sets[learned[c]] for c in cover.proof]
    assert naive.cheapest_covers(proof, n_features, exact(costs), include, exclude)[0] == best
    assert sorted(search.covers(search.upper, Budget())) == covers


def in_all_ways(search):
    """What a search returns by plain Python, by compiled code, and by both."""
    found = []
    for choice in ENGINES.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            for cost in ("LOADING", "COMPILING"):
                patch.setattr(f"fewest.kernels.compile_or_not.{cost}", 60 * NANOSECONDS * 1e-9)
            found.append(search())
    return found


@settings(deadline=None)
@given(problem=cover_problems(), batch=st.integers(1, 3))
def test_engines_find_the_same_covers_in_the_same_order_by_the_same_nodes(problem, batch):
    _, n_features, costs, include, exclude = problem
    whole = problem_of(problem)
    assume(not whole.uncoverable())
    nothing = CoverProblem(whole.words[:, :0], n_features, costs=costs, include=include, exclude=exclude)

    def searched():
        asked = []

        def oracle(subset):
            asked.append(subset)
            missed = bits.missed(whole.words, bits.mask(subset, n_features))[:batch]
            return whole.words[:, missed] if len(missed) else None

        search = MinimumCover(nothing, greedy_cover(whole), oracle)
        cover = search.run(Budget())
        return cover, search.history, asked, list(search.covers(search.upper, Budget())), search.n_nodes, search.proof

    plain, compiled, both = in_all_ways(searched)
    assert plain == compiled == both


def test_engines_order_many_conflicts_by_the_same_sample():
    rng = np.random.default_rng(1)
    rows = rng.random((700, 90)) < 0.25
    rows[~rows.any(axis=1), 0] = True
    problem = CoverProblem(bits.pack(rows), 90)

    def searched():
        search = MinimumCover(problem, greedy_cover(problem))
        found = search.run(Budget(), most_nodes=2_000)
        return found, search.history

    plain, compiled, both = in_all_ways(searched)
    assert plain == compiled == both
    assert plain[0].n_nodes > 100


@pytest.mark.parametrize("seed", range(30))
def test_highs_agrees(seed):
    rng = np.random.default_rng(seed)
    n_features = int(rng.integers(10, 70))
    rows = rng.random((int(rng.integers(10, 200)), n_features)) < rng.uniform(0.1, 0.4)
    rows[~rows.any(axis=1), 0] = True
    costs = None if seed % 2 else rng.integers(1, 50, n_features) / 10
    problem = CoverProblem(bits.pack(rows), n_features, costs=costs, include=[1], exclude=[2])
    ours, theirs = solve_cover(problem), solve_cover_with_highs(problem)
    assert (ours.cost, ours.is_optimal, ours.subset is None) == (theirs.cost, theirs.is_optimal, theirs.subset is None)
    if ours.subset is not None:
        assert problem.cost_of(theirs.subset) == ours.cost
        assert 1 in ours.subset
        assert 2 not in ours.subset


def test_wide_problems_of_many_words():
    rng = np.random.default_rng(0)
    rows = rng.random((300, 300)) < 0.5
    rows[:, [7, 250]] = False
    rows[::2, 7] = rows[1::2, 250] = True
    cover = solve_cover(CoverProblem(bits.pack(rows), 300))
    assert (cover.subset, cover.is_optimal) == ((7, 250), True)


def test_time_limit_gives_bounds_that_hold():
    rng = np.random.default_rng(0)
    rows = rng.random((2000, 120)) < 0.3
    ticks = []

    class FewLooks(Budget):
        """A clock that is over after so many looks at it, however fast the machine is."""

        def check(self, status):
            ticks.append(status())
            if len(ticks) > 100:
                raise OutOfBudgetError

    cover = solve_cover(CoverProblem(bits.pack(rows), 120), FewLooks())
    assert cover.stopped_by == "time limit"
    assert not cover.is_optimal
    assert 0 < cover.lower_bound < cover.cost
    assert 0 < cover.gap < 1
    assert rows[:, list(cover.subset)].any(axis=1).all()
    assert any("gap" in status and "nodes" in status for status in ticks)


@pytest.mark.usefixtures("ticking")
def test_interrupt_gives_the_incumbent():
    rng = np.random.default_rng(0)
    rows = rng.random((2000, 120)) < 0.3

    def interrupt(status):
        raise KeyboardInterrupt

    cover = solve_cover(CoverProblem(bits.pack(rows), 120), Budget(None, interrupt))
    assert cover.stopped_by == "interrupt"
    assert rows[:, list(cover.subset)].any(axis=1).all()


def test_nothing_to_cover():
    cover = solve_cover(CoverProblem.from_sets([], 3, include=[2], costs=[1, 1, 0.5]))
    assert (cover.subset, cover.cost, cover.is_optimal) == ((2,), 0.5, True)
    assert solve_cover(CoverProblem.from_sets([], 3)).subset == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": [1, 2]}, "There are 2 costs for 3 features"),
        ({"costs": [1, 0, 2]}, "The cost of feature 1 is 0; costs must be positive"),
        ({"costs": [1, float("nan"), 2]}, "The cost of feature 1 is nan"),
        ({"costs": [1e-300, 1, 1e300]}, "too many orders of magnitude"),
        ({"include": [3]}, "There is no feature 3: there are 3"),
        ({"include": [1], "exclude": [1, 2]}, r"Features \[1\] are both included and excluded"),
    ],
)
def test_problems_that_make_no_sense(options, message):
    with pytest.raises(ParameterError, match=message):
        CoverProblem.from_sets([{0}], 3, **options)


def test_decimal_costs_add_up_exactly():
    # In floating point 0.1 + 0.2 > 0.3, and {2} would win alone.
    cover = solve_cover(CoverProblem.from_sets([{0, 2}, {1, 2}], 3, costs=[0.1, 0.2, 0.3]))
    assert cover.cost == 0.3
    problem = CoverProblem.from_sets([{0, 2}, {1, 2}], 3, costs=[0.1, 0.2, 0.3])
    assert sorted(MinimumCover(problem, (2,)).covers(problem.units_of([2]), Budget())) == [(0, 1), (2,)]
