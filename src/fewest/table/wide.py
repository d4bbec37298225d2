"""Text of very many columns, cut into cells and parsed for all columns at once.

pyarrow makes an object of every column of every block, which for a hundred thousand columns of a few rows takes
longer than reading them. Here a block is one array of cells, row by row, and a column is every so manieth of them.
Quoted fields are left to pyarrow.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import RawIOBase
from typing import overload

import numpy as np
import pyarrow as pa

from fewest.table.arrow_arrays import from_numpy
from fewest.table.builder import ColumnBuilder, InferringBuilder, NotNumbersError
from fewest.table.column import MISSING

# From so many columns on a file is wide.
WIDE = 1000
# The bytes of so many batches are cut at once: what is done for every column of every block takes longest.
BATCHES = 16
# Cells that are parsed together; where they are not all numbers, the columns that hold the others are left out.
_TOGETHER = 1 << 20


@contextmanager
def many_objects() -> Iterator[None]:
    """Within it, Python does not look for reference cycles: it would go through all columns again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class RaggedBlockError(Exception):
    """Internal signal: some row has more or fewer fields than the header."""


class WideColumns(Sequence[pa.Array]):
    """The columns of a block of cells.

    Parameters
    ----------
    cells : StringArray
        Row by row.
    n_columns : int
        Of the file.
    positions : ndarray of int
        The columns that are wanted.
    """

    def __init__(self, cells: pa.Array, n_columns: int, positions: np.ndarray):
        self.cells, self.n_columns, self.positions = cells, n_columns, positions

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return len(self.cells) // self.n_columns

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, place: int) -> pa.Array: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[pa.Array]: ...

    def __getitem__(self, place: int | slice) -> pa.Array | Sequence[pa.Array]:
        if isinstance(place, slice):
            return WideColumns(self.cells, self.n_columns, self.positions[place])
        return self.together(np.array([place]))

    def together(self, places: np.ndarray) -> pa.Array:
        """Return the cells of some columns, one column after the other."""
        rows = np.arange(self.n_rows) * self.n_columns
        return self.cells.take(from_numpy((self.positions[places][:, None] + rows).ravel()))


def blocks_of_lines(stream: RawIOBase, n_bytes: int) -> Iterator[bytes]:
    """Yield whole lines, of about so many bytes together, with ``\\n`` at the end of each."""
    rest = b""
    while piece := stream.read(n_bytes):
        rest += piece
        end = max(rest.rfind(b"\n"), rest.rfind(b"\r")) + 1
        if end:
            yield _unified(rest[:end])
            rest = rest[end:]
    if rest:
        yield _unified(rest + b"\n")


def _unified(lines: bytes) -> bytes:
    return lines.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in lines else lines


def cut(lines: bytes, delimiter: str, n_columns: int) -> pa.Array:
    """Return the cells of lines without quotes; raise `RaggedBlockError` unless each line has one for every column.

    Empty lines are no rows.
    """
    data = np.frombuffer(lines, dtype=np.uint8)
    is_end = (data == ord(delimiter)) | (data == ord("\n"))
    ends = np.flatnonzero(is_end)
    is_line = data[ends] == ord("\n")
    # An empty line is an end right after that of the line before.
    is_empty = is_line & np.append(True, is_line[:-1]) & (np.diff(ends, prepend=-1) == 1)
    last_of_rows = np.flatnonzero(is_line[~is_empty])
    n_cells = len(ends) - int(is_empty.sum())
    if n_cells % n_columns or not np.array_equal(last_of_rows, np.arange(n_columns - 1, n_cells, n_columns)):
        raise RaggedBlockError
    # Cell k ends where the text without delimiters and line ends does; a block is shorter than 2 GiB.
    offsets = np.zeros(n_cells + 1, dtype=np.int32)
    offsets[1:] = (ends - np.arange(len(ends)))[~is_empty]
    return pa.StringArray.from_buffers(n_cells, pa.py_buffer(offsets), pa.py_buffer(data[~is_end]))


def add_together(builders: Mapping[int, ColumnBuilder], columns: WideColumns) -> None:
    """Add a block to its builders: numbers of all columns at once, what else there is column by column."""
    listed = list(builders.values())
    is_open = np.array([isinstance(each, InferringBuilder) and each.takes_numbers for each in listed], dtype=bool)
    for place in np.flatnonzero(~is_open):
        listed[place].add(columns[int(place)])
    places = np.flatnonzero(is_open)
    step = max(1, _TOGETHER // max(1, columns.n_rows))
    for start in range(0, len(places), step):
        _add_numbers(listed, columns, places[start : start + step])


def _add_numbers(listed: list[ColumnBuilder], columns: WideColumns, places: np.ndarray) -> None:
    """Add columns that may all be numbers; those that are not are added one by one."""
    if len(places) < 2:
        for place in places.tolist():
            listed[place].add(columns[place])
        return
    cells = columns.together(places)
    parser = listed[places[0]].parse
    try:
        floats = parser(cells)
    except NotNumbersError:
        is_number = parser.recognise(cells).reshape(len(places), -1).all(axis=1)
        for place in places[~is_number].tolist():
            listed[place].add(columns[place])
        # What only looks like a number, 007 or 1st, is found by halves.
        parts = np.array_split(places, 2) if is_number.all() else [places[is_number]]
        for part in parts:
            _add_numbers(listed, columns, part)
        return
    rows = floats.reshape(len(places), -1)
    missing = np.isnan(rows)
    is_empty = missing.all(axis=1)
    is_binary = (missing | (rows == 0) | (rows == 1)).all(axis=1)
    codes = np.where(missing[is_binary], MISSING, rows[is_binary]).astype(np.int8)
    for place, own, empty in zip(places[is_binary].tolist(), codes, is_empty[is_binary].tolist(), strict=True):
        listed[place].add_codes(own, is_empty=empty)
    for place, own in zip(places[~is_binary].tolist(), rows[~is_binary], strict=True):
        listed[place].add_numbers(own)
