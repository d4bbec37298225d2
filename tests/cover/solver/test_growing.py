"""Columns that grow against a list."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fewest.cover.solver.growing import GrowingColumns


@given(st.lists(st.one_of(st.lists(st.integers(0, 99), max_size=5), st.sampled_from([-1])), max_size=12))
def test_columns_are_what_was_added_and_not_cut_off(changes):
    first = np.array([[7, 8], [9, 10]])
    growing, expected = GrowingColumns(first), [7, 8]
    for change in changes:
        if change == -1:
            expected = expected[: len(expected) // 2]
            growing.cut(len(expected))
        else:
            expected = expected + change
            growing.add(np.array([change, change], dtype=int))
        assert growing.columns[0].tolist() == expected
        assert growing.columns.shape == (2, len(expected))
    assert first.tolist() == [[7, 8], [9, 10]]
