"""The bounds of section 4 of Almuallim and Dietterich by hand, and the sets of lemma 2 by trying everything."""

from itertools import combinations, product
from math import comb, log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.cover import bounds as min_features
from fewest.cover.bounds import Shattered, is_shattered
from fewest.exceptions import ParameterError, TooLargeError
from fewest.mistakes import ConceptClass, vc_dimension
from fewest.relief import bounds as relevance


def test_theorem_1_by_hand():
    # ln 20 = 2.9957, 3 ln 100 = 13.8155, 8 ln 2 = 5.5452; together 22.3564, times 10
    assert min_features.sample_size(100, 3, 0.1, 0.05) == 224
    # comb(100, 3) = 161,700, whose logarithm is 11.9935
    assert min_features.sample_size_by_counting(100, 3, 0.1, 0.05) == 206
    # in s, as the paper prints it
    s, n = min_features.complexity(12, 3), 12
    printed = log(1 / 0.1) / 0.1 + (log2(s - n) * log(n) + (s - n) * log(2)) / 0.1
    assert min_features.sample_size(12, 3, 0.1, 0.1) == pytest.approx(printed, abs=1)


def test_complexity_of_the_paper_s_example():
    assert min_features.complexity(5, 2) == 9


def test_lemma_2_by_hand():
    assert min_features.vc_at_least(256, 3) == 8  # 3 * 8 / 8 = 3 is less than 2^3
    assert min_features.vc_at_least(2**40, 2) == 10  # 2 * 40 / 8


def test_theorem_3_by_hand():
    # lemma 2 gives 2^5 = 32 instances: 31 / 0.32
    assert min_features.examples_at_least(100, 5, 0.01, 0.01) == pytest.approx(96.875)
    # (ln 10 + ln 8 ln 12 + 8) / 0.1
    assert min_features.examples_needed_order(12, 3, 0.1, 0.1) == pytest.approx(154.70, abs=0.01)


def test_the_lower_bound_stays_below_the_upper():
    for n, p in product((2, 10, 1000, 10**9), (0, 1, 2, 5)):
        if p <= n:
            lower = min_features.examples_at_least(n, p, 0.05, 0.01)
            assert lower <= min_features.sample_size_by_counting(n, p, 0.05, 0.01)
            assert min_features.sample_size_by_counting(n, p, 0.05, 0.01) <= min_features.sample_size(n, p, 0.05, 0.01)


def test_focus1_tests_of_the_paper_s_example_and_of_table_1():
    assert min_features.focus1_tests(6, 2) == 22
    assert min_features.focus1_tests(25, 9) == sum(comb(25, size) for size in range(10)) == 3_850_756


@pytest.mark.parametrize(
    "call",
    [
        lambda: min_features.sample_size(0, 0, 0.1, 0.1),
        lambda: min_features.sample_size(5, 6, 0.1, 0.1),
        lambda: min_features.sample_size(5, 2, 0.0, 0.1),
        lambda: min_features.sample_size(5, 2, 0.1, 1.0),
        lambda: min_features.examples_at_least(5, 2, 0.2, 0.01),
        lambda: min_features.examples_at_least(5, 2, 0.1, 0.02),
        lambda: Shattered(4, 5),
        lambda: Shattered(3, 2, part=2),
        lambda: relevance.threshold(0.0, 10),
        lambda: relevance.threshold(0.1, 0),
        lambda: relevance.rows_to_sample(0.1, 1.5),
    ],
)
def test_conditions_are_checked(call):
    with pytest.raises(ParameterError):
        call()


@pytest.mark.parametrize(("n", "p"), [(1, 1), (3, 1), (3, 2), (4, 2), (5, 3), (6, 2)])
def test_part_1_is_shattered(n, p):
    made = Shattered(n, p)
    assert (made.matrix.shape, made.part) == ((2**p, n), 1)
    assert made.n_verified() == 2**2**p
    assert is_shattered(made.matrix, p)


@pytest.mark.parametrize(
    ("n", "p", "n_rows", "n_columns"), [(16, 4, 4, 3), (256, 4, 8, 9), (16, 8, 8, 4), (256, 2, 4, 8)]
)
def test_part_2_is_shattered(n, p, n_rows, n_columns):
    """Equation 1 says how many columns: 2^(2^(r-d)) / 2 + d."""
    made = Shattered(n, p, part=2)
    assert made.matrix.shape == (n_rows, n)
    assert n_rows >= p * log2(n) / 8
    assert not made.matrix[:, n_columns:].any()
    assert len(np.unique(made.matrix[:, :n_columns], axis=1).T) == n_columns
    assert made.n_verified() == 2**n_rows


def test_part_2_gives_more_than_part_1_where_features_are_very_many():
    made = Shattered(2**16, 2)
    assert (made.part, len(made.matrix)) == (2, 8)
    assert made.n_verified() == 256


def test_a_set_that_is_not_shattered_is_found_out():
    made = Shattered(256, 4, part=2)
    made.matrix[:, 3] ^= True  # its complement is expressed alike
    assert made.n_verified() == 256
    made.matrix[2] = made.matrix[5]  # two equal instances cannot be labelled apart
    with pytest.raises(AssertionError, match="not a function of 4 columns"):
        made.n_verified()


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3), st.data())
def test_is_shattered_agrees_with_all_labellings(n_rows, n_features, p, data):
    rows = data.draw(
        st.lists(st.tuples(*[st.booleans()] * n_features), min_size=n_rows, max_size=n_rows), label="instances"
    )
    subsets = list(combinations(range(n_features), min(p, n_features)))

    def is_function_of(labels, subset):
        seen = {}
        return all(
            seen.setdefault(tuple(row[i] for i in subset), label) == label
            for row, label in zip(rows, labels, strict=True)
        )

    expected = all(
        any(is_function_of(labels, subset) for subset in subsets) for labels in product((0, 1), repeat=n_rows)
    )
    assert is_shattered(np.array(rows), p) == expected


def test_lemma_2_is_below_the_true_dimension():
    """The lemma gives 2 for one relevant feature of three, where the dimension is 3."""
    functions = [lambda x, i=i, s=s: x[i] ^ s for i in range(3) for s in (0, 1)]
    functions += [lambda x, s=s: s for s in (0, 1)]
    concepts = ConceptClass.from_functions(functions, 3)
    assert vc_dimension(concepts) == 3 > min_features.vc_at_least(3, 1)


def test_too_much_is_refused():
    with pytest.raises(TooLargeError):
        Shattered(40, 17)
    with pytest.raises(TooLargeError):
        Shattered(20, 5).n_verified()
    with pytest.raises(TooLargeError):
        is_shattered(np.zeros((17, 3)), 1)


def test_relief_s_threshold_and_its_inverse():
    assert relevance.threshold(0.05, 2000) == pytest.approx(0.1)
    assert relevance.rows_to_sample(0.05, 0.1) == 2000
    assert relevance.threshold(0.01, relevance.rows_to_sample(0.01, 0.07)) <= 0.07
