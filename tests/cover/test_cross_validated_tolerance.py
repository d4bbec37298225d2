from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import focus2
from fewest.cover.greedy import mutual_information_greedy, simple_greedy
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy
from problems import codes_of, samples

EXACT = [focus1, focus2, lambda sample: MinFeaturesSearch(sample).run()]
GREEDY = [mutual_information_greedy, simple_greedy, weighted_greedy]
TWINS = [naive.mutual_information_greedy, naive.simple_greedy, naive.weighted_greedy]

tolerances = st.sampled_from([0.0, 0.01, 0.1, 0.25, 0.29, 0.5, 0.75, 1.0])


def sample_of(problem, tolerance):
    rows, classes, n_features = problem
    return Sample(codes_of(rows, n_features), np.array(classes), tolerance=tolerance)


def max_uncovered(rows, classes, tolerance):
    hundredths = round(tolerance * 100) * len(naive.all_conflicts(rows, classes))
    return max(hundredths // 100, len(naive.contradictions(rows, classes)))


@given(st.one_of(samples(), samples(missing=True)), tolerances)
def test_the_maximum_of_uncovered_pairs_is_a_share_of_the_pairs_and_no_less_than_the_contradictions(problem, tolerance):
    rows, classes, _ = problem
    assert sample_of(problem, tolerance).max_uncovered == max_uncovered(rows, classes, tolerance)


@pytest.mark.parametrize("search", EXACT)
@given(problem=st.one_of(samples(), samples(missing=True), samples(max_values=2, max_features=7)), tolerance=tolerances)
def test_exact_searches_find_a_smallest_subset_within_the_tolerance(search, problem, tolerance):
    rows, classes, n_features = problem
    smallest = naive.smallest_tolerable_subsets(rows, classes, n_features, max_uncovered(rows, classes, tolerance))
    answer = search(sample_of(problem, tolerance))
    assert answer.subset in smallest
    assert answer.is_optimal


@given(problem=st.one_of(samples(), samples(missing=True)), tolerance=tolerances, data=st.data())
def test_all_cheapest_subsets_within_the_tolerance(problem, tolerance, data):
    rows, classes, n_features = problem
    costs = data.draw(st.lists(st.integers(1, 3), min_size=n_features, max_size=n_features))
    include = data.draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    most = max_uncovered(rows, classes, tolerance)
    fitting = [
        subset
        for size in range(n_features + 1)
        for subset in combinations(range(n_features), size)
        if include <= set(subset) and len(naive.uncovered(rows, classes, subset)) <= most
    ]
    least = min(sum(costs[x] for x in subset) for subset in fitting)
    cheapest = sorted(subset for subset in fitting if sum(costs[x] for x in subset) == least)
    search = MinFeaturesSearch(sample_of(problem, tolerance), costs, list(include))
    answer = search.run()
    assert (answer.cost, answer.lower_bound) == (least, least)
    assert sorted(search.minimum_subsets()) == cheapest
    assert search.core() == tuple(sorted(set.intersection(*map(set, cheapest))))


@pytest.mark.parametrize(("search", "twin"), list(zip(GREEDY, TWINS, strict=True)))
@given(problem=samples(max_rows=16), tolerance=tolerances)
def test_greedy_searches_stop_as_soon_as_few_enough_pairs_are_left(search, twin, problem, tolerance):
    rows, classes, n_features = problem
    most = max_uncovered(rows, classes, tolerance)
    chosen, scores = twin(rows, classes, n_features)
    needed = next(k for k in range(len(chosen) + 1) if len(naive.uncovered(rows, classes, chosen[:k])) <= most)
    answer = search(sample_of(problem, tolerance))
    assert [record["feature"] for record in answer.history] == chosen[:needed]
    assert [record["score"] for record in answer.history] == pytest.approx(scores[:needed])


@pytest.mark.parametrize("search", [*EXACT[:2], lambda s, b: MinFeaturesSearch(s).run(b), *GREEDY])
def test_out_of_time_the_answer_keeps_the_tolerance(search):
    rng = np.random.default_rng(0)
    sample = Sample(rng.integers(0, 2, (200, 30)).astype(np.int8), rng.integers(0, 2, 200), tolerance=0.05)
    answer = search(sample, Budget(0.0))
    assert answer.stopped_by == "time limit"
    assert sample.n_uncovered(answer.subset) <= sample.max_uncovered
    assert answer.lower_bound <= len(answer.subset)


def test_noisy_labels_no_longer_demand_every_feature():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (300, 12)).astype(np.int8)
    classes = codes[:, 2] ^ codes[:, 5] ^ codes[:, 7] ^ (rng.random(300) < 0.03)
    strict = MinFeaturesSearch(Sample(codes, classes)).run()
    tolerant = MinFeaturesSearch(Sample(codes, classes, tolerance=0.03)).run()
    assert len(strict.subset) > 6
    assert tolerant.subset == (2, 5, 7)
