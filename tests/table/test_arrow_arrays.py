"""Arrays are converted as pyarrow does it."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.table.arrow_arrays import as_numpy, from_numpy, from_texts

TYPES = {
    pa.bool_(): st.booleans(),
    pa.int8(): st.integers(-128, 127),
    pa.uint16(): st.integers(0, 2**16 - 1),
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.int64(): st.integers(-(2**53), 2**53),
    pa.float32(): st.floats(width=32, allow_nan=False),
    pa.float64(): st.floats(allow_nan=False),
}


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@given(data=st.data())
def test_a_part_of_an_array_has_the_values_that_pyarrow_says(dtype, data):
    values = data.draw(st.lists(st.none() | TYPES[dtype], max_size=20))
    part = pa.array(values, dtype).slice(data.draw(st.integers(0, 9)), data.draw(st.integers(0, 20)))
    filled = as_numpy(part, null=1)
    assert filled.dtype == np.dtype(dtype.to_pandas_dtype())
    assert filled.tolist() == [1 if value is None else value for value in part.to_pylist()]
    if not part.null_count:
        np.testing.assert_array_equal(as_numpy(part), filled)
    elif dtype != pa.bool_():
        found, expected = as_numpy(part), part.to_numpy(zero_copy_only=False)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@given(data=st.data())
def test_arrays_of_numpy_become_those_that_pyarrow_makes(dtype, data):
    values = np.array(data.draw(st.lists(TYPES[dtype], max_size=20)), dtype=dtype.to_pandas_dtype())
    for each in (values, values[::2]):
        made = from_numpy(each)
        made.validate(full=True)
        assert made.equals(pa.array(each))


@given(st.lists(st.text(), max_size=9))
def test_texts_become_an_array(texts):
    made = from_texts(texts)
    made.validate(full=True)
    assert made.equals(pa.array(texts, pa.string()))
