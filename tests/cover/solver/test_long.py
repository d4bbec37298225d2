"""Long searches, which count and search locally, against enumeration; here every search is a long one."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import naive
from fewest.budget import Budget, OutOfBudgetError
from fewest.cover.kernels import completions, counted_covers
from fewest.cover.kernels.counted_sets import EXHAUSTED
from fewest.cover.kernels.swaps import TENURE, best_gain
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.cover.solver import CoverProblem, MinimumCover
from fewest.cover.solver.counted import CountedEngine
from fewest.cover.solver.local_search import LocalSearch
from fewest.cover.solver.solve import greedy_cover
from fewest.kernels import bits
from problems import codes_of, cover_problems, samples


@pytest.fixture(autouse=True, scope="module")
def long():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fewest.cover.solver.minimum.QUICK_NODES", 0)
        patch.setattr("fewest.cover.solver.minimum.TURN", 2_000)
        patch.setattr("fewest.cover.solver.minimum.QUESTION", 500)
        patch.setattr("fewest.cover.solver.minimum.BEGINNING", 2_000)
        patch.setattr("fewest.cover.solver.minimum.BEGINNING_WITH_ORACLE", 5_000)
        patch.setattr("fewest.cover.solver.counted.CountedEngine.NODES_PER_CALL", 50)
        # As few as that, so that a cover of what is weighed misses others.
        patch.setattr("fewest.cover.solver.local_search.FIRST", 3)
        patch.setattr("fewest.cover.solver.local_search.MORE", 2)
        yield


@pytest.fixture(params=["never", "always"], scope="module")
def way(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", request.param)
        yield request.param


def problem_of(problem):
    sets, n_features, costs, include, exclude = problem
    return CoverProblem.from_sets(sets, n_features, costs=costs, include=include, exclude=exclude)


def naive_minimum(problem):
    sets, n_features, costs, include, exclude = problem
    return naive.cheapest_covers(sets, n_features, [Fraction(str(cost)) for cost in costs], include, exclude)


def random_problem(seed, n_sets=300, n_features=70, density=0.25, costs=None):
    rows = np.random.default_rng(seed).random((n_sets, n_features)) < density
    rows[~rows.any(axis=1), 0] = True
    return CoverProblem(bits.pack(rows), n_features, costs=costs)


def search_with_oracle(problem, batch):
    """A search that starts without a conflict, and those it has learned."""
    whole = problem_of(problem)
    _, n_features, costs, include, exclude = problem
    nothing = CoverProblem(whole.words[:, :0], n_features, costs=costs, include=include, exclude=exclude)
    learned = []

    def oracle(subset):
        missed = bits.missed(whole.words, bits.mask(subset, n_features))[:batch]
        learned.extend(missed.tolist())
        return whole.words[:, missed] if len(missed) else None

    return MinimumCover(nothing, greedy_cover(whole), oracle), learned


@settings(deadline=None)
@given(problem=cover_problems())
def test_the_minimum_is_found_and_its_proof_is_true(way, problem):
    best, covers = naive_minimum(problem)
    assume(best is not None)
    sets, n_features, costs, include, exclude = problem
    search = MinimumCover(problem_of(problem), tuple(x for x in range(n_features) if x not in exclude))
    cover = search.run(Budget())
    assert cover.subset in covers
    assert cover.is_optimal
    assert naive_minimum(([sets[c] for c in cover.proof], n_features, costs, include, exclude))[0] == best
    assert sorted(search.covers(search.upper, Budget())) == covers


@settings(deadline=None)
@given(problem=cover_problems(), batch=st.integers(1, 3))
def test_conflicts_learned_on_the_way_change_nothing(way, problem, batch):
    best, covers = naive_minimum(problem)
    assume(best is not None)
    sets, n_features, costs, include, exclude = problem
    search, learned = search_with_oracle(problem, batch)
    cover = search.run(Budget())
    assert cover.subset in covers
    assert cover.is_optimal
    proof = [sets[learned[c]] for c in cover.proof]
    assert naive_minimum((proof, n_features, costs, include, exclude))[0] == best


@given(problem=cover_problems())
def test_a_cover_of_copied_conflicts_is_tried_on_the_others(problem):
    best, covers = naive_minimum(problem)
    assume(best is not None)
    whole = problem_of(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", "never")
        patch.setattr(counted_covers, "MOST_COPIED", 1)
        patch.setattr(counted_covers, "COUNTED_WORDS", 1)
        assert MinimumCover(whole, greedy_cover(whole)).run(Budget()).subset in covers


@given(problem=cover_problems())
def test_two_features_are_found_without_counting(problem):
    best, covers = naive_minimum(problem)
    assume(best is not None)
    whole = problem_of(problem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", "never")
        patch.setattr(completions, "TRIED_NODES", 0)
        patch.setattr(completions, "LEAST_ENDED", 0)
        patch.setattr(completions, "COUNTED_AGAIN", 1 << 40)
        patch.setattr(completions, "LOOKED_AT", 2)
        patch.setattr(completions, "MASKED", 2)
        cover = MinimumCover(whole, greedy_cover(whole)).run(Budget())
    assert cover.subset in covers
    assert cover.is_optimal


@pytest.mark.parametrize(
    ("shape", "density", "limit", "is_given_up"), [((60, 12), 0.75, 4, True), ((400, 40), 0.3, 7, False)]
)
def test_counting_is_given_up_only_where_it_ends_nothing(shape, density, limit, is_given_up):
    rows, n_features = np.random.default_rng(0).random(shape) < density, shape[1]
    words, allowed = bits.pack(rows), bits.mask(range(n_features), n_features)
    found = []
    for is_compiled in (True, False):
        engine = CountedEngine(np.ones(n_features, dtype=np.int64), allowed, words, limit, is_compiled=is_compiled)
        status = None
        while status != EXHAUSTED and engine.n_nodes < 3_000:
            status, cover = engine.go_on()
        found.append((status, cover, engine.n_nodes, engine._below.pairs.tolist()))
    assert found[0] == found[1]
    seen, counted, *_ = found[0][3]
    assert seen > 500
    assert (counted < seen) == is_given_up


@settings(deadline=None)
@given(problem=samples(max_rows=20, max_features=6), data=st.data())
def test_subsets_of_rows_are_the_smallest(way, problem, data):
    rows, classes, n_features = problem
    include = data.draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    sets = [c for c in naive.all_conflicts(rows, classes) if c]
    best, cheapest = naive.cheapest_covers(sets, n_features, [1] * n_features, include)
    search = MinFeaturesSearch(Sample(codes_of(rows, n_features), np.array(classes)), None, tuple(include))
    answer = search.run()
    assert answer.subset in cheapest
    assert answer.is_optimal
    assert answer.cost == best
    pairs = [naive.conflict(rows[i], rows[j]) for i, j in search.proof()]
    assert naive.cheapest_covers(pairs, n_features, [1] * n_features, include)[0] == best


def outcome(problem, budget=None):
    search = MinimumCover(problem, tuple(range(problem.n_features)))
    return search.run(budget or Budget()), search.history


@pytest.mark.parametrize("seed", range(3))
def test_plain_and_compiled_take_the_same_turns(seed):
    costs = np.random.default_rng(seed).integers(1, 4, 25) if seed % 2 else None
    problem = random_problem(seed, n_sets=60, n_features=25, costs=costs)
    found = []
    for choice in ("never", "always"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            found.append(outcome(problem))
    assert found[0] == found[1]
    assert found[0][0].n_nodes > 20


def test_other_threads_change_nothing(monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    problems = [random_problem(seed) for seed in range(4)]
    alone = [outcome(problem) for problem in problems]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(outcome, problems)) == alone


class SomeLooks(Budget):
    """A clock that is over after so many looks at it, however fast the machine is."""

    def __init__(self, n_looks):
        super().__init__()
        self.n_looks = n_looks

    def check(self, status):
        assert "conflicts" in status()
        self.n_looks -= 1
        if self.n_looks < 0:
            raise OutOfBudgetError


@pytest.mark.parametrize("n_looks", [0, 1, 5, 17])
def test_a_search_that_was_stopped_goes_on_to_the_same_bounds(monkeypatch, n_looks):
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    problem = random_problem(7)
    whole = outcome(problem)[0]
    search = MinimumCover(problem, tuple(range(problem.n_features)))
    stopped = search.run(SomeLooks(n_looks))
    assert stopped.lower_bound <= whole.cost <= stopped.cost
    again = MinimumCover(problem, tuple(range(problem.n_features)))
    assert again.run(SomeLooks(n_looks)) == stopped
    found = search.run(Budget())
    assert (found.cost, found.lower_bound, found.is_optimal) == (whole.cost, whole.lower_bound, True)


def assert_consistent(local, rows, costs):
    """Recompute what the local search keeps up to date about the conflicts that it weighs."""
    swaps = local.swaps
    chosen = swaps.chosen[: swaps.numbers[0]].tolist()
    known = int(swaps.numbers[4])
    rows = np.concatenate([rows[:0], *(rows[some] for some in local.weighed)])
    n_chosen = rows[:, chosen].sum(axis=1)
    opened, weight = n_chosen == 0, swaps.weight[:known]
    assert known == len(rows) == np.concatenate([*local.weighed, []]).size
    assert len(set(chosen)) == len(chosen)
    assert swaps.numbers[2] == costs[chosen].sum()
    c = np.arange(known)
    digits = swaps.digits[c >> 6] >> (c & 63).astype(np.uint64)[:, None] & np.uint64(1)
    assert (digits.astype(int) @ (1 << np.arange(digits.shape[1]))).tolist() == n_chosen.tolist()
    assert sorted(swaps.open[: swaps.numbers[1]].tolist()) == np.flatnonzero(opened).tolist()
    loss = weight[n_chosen == 1] @ rows[n_chosen == 1]
    assert all(swaps.loss[x] == loss[x] for x in chosen)


def assert_best_is_chosen(local, rows, costs):
    """Recompute what the features of every open conflict gain, and which of them may be chosen."""
    swaps, most = local.swaps, 10**6
    rows = np.concatenate([rows[:0], *(rows[some] for some in local.weighed)])
    opened = swaps.open[: swaps.numbers[1]]
    gain = swaps.weight[opened] @ rows[opened]
    for conflict in opened.tolist():
        able = np.flatnonzero(rows[conflict] & ~((swaps.changed + TENURE > local.n_steps) & (swaps.changed > 0)))
        found = int(best_gain(local.sets, swaps, local.costs, conflict, most))
        if len(able):
            assert found in able
            assert gain[found] / costs[found] == max(gain[able] / costs[able])
        else:
            assert swaps.changed[found] == min(swaps.changed[rows[conflict]])


class RecordedSearch(LocalSearch):
    """A local search that remembers which of the conflicts known it weighs, in order."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.weighed = []

    def _weigh(self, words, some, most):
        before = self._is_weighed.copy()
        super()._weigh(words, some, most)
        new = np.flatnonzero(self._is_weighed[: words.shape[1]])
        new = np.setdiff1d(new, np.flatnonzero(before))
        assert set(new) <= set(some)
        sizes = bits.sizes(words)
        assert max(sizes[new], default=0) <= min(sizes[np.setdiff1d(some, new)], default=10**6)  # the tightest
        self.weighed.append(new[np.lexsort((new, sizes[new]))])


@settings(deadline=None)
@given(problem=cover_problems(), n_steps=st.integers(0, 40), most=st.integers(0, 12), n_known=st.integers(0, 10))
def test_local_search_keeps_its_counts_and_returns_covers(way, problem, n_steps, most, n_known):
    sets, n_features, costs, include, exclude = problem
    sets = [s for s in sets if not s & include and not s <= exclude]
    whole = problem_of((sets, n_features, costs, include, exclude))
    rows = bits.unpack(whole.words & ~bits.mask(exclude, n_features)[:, None], n_features)
    local = RecordedSearch(whole, tuple(x for x in range(n_features) if x not in exclude))
    for known in (whole.words[:, :n_known], whole.words):  # as the search learns more
        subset = local.run(known, local.base + most, n_steps, lambda: None)
        assert_consistent(local, rows, whole.units)
        assert_best_is_chosen(local, rows, whole.units)
        if subset is not None:
            assert whole.units_of(subset) <= local.base + most
            assert rows[: known.shape[1]][:, list(subset)].any(axis=1).all()
            assert include <= set(subset)
            assert not set(subset) & exclude
    local._restart()
    assert_consistent(local, rows, whole.units)
    assert (local.swaps.weight[: local.n_conflicts] == 1).all()


def test_local_search_finds_what_greed_does_not(monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    problem = random_problem(1, n_sets=400, n_features=120, density=0.1)
    start = greedy_cover(problem)
    local = LocalSearch(problem, start)
    subset = local.run(problem.words, len(start) - 1, 20_000, lambda: None)
    assert subset is not None
    assert len(subset) < len(start)
    assert bits.unpack(problem.words, 120)[:, list(subset)].any(axis=1).all()
    assert local.n_conflicts < 400  # no others were needed


def test_after_so_many_steps_a_local_search_stands_where_it_always_does(monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    problem = random_problem(2, n_sets=300, n_features=90, density=0.1)
    found = []
    for parts in ([6_000], [1_000, 5_000], [2_500, 3_500]):
        local = LocalSearch(problem, greedy_cover(problem))
        subsets = [local.run(problem.words, 12, n_steps, lambda: None) for n_steps in parts]
        found.append((subsets[-1], local._chosen(), local.n_conflicts))
    assert found[0][0] is None
    assert found[0] == found[1] == found[2]


@settings(max_examples=15)
@given(seed=st.integers(0, 99), n_steps=st.integers(1, 400))
def test_plain_and_compiled_local_searches_take_the_same_steps(seed, n_steps):
    problem = random_problem(seed, n_sets=60, n_features=30, density=0.15)
    found = []
    for choice in ("never", "always"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            local = LocalSearch(problem, greedy_cover(problem))
            subset = local.run(problem.words, len(greedy_cover(problem)) - 1, n_steps, lambda: None)
        swaps = {name: getattr(local.swaps, name).tolist() for name in ("chosen", "weight", "numbers")}
        found.append((subset, local._chosen(), local.n_conflicts, swaps))
    assert found[0] == found[1]


@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_nodes_end_a_search_within_a_limit_alike_on_every_machine_and_it_goes_on(tolerance):
    rng = np.random.default_rng(3)
    sample = Sample(rng.integers(0, 2, (60, 18)).astype(np.int8), rng.integers(0, 2, 60))
    sample = replace(sample, tolerance=tolerance)
    whole = MinFeaturesSearch(sample).run()
    assert whole.is_optimal
    found = []
    for way in ("never", "always"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", way)
            search = MinFeaturesSearch(sample)
            answer = search.run(most_nodes=30)
            found.append((answer.subset, answer.lower_bound, search.n_nodes))
            assert not answer.is_optimal
            assert answer.stopped_by is None
            assert answer.lower_bound <= whole.cost <= answer.cost
            assert search.n_nodes <= 30 + CountedEngine.NODES_PER_CALL
            assert search.run().cost == whole.cost
    assert found[0] == found[1]
