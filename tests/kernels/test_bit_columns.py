import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.kernels import bit_columns
from fewest.kernels.bit_columns import (
    codes_at,
    count_ones,
    pack_column,
    pack_truths,
    unpack_column,
    words_of_octets,
)


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=200))
def test_codes_survive_being_packed(codes):
    planes = pack_column(np.array(codes))
    assert unpack_column(planes, len(codes)).tolist() == codes
    assert codes_at(planes, np.arange(len(codes))[::-1]).tolist() == codes[::-1]


@given(st.lists(st.booleans(), max_size=200), st.integers(0, 20))
def test_bits_of_a_buffer_are_those_of_the_truths(truths, offset):
    octets = np.packbits(np.array([True] * offset + truths + [True] * 9), bitorder="little")
    assert words_of_octets(octets, offset, len(truths)).tolist() == pack_truths(np.array(truths, dtype=bool)).tolist()


@given(st.integers(1, 300), st.integers(1, 4), st.integers(1, 5), st.integers(0, 99))
def test_ones_are_counted_within_masks(n_rows, n_columns, n_masks, seed):
    rng = np.random.default_rng(seed)
    columns, masks = rng.random((n_columns, n_rows)) < 0.5, rng.random((n_masks, n_rows)) < 0.5
    words = [np.stack([pack_truths(row) for row in rows]) for rows in (columns, masks)]
    expected = (columns.astype(int) @ masks.T.astype(int)).tolist()
    with pytest.MonkeyPatch.context() as patch:
        for most in (np.inf, -1):  # NumPy, then compiled code
            patch.setattr(bit_columns, "COMPILED_FROM", most)
            assert count_ones(*words).tolist() == expected
