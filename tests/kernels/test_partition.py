from itertools import combinations

import numpy as np
from hypothesis import given

import naive
from fewest.kernels.partition import cells, count_mixed_pairs, in_mixed_groups, mixed_pairs, refine
from problems import codes_of, samples


def blocks(groups):
    """A partition as a set of sets of rows."""
    return {frozenset(np.flatnonzero(groups == g).tolist()) for g in set(groups.tolist())}


@given(samples(max_values=4))
def test_refining_by_every_feature_groups_equal_rows(problem):
    rows, _, n_features = problem
    groups = np.zeros(len(rows), dtype=np.int64)
    for column in codes_of(rows, n_features).T:
        groups = refine(groups, column)
    assert blocks(groups) == {frozenset(i for i, r in enumerate(rows) if r == row) for row in rows}
    assert sorted(set(groups.tolist())) == list(range(groups.max() + 1))


def test_refine_sorts_when_the_keys_are_too_many_for_a_table():
    rng = np.random.default_rng(0)
    groups, column = rng.integers(0, 400, 500), rng.integers(0, 1_000_000, 500)
    expected = {}
    for i, key in enumerate(zip(groups.tolist(), column.tolist(), strict=True)):
        expected.setdefault(key, set()).add(i)
    assert blocks(refine(groups, column)) == {frozenset(rows) for rows in expected.values()}


@given(samples(missing=True))
def test_cells_are_the_distinct_rows_in_order_of_appearance(problem):
    rows, _, n_features = problem
    cell_of_row, first_row = cells(codes_of(rows, n_features))
    order = naive.distinct(rows)
    assert [order.index(row) for row in rows] == cell_of_row.tolist()
    assert [rows.index(row) for row in order] == first_row.tolist()


@given(samples(max_features=1, max_values=4))
def test_every_mixed_group_gives_a_pair_and_only_those(problem):
    rows, classes, _ = problem
    groups, labels = np.array([row[0] for row in rows]), np.array(classes)
    i, j = mixed_pairs(groups, labels)
    assert all(groups[a] == groups[b] and labels[a] != labels[b] for a, b in zip(i, j, strict=True))
    mixed = {g for g in set(groups.tolist()) if len({c for c, h in zip(classes, groups, strict=True) if h == g}) > 1}
    assert {int(groups[a]) for a in i} == mixed
    assert in_mixed_groups(groups, labels).tolist() == [k for k, g in enumerate(groups.tolist()) if g in mixed]


@given(samples(max_features=1, max_values=4))
def test_pairs_are_counted_without_listing_them(problem):
    rows, classes, _ = problem
    groups = [row[0] for row in rows]
    expected = sum(g == h and c != d for (g, c), (h, d) in combinations(zip(groups, classes, strict=True), 2))
    assert count_mixed_pairs(np.array(groups), np.array(classes)) == expected


def test_no_rows_make_no_groups():
    nothing = np.empty(0, dtype=np.int64)
    assert refine(nothing, nothing).tolist() == []
    assert [len(part) for part in mixed_pairs(nothing, nothing)] == [0, 0]
    assert [len(part) for part in cells(np.empty((0, 3), dtype=np.int8))] == [0, 0]
