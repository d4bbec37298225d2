"""Lines of a stream, NDJSON or CSV, as labels and the names of the features that are true."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from fewest.exceptions import StreamError, quoted
from fewest.table.delimited import obvious_delimiter
from fewest.table.reader import Names

MISSING = frozenset(("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL"))
TRUE, FALSE = frozenset(("1", "true", "True", "TRUE")), frozenset(("0", "false", "False", "FALSE"))


class Example(NamedTuple):
    """One line of a stream."""

    active: list[str]  # the features that are true
    label: str | None  # None where the line has none


class JsonLines:
    """One JSON object a line: ``true`` and 1 are features, and so is every text, as ``colour=red``."""

    header: str | None = None

    def __init__(self, target: str) -> None:
        self.target = target

    def parse(self, text: str) -> Example:
        """Read one line; raise `StreamError` if nothing can be learned from it."""
        try:
            record = json.loads(text)
        except ValueError as error:
            raise StreamError(f"this is no JSON ({error})") from None
        if not isinstance(record, dict):
            raise StreamError("this is no JSON object")
        label = record.pop(self.target, None)
        active = [name for key, value in record.items() for name in _features(key, value)]
        return Example(active, _label(label))


def _features(key: str, value: Any) -> Iterable[str]:
    if value is True or value == 1:
        return (key,)
    if value is None or value is False or value == 0:
        return ()
    if isinstance(value, str):
        return (f"{key}={value}",)
    if isinstance(value, list):
        return [f"{key}={item}" for item in value if isinstance(item, str | int)]
    raise _not_boolean(key, value)


def _label(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, bool | int):
        return json.dumps(value)
    raise StreamError(f"the label {value!r} is no class")


class CsvLines:
    """One record a line under a header: 1 and true are features, and so is every nominal value, as ``colour=red``."""

    def __init__(self, target: str, header: str, delimiter: str | None = None) -> None:
        self.target, self.header = target, header
        self.delimiter = delimiter or obvious_delimiter(header)
        names = Names.from_written(self._fields(header))
        names.warn("The stream")
        self.names = names.unique
        if any(target == shared for shared, _ in names.ambiguous):
            raise StreamError(f"The header names the target {target!r} more than once. Rename the other columns.")
        if target not in self.names and self.names:
            raise StreamError(
                f"The stream has no column {target!r}: its header names {quoted(self.names, 12)}. Name the column with "
                "the classes with --target, or the delimiter with --delimiter."
            )

    def parse(self, text: str) -> Example:
        """Read one line; raise `StreamError` if nothing can be learned from it."""
        fields = self._fields(text)
        if len(fields) != len(self.names):
            raise StreamError(f"{len(fields)} fields where the header has {len(self.names)}")
        active, label = [], None
        for name, value in zip(self.names, fields, strict=True):
            if name == self.target:
                label = None if value in MISSING else value
            elif value in TRUE:
                active.append(name)
            elif value not in FALSE and value not in MISSING:
                active += _features_of_text(name, value)
        return Example(active, label)

    def _fields(self, text: str) -> list[str]:
        try:
            return next(csv.reader([text], delimiter=self.delimiter, strict=True), [])
        except csv.Error as error:
            raise StreamError(f"this is no CSV ({error})") from None


def _features_of_text(column: str, value: str) -> Iterable[str]:
    """Return the feature of a nominal value; the numbers 1 and 0 are Boolean, however they are written."""
    try:
        number = float(value)
    except ValueError:
        return (f"{column}={value}",)
    if number not in (0, 1):
        raise _not_boolean(column, value)
    return (column,) if number else ()


def _not_boolean(name: str, value: object) -> StreamError:
    return StreamError(
        f"{name!r} is {value!r}, which is neither Boolean nor nominal; cut numeric values into named intervals first"
    )
