"""ARFF: dense and sparse rows, quotes, and errors with the line."""

import contextlib

import numpy as np
import pytest

from fewest.exceptions import FewestError, RaggedRowError, UnreadableFileError
from fewest.table.column import Kind
from fewest.table.files import read_table

HEADER = """% a comment
@RELATION weather

@Attribute 'out look' {sunny, 'over cast', rainy}
@attribute temperature REAL
@attribute windy {yes, no}
@attribute note string
@attribute day date "yyyy-MM-dd"
@DATA
"""


@pytest.fixture
def read(tmp_path):
    def read(text, **options):
        path = tmp_path / "data.arff"
        path.write_text(text)
        return read_table(path, **options)

    return read


def values(table, name):
    return [table[name].value_at(row) for row in range(table.n_rows)]


@pytest.mark.parametrize("batch_bytes", [1, 1 << 20])
def test_dense_rows(read, batch_bytes):
    table = read(
        HEADER
        + "sunny, 21.5, yes, 'it\\'s, well', 2020-01-02\n\n% between\n"
        + "'over cast',?,no,\"a \\\"b\\\"\",'2020-01-03'\nrainy,-3,?,?,?\n",
        batch_bytes=batch_bytes,
    )
    assert table.names == ("out look", "temperature", "windy", "note", "day")
    assert table["out look"].labels == ("sunny", "over cast", "rainy")
    assert values(table, "out look") == ["sunny", "over cast", "rainy"]
    assert values(table, "temperature") == [21.5, None, -3]
    assert (table["windy"].kind, table["windy"].labels) == (Kind.BOOLEAN, ("no", "yes"))
    assert values(table, "windy") == ["yes", "no", None]
    assert values(table, "note") == ["it's, well", 'a "b"', None]
    assert values(table, "day") == [18263, 18264, None]


def test_sparse_rows(read):
    table = read(
        "@relation r\n@attribute a numeric\n@attribute b {x,'y}, z'}\n@attribute c integer\n"
        "@data\n{0 5, 1 'y}, z'}\n{ }\n{2 ?}\n"
    )
    assert values(table, "a") == [5, 0, 0]
    assert values(table, "b") == ["y}, z", "x", "x"]
    assert values(table, "c") == ["0", "0", None]


def test_declared_labels_win_over_missing_spellings(read):
    table = read("@relation r\n@attribute a {NA, TA}\n@attribute b {'?', x}\n@data\nNA,'?'\nTA,x\n?,x\n")
    assert values(table, "a") == ["NA", "TA", None]
    assert values(table, "b") == ["?", "x", "x"]


def test_labels_that_are_declared_twice_are_one(read):
    table = read("@relation r\n@attribute a {u, v, u, v, w}\n@data\nu\nv\nw\n")
    assert table["a"].to_list() == ["u", "v", "w"]
    assert table["a"].labels == ("u", "v", "w")


def test_zeros_and_ones_are_boolean(read):
    table = read("@relation r\n@attribute a integer\n@attribute b {1,0}\n@data\n1,0\n0,1\n")
    assert [(column.kind, column.labels) for column in table] == [(Kind.BOOLEAN, ("0", "1"))] * 2
    assert table["b"].values.tolist() == [0, 1]


def test_kinds_and_drop(read):
    text = "@relation r\n@attribute a numeric\n@attribute b string\n@data\n007,1.5\n1.0,2\n"
    assert read(text, kinds={"a": "nominal"})["a"].labels == ("007", "1.0")
    np.testing.assert_array_equal(read(text, kinds={"b": "numeric"}, drop="a")["b"].values, [1.5, 2])
    assert read(text)["b"].kind is Kind.NOMINAL


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("@relation r\n@attribute a\n@data\n1\n", "line 2: an attribute needs a name and a type"),
        ("@relation r\n@attribute a {x\n@data\n1\n", "line 2: .* no closing brace"),
        ("@relation r\n@attribute a relational\n@data\n1\n", "line 2: .* type 'relational'"),
        ("@relation r\n@attribute a real\n1\n", "line 3: @relation, @attribute"),
        ("@relation r\n@data\n1\n", "line 2"),
        ("@relation r\n@attribute a real\n", "ends before @data"),
        ("@relation r\n@attribute a real\n@data\n", "no rows"),
        ("@relation r\n@attribute a real\n@data\n1\nabc\n", "line 5: 'abc' is no number"),
        ("@relation r\n@attribute a real\n@data\n1_0\n", "line 4: '1_0' is no number"),
        ("@relation r\n@attribute a {x,y}\n@data\nx\n%\nz\n", "line 6: 'z' is not a declared label of attribute 'a'"),
        ("@relation r\n@attribute a string\n@data\n'x\n", "line 4: a quote is never closed"),
        ("@relation r\n@attribute a real\n@data\n1, {5}\n", "line 4: the row has a weight"),
        ("@relation r\n@attribute a real\n@data\n{0 1}, {5}\n", "line 4: .*weights of rows are not supported"),
        ("@relation r\n@attribute a real\n@data\n{1 1}\n", "line 4: index 1 is beyond the 1 attributes"),
        ("@relation r\n@attribute a real\n@data\n{x 1}\n", "line 4: 'x 1' is not an index and a value"),
        ("@relation r\n@attribute a string\n@data\n{ }\n", "line 4: attribute 'a' is a string"),
    ],
)
def test_errors_carry_the_line(read, text, reason):
    with pytest.raises(UnreadableFileError, match=reason):
        read(text)


def test_ragged_row(read):
    with pytest.raises(RaggedRowError, match=r"line 5: 1 value for 2 attributes\. (?!.*delimiter)"):
        read("@relation r\n@attribute a real\n@attribute b real\n@data\n1\n")


LONG = 300_000  # by the square of it, each of these would take an hour


@pytest.mark.parametrize(
    "row",
    [
        "'a'," + " " * LONG + "x" + " " * LONG + "y", "'" + r"\'" * LONG, "'a'" + " " * LONG + "x", '"' * LONG,
        "{0 '" + r"\'" * LONG + "}", "{0 " + "'" * LONG + "}", "{0" + " " * LONG + "}", "{" + "9" * LONG + " 1}",
        "{0 x" + " " * LONG + "y, 1 'z}",
    ],
)  # fmt: skip
def test_rows_take_a_time_that_grows_with_their_length(tmp_path, row):
    (tmp_path / "long.arff").write_text(f"@relation r\n@attribute a string\n@attribute b string\n@data\n{row}\n")
    with contextlib.suppress(FewestError):
        read_table(tmp_path / "long.arff")


@pytest.mark.parametrize(
    "line", ["@attribute " + "a" * LONG, "@attribute '" + r"\'" * LONG, "@attribute a {" + "'" * (LONG + 1) + "}"]
)
def test_declarations_take_a_time_that_grows_with_their_length(tmp_path, line):
    (tmp_path / "long.arff").write_text(f"@relation r\n{line}\n@attribute b string\n@data\nx,y\n")
    with pytest.raises(FewestError):
        read_table(tmp_path / "long.arff")


def test_an_apostrophe_within_a_value_is_no_quote(tmp_path):
    text = "@relation r\n@attribute a string\n@attribute b string\n@data\n{0 it's, 1 that's}\nit's,that's\n"
    (tmp_path / "words.arff").write_text(text)
    table = read_table(tmp_path / "words.arff")
    assert [column.labels for column in table] == [("it's",), ("that's",)]


LONG = 1_000_000


@pytest.mark.parametrize(
    "row",
    [
        "x" + " " * LONG + "x,p", " " * LONG + "x,p", "x" + " " * LONG + ",p", "{0 " + " " * LONG + "x, 1 p}",
        "'" + "\\'" * LONG + ",p", '"' + '\\"' * LONG + ",p", "''" * LONG + ",p", "\\" * LONG + ",p",
    ],
    ids=["within", "before", "after", "sparse", "escaped", "escaped twice", "quotes", "backslashes"],
)  # fmt: skip
def test_long_runs_of_one_character_are_read_once(read, row):
    """Or, where every position were tried again, for hours."""
    with contextlib.suppress(UnreadableFileError):
        assert len(read(f"@relation r\n@attribute a string\n@attribute y {{p,q}}\n@data\n{row}\n")["a"].labels) == 1
