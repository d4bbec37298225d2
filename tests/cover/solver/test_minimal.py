"""All minimal covers, against enumeration."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest import MinFeatures
from fewest.cover.solver import CoverProblem
from fewest.cover.solver.minimal import minimal_covers, substitutes
from fewest.exceptions import ParameterError


@st.composite
def problems(draw):
    n_features = draw(st.integers(1, 7))
    features = st.integers(0, n_features - 1)
    sets = draw(st.lists(st.sets(features, min_size=1), max_size=8))
    include = draw(st.sets(features, max_size=2))
    exclude = draw(st.sets(features, max_size=2)) - include
    return sets, n_features, include, exclude


def covers(sets, subset):
    return all(conflict & set(subset) for conflict in sets)


def naive_minimal(sets, n_features, include, exclude):
    allowed = [f for f in range(n_features) if f not in include and f not in exclude]
    subsets = [{*chosen} for size in range(len(allowed) + 1) for chosen in combinations(allowed, size)]
    return [
        tuple(sorted(subset | include))
        for subset in subsets
        if covers(sets, subset | include) and not any(covers(sets, (subset - {f}) | include) for f in subset)
    ]


@given(problems())
def test_minimal_covers_are_exactly_those_from_which_nothing_can_be_left_out(problem):
    sets, n_features, include, exclude = problem
    found = list(minimal_covers(CoverProblem.from_sets(sets, n_features, include=include, exclude=exclude)))
    assert len(found) == len(set(found))
    assert sorted(found) == sorted(naive_minimal(sets, n_features, include, exclude))


@given(problems())
def test_substitutes_are_exactly_those_that_keep_the_cover_one(problem):
    sets, n_features, _, exclude = problem
    asked = CoverProblem.from_sets(sets, n_features, exclude=exclude)
    for cover in list(minimal_covers(asked))[:3]:
        for feature, others in substitutes(asked, cover).items():
            rest = {*cover} - {feature}
            expected = [
                f for f in range(n_features) if f not in cover and f not in exclude and covers(sets, rest | {f})
            ]
            assert list(others) == expected


def test_the_listing_can_be_ended():
    def stop():
        raise TimeoutError

    with pytest.raises(TimeoutError):
        next(minimal_covers(CoverProblem.from_sets([{0, 1}], 2), stop))


def test_a_fitted_selector_lists_them_and_names_substitutes():
    X, y = [[0, 0, 0, 0], [0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]], [0, 1, 1, 1]
    fitted = MinFeatures().fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [3]
    assert sorted(fitted.minimal_subsets()) == [(0, 1), (0, 2), (1, 2), (3,)]
    assert sorted(fitted.minimal_subsets(2)) == sorted(list(fitted.minimal_subsets())[:2])
    assert fitted.substitutes() == {3: ()}
    twice = MinFeatures().fit([[*row, row[3]] for row in X], y)
    assert twice.substitutes() in ({3: (4,)}, {4: (3,)})
    with pytest.raises(ParameterError, match="tolerance"):
        list(MinFeatures(tolerance=0.5).fit(X, y).minimal_subsets())
