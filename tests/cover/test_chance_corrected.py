from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest import MinFeatures
from fewest.budget import Budget
from fewest.cover.chance_corrected import AlikeRows, ChanceLimit
from fewest.cover.choices import Choices
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.options import MinFeaturesOptions
from fewest.cover.quick_tolerant import QuickTolerantSearch
from fewest.cover.sample import Sample
from fewest.exceptions import NotProvenError, ParameterError
from problems import codes_of, samples

hundredths = st.sampled_from([1, 5, 29, 50, 75, 90, 100])


def sample_of(problem, in_hundredths):
    rows, classes, n_features = problem
    tolerance = in_hundredths / 100
    return Sample(codes_of(rows, n_features), np.array(classes), tolerance=tolerance, criterion="chance")


def subsets_of(n_features):
    return [s for size in range(n_features + 1) for s in combinations(range(n_features), size)]


@given(samples(max_rows=12), hundredths)
def test_the_limit_is_a_share_of_what_chance_would_leave(problem, within):
    rows, classes, n_features = problem
    sample = sample_of(problem, within)
    limit, whole = ChanceLimit.of(sample), AlikeRows.of_all(sample)
    for subset in subsets_of(n_features):
        mixed, alike = whole.with_all(subset).counts
        assert mixed == len(naive.uncovered(rows, classes, subset))
        is_within = bool(limit.allows(np.array([mixed]), np.array([alike]))[0])
        assert is_within == naive.explains_beyond_chance(rows, classes, subset, within)


def test_chance_is_the_mean_over_all_assignments_of_the_classes():
    rows = [(0, 0), (0, 1), (0, 1), (1, 0), (1, 0)]
    classes = [0, 0, 1, 1, 2]
    left = [len(naive.uncovered(rows, order, [0])) for order in permutations(classes)]
    sample = Sample(codes_of(rows, 2), np.array(classes), tolerance=1.0, criterion="chance")
    _, alike = AlikeRows.of_all(sample).with_all([0]).counts
    assert float(ChanceLimit.of(sample).share * alike) == pytest.approx(np.mean(left))


@given(
    problem=st.one_of(samples(max_rows=16), samples(max_values=2, max_features=6)), within=hundredths, data=st.data()
)
def test_the_search_finds_all_cheapest_subsets_within_the_limit(problem, within, data):
    rows, classes, n_features = problem
    costs = data.draw(st.lists(st.integers(1, 3), min_size=n_features, max_size=n_features))
    include = data.draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    fitting = [
        subset
        for subset in subsets_of(n_features)
        if include <= set(subset) and naive.explains_beyond_chance(rows, classes, subset, within)
    ]
    least = min(sum(costs[x] for x in subset) for subset in fitting)
    search = MinFeaturesSearch(sample_of(problem, within), costs, list(include))
    answer = search.run()
    assert (answer.cost, answer.lower_bound, answer.is_optimal) == (least, least, True)
    if search.sample.is_tolerant:
        assert sorted(search.minimum_subsets()) == sorted(s for s in fitting if sum(costs[x] for x in s) == least)


@given(problem=samples(max_rows=12, max_features=5), within=hundredths, data=st.data())
def test_features_that_enter_together_and_limits_are_kept(problem, within, data):
    rows, classes, n_features = problem
    group = tuple(sorted(data.draw(st.sets(st.integers(0, n_features - 1), max_size=2))))
    asked = tuple(sorted(data.draw(st.sets(st.integers(0, n_features - 1), min_size=1))))
    choices = Choices(n_features, (group,) if len(group) == 2 else (), (), (asked,))
    fitting = [
        len(choices.of(subset))
        for subset in subsets_of(n_features)
        if set(subset) == set(choices.features(choices.of(subset)))
        and set(subset) & set(asked)
        and naive.explains_beyond_chance(rows, classes, subset, within)
    ]
    answer = MinFeaturesSearch(sample_of(problem, within), choices=choices).run()
    assert len(choices.of(answer.subset)) == answer.lower_bound == min(fitting)


@given(problem=samples(max_rows=16), within=hundredths)
def test_a_quick_search_stays_within_the_limit_and_needs_all_it_has(problem, within):
    rows, classes, n_features = problem
    subset = QuickTolerantSearch(np.ones(n_features))(sample_of(problem, within), Budget()).subset
    assert naive.explains_beyond_chance(rows, classes, subset, within)
    for feature in subset:
        rest = [other for other in subset if other != feature]
        assert not naive.explains_beyond_chance(rows, classes, rest, within)


def test_even_columns_of_noise_meet_a_tolerance_of_pairs_and_not_of_chance():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (400, 12)), rng.integers(0, 2, 400)
    assert MinFeatures(tolerance=0.2).fit(X, y).support_.sum() == 3
    assert MinFeatures(tolerance=0.95, criterion="chance", time_limit=60).fit(X, y).support_.sum() > 3
    assert MinFeatures(tolerance="cv", criterion="chance").fit(X, y).support_.sum() == 0


def test_out_of_time_the_answer_stays_within_the_limit():
    rng = np.random.default_rng(0)
    codes, classes = rng.integers(0, 2, (60, 14)).astype(np.int8), rng.integers(0, 2, 60)
    sample = Sample(codes, classes, tolerance=0.3, criterion="chance")
    answer = MinFeaturesSearch(sample).run(Budget(0.0))
    assert answer.stopped_by == "time limit"
    assert answer.lower_bound <= len(answer.subset)
    assert naive.explains_beyond_chance(codes.tolist(), classes.tolist(), answer.subset, 30)


@pytest.mark.parametrize("also", [{"margin": 0.5}, {"missing": "cautious"}])
def test_rows_must_fall_into_groups(also):
    with pytest.raises(ParameterError, match="fall into no groups"):
        MinFeaturesOptions(criterion="chance", **also)


def test_an_unknown_criterion_and_blocks_are_refused():
    with pytest.raises(ParameterError, match="criterion='luck' is not known"):
        MinFeaturesOptions(criterion="luck")
    assert MinFeaturesOptions(criterion="chance").needs_memory == "criterion='chance'"


def test_there_is_no_certificate():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 8))
    y = X[:, 1] ^ X[:, 6] ^ (rng.random(200) < 0.05)
    fitted = MinFeatures(tolerance=0.5, criterion="chance").fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [1, 6]
    assert fitted.core() == (1, 6)
    for _ in range(2):
        with pytest.raises(NotProvenError, match="criterion='chance'"):
            fitted.certificate()
        fitted.forget_rows()
