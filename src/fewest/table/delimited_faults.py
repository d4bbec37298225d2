"""What is wrong with a delimited file: a second look, by Python's own reader, that knows the line.

Nothing here runs unless reading has failed.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from fewest.exceptions import FewestError, RaggedRowError, UnreadableFileError
from fewest.table.formats import Source


def find_fault(source: Source, lines: Iterable[str], delimiter: str, n_fields: int, reason: str) -> FewestError:
    """Return the error about the first record that does not fit.

    Parameters
    ----------
    source : Source
    lines : iterable of str
        The file from its beginning, line ends included.
    delimiter : str
    n_fields : int
        What each record should have.
    reason : str
        What to say when no record is at fault.
    """
    for start, fields, record in _records(lines, delimiter):
        if _is_open(record, delimiter):
            return UnreadableFileError.from_reason(
                source,
                f"a quote is opened in the row that starts on line {start} and never closed",
                'Close it, or double it ("") inside a quoted field to mean the sign itself.',
            )
        if len(fields) != n_fields:
            return RaggedRowError.from_line(source, start, n_fields, len(fields))
    return UnreadableFileError.from_reason(source, reason)


def _records(lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str], list[str]]]:
    """Yield the physical line each record starts on, its fields and its lines; skip blank lines."""
    taken: list[str] = []

    def taking() -> Iterator[str]:
        for line in lines:
            taken.append(line)
            yield line

    with _fields_of_any_length():
        reader = csv.reader(taking(), delimiter=delimiter)
        for fields in reader:
            if fields:
                yield reader.line_num - len(taken) + 1, fields, taken
            taken.clear()


def _is_open(record: list[str], delimiter: str) -> bool:
    """Tell whether a record ends inside quotes: only a strict reader minds."""
    try:
        list(csv.reader(record, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


@contextmanager
def _fields_of_any_length() -> Iterator[None]:
    """Lift the limit of Python's reader, which is global, for as long as the look takes."""
    limit = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(limit)
