import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.cover import weighted_greedy as weighing
from fewest.cover.greedy import mutual_information_greedy, simple_greedy
from fewest.cover.kernels import conflicts as conflict_kernels
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy
from fewest.exceptions import ParameterError
from problems import codes_of, samples

TWINS = [
    (mutual_information_greedy, naive.mutual_information_greedy),
    (simple_greedy, naive.simple_greedy),
    (weighted_greedy, naive.weighted_greedy),
]
METHODS = [method for method, _ in TWINS]


def sample_of(problem):
    rows, classes, n_features = problem
    return Sample(codes_of(rows, n_features), np.array(classes))


@pytest.mark.parametrize(("method", "twin"), TWINS)
@given(problem=st.one_of(samples(max_rows=16), samples(max_values=2, max_features=7, max_rows=16)))
def test_step_by_step_as_section_6_defines_it(method, twin, problem):
    rows, classes, n_features = problem
    answer = method(sample_of(problem))
    chosen, scores = twin(rows, classes, n_features)
    assert [record["feature"] for record in answer.history] == chosen
    assert [record["score"] for record in answer.history] == pytest.approx(scores)
    assert naive.is_sufficient(rows, classes, answer.subset)
    assert answer.n_sufficiency_tests == len(chosen) + 1


@pytest.mark.parametrize("method", METHODS)
def test_one_class_needs_nothing(method):
    answer = method(Sample(np.array([[0, 1], [1, 0]], dtype=np.int8), np.array([0, 0])))
    assert (answer.subset, answer.is_optimal) == ((), True)


@pytest.mark.parametrize("method", METHODS)
def test_negating_features_changes_nothing(method):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (60, 10)).astype(np.int8)
    classes = (codes[:, 1] & codes[:, 4]) | codes[:, 7]
    flipped = codes ^ rng.integers(0, 2, 10).astype(np.int8)
    assert method(Sample(codes, classes)).subset == method(Sample(flipped, classes)).subset


@pytest.mark.parametrize("method", METHODS)
def test_permuting_features_permutes_the_answer_when_nothing_ties(method):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (150, 9)).astype(np.int8)
    classes = (codes[:, 1] & codes[:, 4]) | codes[:, 7]
    order = rng.permutation(9)
    answer, permuted = method(Sample(codes, classes)), method(Sample(codes[:, order], classes))
    assert sorted(order[list(permuted.subset)].tolist()) == list(answer.subset)


@pytest.mark.parametrize("method", METHODS)
def test_out_of_time_there_is_a_sufficient_subset_all_the_same(method):
    rng = np.random.default_rng(0)
    sample = Sample(rng.integers(0, 2, (200, 30)).astype(np.int8), rng.integers(0, 2, 200))
    answer = method(sample, Budget(0.0))
    assert answer.stopped_by == "time limit"
    assert sample.witness(answer.subset) is None


@pytest.mark.parametrize("method", [mutual_information_greedy, simple_greedy])
def test_values_that_make_no_groups_are_refused(method):
    with pytest.raises(ParameterError, match="not for mig and sg"):
        method(Sample(np.array([[-1], [0]], dtype=np.int8), np.array([0, 1])))


@given(problem=samples(missing=True))
def test_weighted_greedy_where_unknown_values_separate_nothing(problem):
    rows, classes, n_features = problem
    answer = weighted_greedy(sample_of(problem))
    chosen, scores = naive.weighted_greedy(rows, classes, n_features)
    assert [record["feature"] for record in answer.history] == chosen
    assert [record["score"] for record in answer.history] == pytest.approx(scores)


@pytest.mark.parametrize("small_group", [2, 1000])
@given(problem=st.one_of(samples(max_rows=16), samples(max_values=2, max_features=7, max_rows=16)))
def test_listed_pairs_and_matrix_products_agree(small_group, problem):
    rows, classes, n_features = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weighing, "SMALL_GROUP", small_group)
        answer = weighted_greedy(sample_of(problem))
    chosen, scores = naive.weighted_greedy(rows, classes, n_features)
    assert [record["feature"] for record in answer.history] == chosen
    assert [record["score"] for record in answer.history] == pytest.approx(scores)


def test_single_precision_chooses_as_double_precision_does(monkeypatch):
    rng = np.random.default_rng(0)
    codes = np.repeat(rng.integers(0, 3, (300, 10)).astype(np.int8), 2, axis=1)  # every feature ties with a copy
    sample = Sample(codes, codes[:, 0] * codes[:, 6] % 2)
    double = weighted_greedy(sample)
    monkeypatch.setattr(weighing, "SINGLE_PRECISION_FROM", 0)
    single = weighted_greedy(sample)
    assert [r["feature"] for r in single.history] == [r["feature"] for r in double.history]
    assert [r["score"] for r in single.history] == pytest.approx([r["score"] for r in double.history], rel=1e-4)


def test_block_size_changes_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    sample = Sample(rng.integers(0, 3, (80, 12)).astype(np.int8), rng.integers(0, 3, 80))
    whole = weighted_greedy(sample)
    monkeypatch.setattr(conflict_kernels, "BLOCK_PAIRS", 50)
    blocked = weighted_greedy(sample)
    assert [r["feature"] for r in blocked.history] == [r["feature"] for r in whole.history]
    assert [r["score"] for r in blocked.history] == pytest.approx([r["score"] for r in whole.history])


def test_no_feature_is_added_twice_when_none_lowers_the_entropy():
    # The constant feature 0 ties with both halves of an exclusive-or, first and second time.
    rows, classes = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)], [0, 1, 1, 0]
    answer = mutual_information_greedy(sample_of((rows, classes, 3)), Budget(5.0))
    assert answer.stopped_by is None
    assert [r["feature"] for r in answer.history] == naive.mutual_information_greedy(rows, classes, 3)[0]


def test_a_sole_coverer_is_taken_at_once():
    # Rows 0 and 1 differ in feature 3 alone.
    codes = np.array([[0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1], [1, 0, 1, 0]], dtype=np.int8)
    answer = weighted_greedy(Sample(codes, np.array([0, 1, 0, 1])))
    assert answer.history[0] == {"feature": 3, "score": float("inf")}


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("small_group", [1, 10_000])
def test_weighted_greedy_looks_at_the_clock_within_a_step(monkeypatch, small_group):
    monkeypatch.setattr(weighing, "SMALL_GROUP", small_group)
    monkeypatch.setattr(weighing, "BLOCK_VALUES", 60)
    monkeypatch.setattr(conflict_kernels, "BLOCK_PAIRS", 16)
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (60, 6))
    sample = Sample(codes, codes[:, 0] ^ codes[:, 1] ^ codes[:, 2])
    answer = weighted_greedy(sample, Budget(0.2))  # twenty looks; the first step alone has more blocks
    assert answer.stopped_by == "time limit"
    assert not answer.history
