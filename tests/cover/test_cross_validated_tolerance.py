from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest import MinFeatures
from fewest.budget import Budget
from fewest.cover.cross_validated_tolerance import (
    TOLERANCES,
    cross_validated_tolerance,
    predicted_by_near_rows,
    rows_of,
)
from fewest.cover.examples import Answer
from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import focus2
from fewest.cover.greedy import mutual_information_greedy, simple_greedy
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.quick_tolerant import QuickTolerantSearch
from fewest.cover.sample import Sample
from fewest.cover.tolerant import tolerable_subset
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


# ---------------------------------------------------------------------- tolerance="cv"


class Seconds:
    """A budget whose time passes when a search says so; parts of it know their share."""

    def __init__(self, seconds_left, spent=None):
        self.limit, self.spent = seconds_left, spent if spent is not None else [0.0]
        self.before = self.spent[0]

    @property
    def seconds_left(self):
        return max(0.0, self.limit - (self.spent[0] - self.before))

    def part(self, fraction):
        return Seconds(self.seconds_left * fraction, self.spent)


def search_that_takes(seconds_by_tolerance, given):
    """Return a search that spends what its tolerance takes, or all it is given, and then ends early."""

    def search(sample, budget):
        wanted = seconds_by_tolerance(sample.tolerance)
        given.append((sample.tolerance, budget.seconds_left))
        stopped_by = "time limit" if wanted > budget.seconds_left else None
        budget.spent[0] += min(wanted, budget.seconds_left)
        return Answer((0,), 1, 1, 1, (), stopped_by)

    return search


def alternating():
    codes = np.arange(40).astype(np.int8)[:, None] % 2
    return Sample(codes, np.arange(40) % 2)


def test_large_tolerances_come_first_and_all_have_equal_shares():
    given = []
    validated = cross_validated_tolerance(alternating(), search_that_takes(lambda t: 0.0, given), Seconds(90.0))
    assert [tolerance for tolerance, _ in given] == [t for t in sorted(TOLERANCES, reverse=True) for _ in range(5)]
    assert given[0][1] == pytest.approx(45 / 45)  # half of the time, for nine tolerances in five folds
    assert given[-1][1] == pytest.approx(45)  # what nobody needed
    assert [score["tolerance"] for score in validated.scores] == sorted(TOLERANCES)
    assert validated.n_stopped == 0


def test_searches_that_end_early_are_counted():
    given = []
    search = search_that_takes(lambda tolerance: 0.1 if tolerance else 1e9, given)
    validated = cross_validated_tolerance(alternating(), search, Seconds(90.0))
    assert [score["n_stopped"] for score in validated.scores] == [5] + [0] * (len(TOLERANCES) - 1)
    assert validated.n_stopped == 5


def test_near_rows_see_what_features_say_together():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (200, 8)).astype(np.int8)
    sample = Sample(codes, codes[:, 0] ^ codes[:, 1] ^ codes[:, 2])
    held_out = np.arange(200) % 5 == 0
    learned, unseen = (rows_of(sample, chosen).restricted([0, 1, 2]) for chosen in (~held_out, held_out))
    assert (predicted_by_near_rows(learned, unseen) == unseen.classes).all()
    blind = (rows_of(sample, chosen).restricted([0, 1]) for chosen in (~held_out, held_out))
    assert (predicted_by_near_rows(*blind) == unseen.classes).mean() < 0.75


@given(problem=samples(max_rows=16), tolerance=tolerances, data=st.data())
def test_a_quick_search_keeps_the_tolerance_and_needs_all_it_has(problem, tolerance, data):
    rows, classes, n_features = problem
    include = data.draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    sample, most = sample_of(problem, tolerance), max_uncovered(rows, classes, tolerance)
    search = QuickTolerantSearch(np.ones(n_features), tuple(include))
    for _ in range(2):  # the second time what the rows suggest is known
        subset = search(sample, Budget()).subset
        assert include <= set(subset)
        assert len(naive.uncovered(rows, classes, subset)) <= most
        for feature in set(subset) - include:
            assert len(naive.uncovered(rows, classes, [x for x in subset if x != feature])) > most


def test_a_quick_search_sees_what_features_say_together():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (300, 60)).astype(np.int8)
    classes = codes[:, 2] ^ codes[:, 35] ^ codes[:, 47] ^ (rng.random(300) < 0.05)
    sample = Sample(codes, classes, tolerance=0.1)
    answer = QuickTolerantSearch(np.ones(60))(sample, Budget())
    assert answer.subset == (2, 35, 47)
    assert len(simple_greedy(sample).subset) > 3


def test_a_tolerance_that_lets_chance_features_do_is_judged_by_them():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 2, (400, 30)).astype(np.int8)
    classes = codes[:, 11] ^ codes[:, 23] ^ (rng.random(400) < 0.1)
    quick = QuickTolerantSearch(np.ones(30))
    loose, strict = (quick(Sample(codes, classes, tolerance=one), Budget()).subset for one in (0.3, 0.12))
    assert len(loose) == 2
    assert loose == tolerable_subset(
        Sample(codes, classes).coverage(), Sample(codes, classes, tolerance=0.3).max_uncovered, (), np.ones(30)
    )
    assert strict == (11, 23)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_margin_on_numbers_that_are_further_apart_than_floats_go():
    rng = np.random.default_rng(0)
    X = pa.table({"far": rng.choice([1.7e308, -1.7e308, np.inf, -np.inf, 0.0], 60), "near": rng.normal(size=60)})
    y = X["near"].to_numpy() > 0
    assert MinFeatures(tolerance="cv", margin=0.5).fit(X, y).get_support()[1]
