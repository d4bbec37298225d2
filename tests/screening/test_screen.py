"""All findings of one table together: what is said, what is left out, and plain data."""

import json

import numpy as np
import pytest

from fewest.exceptions import ParameterError
from fewest.screening import screen
from fewest.table import Table, from_array, split_target
from fewest.table.files import read_table
from screening.tables import column, features, found, random_classes

RNG = np.random.default_rng(4)
N = 100
A = RNG.normal(size=N)
TABLE = features(key=[f"k{i}" for i in range(N)], a=A, land=["AT"] * N, copy=A, b=RNG.integers(0, 3, N))


def test_what_is_left_out_is_one_sentence_with_the_way_back():
    screening = found(TABLE)
    assert screening.sentences == [
        "Left out: key (names the rows); land (one value only); copy (repeats a). --keep key brings that one back, "
        "--keep-all all of them."
    ]
    assert screening.applied_to(TABLE).names == ("a", "b")


def test_columns_are_kept_if_asked_for():
    screening = found(TABLE, keep=["key"])
    assert screening.left_out == ["land", "copy"]
    assert screening.notes[1] == "Kept all the same: key has a different value in every row."
    assert found(TABLE, keep_all=True).left_out == []
    assert found(TABLE, keep_all=True).applied_to(TABLE) is TABLE


def test_when_nothing_would_be_left_there_is_an_error():
    table = TABLE.drop(["a", "copy", "b"])
    with pytest.raises(ParameterError, match=r"No column is left to predict class with. Left out: key .* --keep-all"):
        found(table).applied_to(table)


def test_plain_data_is_json():
    data = found(TABLE).to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["left_out"] == ["key", "land", "copy"]
    assert data["findings"][2] == {
        "kind": "copy",
        "column": "copy",
        "fact": "repeats a",
        "of": "a",
        "is_left_out": True,
    }


def test_many_columns_are_counted_not_listed():
    table = features(**{f"c{j}": [1] * 30 for j in range(50)}, a=range(0, 60, 2))
    (sentence,) = found(table, keep=["a"]).notes[:1]
    assert "c7 and 42 more (one value only)" in sentence


def test_names_are_quoted_as_on_a_command_line():
    table = Table((column("Größe (cm)", [180] * 30), column("a", list(RNG.normal(size=30)))), 30)
    assert "--keep 'Größe (cm)' brings it back" in found(table).notes[0]


@pytest.mark.parametrize("n_rows", [1, 2, 5])
def test_tiny_tables_are_left_alone(n_rows):
    values = RNG.normal(size=(n_rows, 4))
    table = features(**{f"x{j}": values[:, j] for j in range(4)})
    assert screen(table, random_classes(n_rows)).findings == ()


def test_a_table_without_columns():
    assert screen(Table((), 10), random_classes(10)).findings == ()


def test_all_missing():
    table = features(a=[None] * 10, b=[None] * 10)
    assert found(table).left_out == ["a", "b"]


def test_what_the_reader_understood_is_said(tmp_path):
    path = tmp_path / "calls.csv"
    lines = [f"2024-03-{i % 28 + 1:02},{i % 7}%,{'ab'[i * i % 5 % 2]}" for i in range(40)]
    path.write_text("\n".join(["day,share,class", *lines]) + "\n")
    screening = screen(*split_target(read_table(path), "class"))
    assert [note.partition(":")[0] for note in screening.notes] == [
        "Column 'day' was read as dates (year, month, day), as days since 1970-01-01",
        "Column 'share' was read as percentages",
    ]


def test_free_text_names_no_rows():
    told = [f"The customer no {i} called and said that it was late" for i in range(60)]
    table = from_array([[text, i % 3, i % 2] for i, text in enumerate(told)], ["comment", "a", "class"])
    assert screen(*split_target(table, "class")).notes[0].startswith("Left out: comment (free text).")
