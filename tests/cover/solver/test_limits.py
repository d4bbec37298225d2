"""Covers with at most so many of some features."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.cover.solver import CoverProblem, MinimumCover, solve_cover, solve_cover_with_highs
from fewest.cover.solver.proof_tree import proof_tree
from fewest.exceptions import ParameterError


@st.composite
def limited_problems(draw):
    n_features = draw(st.integers(1, 7))
    some = st.sets(st.integers(0, n_features - 1), min_size=1)
    sets = draw(st.lists(some, max_size=9))
    limits = draw(st.lists(st.tuples(st.integers(0, 2), some), min_size=1, max_size=2))
    costs = draw(st.lists(st.integers(1, 3), min_size=n_features, max_size=n_features))
    include = draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    limits = [(most, members) for most, members in limits if len(members & include) <= most]
    return sets, n_features, costs, include, limits


def naive_minimum(sets, n_features, costs, include, limits):
    return naive.cheapest_covers(
        sets, n_features, costs, include, allows=lambda s: all(len(set(s) & some) <= most for most, some in limits)
    )


@settings(deadline=None)
@given(problem=limited_problems(), way=st.sampled_from(["always", "never"]))
def test_limited_covers_are_the_cheapest(problem, way):
    sets, n_features, costs, include, limits = problem
    best, covers = naive_minimum(*problem)
    asked = CoverProblem.from_sets(sets, n_features, costs=costs, include=include, at_most=limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", way)
        cover = solve_cover(asked)
        if best is None:
            assert (cover.subset, cover.lower_bound) == (None, np.inf)
            return
        assert cover.subset in covers
        assert (cover.cost, cover.is_optimal) == (best, True)
        search = MinimumCover(asked, None)
        assert search.run(Budget()).cost == best
        assert sorted(search.covers(search.upper, Budget())) == covers
        assert proof_tree(asked, search.upper) is not None  # which asserts that its conflicts and limits force it


@settings(deadline=None, max_examples=25)
@given(problem=limited_problems())
def test_highs_agrees(problem):
    sets, n_features, costs, include, limits = problem
    asked = CoverProblem.from_sets(sets, n_features, costs=costs, include=include, at_most=limits)
    assert solve_cover_with_highs(asked).cost == solve_cover(asked).cost


def test_more_included_than_allowed():
    with pytest.raises(ParameterError, match="include asks for more features than at_most allows, "):
        CoverProblem.from_sets([{0, 1}], 2, include=[0, 1], at_most=[(1, [0, 1])])
