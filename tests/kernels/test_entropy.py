"""Entropies from counts: of two classes as of many."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fewest.kernels.entropy import quantum_for, size_times_entropy, times_log


@given(
    st.lists(st.lists(st.integers(0, 120), min_size=2, max_size=2), min_size=1),
    st.sampled_from([np.int8, np.int64, np.float64]),
    st.booleans(),
)
def test_two_classes_add_up_as_numpy_adds_any_number(counts, dtype, is_rounded):
    quantum = quantum_for(240) if is_rounded else None
    wide = np.array(counts, dtype=np.int64)
    expected = times_log(wide.sum(axis=-1), quantum) - times_log(wide, quantum).sum(axis=-1)
    np.testing.assert_array_equal(size_times_entropy(np.array(counts, dtype=dtype), quantum), expected)
