"""Reading files: from a path, a pattern or the standard input to a table."""

from __future__ import annotations

import glob
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from fewest.exceptions import ParameterError, UnreadableFileError
from fewest.table.arff import ArffReader
from fewest.table.delimited import DelimitedReader
from fewest.table.formats import (
    BATCH_BYTES,
    NULL_SPELLINGS,
    Format,
    Source,
    TextOptions,
    detect,
    explained,
    spool,
)
from fewest.table.frames import from_frame
from fewest.table.parquet import ParquetReader
from fewest.table.reader import Layout, Reader, read_all
from fewest.table.spellings import Hints
from fewest.table.table import Table

__all__ = ["NULL_SPELLINGS", "read_table"]


def read_table(
    source: Any,
    *,
    kinds: Mapping[str, str] | None = None,
    drop: str | Iterable[str] = (),
    null_values: Iterable[str] = NULL_SPELLINGS,
    delimiter: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    decimal: str | None = None,
    thousands: str | None = None,
    batch_bytes: int = BATCH_BYTES,
) -> Table:
    r"""Read a file, several files, the standard input or a dataframe into typed columns.

    A file is read in batches: the memory is that of the encoded columns and a
    few batches, never that of the text.

    Parameters
    ----------
    source : str, Path, dataframe or Table
        A path, a pattern such as ``"data/part-*.csv"`` whose files have the
        same columns, or ``"-"`` for the standard input; a pipe will do as
        well. CSV, TSV, ARFF (each also compressed with gzip) and Parquet are
        known by suffix, and by content where the suffix is unknown.
    kinds : mapping of str to {"boolean", "nominal", "numeric", "date"}, optional
        What columns are, where the values would mislead: ``{"zip": "nominal"}``. Dates become days since 1970-01-01.
    drop : str or iterable of str, default=()
        Columns to leave out, by name or by pattern (``"id_*"``).
    null_values : iterable of str, default=("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL")
        The spellings of a missing value in text files, compared after trimming.
    delimiter : str, optional
        What parts the fields of delimited text; found in the header by default.
    header : bool, default=True
        Whether the first record of delimited text holds the names. Otherwise
        the columns are called ``column_1``, ``column_2`` and so on.
    encoding : str, default="utf-8"
        The encoding of text files.
    decimal : {".", ","}, optional
        The decimal sign of numbers in text; found in the values by default.
    thousands : {",", ".", " ", "'", ""}, optional
        What stands between the thousands of numbers in text; found in the values by default.
    batch_bytes : int, default=2097152
        About how much of a file to hold at once.

    Returns
    -------
    Table
        The columns, encoded once. Its ``understood`` says which columns of text were read as numbers or dates.

    Raises
    ------
    UnreadableFileError
        If there is no such file, it is empty, or it is no table.
    RaggedRowError
        If a row has more or fewer fields than the header; the error names the line.
    ColumnKindError
        If a value is not of the kind that was declared.
    UnknownColumnError
        If ``kinds`` or ``drop`` names a column that is not there.

    See Also
    --------
    fewest.scan : Read rows beyond memory, in blocks.
    fewest.load_model : Read what was learned.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "weather.csv")
    ...     _ = path.write_text("outlook,windy,humidity\nsunny,no,85\nrain,yes,?\n")
    ...     table = read_table(path)
    >>> [(column.name, str(column.kind)) for column in table]
    [('outlook', 'nominal'), ('windy', 'boolean'), ('humidity', 'numeric')]
    >>> table["windy"].labels
    ('no', 'yes')
    """
    if isinstance(source, Table):
        return _typed_already(source, kinds, drop)
    if not isinstance(source, str | Path):
        return from_frame(source, kinds=kinds, drop=drop, decimal=decimal, thousands=thousands)
    options = TextOptions.from_request(null_values, delimiter, header, encoding, batch_bytes)
    hints = Hints.from_request(decimal, thousands)
    with sources_of(source) as sources:
        readers = [open_source(file, options) for file in sources]
        layout = Layout.from_request(readers[0].names, kinds, drop, hints)
        layout.names.warn(readers[0].source)
        return read_all(readers, layout)


def open_source(source: Source, options: TextOptions) -> Reader:
    """Read the header of a file in whatever format it has."""
    found = detect(source)
    if found is Format.PARQUET:
        return ParquetReader(source, options.batch_bytes)
    if found is Format.ARFF:
        return ArffReader(source, options)
    return DelimitedReader(source, options)


@contextmanager
def sources_of(source: str | Path) -> Iterator[list[Source]]:
    """Yield the files that a path, a pattern or ``-`` stands for."""
    if str(source) == "-":
        with _spooled(_open_stdin, "<stdin>") as spooled:
            yield [spooled]
    elif _is_stream(path := Path(source)):
        with _spooled(lambda: path.open("rb"), str(source)) as spooled:
            yield [spooled]
    else:
        yield [Source(Path(name), name) for name in _expand(source)]


def _is_stream(path: Path) -> bool:
    """Return whether a path is a pipe or a device, such as /dev/stdin or what ``<(...)`` stands for."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def _spooled(open_stream: Callable[[], AbstractContextManager[BinaryIO]], shown: str) -> Iterator[Source]:
    """Yield a stream as a file: reading may have to restart, which a pipe cannot."""
    with tempfile.TemporaryDirectory(prefix="fewest-") as folder:
        spooled = Source(Path(folder, "stream"), shown)
        with explained(spooled), open_stream() as stream:
            spool(stream, spooled)
        yield spooled


@contextmanager
def _open_stdin() -> Iterator[BinaryIO]:
    """Yield the standard input, which stays open: it is not ours."""
    if sys.stdin is None or sys.stdin.buffer.closed:  # as in a service, or after <&-
        reason = "the standard input is closed"
        raise UnreadableFileError.from_reason("<stdin>", reason, "Name a file, or pipe the data in.")
    yield sys.stdin.buffer


def _expand(source: str | Path) -> list[str]:
    """Return the path, or the files that it matches as a pattern, sorted."""
    path = Path(source)
    if path.is_dir():
        raise UnreadableFileError.from_reason(source, "it is a folder", f"Name its files: {str(path / '*.csv')!r}.")
    if path.exists():  # a name that happens to hold glob signs is still a name
        return [str(source)]
    found = sorted(name for name in glob.glob(str(source), recursive=True) if Path(name).is_file())
    if not found:
        raise UnreadableFileError.from_missing(source)
    return found


def _typed_already(table: Table, kinds: Mapping[str, str] | None, drop: str | Iterable[str]) -> Table:
    if kinds:
        raise ParameterError(
            "kinds=... declares how to read a source, but a Table has been read already. Pass it to what creates it."
        )
    return table.drop(drop)
