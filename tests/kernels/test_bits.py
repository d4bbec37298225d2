import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fewest.kernels import bits

matrices = st.tuples(st.integers(0, 8), st.integers(0, 140)).flatmap(lambda shape: arrays(bool, shape))


@given(matrices)
def test_unpack_undoes_pack(matrix):
    words = bits.pack(matrix)
    assert words.shape == (bits.n_words(matrix.shape[1]), len(matrix))
    assert (bits.unpack(words, matrix.shape[1]) == matrix).all()


@given(matrices)
def test_sizes_and_members(matrix):
    words = bits.pack(matrix)
    assert bits.sizes(words).tolist() == matrix.sum(axis=1).tolist()
    for s, row in enumerate(matrix):
        assert bits.members(words[:, s]) == np.flatnonzero(row).tolist()


@given(matrices, st.sets(st.integers(0, 139), max_size=4))
def test_missed_are_the_sets_without_a_chosen_member(matrix, chosen):
    n_bits = matrix.shape[1]
    chosen = [c for c in chosen if c < n_bits]
    found = bits.missed(bits.pack(matrix), bits.mask(chosen, n_bits))
    assert found.tolist() == [s for s, row in enumerate(matrix) if not row[chosen].any()]


@pytest.mark.parametrize(("n_bits", "expected"), [(0, 0), (1, 1), (64, 1), (65, 2), (128, 2)])
def test_n_words(n_bits, expected):
    assert bits.n_words(n_bits) == expected
