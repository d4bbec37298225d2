from fractions import Fraction

from hypothesis import assume, given

import naive
from fewest.cover.solver import CoverProblem
from fewest.cover.solver.solve import reduce_problem
from fewest.kernels import bits
from problems import cover_problems


def sets_of(problem):
    return [set(bits.members(problem.words[:, c])) for c in range(problem.words.shape[1])]


@given(cover_problems())
def test_the_minimum_is_kept(problem):
    sets, n_features, costs, include, exclude = problem
    exact = [Fraction(str(cost)) for cost in costs]
    best, _ = naive.cheapest_covers(sets, n_features, exact, include, exclude)
    assume(best is not None)
    whole = CoverProblem.from_sets(sets, n_features, costs=costs, include=include, exclude=exclude)
    reduced = reduce_problem(whole)
    smaller = reduced.problem
    assert naive.cheapest_covers(sets_of(smaller), n_features, exact, smaller.include, smaller.exclude)[0] == best
    # A cover of the smaller problem covers the original one.
    _, covers = naive.cheapest_covers(sets_of(smaller), n_features, exact, smaller.include, smaller.exclude)
    assert all(set(cover) & s for cover in covers for s in sets)
    # What is left is a part of the original conflicts.
    for kept, number in zip(sets_of(smaller), reduced.numbers.tolist(), strict=True):
        assert kept <= set(sets[number])
    assert len(set(smaller.include) - set(include)) == len(reduced.forcing)


def test_each_rule_by_hand():
    # {0} makes 0 essential and covers {0, 1}; {2, 3, 4} includes {2, 3}; then 3 covers only what 2 covers, which then
    # is essential itself.
    problem = CoverProblem.from_sets([{0}, {0, 1}, {2, 3}, {2, 3, 4}, {2, 5}], 6)
    reduced = reduce_problem(problem)
    assert set(reduced.problem.include) == {0, 2}
    assert reduced.problem.words.shape[1] == 0


def test_a_dominated_feature_is_kept_when_it_is_cheaper():
    problem = CoverProblem.from_sets([{0, 1}, {0, 2}, {1, 2, 3}], 4, costs=[9, 1, 1, 1])
    reduced = reduce_problem(problem)
    assert 1 not in reduced.problem.exclude
    assert 3 in reduced.problem.exclude
