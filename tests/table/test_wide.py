"""Files of very many columns are read as narrow ones are, only at once."""

import gc

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fewest import read_table
from fewest.exceptions import FewestError
from fewest.table import delimited, reader
from fewest.table.wide import WIDE, RaggedBlockError, WideColumns, cut

CELLS = ["0", "1", "-2.5", " 3 ", "1e3", "inf", "", "?", "NA", "007", "0.1000000000000000055511151231257827", "1,5"]
CELLS += [
    "12345678901234567891",
    "yes",
    "no",
    "1st",
    "nan",
    "x y",
    "+",
    '"a"',
    '"b;c"',
    'it"s',
    "é",
    "2024-05-01",
    "1.234",
]
LINE_ENDS = ["\n", "\r\n", "\r", "\n\n"]


@st.composite
def files(draw):
    """The text of a file: columns each of which has values of its own, in which rows may be too long or too short."""
    n_columns, n_rows = draw(st.integers(2, 5)), draw(st.integers(0, 6))
    own = [draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=3)) for _ in range(n_columns)]
    rows = [[draw(st.sampled_from(cells)) for cells in own] for _ in range(n_rows)]
    if draw(st.integers(0, 9)) == 0 and rows:
        rows[draw(st.integers(0, n_rows - 1))].append("more")
    end = draw(st.sampled_from(LINE_ENDS))
    text = end.join(";".join(row) for row in [[f"c{j}" for j in range(n_columns)], *rows])
    return text + draw(st.sampled_from(["", end]))


def read(path, **options):
    """Return all that a table holds, or the error that reading ends in."""
    try:
        table = read_table(path, delimiter=";", **options)
    except FewestError as error:
        return type(error), str(error)
    columns = [(c.name, c.kind, c.values.dtype, c.values.tobytes(), c.labels) for c in table]
    return columns, table.n_rows, table.understood


@given(files(), st.sampled_from([1, 7, 1 << 20]), st.sampled_from([{}, {"drop": "c0"}, {"kinds": {"c1": "nominal"}}]))
@example("c0;c1\n1;2\n" + '3;"4"\n5;6\n', 7, {})  # a quote after rows that were read at once
@example("c0;c1\n1;2\nx;3\n", 7, {})  # a word after numbers
@example("c0;c1\n0;1\n1;5\n", 7, {})  # another number after zeros and ones
@example("c0;c1\n;\n7;1\n", 7, {})  # numbers after nothing
def test_many_columns_are_read_as_few_are(tmp_path_factory, text, n_bytes, options):
    path = tmp_path_factory.mktemp("wide") / "data.csv"
    path.write_text(text, encoding="utf-8", newline="")
    expected = read(path, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "WIDE", 2)
        patch.setattr(delimited, "BATCHES", 1)
        assert read(path, batch_bytes=n_bytes, **options) == expected


def test_columns_can_be_written_to(tmp_path, monkeypatch):
    (tmp_path / "data.csv").write_text("a,b,c\n1.5,0,x\n2.5,1,y\n")
    for wide in (2, 1000):
        monkeypatch.setattr(delimited, "WIDE", wide)
        assert all(column.values.flags.writeable for column in read_table(tmp_path / "data.csv"))


def test_cells_are_cut_and_gathered_by_columns():
    cells = cut("a,é,\n\n,b,c\n".encode(), ",", 3)
    assert cells.to_pylist() == ["a", "é", "", "", "b", "c"]
    columns = WideColumns(cells, 3, np.array([2, 0]))
    assert [column.to_pylist() for column in columns] == [["", "c"], ["a", ""]]
    assert columns.together(np.array([1, 0])).to_pylist() == ["a", "", "", "c"]
    assert len(cut(b"\n\n", ",", 3)) == 0
    assert cells.type == pa.string()


@pytest.mark.parametrize("lines", [b"a,b\n", b"a,b,c,d\n", b"a,b\nc,d,e,f\n", b"a,b,c\nd\n"])
def test_rows_of_other_lengths_are_refused(lines):
    with pytest.raises(RaggedBlockError):
        cut(lines, ",", 3)


def test_the_garbage_collector_rests_while_very_many_columns_are_read(tmp_path, monkeypatch):
    seen = []
    before = reader._read_all
    monkeypatch.setattr(reader, "_read_all", lambda *given: seen.append(gc.isenabled()) or before(*given))
    for n_columns in (3, WIDE):
        (tmp_path / "t.csv").write_text(",".join(f"x{j}" for j in range(n_columns)) + "\n" + ",".join("1" * n_columns))
        assert len(read_table(tmp_path / "t.csv").columns) == n_columns
    assert seen == [True, False]
    assert gc.isenabled()
