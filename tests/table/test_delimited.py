"""Delimited text: quoting, names, line numbers, encodings."""

import gzip
import sys
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.exceptions import (
    AmbiguousColumnError,
    ColumnNameWarning,
    ParameterError,
    RaggedRowError,
    UnreadableFileError,
)
from fewest.table import delimited, text_columns
from fewest.table.column import Kind
from fewest.table.files import read_table


@pytest.fixture
def write(tmp_path):
    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def values(table, name):
    return [table[name].value_at(row) for row in range(table.n_rows)]


def same(left, right):
    assert left.names == right.names
    assert left.n_rows == right.n_rows
    for a, b in zip(left, right, strict=True):
        assert (a.kind, a.labels, a.values.dtype) == (b.kind, b.labels, b.values.dtype)
        np.testing.assert_array_equal(a.values, b.values)
    return True


def test_quoted_fields_keep_commas_newlines_and_doubled_quotes(write):
    table = read_table(write('a,b\n"x, y","line 1\nline 2"\nz,"say ""hi"""\n'))
    assert values(table, "a") == ["x, y", "z"]
    assert values(table, "b") == ["line 1\nline 2", 'say "hi"']


def test_byte_order_mark_and_crlf_are_not_data(write):
    table = read_table(write(b"\xef\xbb\xbfa,b\r\n1.5,x\r\n2,y\r\n"))
    assert table.names == ("a", "b")
    assert values(table, "a") == [1.5, 2]
    assert values(table, "b") == ["x", "y"]


def test_header_may_be_quoted_with_commas_and_newlines(write):
    table = read_table(write('"a, b","c\nd", e \n1,2,3\n'))
    assert table.names == ("a, b", "c\nd", "e")
    assert values(table, "e") == [3]


def test_only_line_ends_end_the_header(write):
    assert read_table(write("a\u2028b,c\x0bd\n1,2\n")).names == ("a\u2028b", "c\x0bd")


def test_empty_and_repeated_names_are_made_with_one_warning(write):
    with pytest.warns(ColumnNameWarning) as warned:
        table = read_table(write("a,,a,a.2,column_2,\n1,2,3,4,5,6\n"))
    assert len(warned) == 1
    assert "column 3 is now 'a.3'" in str(warned[0].message)
    assert table.names == ("a.1", "column_2.1", "a.3", "a.2", "column_2", "column_6")
    assert table.ambiguous == (("a", ("a.1", "a.3")),)
    with pytest.raises(AmbiguousColumnError, match="columns 1 and 3"):
        table["a"]


@pytest.mark.parametrize(("row", "found"), [("1", "1 field"), ("1,2,3", "3 fields")])
def test_ragged_row_names_its_physical_line(write, row, found):
    path = write(f'a,b\n\n"x\ny",2\r\n{row}\n5,6\n')
    with pytest.raises(RaggedRowError, match=f"line 5: {found} where the header has 2"):
        read_table(path)


def test_ragged_row_in_a_later_block(write):
    path = write("a,b\n" + "1,2\n" * 5000 + "1\n")
    with pytest.raises(RaggedRowError, match="line 5002: 1 field "):
        read_table(path, batch_bytes=256)


@pytest.mark.parametrize(
    ("text", "delimiter"), [("a;b,c\n1;2\n", None), ("a\tb,c\n1\t2\n", "tab"), ("a:b,c\n1:2\n", ":")]
)
def test_delimiter_is_found_in_the_header_or_given(write, text, delimiter):
    if delimiter is None:
        text = text.replace("b,c", '"b,c,d"')
    table = read_table(write(text), delimiter=delimiter)
    assert len(table.names) == 2
    assert values(table, "a") == ["1"]


def test_semicolons_and_bars(write):
    assert read_table(write("a;b\n1,5;x\n2,5;y\n")).names == ("a", "b")
    assert values(read_table(write("a|b\n2|x\n3|y\n")), "a") == [2, 3]


def test_tsv_takes_tabs_even_if_commas_abound(write):
    table = read_table(write("a,b,c\td\nx,y\t2\n", "data.tsv"))
    assert table.names == ("a,b,c", "d")
    assert values(table, "d") == [2]


def test_single_column(write):
    assert values(read_table(write("a\nx\n\ny\n")), "a") == ["x", "y"]


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "é", "\x03", "\x1f", "\n", "\x7f"])
def test_impossible_delimiter(write, delimiter):
    with pytest.raises(ParameterError, match="delimiter="):
        read_table(write("a,b\n1,2\n"), delimiter=delimiter)


def test_without_header_the_columns_are_numbered(write):
    table = read_table(write('"x\ny",2\nz,3\n'), header=False)
    assert table.names == ("column_1", "column_2")
    assert values(table, "column_1") == ["x\ny", "z"]
    assert values(table, "column_2") == [2, 3]


def test_undecodable_bytes_name_the_line_and_the_remedy(write):
    path = write("a,b\n1,x\n2,caf\u00e9\n".encode("latin-1"))
    with pytest.raises(UnreadableFileError, match=r"line 3 is not utf-8 text.*--encoding latin-1"):
        read_table(path)
    assert values(read_table(path, encoding="latin-1"), "b") == ["x", "café"]


def test_undecodable_header(write):
    with pytest.raises(UnreadableFileError, match="line 1 is not utf-8"):
        read_table(write("\u00e9,b\n1,2\n".encode("latin-1")))


def test_utf_16_is_read_and_an_unknown_encoding_is_refused(write):
    path = write("a,b\n1.5,ü\n".encode("utf-16"))
    assert values(read_table(path, encoding="utf-16"), "b") == ["ü"]
    with pytest.raises(ParameterError, match="encoding='latin-7000'"):
        read_table(path, encoding="latin-7000")


def test_a_letter_may_be_a_delimiter(write):
    assert values(read_table(write("aeb\n5e6\n"), delimiter="e"), "b") == [6]


@pytest.mark.parametrize("encoding", ["rot13", "base64", "undefined", "a\0b", ""])
def test_what_is_no_encoding_of_text_is_refused(write, encoding):
    with pytest.raises(ParameterError, match=r"encoding=.* Choose one of 'utf-8'"):
        read_table(write("a,b\n1,2\n"), encoding=encoding)


@pytest.mark.parametrize(
    ("content", "encoding", "message"),
    [
        ("a,ü\n1,2\n".encode("utf-16-le"), "utf-16", r"no byte order mark.*--encoding utf-16-le, or utf-16-be"),
        ("a,ü\n1,2\n".encode("utf-16"), "utf-8", r"line 1 is not utf-8 text.*--encoding utf-16\)"),
        ("a,ü\n1,2\n".encode("utf-32"), "utf-8", r"line 1 is not utf-8 text.*--encoding utf-32\)"),
        ("a,ü\n1,2\n".encode("utf-16") + b"3", "utf-16", r"it is not utf-16 text.*cut short"),
        (b"a,b\n1,\xff\n", "punycode", "not punycode text"),
        ("a,b\n1,2\n".encode("utf-16-le"), "utf-8", "not text. Name its encoding, such as utf-16-le"),
    ],
)
def test_a_wrong_encoding_is_explained(write, content, encoding, message):
    with pytest.raises(UnreadableFileError, match=message):
        read_table(write(content), encoding=encoding)


@pytest.mark.parametrize(
    ("written", "named"),
    [("utf-16", "utf-16"), ("utf-16", "utf-16-le"), ("utf-32", "utf-32-le"), ("utf-8-sig", "UTF8")],
)
def test_a_byte_order_mark_is_no_part_of_a_name(write, written, named):
    if written != "utf-8-sig" and sys.byteorder != "little":
        pytest.skip("the mark is that of this machine")
    assert read_table(write("a,b\n1,ü\n".encode(written)), encoding=named).names == ("a", "b")


@pytest.mark.parametrize("text", ['a,b\n1,2\n3,"4\n5,6\n', 'a,b\n1,2\n"3,4\n5,6\n', 'a,b\n1,2\n3,"4'])
def test_open_quote_names_the_line(write, text):
    with pytest.raises(UnreadableFileError, match="starts on line 3 and never closed"):
        read_table(write(text))


def test_open_quote_in_the_header(write):
    with pytest.raises(UnreadableFileError, match="first line is never closed"):
        read_table(write('a,"b\n1,2\n'))


@pytest.mark.parametrize("line", ["1,2\n", ',""x\n', '""\n'])
def test_open_quote_in_the_header_of_a_long_file_is_found_in_one_pass(write, line, monkeypatch):
    text, look, looked_at = 'a,"b\n' + line * 100_000, delimited._has_open_quote, []

    def counted(record, delimiters):
        looked_at.append(len(record))
        return look(record, delimiters)

    monkeypatch.setattr(delimited, "_has_open_quote", counted)
    with pytest.raises(UnreadableFileError, match="first line is never closed"):
        read_table(write(text))
    assert sum(looked_at) < 2 * len(text)


def test_a_header_without_end_is_given_up(write, monkeypatch):
    monkeypatch.setattr(delimited, "_MOST_HEADER_CHARACTERS", 100)
    with pytest.raises(UnreadableFileError, match=r"first line stays open for \d+ characters\. Close it"):
        read_table(write('a,"b\n' + "1,2\n" * 50 + '"\n'))


@pytest.mark.parametrize("name", ["b\n\nc", 'b\n"c"\nd', 'b"\n', '\n"', 'b\n,"c,"\n'])
def test_quoted_names_over_several_lines(write, name):
    quoted = name.replace('"', '""')
    table = read_table(write(f'a,"{quoted}"\n1,2\n'))
    assert table.names == ("a", name.strip())
    assert values(table, "a") == ["1"]


def test_many_columns_are_read(write):
    names, row = [f"x{i}" for i in range(5000)], ",".join(["0", "1"] * 2500)
    table = read_table(write("\n".join([",".join(names), *[row] * 100])))
    assert (table.n_rows, table.names) == (100, tuple(names))
    assert values(table, "x4999") == ["1"] * 100


def test_quotes_inside_a_field_are_signs(write):
    table = read_table(write('a,5" disk\n1.5,x"y\n2,z\n'))
    assert table.names == ("a", '5" disk')
    assert values(table, '5" disk') == ['x"y', "z"]


def test_nul_bytes_are_values_but_no_names(write):
    assert values(read_table(write(b"a,b\n1,x\x00y\n2,z\n")), "b") == ["x\x00y", "z"]
    with pytest.raises(UnreadableFileError, match="not text"):
        read_table(write(b"a\x00,b\n1,2\n"))


def test_field_longer_than_a_block(write):
    long = "x\n" * 5000
    table = read_table(write(f'a,b\n1,y\n2,"{long}"\n3,z\n'), batch_bytes=64)
    assert values(table, "a") == [1, 2, 3]
    assert values(table, "b") == ["y", long.strip(), "z"]


def test_field_longer_than_pythons_own_limit_does_not_hide_the_fault(write):
    with pytest.raises(RaggedRowError, match="line 3"):
        read_table(write("a,b\n1," + "x" * 200_000 + "\n1,2,3\n"))


def test_unicode_in_names_values_and_path(write):
    table = read_table(write("größe,色\n1.5,赤\n2,青\n", "größe 色.csv"))
    assert table.names == ("größe", "色")
    assert values(table, "色") == ["赤", "青"]


def test_compressed(write):
    assert values(read_table(write(gzip.compress(b"a\tb\n1.5\tx\n"), "data.TSV.GZ")), "b") == ["x"]


def test_one_row(write):
    table = read_table(write("a,b,c\n5,x,1"))
    assert table.n_rows == 1
    assert [column.kind for column in table] == [Kind.NUMERIC, Kind.NOMINAL, Kind.BOOLEAN]
    assert [column.value_at(0) for column in table] == [5, "x", "1"]


FIELDS = st.one_of(
    st.sampled_from(["", "?", "0", "1", "007", "1.5", "-2", "yes", "No", "NA", " x ", "1e3", "9007199254740993"]),
    st.text(alphabet='ab",\n\r é', max_size=30),
)


@settings(deadline=None, max_examples=60)
@given(rows=st.lists(st.tuples(FIELDS, FIELDS, FIELDS), min_size=1, max_size=25), batch_bytes=st.integers(1, 80))
def test_batches_do_not_matter(tmp_path_factory, rows, batch_bytes):
    path = tmp_path_factory.mktemp("batches") / "data.csv"
    lines = [",".join('"' + field.replace('"', '""') + '"' for field in row) for row in rows]
    path.write_bytes("\n".join(["a,b,c", *lines]).encode())
    whole = read_table(path)
    assert whole.n_rows == len(rows)
    with mock.patch.object(delimited, "_MOST_BLOCKS", 1):  # else small blocks are put together again
        assert same(read_table(path, batch_bytes=batch_bytes), whole)


def test_few_rows_are_parsed_as_many_are(write, monkeypatch):
    path = write("a,b,c,d,e\n1, 2.5,x,007,\n?,-1e3,2,1,NA\n3,0.1,,2,nan\n")
    few = read_table(path)
    monkeypatch.setattr(text_columns, "_FEW_ROWS", 0)
    many = read_table(path)
    assert [(c.kind, c.labels, c.to_list()) for c in few] == [(c.kind, c.labels, c.to_list()) for c in many]
    assert few["a"].to_list() == [1, None, 3]
