"""From a path, a pattern, the standard input or a frame to a table."""

import gzip
import io
import os
import resource
import sys
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fewest import scan
from fewest.exceptions import FewestError, ParameterError, UnknownColumnError, UnreadableFileError
from fewest.table import delimited
from fewest.table.files import read_table


def rows(table):
    return [tuple(column.value_at(i) for column in table) for i in range(table.n_rows)]


@pytest.fixture
def stdin(monkeypatch):
    def give(content):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    return give


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(UnreadableFileError, match=r"no file .*nowhere\.csv"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(UnreadableFileError, match="no file"):
        read_table(str(tmp_path / "*.csv"))
    with pytest.raises(UnreadableFileError, match="it is a folder"):
        read_table(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"a,b\n", b"a,b", b"\xef\xbb\xbf"])
def test_file_without_rows(tmp_path, content):
    path = tmp_path / "empty.csv"
    path.write_bytes(content)
    with pytest.raises(UnreadableFileError, match="no rows of data"):
        read_table(path)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("data.csv", b"PK\x03\x04rest", "ZIP archive.* only gzip is read. Unpack it, or compress it with gzip"),
        ("data.csv.bz2", b"BZh91AY&SY", "bzip2 file, and of all compressions only gzip"),
        ("data.csv.xz", b"\xfd7zXZ\x00", "xz file, and of all compressions only gzip"),
        ("data.csv", b"PAR1rest", "a Parquet file"),
        ("data.csv", b"\x89PNG\r\n\x1a\n\x00", "a picture"),
        ("data.csv.gz", b"a,b\n1,2\n", "gzip"),
        ("data.csv.gz", gzip.compress(b"a,b\n1,2\n" * 99, mtime=0)[:-12], "gzip"),
        ("data.parquet", b"a,b\n1,2\n", "its name says Parquet"),
        ("data.parquet", b"PAR1 but then nothing of the kind PAR1", "Cannot read"),
        ("data.csv", b"\xff\xfe\x00\x01", "not utf-8 text"),
        ("data.bin", b"\xd0\xcf\x11\xe0\x00", "not utf-8 text"),
    ],
)
def test_content_that_is_not_what_the_name_says(tmp_path, name, content, reason):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableFileError, match=reason):
        read_table(path)


def test_unknown_suffix_is_read_by_content(tmp_path):
    for content in (
        b"a,b\n2,x\n",
        gzip.compress(b"a;b\n2;x\n", mtime=0),
        b"% note\n@RELATION r\n@attribute a real\n@attribute b {x}\n@data\n2,x\n",
    ):
        path = tmp_path / "data.xyz"
        path.write_bytes(content)
        assert rows(read_table(path)) == [(2, "x")]


def test_pattern_reads_files_in_order(tmp_path):
    (tmp_path / "part-2.csv").write_text("b,a\ny,3\n")
    (tmp_path / "part-1.csv").write_text("a,b\n1,x\n2,z\n")
    table = read_table(str(tmp_path / "part-*.csv"))
    assert table.names == ("a", "b")
    assert rows(table) == [(1, "x"), (2, "z"), (3, "y")]


def test_column_that_changes_in_a_later_file(tmp_path):
    (tmp_path / "part-1.csv").write_text("a\n1\n1.0\n")
    (tmp_path / "part-2.csv").write_text("a\nx\n")
    assert rows(read_table(tmp_path / "part-*.csv")) == [("1",), ("1.0",), ("x",)]


def test_pattern_with_different_columns(tmp_path):
    (tmp_path / "part-1.csv").write_text("a,b\n1,x\n")
    (tmp_path / "part-2.csv").write_text("a,c\n1,x\n")
    with pytest.raises(UnreadableFileError, match=r"part-2.csv.*part-1.csv': 'b' is missing, 'c' is extra"):
        read_table(tmp_path / "part-*.csv")


def test_pattern_with_different_types(tmp_path):
    pq.write_table(pa.table({"a": [1, 2]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": ["x"]}), tmp_path / "2.parquet")
    with pytest.raises(UnreadableFileError, match=r"2.parquet.*'a' is nominal instead of numeric"):
        read_table(tmp_path / "*.parquet")


def test_name_with_glob_signs_is_a_name(tmp_path):
    (tmp_path / "a[1].csv").write_text("a\nx\n")
    assert rows(read_table(tmp_path / "a[1].csv")) == [("x",)]


def test_standard_input(stdin):
    stdin(b"a;b\n1;x\n2.5;y\nlate;z\n")
    assert rows(read_table("-", batch_bytes=8)) == [("1", "x"), ("2.5", "y"), ("late", "z")]
    stdin(gzip.compress(b"a,b\n7,x\n"))
    assert rows(read_table("-")) == [(7, "x")]
    stdin(b"@relation r\n@attribute a numeric\n@data\n7\n")
    assert rows(read_table("-")) == [(7,)]
    sink = io.BytesIO()
    pq.write_table(pa.table({"a": [7]}), sink)
    stdin(sink.getvalue())
    assert rows(read_table("-")) == [(7,)]


def test_standard_input_is_named_in_errors(stdin):
    stdin(b"")
    with pytest.raises(UnreadableFileError, match="<stdin>"):
        read_table("-")


@pytest.mark.parametrize("buffer", [None, io.BytesIO()])
def test_standard_input_may_be_closed(monkeypatch, buffer):
    if buffer is not None:
        buffer.close()
    monkeypatch.setattr(sys, "stdin", buffer and SimpleNamespace(buffer=buffer))
    with pytest.raises(UnreadableFileError, match=r"<stdin>.*closed\. Name a file"):
        read_table("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_like_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"a;b\n1;x\n2.5;y\nlate;z\n",))
    writer.start()
    assert rows(read_table(pipe, batch_bytes=8)) == [("1", "x"), ("2.5", "y"), ("late", "z")]
    writer.join()


def test_drop_by_name_and_glob(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("id_1,x,id_2,y\n1,2,3,4\n")
    assert read_table(path, drop="id_*").names == ("x", "y")
    assert rows(read_table(path, drop=["y", "id_1"])) == [(2, 3)]
    with pytest.raises(UnknownColumnError, match="no column 'ids'"):
        read_table(path, drop=["ids"])
    assert read_table(path, drop="*").n_rows == 1


def test_frames_and_tables_pass_through():
    table = read_table(pa.table({"a": [1, 2], "b": ["x", "y"]}))
    assert rows(read_table(table, drop="a")) == [("x",), ("y",)]
    with pytest.raises(ParameterError, match="read already"):
        read_table(table, kinds={"a": "nominal"})
    with pytest.raises(FewestError, match="A dict is neither a path nor a dataframe"):
        read_table({"a": [1]})


def test_batches_need_room(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a\n1\n")
    with pytest.raises(ParameterError, match="batch_bytes=0"):
        read_table(path, batch_bytes=0)


@pytest.mark.parametrize("name", ["long.csv", "long.csv.gz", "long.arff", "long.arff.gz"])
@pytest.mark.parametrize("where", ["first", "later"])
def test_a_line_that_fills_the_memory_is_refused(tmp_path, monkeypatch, name, where):
    monkeypatch.setattr("fewest.table.formats.LONGEST_LINE", 1 << 20)
    begin = {"csv": b"a,y\n1,2\n", "arff": b"@relation r\n@attribute y numeric\n@data\n1\n"}[name.split(".")[1]]
    with (gzip.open if name.endswith(".gz") else open)(tmp_path / name, "wb") as file:
        file.write(b"" if where == "first" else begin)
        file.write(b"0" * (3 << 20))
    for read in (read_table, lambda path: scan(path, target="y", n_jobs=1).store):
        with pytest.raises(UnreadableFileError, match="a line of it is longer than 1 MiB"):
            read(tmp_path / name)


@pytest.mark.parametrize("engine", ["memory", "blocks"])
def test_a_hole_of_gigabytes_in_a_file_takes_no_memory(tmp_path, engine):
    """A file that is longer than memory, and of which hardly anything is on the disk."""
    path = tmp_path / "hole.csv"
    path.write_bytes(b"a,y\n1,2\n")
    with path.open("r+b") as file:
        file.truncate(5 << 30)
    read = read_table if engine == "memory" else lambda path: scan(path, target="y", n_jobs=1).store
    with n_bytes_at_most(1 << 30), pytest.raises(UnreadableFileError, match="a line of it is longer than 64 MiB"):
        read(path)


@contextmanager
def n_bytes_at_most(n_bytes):
    """Let this process have so much more memory than it has, and no more."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_a_quote_that_stays_open_is_found_in_bounded_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "_MOST_BLOCK_BYTES", 1 << 16)
    lines = [b"a,y\n", b"1,p\n", b'2,"q\n', *[b"3,p\n"] * 200_000]
    (tmp_path / "open.csv").write_bytes(b"".join(lines))
    taken = []
    join = delimited._is_open
    monkeypatch.setattr(delimited, "_is_open", lambda record, sign: taken.append(len(record)) or join(record, sign))
    with pytest.raises(UnreadableFileError, match="the row that starts on line 3 and never closed"):
        read_table(tmp_path / "open.csv", batch_bytes=1 << 12)
    assert max(taken) < (1 << 16)  # of 200,000 lines
