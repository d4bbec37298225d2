import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover.kernels import conflicts as kernel
from fewest.cover.kernels.conflicts import distinct_conflicts, first_positions, minimal, tightest_pairs
from fewest.cover.kernels.differences import pack_rows
from problems import codes_of, samples


def as_sets(conflicts):
    return [frozenset(np.flatnonzero(row).tolist()) for row in conflicts.to_array()]


def found_in(rows, classes, n_features):
    members = np.eye(max(classes) + 1, dtype=np.int64)[classes]
    return distinct_conflicts(pack_rows(codes_of(rows, n_features)), np.array(classes), members)


@given(st.one_of(samples(max_values=2), samples(max_values=4), samples(missing=True)))
def test_distinct_conflicts_in_order_of_generation(problem):
    rows, classes, n_features = problem
    found = found_in(rows, classes, n_features)
    expected = naive.distinct(c for c in naive.all_conflicts(rows, classes) if c)
    assert as_sets(found) == expected
    assert found.multiplicity.tolist() == [naive.all_conflicts(rows, classes).count(c) for c in expected]
    for pair, conflict in zip(found.rows.T.tolist(), expected, strict=True):
        assert naive.conflict(rows[pair[0]], rows[pair[1]]) == conflict
        assert classes[pair[0]] > classes[pair[1]]


@given(samples(max_rows=10, max_features=6))
def test_minimal_conflicts_include_no_other(problem):
    rows, classes, n_features = problem
    found = found_in(rows, classes, n_features)
    assert as_sets(found.take(minimal(found.words))) == naive.minimal(as_sets(found))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "AT_ONCE", 0)
        assert as_sets(found.take(minimal(found.words))) == naive.minimal(as_sets(found))


@pytest.mark.parametrize("n_features", [30, 100])
@pytest.mark.parametrize("n_values", [2, 5])
def test_block_size_changes_nothing(monkeypatch, n_features, n_values):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, n_values, (60, n_features)).astype(np.int8)
    labels = rng.integers(0, 3, 60)
    whole = distinct_conflicts(pack_rows(codes), labels, np.eye(3, dtype=np.int64)[labels])
    monkeypatch.setattr(kernel, "BLOCK_BYTES", 500)
    blocked = distinct_conflicts(pack_rows(codes), labels, np.eye(3, dtype=np.int64)[labels])
    assert (whole.words == blocked.words).all()
    assert (whole.rows == blocked.rows).all()
    assert (whole.multiplicity == blocked.multiplicity).all()


def test_first_positions_survive_a_collision_of_mixtures(monkeypatch):
    # With every multiplier 1 the mixture is a plain sum.
    monkeypatch.setattr(kernel, "mixing_multipliers", lambda n: np.ones(n, dtype=np.uint64))
    words = np.array([[1, 2, 1], [2, 1, 2]], dtype=np.uint64)  # three sums of 3, two distinct sets
    assert [positions.tolist() for positions in first_positions(words)] == [[0, 1], [0, 1, 0]]


@given(st.one_of(samples(), samples(missing=True)), st.integers(1, 8))
def test_the_tightest_conflicts_are_kept(problem, n_pairs):
    rows, classes, n_features = problem
    i, j = tightest_pairs(codes_of(rows, n_features), np.array(classes), n_pairs, most_words=10**6)
    found = [len(naive.conflict(rows[a], rows[b])) for a, b in zip(i, j, strict=True)]
    assert all(classes[a] != classes[b] for a, b in zip(i, j, strict=True))
    assert len({frozenset(pair) for pair in zip(i.tolist(), j.tolist(), strict=True)}) == len(found)
    assert found == sorted(len(c) for c in naive.all_conflicts(rows, classes) if c)[:n_pairs]


def test_a_sample_of_rows_stands_for_too_many():
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, 2, (5000, 30)).astype(np.int8), rng.integers(0, 2, 5000)
    i, j = tightest_pairs(codes, labels, 50, most_words=10_000)
    assert len(i) == 50
    assert (labels[i] != labels[j]).all()
    again = tightest_pairs(codes, labels, 50, most_words=10_000)
    assert (again[0] == i).all()
    assert len(np.unique(np.r_[i, j])) <= 200
