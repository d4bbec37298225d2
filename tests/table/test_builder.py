"""Kinds of columns: what text, types and declarations make of values."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.exceptions import ColumnKindError, ParameterError, UnknownColumnError
from fewest.table import delimited
from fewest.table.column import Kind
from fewest.table.files import read_table
from fewest.table.text_columns import survives


@pytest.fixture
def column(tmp_path, monkeypatch):
    """Read a column of the given fields from a file."""
    monkeypatch.setattr(delimited, "_MOST_BLOCKS", 1)  # else small blocks are put together again

    def column(*fields, batch_bytes=1 << 20, **options):
        path = tmp_path / "column.csv"
        path.write_text("\n".join(["row,x", *(f"r,{field}" for field in fields)]), newline="")
        return read_table(path, batch_bytes=batch_bytes, **options)["x"]

    return column


LONG = [
    "0.1000000000000000055511151231257827",  # the float 0.1 in full
    "0.30000000000000004",
    f"{0.123456789:.18e}",  # as numpy.savetxt writes
    "2.50000000000000000000000",
    "0.00000000000000000012",
    "1e22",
    "5e-324",
    "4.9406564584124654e-324",
    "0.0000000000000000",
    "1.7976931348623157e308",
]


@pytest.mark.parametrize(
    "spelling", ["3", "-0.5", "+2", ".5", "5.", "1e3", "2E-3", "0e1", "inf", "-Infinity", "9007199254740992", *LONG]
)
def test_numeric_values(column, spelling):
    found = column("2", spelling, " 4 ")
    assert found.kind is Kind.NUMERIC
    assert found.values.tolist() == [2.0, float(spelling), 4.0]


@pytest.mark.parametrize(
    "spelling",
    [
        "007",
        "-01",
        "+01",
        "00",
        "01.5",
        "0x10",
        "1_000",
        "1,5e",
        "1.2.3",
        "e5",
        "-",
        "9007199254740993",
        "-99999999999999999999",
        "9007199254740993.0",
        "123456789012345678.1",
        "0.12345678901234567891",
        "0.30000000000000001",
        "1e400",
        "-2E400",
        "1e-400",
        "3e-324",
    ],
)
def test_labels_made_of_digits(column, spelling):
    found = column("2", f'"{spelling}"', "2.0")
    assert found.kind is Kind.NOMINAL
    assert found.labels == tuple(sorted(["2", spelling, "2.0"]))


@pytest.mark.parametrize(
    ("number", "neighbour"),
    [
        ("9007199254740993", "9007199254740992"),
        ("123456789012345678.1", "123456789012345678.2"),
        ("0.12345678901234567891", "0.12345678901234567892"),
        ("1e400", "2e400"),
        ("1e400", "inf"),
        ("1e-400", "0"),
    ],
)
def test_neighbouring_numbers_stay_distinct(column, number, neighbour):
    assert len(set(column(number, neighbour).values.tolist())) == 2


@given(st.floats(allow_nan=False).filter(lambda number: abs(number) < 2**53), st.integers(16, 40))
def test_what_programs_write_for_a_float_is_numeric(number, n_digits):
    assert survives(repr(number))
    assert survives(f"{number:.{n_digits}e}")
    assert survives(f"{number:.{n_digits}f}" if abs(number) > 1e-3 else "0")


@given(st.decimals(allow_nan=False, allow_infinity=False), st.decimals(-5, 5, allow_nan=False, places=60))
def test_different_numbers_that_survive_have_different_floats(number, change):
    texts = [f"{number:.20e}", f"{number + number * change.scaleb(-17):.20e}"]
    if Decimal(texts[0]) != Decimal(texts[1]) and all(map(survives, texts)):
        assert float(texts[0]) != float(texts[1])


def test_a_number_that_spells_a_missing_value(column):
    np.testing.assert_array_equal(column("1.5", "-999", "2", null_values=["-999"]).values, [1.5, np.nan, 2])


def test_zeros_and_ones_are_boolean(column):
    found = column("1", "0", "?", "1")
    assert (found.kind, found.labels) == (Kind.BOOLEAN, ("0", "1"))
    assert found.values.tolist() == [1, 0, -1, 1]
    assert found.values.dtype == np.int8


@pytest.mark.parametrize(
    ("fields", "labels"),
    [
        (("yes", "no"), ("no", "yes")),
        (("True", "False"), ("False", "True")),
        (("T", "F"), ("F", "T")),
        (("y", "N"), ("N", "y")),
        (("TRUE", "TRUE"), ("FALSE", "TRUE")),
        (("No", "No"), ("No", "Yes")),
    ],
)
def test_opposites_are_boolean_in_the_users_spelling(column, fields, labels):
    found = column(*fields, "")
    assert (found.kind, found.labels) == (Kind.BOOLEAN, labels)
    assert [found.value_at(i) for i in range(3)] == [*fields, None]


@pytest.mark.parametrize("fields", [("yes", "Yes"), ("yes", "true"), ("yes", "no", "maybe")])
def test_near_opposites_are_nominal(column, fields):
    found = column(*fields)
    assert (found.kind, found.labels) == (Kind.NOMINAL, tuple(sorted(fields)))


def test_labels_are_sorted_whatever_the_order_of_rows(column):
    found = column("pear", "apple", "pear", "fig")
    assert found.labels == ("apple", "fig", "pear")
    assert found.values.tolist() == [2, 0, 2, 1]


def test_missing_spellings(column):
    found = column("?", "NA", "", "N/A", "n/a", "NaN", "nan", "null", "NULL", " ? ", "2", '"3"')
    assert found.kind is Kind.NUMERIC
    assert found.n_missing == 10
    assert found.values[-2:].tolist() == [2, 3]


def test_custom_missing_spellings(column):
    found = column("-999", "2", " -999 ", "3", null_values=["-999"])
    assert found.kind is Kind.NUMERIC
    assert [found.value_at(i) for i in range(4)] == [None, 2, None, 3]
    assert column("nan", "2", null_values=[""]).labels == ("2", "nan")


def test_constant_columns_keep_their_kind(column):
    assert column("5", "5").values.tolist() == [5, 5]
    assert column("red", "red").labels == ("red",)
    assert column("0", "0").labels == ("0", "1")


def test_all_missing_is_nominal_without_labels(column):
    found = column("?", "", "NA")
    assert (found.kind, found.labels, found.values.tolist()) == (Kind.NOMINAL, (), [-1, -1, -1])


@pytest.mark.parametrize("batch_bytes", [8, 1 << 20])
def test_missing_first_then_text(column, batch_bytes):
    found = column("?", "?", "?", "b", "?", "a", batch_bytes=batch_bytes)
    assert [found.value_at(i) for i in range(6)] == [None, None, None, "b", None, "a"]


def test_text_after_a_million_numbers(tmp_path):
    path = tmp_path / "late.csv"
    n = 1_000_000
    path.write_text("steady,late\n" + "2,1\n2,1.0\n2,1e0\n" + "2,5\n" * (n - 3) + "3,abc\n")
    table = read_table(path)
    late = table["late"]
    assert table.n_rows == n + 1
    assert (late.kind, late.labels) == (Kind.NOMINAL, ("1", "1.0", "1e0", "5", "abc"))
    assert late.values[:4].tolist() == [0, 1, 2, 3]
    assert np.bincount(late.values).tolist() == [1, 1, 1, n - 3, 1]
    assert table["steady"].kind is Kind.NUMERIC
    assert table["steady"].values.sum() == 2 * n + 3


@pytest.mark.parametrize("batch_bytes", [16, 64, 1 << 20])
def test_text_after_numbers_in_another_batch(column, batch_bytes):
    fields = ["1", "1.0", "1e0", "?"] * 20 + ["abc"]
    found = column(*fields, batch_bytes=batch_bytes)
    assert found.labels == ("1", "1.0", "1e0", "abc")
    assert [found.value_at(i) for i in range(81)] == [None if field == "?" else field for field in fields]


@pytest.mark.parametrize("batch_bytes", [16, 1 << 20])
def test_numbers_after_zeros_and_ones_and_gaps(column, batch_bytes):
    found = column(*["0", "1", "?"] * 20, "2.5", batch_bytes=batch_bytes)
    assert found.kind is Kind.NUMERIC
    np.testing.assert_array_equal(found.values, [0, 1, np.nan] * 20 + [2.5])


def test_many_labels_widen_the_codes(column):
    fields = [f"v{i:04}" for i in range(1000)]
    found = column(*fields, batch_bytes=512)
    assert found.values.dtype == np.int16
    assert [found.value_at(i) for i in range(1000)] == fields


def test_declared_kinds_override(column):
    assert column("007", "1.0", "1", kinds={"x": "nominal"}).labels == ("007", "1", "1.0")
    numeric = column("007", "1", "0", kinds={"x": Kind.NUMERIC})
    assert (numeric.kind, numeric.values.tolist()) == (Kind.NUMERIC, [7, 1, 0])
    bits = column("1", "0", "?", kinds={"x": "numeric"})
    assert bits.kind is Kind.NUMERIC
    np.testing.assert_array_equal(bits.values, [1, 0, np.nan])
    declared = column("sick", "healthy", "?", kinds={"x": "boolean"})
    assert (declared.kind, declared.labels, declared.values.tolist()) == (Kind.BOOLEAN, ("healthy", "sick"), [1, 0, -1])


@pytest.mark.parametrize("batch_bytes", [8, 1 << 20])
def test_declared_numeric_names_the_first_misfit(column, batch_bytes):
    with pytest.raises(ColumnKindError, match="'x' was declared numeric, but row 2 holds 'abc'"):
        column("1", "?", " abc", "d", kinds={"x": "numeric"}, batch_bytes=batch_bytes)


@pytest.mark.parametrize("batch_bytes", [8, 1 << 20])
def test_declared_boolean_refuses_a_third_value(column, batch_bytes):
    with pytest.raises(ColumnKindError, match="'x' was declared boolean, but row 3 holds 'c'"):
        column("a", "b", "a", "c", "d", kinds={"x": "boolean"}, batch_bytes=batch_bytes)


def test_declarations_must_make_sense(column):
    with pytest.raises(UnknownColumnError, match=r"no column 'rwo'\. Did you mean 'row'"):
        column("1", kinds={"rwo": "numeric"})
    with pytest.raises(ParameterError, match=r"kinds\['x'\]='integer' is not known.*'boolean', 'nominal', 'numeric'"):
        column("1", kinds={"x": "integer"})
