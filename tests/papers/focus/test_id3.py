import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fewest.papers.focus.kernels.id3 import add_to_columns, count_ones, split

ROWS = st.lists(st.integers(0, 2**16 - 1), max_size=600)


def padded(rows):
    """Rows with something to be ignored behind them."""
    return np.array([*rows, *[2**16 - 1] * 8], dtype=np.uint16)


@given(rows=st.lists(st.integers(0, 2**16 - 1), max_size=64), data=st.data())
def test_columns_hold_the_rows_of_a_range(rows, data):
    start = data.draw(st.integers(0, len(rows)))
    first_bit = data.draw(st.integers(0, 64 - (len(rows) - start)))
    columns = np.zeros(16, dtype=np.uint64)
    add_to_columns(padded(rows), start, len(rows), columns, first_bit)
    for b in range(16):
        assert columns[b] == sum((row >> b & 1) << (first_bit + i) for i, row in enumerate(rows[start:]))


@given(rows=ROWS, share=st.floats(0, 1))
def test_ones_are_counted(rows, share):
    start, counts = int(share * len(rows)), np.full(16, 7)
    count_ones(padded(rows), start, len(rows), counts)
    assert counts.tolist() == [sum(row >> b & 1 for row in rows[start:]) for b in range(16)]


@given(rows=ROWS, share=st.floats(0, 1), feature=st.integers(0, 15))
def test_a_split_keeps_the_order_on_both_sides(rows, share, feature):
    start, array = int(share * len(rows)), padded(rows)
    middle = split(array, start, len(rows), feature, np.zeros(len(rows) + 1, dtype=np.uint16))
    within = rows[start:]
    zeros, ones = [r for r in within if not r >> feature & 1], [r for r in within if r >> feature & 1]
    assert array[: len(rows)].tolist() == rows[:start] + zeros + ones
    assert middle == start + len(zeros)
