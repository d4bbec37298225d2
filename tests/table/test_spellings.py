"""Text that means numbers or dates is read as what it means, in files, frames and blocks alike."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fewest import ID3Classifier, read_table, scan
from fewest.exceptions import ParameterError
from fewest.table import Kind, from_frame
from fewest.table.spellings import Dates, Hints, Numbers, spellings_of

AMERICAN = """id,amount,visits,since,share,balance,y
a,"1,234.56","1,200",01/31/2024,7%,"(1,050.25)",p
b,12.50,950,02/01/2024,12.5%,3.75,q
c,,2,12/24/2023,,0.00,p
"""
GERMAN = """id;amount;visits;since;share;balance;y
a;1.234,56;1.200;31.01.2024;7 %;(1.050,25);p
b;12,50;950;01.02.2024;12,5 %;3,75;q
c;;2;24.12.2023;;0,00;p
"""
EXPECTED = {
    "amount": [1234.56, 12.5, None],
    "visits": [1200, 950, 2],
    "since": [19753, 19754, 19715],
    "share": [7, 12.5, None],
    "balance": [-1050.25, 3.75, 0],
}


@pytest.fixture
def write(tmp_path):
    def written(text, name="data.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def values(table):
    return {column.name: column.to_list() for column in table if column.kind is Kind.NUMERIC}


@pytest.mark.parametrize("text", [AMERICAN, GERMAN], ids=["American", "German"])
def test_the_same_table_in_both_formats(write, text):
    table = read_table(write(text))
    assert values(table) == EXPECTED
    assert {record.column for record in table.understood} == set(EXPECTED)
    assert all(record.is_read for record in table.understood)


@pytest.mark.parametrize("text", [AMERICAN, GERMAN], ids=["American", "German"])
def test_blocks_are_read_alike(write, text):
    scanned = scan(write(text), target="y", batch_bytes=40)
    numeric = {c.name: sorted(c.labels) for c in scanned.store.features if c.kind is Kind.NUMERIC}
    assert numeric == {name: sorted(v for v in own if v is not None) for name, own in EXPECTED.items()}
    assert {record.column for record in scanned.understood} == set(EXPECTED)


def test_frames_of_text_are_read_alike(write):
    frame = pd.read_csv(write(GERMAN), sep=";", dtype=str)
    expected = {name: own for name, own in EXPECTED.items() if name != "visits"}
    assert values(from_frame(frame)) == expected  # 1.200, 950 and 2 are numbers as programs write them


def test_text_of_plain_numbers_in_a_frame_is_text_on_purpose():
    table = from_frame(pa.table({"zip": ["10115", "80331"], "when": ["2024-01-31", "2024-02-01"]}))
    assert [column.kind for column in table] == [Kind.NOMINAL, Kind.NUMERIC]
    assert table["when"].to_list() == [19753, 19754]


@pytest.mark.parametrize(
    ("text", "spelling", "value"),
    [
        ("1,234.56", Numbers(".", ","), 1234.56),
        ("1.234,56", Numbers(",", "."), 1234.56),
        ("1 234,5", Numbers(",", " "), 1234.5),
        ("1'234.5", Numbers(".", "'"), 1234.5),
        ("$7,265.28", Numbers(".", ",", "$"), 7265.28),
        ("-$5", Numbers(".", ",", "$"), -5),
        ("5 EUR", Numbers(",", ".", "EUR"), 5),
        ("7 %", Numbers(percent=True), 7),
        ("1e3", Numbers(), 1000),
        ("(1,234.50)", Numbers(), -1234.5),
        ("007", Numbers(), None),
        ("0,125", Numbers(".", ","), None),
        ("1,23", Numbers(".", ","), None),
        ("12345678901234567890", Numbers(), None),
        ("7%", Numbers(), None),
        ("2024-02-30", Dates("year"), None),
        ("2024-01-31T12:00:00Z", Dates("year"), 19753.5),
        ("2024-01-31 06:00+06:00", Dates("year"), 19753),
        ("31.01.2024 18:00", Dates("day"), 19753.75),
        ("12/24/2023", Dates("month"), 19715),
    ],
)
def test_spellings(text, spelling, value):
    assert spelling.value(text) == value


@pytest.mark.parametrize("text", ["x", "", "1-2", "A12", "10.0.0.1", "v1.2.3", "12:30", "1/2", "%"])
def test_ordinary_text_means_nothing(text):
    assert spellings_of([text], Hints()) == []


def test_the_whole_column_decides_the_order_of_day_and_month(write):
    table = read_table(write("d,e,y\n01/02/2024,01/02/2024,p\n13/02/2024,03/04/2024,q\n"))
    assert [record.is_ambiguous for record in table.understood] == [False, True]
    assert table["d"].to_list() == [19754, 19766]  # the first of February, since there is no thirteenth month
    assert table["e"].to_list() == [19724, 19786]  # the second of January, by convention
    assert "could be read otherwise" in str(table.understood[1])


def test_a_value_that_does_not_fit_is_named(write):
    rows = "\n".join(f'"{k},000.50",p' for k in range(1, 10))
    table = read_table(write(f"amount,y\n{rows}\nunknown,q\n"))
    assert table["amount"].kind is Kind.NOMINAL
    (record,) = table.understood
    assert (record.is_read, record.example, record.row) == (False, "unknown", 9)
    assert "'unknown' in row 9 does not, so it stays text" in str(record)
    assert read_table(write(f"amount,y\n{rows}\nunknown,q\n"), null_values=["unknown"])["amount"].kind is Kind.NUMERIC


def test_codes_and_identifiers_stay_text(write):
    table = read_table(write("zip,key,phone,y\n01067,A-1,555 123 456,p\n10115,B-2,555 987 654,q\n"))
    assert {column.kind for column in table} == {Kind.NOMINAL}
    assert table.understood == ()


def test_the_user_decides(write):
    path = write('x,d,y\n"1,234",2024-01-31,p\n"5,678",2024-02-01,q\n')
    assert read_table(path)["x"].to_list() == [1234, 5678]
    assert read_table(path).understood[0].is_ambiguous
    assert read_table(path, decimal=",")["x"].to_list() == [1.234, 5.678]
    assert read_table(path, thousands=",")["x"].to_list() == [1234, 5678]
    assert read_table(path, kinds={"x": "nominal", "d": "nominal"})["d"].labels == ("2024-01-31", "2024-02-01")
    assert read_table(path, kinds={"d": "date"})["d"].to_list() == [19753, 19754]
    for bad in ({"decimal": "x"}, {"thousands": "x"}, {"decimal": ",", "thousands": ","}):
        with pytest.raises(ParameterError):
            read_table(path, **bad)


def test_a_tree_of_percentages_predicts_its_own_file_in_batches(write):
    rows = "\n".join(f"{k}%,{'low' if k < 50 else 'high'}" for k in range(100))
    path = write(f"share,y\n{rows}\n")
    learner = ID3Classifier().fit(scan(path, target="y"))
    assert (learner.predict(scan(path, drop="y", batch_bytes=50)) == np.array(["low"] * 50 + ["high"] * 50)).all()
