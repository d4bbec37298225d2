"""Relief and ReliefF over blocks store the attributes of a fit in memory."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_into_blocks import attributes, write_parts
from fewest import Relief, ReliefF, scan
from fewest.blocks.block import Block
from fewest.kernels.bit_planes import pack_column
from fewest.relief.blocks import bits as bit_blocks
from fewest.relief.blocks.bits import Question, as_flips, as_words, find_near_boolean
from fewest.relief.blocks.candidates import ROOM, Sought
from fewest.relief.kernels.block_candidates import candidates_by_bits
from fewest.relief.kernels.layout import BitRows, Nearest

SELECTORS = [
    Relief(threshold="interval", max_samples=150, random_state=0),
    Relief(threshold="interval", ties="average", identical="count", max_samples=300, random_state=1),
    ReliefF(threshold="interval", max_samples=200, random_state=0),
    ReliefF(threshold="interval", n_neighbors=3, ties="random", identical="skip", random_state=2),
]


def table_of(n_rows, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    nominal = rng.integers(0, 5, n_rows)
    boolean = rng.integers(0, 2, (n_rows, 12)).astype(bool)
    y = (boolean[:, 3] ^ boolean[:, 7]).astype(int) + (nominal == 2) * (n_classes - 2)
    columns = {f"f{j}": boolean[:, j] for j in range(12)}
    return pa.table({**columns, "name": np.array(list("abcde"))[nominal], "y": np.array(list("pqr"))[y]})


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_relief_over_blocks_is_relief_in_memory(selector, n_classes, tmp_path):
    table = table_of(3_000, n_classes)
    folder = write_parts(table, [10, 1_700], tmp_path / "data", ".parquet", 700)
    expected = attributes(selector.fit(table.drop_columns(["y"]), table["y"].to_numpy()))
    for options in ({}, {"memory": 0, "n_jobs": 1}):
        assert attributes(selector.fit(scan(folder, target="y", **options))) == expected


@settings(deadline=None, max_examples=40)
@given(n_rows=st.integers(2, 60), cut=st.integers(1, 59), seed=st.integers(0, 9), selector=st.sampled_from(SELECTORS))
def test_small_data_is_the_same_in_blocks(n_rows, cut, seed, selector, tmp_path_factory):
    table = table_of(n_rows, 3, seed)
    folder = write_parts(table, [min(cut, n_rows - 1)], tmp_path_factory.mktemp("p") / "data", ".parquet", 13)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = attributes(selector.fit(table.drop_columns(["y"]), table["y"].to_numpy()))
        found = attributes(selector.fit(scan(folder, target="y")))
    np.testing.assert_equal(found, expected)  # NaN equals NaN here


def test_rows_can_be_sampled_in_two_goes(tmp_path):
    table = table_of(2_000, 2)
    scanned = scan(write_parts(table, [900], tmp_path / "data", ".parquet"), target="y")
    once = ReliefF(max_samples=512, random_state=0).fit(scanned)
    twice = ReliefF(max_samples=256, random_state=0).fit(scanned).partial_fit(scanned)
    np.testing.assert_allclose(twice.scores_, once.scores_, atol=1e-6)
    assert twice.n_sampled_ == 512


@settings(deadline=None, max_examples=60)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 5, st.integers(0, 2)), min_size=1, max_size=30),
    k=st.integers(1, 4),
    skips=st.booleans(),
)
def test_candidates_by_bits_are_those_as_near_as_the_kth(rows, k, skips):
    codes, pools = np.array([row[:5] for row in rows], dtype=np.uint8), np.array([row[5] for row in rows])
    numbers = np.arange(len(rows)) + 100
    sampled = BitRows(as_words(codes[:3], 2), numbers[:3], pools[:3])
    bounds = np.full((len(codes[:3]), 3), np.iinfo(np.int32).max - 1, dtype=np.int32)
    room = np.empty((10 * len(rows) + 10, 4), dtype=np.int64)
    everyone = BitRows(as_words(codes, 2), numbers, pools)
    n_found, n_done = candidates_by_bits(everyone, sampled, Nearest(k, skips), bounds, room)
    assert n_done == len(codes[:3])
    expected = []
    for s in range(n_done):
        for pool in range(3):
            near = [(int((codes[j] != codes[s]).sum()), j) for j in range(len(rows)) if pools[j] == pool and j != s]
            near = sorted((d, j) for d, j in near if d or not skips)
            last = near[min(k, len(near)) - 1][0] if near else 0
            expected += [(s, pool, d, 100 + j) for d, j in near if d <= last]
    assert sorted(map(tuple, room[:n_found].tolist())) == sorted(expected)


@settings(deadline=None, max_examples=60)
@given(
    n_rows=st.integers(1, 700),
    n_features=st.sampled_from([1, 8, 9, 40, 100, 248]),
    k=st.integers(1, 4),
    skips=st.booleans(),
    n_pools=st.sampled_from([2, 3]),
    seed=st.integers(0, 99),
    room=st.sampled_from([ROOM, 4096]),
)
def test_candidates_by_planes_are_those_as_near_as_the_kth(n_rows, n_features, k, skips, n_pools, seed, room):
    rng = np.random.default_rng(seed)
    codes, classes = rng.integers(0, 2, (n_rows, n_features)), rng.integers(0, n_pools, n_rows)
    block = Block(100, n_rows, classes, tuple(pack_column(column) for column in codes.T))
    m = min(5, n_rows)
    sought = Sought(np.arange(m) + 100, classes[:m], k, n_pools, skips)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bit_blocks, "ROOM", room)
        found = find_near_boolean([block], Question(sought, as_flips(codes[:m]))).found
    expected = []
    for s in range(m):
        pool_of = (classes != classes[s]).astype(int) if n_pools == 2 else classes
        apart = (codes != codes[s]).sum(axis=1)
        for pool in range(n_pools):
            near = sorted((int(apart[j]), j) for j in range(n_rows) if pool_of[j] == pool and j != s)
            near = [(d, j) for d, j in near if d or not skips]
            last = near[min(k, len(near)) - 1][0] if near else 0
            expected += [(s, pool, d, 100 + j) for d, j in near if d <= last]
    assert sorted(map(tuple, found.tolist())) == sorted(expected)
