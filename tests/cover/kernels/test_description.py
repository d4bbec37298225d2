from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover.kernels.description import (
    KERNELS,
    UNIT,
    Cells,
    Planes,
    Prices,
    Rows,
    best_cut,
    least_length,
    length_of,
    lengths_of_pairs,
    lengths_with,
)
from fewest.kernels.compile_or_not import Work
from problems import codes_of, samples, with_missing_as_value

HOW = ["never", "always"]


@pytest.fixture(params=HOW, scope="module")
def how(request):
    """Run tests in NumPy and compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", request.param)
        yield request.param


def encoded(problem):
    """Columns of codes from 0, where a missing value is one more value, and classes without gaps."""
    rows, classes, n_features = problem
    codes = codes_of(rows, n_features).T.copy()
    codes[codes < 0] = codes.max() + 1
    numbered = np.unique(classes, return_inverse=True)[1]
    return codes, numbered, with_missing_as_value(rows), numbered.tolist()


def merged(codes, classes):
    """The distinct columns of codes and class, once each, and how many there are."""
    both, copies = np.unique(np.vstack([codes, classes]), axis=1, return_counts=True)
    return both[:-1], Rows(both[-1].astype(np.int64), copies)


@pytest.fixture(params=["every row", "distinct rows"], scope="module")
def rows_of(request):
    """Return what takes codes and classes to those that kernels get: as they are, or equal rows merged."""
    return merged if request.param == "distinct rows" else lambda codes, classes: (codes, Rows.single(classes))


def cells_of(codes, subset):
    cells = Cells.one(codes.shape[1])
    for column in subset:
        cells = cells.refined(codes[column].astype(np.int64))
    return cells


@given(problem=samples(missing=True))
def test_lengths_are_those_of_the_definition(how, rows_of, problem):
    codes, classes, rows, labels = encoded(problem)
    prices = Prices.of(len(classes), classes.max() + 1)
    codes, counted = rows_of(codes, classes)
    everyone = np.arange(len(codes))
    for base in [(), (0,)]:
        cells = cells_of(codes, base)
        lengths, _ = lengths_with(codes, counted, cells, prices, everyone, Work(KERNELS))
        expected = [naive.description_of_classes(rows, labels, {*base, j}) for j in everyone.tolist()]
        assert lengths / UNIT == pytest.approx(expected, abs=1e-6)


@given(problem=samples(missing=True))
def test_lengths_of_pairs_are_those_of_the_definition(how, rows_of, problem):
    codes, classes, rows, labels = encoded(problem)
    prices = Prices.of(len(classes), classes.max() + 1)
    codes, counted = rows_of(codes, classes)
    for base in [(), (0,)]:
        planes = Planes.of(codes, counted, cells_of(codes, base))
        lengths = lengths_of_pairs(planes, prices, range(len(codes)), Work(KERNELS))
        for i, j in combinations(range(len(codes)), 2):
            expected = naive.description_of_classes(rows, labels, {*base, i, j})
            assert lengths[i, j] / UNIT == pytest.approx(expected, abs=1e-6)


def test_numpy_and_compiled_code_agree_to_the_last_digit(monkeypatch):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, (30, 500)).astype(np.int8)
    rows = Rows(rng.integers(0, 3, 500), rng.integers(1, 12, 500))
    prices, cells = Prices.of(rows.n_copies, 3), cells_of(codes, (3,))
    upper = np.triu_indices(30, 1)
    found = []
    for choice in HOW:
        monkeypatch.setenv("FEWEST_COMPILE", choice)
        lengths, bounds = lengths_with(codes, rows, cells, prices, np.arange(30), Work(KERNELS))
        pairs = lengths_of_pairs(Planes.of(codes, rows, cells), prices, range(30), Work(KERNELS))
        found.append([lengths.tolist(), bounds.tolist(), pairs[upper].tolist()])
    assert found[0] == found[1]


@given(st.integers(0, 1000), st.integers(2, 40), st.integers(2, 4))
def test_numpy_and_compiled_code_cut_at_the_same_place(seed, n_rows, n_classes):
    rng = np.random.default_rng(seed)
    values, cell = rng.integers(0, 6, n_rows), np.unique(rng.integers(0, 3, n_rows), return_inverse=True)[1]
    order = np.argsort(values, kind="stable")
    is_boundary = np.append(False, values[order][1:] > values[order][:-1])
    rows = Rows(rng.integers(0, n_classes, n_rows), rng.integers(1, 5, n_rows))
    prices, found = Prices.of(rows.n_copies, n_classes), []
    for choice in HOW:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            found.append(best_cut(order, is_boundary, cell, rows, prices, Work(KERNELS)))
    assert found[0] == found[1]


def test_copies_count_as_often_as_they_are_there(how):
    rng = np.random.default_rng(1)
    codes, copies = rng.integers(0, 3, (6, 90)).astype(np.int8), rng.integers(1, 40, 90)
    rows, every = Rows(rng.integers(0, 3, 90), copies), np.repeat(np.arange(90), copies)
    single, prices = Rows.single(rows.classes[every]), Prices.of(rows.n_copies, 3)
    found = []
    for own, own_codes in ((rows, codes), (single, codes[:, every])):
        cells = cells_of(own_codes, (0,))
        lengths = lengths_with(own_codes, own, cells, prices, np.arange(6), Work(KERNELS))
        pairs = lengths_of_pairs(Planes.of(own_codes, own, cells), prices, range(6), Work(KERNELS))
        found.append([*(part.tolist() for part in lengths), pairs[np.triu_indices(6, 1)].tolist()])
        found[-1] += [length_of(cells, own, prices), least_length(own_codes, own)]
    assert found[0] == found[1]


@given(problem=samples(max_features=4))
def test_no_superset_is_shorter_than_the_bounds(how, rows_of, problem):
    codes, classes, rows, labels = encoded(problem)
    prices = Prices.of(len(classes), classes.max() + 1)
    codes, counted = rows_of(codes, classes)
    everyone = range(len(codes))
    everywhere = least_length(codes, counted) / UNIT
    one = Cells.one(codes.shape[1])
    _, bounds = lengths_with(codes, counted, one, prices, np.arange(len(codes)), Work(KERNELS))
    for size in range(len(codes) + 1):
        for subset in combinations(everyone, size):
            length = naive.description_of_classes(rows, labels, subset)
            assert length >= everywhere - 1e-6
            assert all(length >= bounds[j] / UNIT - 1e-6 for j in subset)


@given(problem=samples(max_values=6))
def test_the_best_cut_is_the_best_of_all(how, rows_of, problem):
    codes, classes, _rows, _labels = encoded(problem)
    prices = Prices.of(len(classes), classes.max() + 1)
    codes, rows = rows_of(codes, classes)
    values, cell = codes[-1], cells_of(codes, range(len(codes) - 1)).cell
    order = np.argsort(values, kind="stable")
    is_boundary = np.concatenate([[False], np.diff(values[order]) > 0])
    place, saved = best_cut(order, is_boundary, cell, rows, prices, Work(KERNELS))
    before = length_of(Cells.of(cell), rows, prices)[0]
    lengths = {
        k: before - length_of(Cells.of(cell).refined((values >= values[order[k]]).astype(np.int64)), rows, prices)[0]
        for k in np.flatnonzero(is_boundary).tolist()
    }
    best = max(lengths.values(), default=0)
    assert (place >= 0) == (best > 0)
    if place >= 0:
        assert saved == best == lengths[place]
