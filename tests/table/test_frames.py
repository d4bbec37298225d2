"""Frames, arrays and sparse matrices."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from fewest.exceptions import ColumnKindError, ColumnNameWarning, ParameterError, UnknownColumnError
from fewest.table.column import Kind
from fewest.table.frames import from_array, from_frame, from_sparse

DATA = {
    "flag": [True, None, False],
    "word": ["b", None, "a"],
    "answer": ["yes", "no", None],
    "count": [0, 1, 1],
    "gap": [3, None, 5],
    "real": [0.5, float("nan"), 2.0],
    "long": [2**53 + 1, 2**53, 5],
    "key": [Decimal("12345678901234567891"), Decimal("12345678901234567892"), None],
    "price": [Decimal("1.50"), None, Decimal("0.10")],
    "day": [datetime.datetime(2020, 1, 2), None, datetime.datetime(2020, 1, 2, 3, 4, 5)],
}
EXPECTED = {
    "flag": (Kind.BOOLEAN, ("False", "True"), [1, -1, 0]),
    "word": (Kind.NOMINAL, ("a", "b"), [1, -1, 0]),
    "answer": (Kind.BOOLEAN, ("no", "yes"), [1, 0, -1]),
    "count": (Kind.NUMERIC, (), [0, 1, 1]),
    "gap": (Kind.NUMERIC, (), [3, np.nan, 5]),
    "real": (Kind.NUMERIC, (), [0.5, np.nan, 2]),
    "long": (Kind.NOMINAL, ("5", str(2**53), str(2**53 + 1)), [2, 1, 0]),
    "key": (Kind.NOMINAL, ("12345678901234567891", "12345678901234567892"), [0, 1, -1]),
    "price": (Kind.NUMERIC, (), [1.5, np.nan, 0.1]),
    "day": (Kind.NUMERIC, (), [18263, np.nan, 18263 + (3 * 3600 + 4 * 60 + 5) / 86400]),
}
NULLABLE = {"flag": "boolean", "gap": "Int64", "word": "category", "real": "Float64"}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(DATA),
        pd.DataFrame(DATA).astype(NULLABLE),
        pl.DataFrame(DATA),
        pl.DataFrame(DATA).with_columns(pl.col("word").cast(pl.Categorical)),
        pl.DataFrame(DATA).with_columns(pl.col("word").cast(pl.Enum(["b", "unused", "a"]))),
        pa.table(DATA),
        pa.concat_tables([pa.table(DATA).slice(0, 1), pa.table(DATA).slice(1)]),
    ],
    ids=["pandas", "pandas nullable", "polars", "polars categorical", "polars enum", "pyarrow", "pyarrow chunks"],
)
def test_every_library_gives_the_same_table(frame):
    table = from_frame(frame)
    assert table.names == tuple(DATA)
    assert table.n_rows == 3
    for column in table:
        kind, labels, values = EXPECTED[column.name]
        assert (column.name, column.kind, column.labels) == (column.name, kind, labels)
        np.testing.assert_array_equal(column.values, values)


def test_kinds_and_drop():
    table = from_frame(pl.DataFrame(DATA), kinds={"count": "boolean", "gap": "nominal"}, drop=["r*", "day"])
    assert table["count"].labels == ("0", "1")
    assert table["gap"].labels == ("3", "5")
    assert table.names == ("flag", "word", "answer", "count", "gap", "long", "key", "price")
    with pytest.raises(ColumnKindError, match="row 0 holds 'b'"):
        from_frame(pl.DataFrame(DATA), kinds={"word": "numeric"})


def objects(*values):
    return from_frame(pd.DataFrame({"x": pd.Series(values, dtype=object)}))["x"]


def test_objects_that_share_a_spelling_stay_distinct():
    column = objects(1, "1", None, 1.0, "a")
    assert column.kind is Kind.NOMINAL
    assert column.labels == ("'1'", "'a'", "1")
    assert column.values.tolist() == [2, 0, -1, 2, 1]


def test_objects_of_one_sort():
    assert objects(True, None, pd.NA).values.tolist() == [1, -1, -1]
    assert objects(True, None).labels == ("False", "True")
    np.testing.assert_array_equal(objects(1, 2.5, None, float("nan")).values, [1, 2.5, np.nan, np.nan])
    assert objects(2**53 + 1, 2**53).labels == (str(2**53), str(2**53 + 1))
    assert objects("No", "yes", None).labels == ("No", "yes")
    assert objects(datetime.date(2020, 1, 2), pd.NaT).labels == ("2020-01-02",)
    assert objects(None, None).labels == ()
    mixed = objects(True, 1, "True")
    assert len(set(mixed.values.tolist())) == 3


def test_numbers_that_are_objects_stay_exact():
    assert objects(Decimal("0.1"), 0.1, 2).values.tolist() == [0.1, 0.1, 2]
    assert objects(Fraction(1, 3), Fraction(1, 2), 1 / 3).labels == ("0.3333333333333333", "0.5", "1/3")
    assert objects(Decimal("1e400"), Decimal("2e400"), float("inf")).labels == ("1E+400", "2E+400", "inf")
    huge = pd.DataFrame({"x": pd.Series([10**400, -(10**400)], dtype=object)})
    assert from_frame(huge, kinds={"x": "numeric"})["x"].values.tolist() == [np.inf, -np.inf]


@pytest.mark.skipif(np.finfo(np.longdouble).eps == np.finfo(float).eps, reason="a long double is a double here")
def test_long_doubles_stay_distinct():
    one = np.longdouble(1)
    values = np.array([one, one + np.finfo(np.longdouble).eps, one, np.nan])
    assert from_array(values[:, None])["x0"].values.tolist() == [0, 1, 0, -1]
    assert from_frame(pd.DataFrame({"x": values}))["x"].values.tolist() == [0, 1, 0, -1]
    assert from_array(np.array([[one, np.nan]]))["x0"].kind is Kind.NUMERIC


def test_categories_that_are_no_strings():
    table = from_frame(pd.DataFrame({"n": pd.Categorical([10, 9, 10]), "cut": pd.cut([1, 5, 9], [0, 4, 10])}))
    assert table["n"].labels == ("10", "9")
    assert table["cut"].labels == ("(0, 4]", "(4, 10]")
    assert table["cut"].values.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": [[1], [2]]}),
        pl.DataFrame({"x": [[1], [2]]}),
        pl.DataFrame({"x": [{"a": 1}]}),
        pd.DataFrame({"x": [1j]}),
    ],
)
def test_nested_columns_are_refused(frame):
    with pytest.raises(ColumnKindError, match="'x' has type"):
        from_frame(frame)


def test_column_names_become_text():
    assert from_frame(pd.DataFrame([[1, 2]])).names == ("0", "1")
    with pytest.warns(ColumnNameWarning, match=r"'1\.2'"):
        table = from_frame(pd.DataFrame([[5, 6]], columns=[1, "1"]))
    assert table["1.2"].values.tolist() == [6]


def test_frames_that_cannot_be_read():
    with pytest.raises(ParameterError, match=r"Pass frame.collect\(\)"):
        from_frame(pl.LazyFrame(DATA))
    with pytest.raises(ParameterError, match="neither a path nor a dataframe"):
        from_frame([1, 2])
    with pytest.raises(ParameterError, match=r"twice.*'a'"):
        from_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_frame_without_rows():
    table = from_frame(pl.DataFrame({"a": [], "b": pl.Series([], dtype=pl.String)}))
    assert (table.n_rows, table.names) == (0, ("a", "b"))


def test_arrays_by_type():
    assert from_array(np.array([[True], [False]]))["x0"].labels == ("False", "True")
    table = from_array(np.array([[0, 2], [1, 3]], dtype=np.uint8))
    assert [(column.name, column.kind, column.values.tolist()) for column in table] == [
        ("x0", Kind.NUMERIC, [0, 1]),
        ("x1", Kind.NUMERIC, [2, 3]),
    ]
    assert from_array(np.array([[1.5], [np.nan]], dtype=np.float32))["x0"].n_missing == 1
    assert from_array(np.array([[2**53 + 1, 1], [2**53, 2]]), ["id", "n"])["id"].labels == (str(2**53), str(2**53 + 1))
    assert from_array(np.array([["b"], ["a"]]))["x0"].values.tolist() == [1, 0]
    days = from_array(np.array([["2020-01-02"], ["NaT"]], dtype="datetime64[D]"))["x0"]
    assert (days.labels, days.values.tolist()) == (("2020-01-02",), [0, -1])


def test_array_of_objects_column_by_column():
    table = from_array(np.array([[True, 1, "a", None], [None, 2.5, 3, None]], dtype=object))
    assert [column.kind for column in table] == [Kind.BOOLEAN, Kind.NUMERIC, Kind.NOMINAL, Kind.NOMINAL]
    assert table["x0"].values.tolist() == [1, -1]
    assert table["x1"].values.tolist() == [1, 2.5]
    assert table["x2"].labels == ("3", "a")


@pytest.mark.parametrize("categorical", [[1], ["b"], [False, True], np.array([False, True])])
def test_categorical_columns_of_arrays(categorical):
    table = from_array(np.array([[1.0, 7], [2, 5]]), ["a", "b"], categorical=categorical)
    assert table["a"].kind is Kind.NUMERIC
    assert (table["b"].kind, table["b"].labels, table["b"].values.tolist()) == (Kind.NOMINAL, (5, 7), [1, 0])


def test_arrays_that_cannot_be_read():
    X = np.zeros((2, 2))
    with pytest.raises(ParameterError, match="1 dimension where"):
        from_array(X[0])
    with pytest.raises(ParameterError, match="1 names for 2 columns"):
        from_array(X, ["a"])
    with pytest.raises(ParameterError, match="outside the 2 columns"):
        from_array(X, categorical=[2])
    with pytest.raises(ParameterError, match="3 entries for 2 columns"):
        from_array(X, categorical=[True, False, True])
    with pytest.raises(UnknownColumnError, match="no column 'c'"):
        from_array(X, categorical=["c"])
    with pytest.raises(ColumnKindError, match="complex"):
        from_array(X.astype(complex))


@pytest.mark.parametrize("form", [scipy.sparse.csr_matrix, scipy.sparse.coo_array, scipy.sparse.csc_array])
def test_sparse(form):
    dense = np.array([[0, 2.5], [1, 0], [0, 0]])
    table = from_sparse(form(dense), ["a", "b"])
    assert table.names == ("a", "b")
    assert [column.kind for column in table] == [Kind.NUMERIC] * 2
    np.testing.assert_array_equal(np.column_stack([column.values for column in table]), dense)


def test_sparse_types():
    ids = scipy.sparse.csr_array(np.array([[2**53 + 1, 5], [2**53, 0]]))
    table = from_sparse(ids)
    assert (table["x0"].labels, table["x0"].values.tolist()) == ((str(2**53), str(2**53 + 1)), [1, 0])
    assert (table["x1"].kind, table["x1"].values.dtype) == (Kind.NUMERIC, np.float64)
    assert from_sparse(scipy.sparse.csr_array(np.array([[True], [False]])))["x0"].kind is Kind.NUMERIC
    with pytest.raises(ColumnKindError, match="complex"):
        from_sparse(scipy.sparse.csr_array(np.array([[1j]])))
