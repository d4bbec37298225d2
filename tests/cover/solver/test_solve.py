from fractions import Fraction
from itertools import zip_longest

from hypothesis import assume, given

import naive
from fewest.cover.solver import CoverProblem
from fewest.cover.solver.solve import components, reduce_problem, solve_cover
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


@given(cover_problems(), cover_problems())
def test_parts_that_share_no_feature_are_solved_one_by_one(one, other):
    n = one[1]
    shifted = [{x + n for x in members} for members in other[0]]
    sets = [members for pair in zip_longest(one[0], shifted) for members in pair if members]
    costs = [*one[2], *other[2]]
    problem = CoverProblem.from_sets(sets, n + other[1], costs=costs)
    parts = components(problem.words)
    assert sorted(c for part in parts for c in part.tolist()) == list(range(len(sets)))
    features = [set().union(*(sets[c] for c in part)) for part in parts]
    assert all(not a & b for k, a in enumerate(features) for b in features[:k])
    bests = [
        naive.cheapest_covers(p[0], p[1], [Fraction(str(cost)) for cost in p[2]], set(), set())[0] for p in (one, other)
    ]
    cover = solve_cover(problem)
    assert cover.is_optimal
    assert Fraction(str(cover.cost)) == sum(bests)
    assert all(set(cover.subset) & members for members in sets)
