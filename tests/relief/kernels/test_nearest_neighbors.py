"""Compiled search for neighbors against NumPy's, on more rows than the papers' rules are tried on elsewhere."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.kernels.bits import pack, transposed, unpack
from fewest.relief.kernels import numpy_twins
from fewest.relief.kernels.boolean_neighbors import fill_planes, nearest_by_planes
from fewest.relief.kernels.differences import (
    TILE_FEATURES,
    TILE_ROWS,
    add_absolute_differences,
    differences_of_bits,
    differences_of_values,
)
from fewest.relief.kernels.layout import (
    FAR,
    GROUP,
    LANES,
    Neighbors,
    Permuted,
    PermutedSearch,
    Products,
    Rows,
    Rule,
    Sampled,
    Vectors,
)
from fewest.relief.kernels.nearest_neighbors import nearest_by_bits, nearest_by_distance
from fewest.relief.kernels.permuted_neighbors import permuted_by_bits
from fewest.relief.kernels.smallest_distances import (
    find_columns,
    gather,
    gather_counts,
    kth_count,
    kth_smallest,
    last_of_weight,
)
from fewest.relief.rows import duplicates_of

SEEDS = st.integers(0, 2**32)


@st.composite
def searches(draw):
    """Rows of bits, enough for whole stripes or not, with many ties; which are sampled, and who is a neighbor."""
    rng = np.random.default_rng(draw(SEEDS))
    n_rows, n_bits = draw(st.integers(2, 600)), draw(st.sampled_from([3, 9, 70, 248]))
    X = rng.random((n_rows, n_bits)) < 0.5
    class_of = np.sort(rng.integers(0, draw(st.integers(1, 3)), n_rows)).astype(np.int32)
    class_of = np.unique(class_of, return_inverse=True)[1].astype(np.int32)
    starts = np.append(0, np.cumsum(np.bincount(class_of))).astype(np.int64)
    is_random = draw(st.booleans())
    is_weighed = not is_random and draw(st.booleans())
    weights = rng.choice([0.25, 1.0, 1.5, 3.0], n_rows) if is_weighed else np.ones(n_rows)
    rule = Rule(float(draw(st.integers(1, 12))), is_random, draw(st.booleans()), draw(st.booleans()))
    rows = Rows(starts, class_of, weights, *duplicates_of(X.view(np.uint8), np.ones(n_rows, dtype=bool), weights))
    sampled = Sampled(rng.permutation(n_rows)[:20].astype(np.int64), rng.integers(0, 2**63, 20).astype(np.uint64))
    return X, rows, Sampled(sampled.rows, sampled.seeds[: len(sampled.rows)]), rule


def neighbors(found: Neighbors):
    """Return the weight of every neighbor of every sampled row."""
    pairs = zip(found.starts[:-1], found.starts[1:], strict=True)
    return [dict(zip(found.rows[a:b].tolist(), found.weights[a:b].tolist(), strict=True)) for a, b in pairs]


def room_for(draw: Sampled, rows: Rows) -> Neighbors:
    return Neighbors.with_room(len(draw.rows), len(rows.weights), len(draw.rows) * (1 + len(rows.weights)))


def columns(X: np.ndarray) -> np.ndarray:
    """Lay Boolean rows out as vectors of bit planes."""
    planes = np.zeros((-(-len(X) // (64 * LANES)), -(-X.shape[1] // GROUP) * GROUP, LANES), dtype=np.uint64)
    fill_planes(pack(X), planes)
    return planes


@given(searches())
def test_compiled_searches_find_the_neighbors_that_numpy_finds(search):
    X, rows, draw, rule = search
    distances = (X[draw.rows, None] != X).sum(axis=2).astype(np.float32)
    slack = np.zeros(len(draw.rows), dtype=np.float32)
    expected = neighbors(numpy_twins.nearest(distances, slack, draw, rows, rule))
    by_bits, by_distance = room_for(draw, rows), room_for(draw, rows)
    before = rows.weights.copy()
    assert nearest_by_bits(pack(X)[None], draw, rows, rule, by_bits) == len(draw.rows)
    matrix, none = X.astype(np.float32), np.empty((0, 0), np.float32)
    vectors = Vectors(matrix, np.full(X.shape[1], -2, np.float32), X.sum(axis=1).astype(np.float32), none, none)
    products = np.float32(-2) * (matrix[draw.rows] @ matrix.T)
    products += np.float32(0.05) * ((np.arange(products.size) % 5).reshape(products.shape) - 2)  # rounded, by place
    places = np.arange(len(draw.rows))[::-1].copy()
    rounded = Products(products[::-1].copy(), places, slack + np.float32(0.25), slack * 0)
    assert nearest_by_distance(rounded, vectors, draw, rows, rule, by_distance) == len(draw.rows)
    searched = [by_bits, by_distance]
    if (rows.weights == 1).all():
        searched.append(room_for(draw, rows))
        assert nearest_by_planes(columns(X), draw, rows, rule, searched[-1]) == len(draw.rows)
        n_found = by_bits.starts[-1]  # in the same order, too: sums are rounded by it
        np.testing.assert_array_equal(searched[-1].rows[:n_found], by_bits.rows[:n_found])
    for found in searched:
        for ours, theirs in zip(neighbors(found), expected, strict=True):
            assert ours == pytest.approx(theirs, rel=1e-6)
    np.testing.assert_array_equal(rows.weights, before)


@given(searches(), SEEDS, st.integers(1, 40))
def test_neighbors_by_permuted_classes_are_the_same_among_few_rows_and_all(search, seed, n_near):
    X, rows, draw, rule = search
    rng, sizes = np.random.default_rng(seed), np.diff(rows.starts)
    rows = rows._replace(weights=np.ones(len(X)))
    labels = np.stack([rng.permutation(rows.class_of) for _ in range(3)])
    factors = rng.choice([-1.0, 0.25, 1.0], (len(sizes), len(sizes))).astype(np.float32)
    distances = (X[draw.rows, None] != X).sum(axis=2).astype(np.float32)
    slack = np.full(len(draw.rows), 0.25, dtype=np.float32)
    few, every = (
        numpy_twins.permuted_nearest(distances, slack, draw, rows, rule, Permuted(labels, factors, sizes, n))
        for n in (n_near, len(X))
    )
    for one, other in zip(few, every, strict=True):
        np.testing.assert_array_equal(one, other)
    permuted = Permuted(labels, factors, sizes, min(n_near, len(X)))
    compiled = Neighbors.with_room(len(draw.rows) * 3, len(X), len(draw.rows) * 3 * (1 + len(X)))
    words = np.ascontiguousarray(pack(X).T)[:, None]
    assert permuted_by_bits(words, PermutedSearch(draw, rows, rule, permuted), compiled) == len(draw.rows)
    for ours, theirs in zip(neighbors(compiled), neighbors(few), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-6)


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 600), st.integers(1, 130))
def test_columns_are_rows_turned(seed, n_rows, n_bits):
    X = np.random.default_rng(seed).random((n_rows, n_bits)) < 0.5
    turned = columns(X).transpose(1, 0, 2).reshape(-1, -(-n_rows // (64 * LANES)) * LANES)
    expected = np.zeros((len(turned), 64 * turned.shape[1]), dtype=bool)
    expected[:n_bits, :n_rows] = X.T
    np.testing.assert_array_equal(unpack(np.ascontiguousarray(turned.T), expected.shape[1]), expected)


@given(SEEDS, st.integers(0, 100), st.integers(0, 9))
def test_candidates_are_all_rows_as_near_as_asked_for(seed, n_rows, most):
    distances = np.random.default_rng(seed).integers(0, 10, n_rows + 7).astype(np.int32)
    minima, columns, found = np.zeros((3, n_rows + 8), dtype=np.int32)
    start, stop = 3, 3 + n_rows
    n_columns = find_columns(distances, start, stop, minima)
    assert minima[:n_columns].min(initial=FAR) == distances[start:stop].min(initial=FAR)
    n_found = gather(distances, (start, stop, np.int32(most)), minima, columns, found, 0)
    assert found[:n_found].tolist() == (start + np.flatnonzero(distances[start:stop] <= most)).tolist()


@given(SEEDS, st.integers(0, 100), st.integers(0, 40), st.integers(1, 60), st.integers(0, 70))
def test_the_kth_count_is_found_from_any_guess(seed, n_first, n_second, k, guess):
    distances = np.random.default_rng(seed).integers(0, 60, n_first + n_second + 9).astype(np.int32)
    ranges = (2, 2 + n_first, 2 + n_first + 5, 2 + n_first + 5 + n_second)
    rows = np.concatenate([np.arange(*ranges[:2]), np.arange(*ranges[2:])])
    expected = np.sort(distances[rows])[k - 1] if k <= len(rows) else 99
    most = kth_count(distances, ranges, k, guess, 99)
    assert most == expected
    found = np.zeros(len(distances) + 1, dtype=np.int32)
    n_found = gather_counts(distances, ranges[0], ranges[1], most, found, 0)
    n_found = gather_counts(distances, ranges[2], ranges[3], most, found, n_found)
    assert found[:n_found].tolist() == rows[distances[rows] <= most].tolist()


@given(st.lists(st.integers(0, 20), min_size=1, max_size=60), st.data())
def test_the_kth_smallest_is_that_of_the_sorted_list(numbers, data):
    k = data.draw(st.integers(1, len(numbers)))
    assert kth_smallest(np.array(numbers, dtype=np.int32), len(numbers), k) == sorted(numbers)[k - 1]


@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from([0.5, 1.0, 2.0])), min_size=1, max_size=60), st.data())
def test_the_last_of_a_weight_is_where_the_running_sum_reaches_it(weighed, data):
    k = data.draw(st.integers(1, 2 * len(weighed)))
    distances = np.array([d for d, _ in weighed], dtype=np.int32)
    weights = np.array([w for _, w in weighed])
    order = np.argsort(distances, kind="stable")
    reached = np.flatnonzero(np.cumsum(weights[order]) >= k)
    expected = distances[order[reached[0] if len(reached) else -1]]
    assert last_of_weight(distances, weights, np.arange(len(weighed)), len(weighed), float(k)) == expected


@settings(max_examples=60)
@given(SEEDS, st.sampled_from([1, 2]), st.integers(1, 130), st.sampled_from([3, 40, 300]))
def test_differences_of_bits_are_those_of_values(seed, n_planes, n_features, n_found):
    """With runs of equal weights, some of them longer than a byte counts."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2**n_planes, (30, n_features))
    sampled, starts = np.array([4, 9], dtype=np.int64), np.array([0, n_found, 2 * n_found], dtype=np.int64)
    weights = np.repeat(rng.random(2 * n_found), rng.integers(1, 400, 2 * n_found))[: 2 * n_found]
    found = Neighbors(starts, rng.integers(0, 30, 2 * n_found).astype(np.int32), weights.astype(np.float32))
    expected = np.zeros((2, n_features), dtype=np.float32)
    differences_of_values(codes.astype(np.float32), 0, False, sampled, found, expected)
    planes = np.stack([pack((codes >> p & 1).astype(bool)) for p in range(n_planes)])
    sums = np.zeros((2, 64 * planes.shape[1]), dtype=np.float32)
    differences_of_bits(transposed(np.ascontiguousarray(planes.transpose(2, 0, 1))), sampled, found, sums)
    np.testing.assert_allclose(sums[:, :n_features], expected, rtol=1e-4, atol=1e-4)


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 9), st.booleans(), st.integers(0, 11))
def test_differences_of_values_are_summed_with_their_weights(seed, n_features, is_squared, n_found):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (12, n_features)).astype(np.float32)
    n_numbers = int(rng.integers(0, n_features + 1))
    found = Neighbors(
        np.array([0, n_found], dtype=np.int64),
        rng.integers(0, 12, n_found).astype(np.int32),
        rng.random(n_found).astype(np.float32),
    )
    apart = np.abs(values[3] - values[found.rows])
    apart[:, n_numbers:] = values[3, n_numbers:] != values[found.rows, n_numbers:]
    expected = found.weights @ (apart**2 if is_squared else apart)
    sums = np.zeros((1, n_features), dtype=np.float32)
    differences_of_values(values, n_numbers, is_squared, np.array([3]), found, sums)
    np.testing.assert_allclose(sums[0], expected, rtol=1e-5, atol=1e-5)


@given(st.lists(st.integers(0, 2**64 - 1), max_size=5))
def test_transposing_exchanges_bits(words):
    words = np.array(words, dtype=np.uint64)
    bits = unpack(words[None], 64)
    expected = bits.reshape(-1, 8, 8).transpose(0, 2, 1).reshape(-1, 64)
    np.testing.assert_array_equal(unpack(transposed(words)[None], 64), expected)


@settings(max_examples=40)
@given(
    SEEDS,
    st.integers(0, 5),
    st.sampled_from([1, TILE_ROWS - 1, TILE_ROWS, 2 * TILE_ROWS + 3]),
    st.sampled_from([0, 1, 8, 13, TILE_FEATURES, TILE_FEATURES + 9]),
)
def test_absolute_differences_are_added_whatever_the_tiles(seed, n_sampled, n_rows, n_features):
    rng = np.random.default_rng(seed)
    rows = rng.random((n_rows, n_features), dtype=np.float32)
    sampled = rows[rng.integers(0, n_rows, n_sampled)]
    before = rng.random((n_sampled, n_rows), dtype=np.float32)
    expected = before + np.abs(sampled[:, None].astype(np.float64) - rows).sum(axis=2)
    for add in (add_absolute_differences, numpy_twins.add_absolute_differences):
        sums = before.copy()
        add(sampled, rows, sums)
        np.testing.assert_allclose(sums, expected, rtol=1e-6, atol=1e-6)
    backwards = np.zeros((n_sampled, n_rows), dtype=np.float32)
    add_absolute_differences(sampled, rows[::-1].copy(), backwards)
    forwards = np.zeros((n_sampled, n_rows), dtype=np.float32)
    add_absolute_differences(sampled, rows, forwards)
    np.testing.assert_array_equal(backwards[:, ::-1], forwards)  # where a row lies does not matter
