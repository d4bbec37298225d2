"""What pages say of features in company: against plain counting, and against what is known by construction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chi2_contingency

from fewest.report.associations import (
    ALIKE,
    Groups,
    association,
    interaction_facts,
    redundancy_facts,
    strongest_alone,
    target_associations,
)
from fewest.report.data_facts import missing_by_class, target_groups, value_groups
from fewest.table import from_array, split_regression_target, split_target


def grouped(X, y, *, regression=False):
    table = from_array(np.column_stack([X, y]))
    split = split_regression_target if regression else split_target
    features, target = split(table, table.names[-1])
    return features, target, Groups.of(features, target, features.names)


@given(arrays(np.int64, st.tuples(st.integers(2, 4), st.integers(2, 4)), elements=st.integers(1, 30)))
def test_association_is_the_corrected_statistic_of_the_chi_squared_test(counts):
    n, (r, k) = counts.sum(), counts.shape
    squared = chi2_contingency(counts, correction=False).statistic / n
    corrected = max(0, squared - (r - 1) * (k - 1) / (n - 1))
    least = min(r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)) - 1
    expected = min(1, (corrected / least) ** 0.5) if least > 0 else 0
    assert association(counts) == pytest.approx(expected, abs=1e-9)


@given(st.permutations(range(5)), st.integers(0, 100))
def test_a_recoded_copy_is_found_whatever_its_codes(codes, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (60, 3))
    X[:5, 0] = range(5)
    X[:, 2] = np.array(codes)[X[:, 0]]
    *_, groups = grouped(X, rng.integers(0, 2, 60))
    facts = redundancy_facts(groups)
    assert any({"x0", "x2"} <= set(group["features"]) and group["least"] <= 1 for group in facts["groups"])
    assert sorted(facts["leaves"]) == ["x0", "x1", "x2"]
    assert len(facts["merges"]) == 2


def test_numbers_that_rise_together_are_alike_and_noise_is_not():
    rng = np.random.default_rng(1)
    first = rng.normal(size=300)
    X = np.column_stack([first, np.exp(first) + 0.01 * rng.normal(size=300), rng.normal(size=(300, 2))])
    *_, groups = grouped(X, rng.integers(0, 2, 300))
    (group,) = redundancy_facts(groups)["groups"]
    assert sorted(group["features"]) == ["x0", "x1"]
    assert group["least"] > 0.95 > ALIKE


def test_one_feature_has_no_company():
    *_, groups = grouped(np.arange(10)[:, None] % 2, np.arange(10) % 2)
    assert redundancy_facts(groups) is None
    assert interaction_facts(groups) == []


def test_an_exclusive_or_is_the_one_pair_that_says_more_together():
    rng = np.random.default_rng(2)
    X = rng.integers(0, 2, (300, 6))
    *_, groups = grouped(X, X[:, 1] ^ X[:, 4])
    (pair,) = interaction_facts(groups)
    assert pair["features"] == ["x1", "x4"]
    assert pair["bits"] == pytest.approx(1, abs=0.02)
    cells = np.array(pair["cells"])
    assert cells.sum() == 300
    assert (cells.min(axis=2) == 0).all()  # each cell is of one class


@pytest.mark.parametrize(("n_rows", "share"), [(60, 0.5), (250, 0.2), (1000, 0.5), (1000, 0.03)])
def test_noise_shows_hardly_any_pair(n_rows, share):
    n_shown = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=(n_rows, 5)), rng.integers(0, 4, (n_rows, 5))])
        y = rng.random(n_rows) < share
        y[:2] = [False, True]
        *_, groups = grouped(X, y)
        n_shown += bool(interaction_facts(groups))
    assert n_shown <= 1  # the level is one in a hundred


def test_a_pair_of_copies_is_not_shown_again():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(600, 4))
    inches = 2.54 * X[:, 1] + 0.001 * rng.normal(size=600)
    *_, groups = grouped(np.column_stack([X, inches]), (X[:, 1] > 0) ^ (X[:, 2] > 0))
    (pair,) = interaction_facts(groups)
    assert {"x2"} < set(pair["features"]) < {"x1", "x2", "x4"}


def test_a_product_is_seen_in_a_regression():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(800, 4))
    *_, groups = grouped(X, X[:, 0] * X[:, 2] + 0.1 * rng.normal(size=800), regression=True)
    assert interaction_facts(groups)[0]["features"] == ["x0", "x2"]


def test_the_chosen_come_first_and_then_what_goes_with_the_target():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 3, (200, 5))
    features, target, _ = grouped(X, X[:, 3])
    strength = target_associations(features, target, features.names)
    assert strength["x3"] == 1
    assert max(strength[name] for name in ("x0", "x1", "x2", "x4")) < 0.3
    assert strongest_alone(features, target, ["x1"])[:2] == ["x1", "x3"]


def test_missing_values_are_counted_by_class_the_most_uneven_first():
    X = np.array([[np.nan, 1.0], [np.nan, np.nan], [3.0, 4.0], [5.0, np.nan]])
    features, target, _ = grouped(X, np.array([0, 0, 1, 1]))
    facts = missing_by_class(features, target)
    assert [(record["feature"], record["shares"]) for record in facts["records"]] == [
        ("x0", [1.0, 0.0]),
        ("x1", [0.5, 0.5]),
    ]
    assert missing_by_class(features.take([2]), target) is None


def test_large_numbers_are_written_as_people_write_them():
    prices = from_array(
        np.column_stack([np.linspace(150_000, 650_000, 60), np.linspace(1900, 2020, 60)]), ["eur", "year"]
    )
    assert target_groups(prices["eur"])[0][0] == "eur ≤ 316,667"
    assert value_groups(prices["eur"])[0][:2] == ["≤ 250,000", "≤ 350,000"]
    assert value_groups(prices["year"])[0][0] == "≤ 1924"
