"""Parquet: the schema decides."""

import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fewest.exceptions import ColumnKindError, ColumnNameWarning, UnreadableFileError
from fewest.table.column import Kind
from fewest.table.files import read_table


@pytest.fixture
def column(tmp_path):
    """Write one column as Parquet and read it."""

    def column(values, dtype=None, **options):
        path = tmp_path / "column.parquet"
        pq.write_table(pa.table({"x": pa.array(values, dtype)}), path)
        return read_table(path, **options)["x"]

    return column


LONG = [Decimal("12345678901234567891"), Decimal("12345678901234567892")]
FINE = [Decimal("0.1234567890123456788"), Decimal("0.1234567890123456789")]
MOMENT = datetime.datetime(2020, 1, 2, 3, 4, 5, 500000)


@pytest.mark.parametrize(
    ("values", "dtype", "kind", "labels", "codes"),
    [
        ([True, None, False], pa.bool_(), Kind.BOOLEAN, ("False", "True"), [1, -1, 0]),
        (["b", "a", None], pa.string(), Kind.NOMINAL, ("a", "b"), [1, 0, -1]),
        (["7", "?", ""], pa.large_string(), Kind.NOMINAL, ("", "7", "?"), [1, 2, 0]),
        (["b", "a", None], pa.string_view(), Kind.NOMINAL, ("a", "b"), [1, 0, -1]),
        (["yes", "no", None], pa.string(), Kind.BOOLEAN, ("no", "yes"), [1, 0, -1]),
        (["b", "a", None], pa.dictionary(pa.int8(), pa.string()), Kind.NOMINAL, ("a", "b"), [1, 0, -1]),
        ([1, 0, None], pa.int64(), Kind.BOOLEAN, ("0", "1"), [1, 0, -1]),
        ([2**53 + 1, 2**53, None], pa.int64(), Kind.NOMINAL, (str(2**53), str(2**53 + 1)), [1, 0, -1]),
        ([2**64 - 1, 3], pa.uint64(), Kind.NOMINAL, (str(2**64 - 1), "3"), [0, 1]),
        (LONG, pa.decimal128(20, 0), Kind.NOMINAL, tuple(map(str, LONG)), [0, 1]),
        (FINE, pa.decimal256(50, 19), Kind.NOMINAL, tuple(map(str, FINE)), [0, 1]),
        ([datetime.date(2020, 1, 2)], pa.date32(), Kind.NUMERIC, (), [18263]),
        ([MOMENT], pa.timestamp("ns"), Kind.NUMERIC, (), [18263 + 11045.5 / 86400]),
        ([MOMENT], pa.timestamp("us", "UTC"), Kind.NUMERIC, (), [18263 + 11045.5 / 86400]),
        ([datetime.time(3, 4)], pa.time64("us"), Kind.NOMINAL, ("03:04:00",), [0]),
        ([None, None], pa.null(), Kind.NOMINAL, (), [-1, -1]),
        ([None, None], pa.float64(), Kind.NOMINAL, (), [-1, -1]),
    ],
)
def test_types_of_nominal_and_boolean_columns(column, values, dtype, kind, labels, codes):
    found = column(values, dtype)
    assert (found.kind, found.labels, found.values.tolist()) == (kind, labels, codes)


@pytest.mark.parametrize(
    ("values", "dtype", "floats"),
    [
        ([5, None, -3], pa.int16(), [5, np.nan, -3]),
        ([2**53, 0], pa.int64(), [2**53, 0]),
        ([0.5, float("nan"), None], pa.float32(), [0.5, np.nan, np.nan]),
        ([Decimal("1.50"), None], pa.decimal128(5, 2), [1.5, np.nan]),
        ([Decimal("2.5"), Decimal("0.1")], pa.decimal128(38, 20), [2.5, 0.1]),
        ([float("inf"), 2.0], pa.float64(), [np.inf, 2]),
    ],
)
def test_types_of_numbers(column, values, dtype, floats):
    found = column(values, dtype)
    assert found.kind is Kind.NUMERIC
    np.testing.assert_array_equal(found.values, floats)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([[1]], pa.list_(pa.int64())),
        ([b"x"], pa.binary()),
        ([{"a": 1}], pa.struct({"a": pa.int64()})),
        ([5], pa.duration("s")),
    ],
)
def test_types_without_a_meaning(column, values, dtype):
    with pytest.raises(ColumnKindError, match=r"Column 'x' has type .* Drop or convert it"):
        column(values, dtype)


def test_declared_kinds_override(column):
    assert column([3, 10, None], kinds={"x": "nominal"}).labels == ("10", "3")
    assert column([True, False], kinds={"x": "nominal"}).labels == ("False", "True")
    assert column([5, 7], kinds={"x": "boolean"}).labels == ("5", "7")
    assert column([1, 0], kinds={"x": "numeric"}).values.tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(column(["1.5", None], kinds={"x": "numeric"}).values, [1.5, np.nan])
    assert column([1.5, float("nan")], kinds={"x": "nominal"}).values.tolist() == [0, -1]
    with pytest.raises(ColumnKindError, match="row 1 holds 'abc'"):
        column(["1.5", "abc"], kinds={"x": "numeric"})


def test_nested_column_can_be_dropped_and_long_files_come_in_batches(tmp_path):
    path = tmp_path / "data.pq"
    n = 5000
    pq.write_table(pa.table({"n": [[1]] * n, "n.x": range(n), "s": [f"s{i}" for i in range(n)]}), path)
    table = read_table(path, drop="n", batch_bytes=1)
    assert table.names == ("n.x", "s")
    assert table["n.x"].values.tolist() == list(range(n))
    assert [table["s"].value_at(i) for i in range(n)] == [f"s{i}" for i in range(n)]


def test_identifiers_that_show_late_are_read_again(column):
    values = [*range(4000), 2**53 + 1]
    found = column(values, batch_bytes=1)
    assert found.kind is Kind.NOMINAL
    assert [found.value_at(i) for i in range(4001)] == [str(value) for value in values]


def test_repeated_names(tmp_path):
    path = tmp_path / "data.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([2]), pa.array([3])], names=["a", "a"]), path)
    with pytest.warns(ColumnNameWarning, match=r"column 1 is now 'a\.1', column 2 is now 'a\.2'"):
        table = read_table(path)
    assert (table["a.1"].values.tolist(), table["a.2"].values.tolist()) == ([2], [3])


def test_no_rows(tmp_path):
    path = tmp_path / "data.parquet"
    pq.write_table(pa.table({"a": pa.array([], pa.int64())}), path)
    with pytest.raises(UnreadableFileError, match="no rows"):
        read_table(path)
