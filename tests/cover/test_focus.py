import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.cover import focus1 as focus1_module
from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import focus2
from fewest.cover.sample import Sample
from fewest.exceptions import TooManyConflictsError
from problems import codes_of, samples

any_samples = st.one_of(samples(), samples(missing=True), samples(max_values=2, max_features=7))

# Section 5.2 of the paper: three positive and three negative examples over six features.
ROWS = ["010100", "110010", "101111", "011000", "101001", "100101"]
CLASSES = [1, 1, 1, 0, 0, 0]


def sample_of(problem):
    rows, classes, n_features = problem
    return Sample(codes_of(rows, n_features), np.array(classes))


def counted(answer):
    return [record["n_sufficiency_tests"] for record in answer.history]


@pytest.fixture
def worked_example():
    return sample_of(([tuple(map(int, row)) for row in ROWS], CLASSES, 6))


def test_focus2_on_the_paper_s_example(worked_example):
    answer = focus2(worked_example, keep_tree=True)
    assert answer.subset == (0, 2, 3)
    assert answer.n_sufficiency_tests == 7
    assert answer.is_optimal
    tested = [tuple(sorted(answer.tree.space(node)[0])) for node in range(1, len(answer.tree))]
    assert tested == [(2,), (3,), (2, 3), (2, 4), (3, 4), (0, 2, 3)]  # the order of Figure 3
    # M({x3}, ∅), M({x4}, {x3}), ...: the second subscripts keep the spaces apart.
    assert [answer.tree.space(node)[1] for node in range(1, 6)] == [[], [2], [], [3], [2]]
    # The text names the conflicts: a1 at the root, a8 for {x3}, a9 for {x4} without x3, a3 for {x3, x4}.
    pairs = [answer.tree.conflict[node] for node in range(4)]
    bits = ["".join(str(int(a != b)) for a, b in zip(ROWS[i], ROWS[j], strict=True)) for i, j in pairs]
    assert bits == ["001100", "000110", "001010", "110001"]


def test_focus1_on_the_paper_s_example(worked_example):
    answer = focus1(worked_example)
    assert answer.subset == (0, 2, 3)
    assert counted(answer)[:3] == [1, 6, 15]  # the 22 subsets of size 0, 1 and 2
    assert answer.n_sufficiency_tests >= 23


@given(any_samples)
def test_both_find_the_smallest_size_and_a_sufficient_subset(problem):
    rows, classes, n_features = problem
    smallest = naive.smallest_sufficient_subsets(rows, classes, n_features)
    for answer in (focus1(sample_of(problem)), focus2(sample_of(problem))):
        assert answer.subset in smallest
        assert answer.is_optimal
        assert answer.stopped_by is None


@given(any_samples)
def test_focus1_counts_the_tests_of_plain_enumeration(problem):
    rows, classes, n_features = problem
    answer = focus1(sample_of(problem))
    assert (answer.subset, answer.n_sufficiency_tests) == naive.focus1(rows, classes, n_features)


@settings(deadline=None)
@given(samples(max_rows=15))
def test_compiled_levels_change_nothing(problem):
    rows, classes, n_features = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", "always")
        patch.setattr(focus1_module, "ROWS_PER_CALL", 5 * len(rows))
        answer = focus1(sample_of(problem))
    assert (answer.subset, answer.n_sufficiency_tests) == naive.focus1(rows, classes, n_features)


@given(any_samples)
def test_focus2_follows_figure_2_step_by_step(problem):
    rows, classes, _ = problem
    if naive.contradictions(rows, classes):
        return  # the paper assumes there are none; the order of conflicts is then ours to choose
    subset, n_tests, tested = naive.focus2(rows, classes)
    answer = focus2(sample_of(problem), keep_tree=True)
    assert (answer.subset, answer.n_sufficiency_tests) == (subset, n_tests)
    if tested:
        assert [tuple(sorted(answer.tree.space(k)[0])) for k in range(1, len(answer.tree))] == tested


def test_focus2_never_needs_more_tests_than_focus1():
    rng = np.random.default_rng(0)
    for _ in range(3000):
        n_rows, n_features, n_values = rng.integers(1, 25), rng.integers(1, 9), rng.integers(2, 4)
        codes = rng.integers(0, n_values, (n_rows, n_features)).astype(np.int8)
        sample = Sample(codes, rng.integers(0, rng.integers(1, 4), n_rows))
        first, second = focus1(sample), focus2(sample)
        assert len(first.subset) == len(second.subset)
        assert second.n_sufficiency_tests <= first.n_sufficiency_tests


@pytest.mark.parametrize("search", [focus1, focus2])
class TestEdges:
    def test_one_class_needs_no_feature(self, search):
        answer = search(Sample(np.array([[0, 1], [1, 0]], dtype=np.int8), np.array([0, 0])))
        assert (answer.subset, counted(answer), answer.is_optimal) == ((), [1], True)

    def test_no_feature_at_all(self, search):
        answer = search(Sample(np.empty((3, 0), dtype=np.int8), np.array([0, 1, 0])))
        assert answer.subset == ()

    def test_nothing_but_contradictions(self, search):
        sample = Sample(np.ones((4, 2), dtype=np.int8), np.array([0, 1, 0, 1]))
        assert search(sample).subset == ()
        assert sample.n_contradictions == 4

    def test_missing_values_that_hide_every_difference(self, search):
        sample = Sample(np.array([[-1, 0], [1, -1]], dtype=np.int8), np.array([0, 1]))
        assert search(sample).subset == ()
        assert sample.n_contradictions == 1

    @pytest.mark.usefixtures("ticking")
    def test_time_limit_gives_a_sufficient_subset_and_a_true_bound(self, search):
        rng = np.random.default_rng(0)
        codes = rng.integers(0, 2, (120, 40)).astype(np.int8)
        sample = Sample(codes, rng.integers(0, 2, 120))
        answer = search(sample, Budget(time_limit=0.3))
        assert answer.stopped_by == "time limit"
        assert sample.witness(answer.subset) is None
        assert answer.lower_bound <= len(answer.subset)

    @pytest.mark.usefixtures("ticking")
    def test_interrupt_gives_a_sufficient_subset(self, search):
        rng = np.random.default_rng(0)
        sample = Sample(rng.integers(0, 2, (120, 40)).astype(np.int8), rng.integers(0, 2, 120))

        def interrupt(status):
            assert "FOCUS" in status or "conflicts" in status
            raise KeyboardInterrupt

        answer = search(sample, Budget(on_progress=interrupt))
        assert answer.stopped_by == "interrupt"
        assert sample.witness(answer.subset) is None

    def test_many_values_and_wide_codes(self, search):
        codes = np.stack([np.arange(300), np.arange(300) % 2], axis=1).astype(np.int16)
        assert search(Sample(codes, np.arange(300) % 2)).subset in {(0,), (1,)}


def test_focus2_refuses_conflicts_that_do_not_fit_before_listing_them():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (2000, 60)).astype(np.int8)
    with pytest.raises(TooManyConflictsError, match=r"pairs of distinct rows.*min-features"):
        focus2(Sample(codes, rng.integers(0, 2, 2000)), max_memory=1e6)


def test_lower_bound_rises_with_the_level():
    # Parity of three among twelve: no pair of features is sufficient, and both searches learn that on the way.
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (200, 12)).astype(np.int8)
    sample = Sample(codes, codes[:, :3].sum(axis=1) % 2)
    for answer in (focus1(sample), focus2(sample)):
        assert answer.subset == (0, 1, 2)
        assert answer.lower_bound == 3
        assert len(counted(answer)) == 4
