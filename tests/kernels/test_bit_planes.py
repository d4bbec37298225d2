import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.kernels import intrinsics
from fewest.kernels.bit_planes import (
    codes_at,
    count_ones,
    pack_bits,
    pack_column,
    unpack_column,
    words_of_bytes,
)
from fewest.kernels.compile_or_not import VARIABLE


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=200))
def test_codes_survive_being_packed(codes):
    planes = pack_column(np.array(codes))
    assert unpack_column(planes, len(codes)).tolist() == codes
    assert codes_at(planes, np.arange(len(codes))[::-1]).tolist() == codes[::-1]


@given(st.lists(st.booleans(), max_size=200), st.integers(0, 20))
def test_bits_of_a_buffer_are_those_of_the_booleans(booleans, offset):
    buffer = np.packbits(np.array([True] * offset + booleans + [True] * 9), bitorder="little")
    assert words_of_bytes(buffer, offset, len(booleans)).tolist() == pack_bits(np.array(booleans, dtype=bool)).tolist()


@given(st.integers(1, 300), st.integers(1, 4), st.integers(1, 5), st.integers(0, 99))
def test_ones_are_counted_within_masks(n_rows, n_columns, n_masks, seed):
    rng = np.random.default_rng(seed)
    columns, masks = rng.random((n_columns, n_rows)) < 0.5, rng.random((n_masks, n_rows)) < 0.5
    words = [np.stack([pack_bits(row) for row in rows]) for rows in (columns, masks)]
    expected = (columns.astype(int) @ masks.T.astype(int)).tolist()
    with pytest.MonkeyPatch.context() as patch:
        for choice in ("never", "always"):  # NumPy, then compiled code
            patch.setenv(VARIABLE, choice)
            assert count_ones(*words).tolist() == expected


def test_the_caller_may_decide_whether_compiled_code_counts(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    columns, masks = np.ones((2, 3), dtype=np.uint64), np.ones((1, 3), dtype=np.uint64)
    used = []
    monkeypatch.setattr(intrinsics, "count_common_ones", lambda *arrays: used.append(len(arrays)))
    assert count_ones(columns, masks).tolist() == count_ones(columns, masks, compiled=False).tolist() == [[3], [3]]
    assert not used
    count_ones(columns, masks, compiled=True)
    assert used == [3]
