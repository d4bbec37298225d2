"""ARFF files, dense and sparse, parsed line by line; the header declares what each column is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import pyarrow as pa

from fewest.exceptions import RaggedRowError, UnreadableFileError
from fewest.table.arrow_columns import spell
from fewest.table.builder import ColumnBuilder, NominalBuilder, NumericBuilder
from fewest.table.column import Kind
from fewest.table.formats import Source, TextOptions, explained, open_text
from fewest.table.reader import Batch, Names
from fewest.table.text_columns import TextColumns, first_non_number, parse_numbers

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_QUOTED_TEXT = re.compile(_QUOTED, re.DOTALL)
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:(?P<quoted>{_QUOTED})|(?P<bare>[^\s{{]+))\s*(?P<type>.+)", re.IGNORECASE)
_INDEX = re.compile(r"\s*(?P<index>\d+)\s+")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_NUMERIC = ("numeric", "real", "integer")


_BYTES_OF_A_FIELD = 64

Line = tuple[int, str]
"""The number of a line, counted from 1, and its text."""

Row = Sequence[str | None]
"""The fields of a row, None for a missing one."""


class ArffReader:
    """An ARFF file.

    Parameters
    ----------
    source : Source
    options : TextOptions
        ``null_values`` are missing unless they are quoted or declared as labels.
    """

    def __init__(self, source: Source, options: TextOptions):
        self.source, self._options = source, options
        with explained(source, options.encoding), open_text(source, options.encoding) as text:
            self._attributes = self._read_header(_content(text))
        self.names = Names.from_written([attribute.name for attribute in self._attributes])
        self.types: Sequence[object] = self._attributes
        self.null_values = options.null_values

    def is_text(self, position: int) -> bool:
        """Return whether the attribute is declared as a string or a date."""
        return self._attributes[position].type not in ("nominal", "numeric")

    def builder(self, position: int, declared: Kind | None) -> ColumnBuilder:
        """Return a builder for the attribute's type; declared labels keep their order."""
        name, attribute = self.names.unique[position], self._attributes[position]
        if declared is Kind.NUMERIC:
            return TextColumns(()).builder(name, declared)
        if attribute.type == "numeric" and declared is None:
            return NumericBuilder(name, parse_numbers, by_value=True, find_fault=first_non_number)
        is_fixed = attribute.type == "nominal" and (declared is not Kind.BOOLEAN or len(attribute.labels) <= 2)
        return NominalBuilder(name, spell, declared, attribute.labels if is_fixed else None)

    def batches(self, positions: Sequence[int]) -> Iterator[Batch]:
        """Read the columns at the given positions, from the first row on."""
        n_rows = max(1, self._options.batch_bytes // (_BYTES_OF_A_FIELD * len(self._attributes)))
        with explained(self.source, self._options.encoding), open_text(self.source, self._options.encoding) as text:
            lines = _content(text)
            self._read_header(lines)
            rows = (self._read_row(line) for line in lines)
            while batch := list(islice(rows, n_rows)):
                columns = list(zip(*batch, strict=True))
                yield len(batch), [pa.array(columns[i], pa.string()) for i in positions]

    def _read_header(self, lines: Iterator[Line]) -> list[Attribute]:
        """Read up to ``@data``."""
        attributes: list[Attribute] = []
        for number, line in lines:
            keyword = line.split(None, 1)[0].lower()
            if keyword == "@data" and attributes:
                return attributes
            if keyword == "@attribute":
                attributes.append(self._parse_attribute(number, line))
            elif keyword != "@relation":
                raise self._fault(number, "@relation, @attribute or, after the attributes, @data was expected")
        raise UnreadableFileError.from_reason(self.source, "it ends before @data", "Make or download it again.")

    def _parse_attribute(self, number: int, line: str) -> Attribute:
        try:
            return parse_attribute(line)
        except ArffSyntaxError as error:
            raise self._fault(number, str(error)) from None

    def _read_row(self, line: Line) -> Row:
        number, text = line
        try:
            if text.startswith("{"):
                return self._sparse_row(text)
            fields = split_fields(text)
            if len(fields) == len(self._attributes):
                return [self._value(*pair) for pair in zip(self._attributes, fields, strict=True)]
            if len(fields) == len(self._attributes) + 1 and fields[-1].text.startswith("{"):
                raise ArffSyntaxError("the row has a weight, and weights of rows are not supported: remove it")
        except ArffSyntaxError as error:
            raise self._fault(number, str(error)) from None
        raise RaggedRowError.from_attributes(self.source, number, len(self._attributes), len(fields))

    def _sparse_row(self, text: str) -> Row:
        cells = parse_sparse(text, len(self._attributes))
        return [
            self._value(attribute, cells[i]) if i in cells else _unstored(attribute)
            for i, attribute in enumerate(self._attributes)
        ]

    def _value(self, attribute: Attribute, field: Field) -> str | None:
        """Return a field as text, None if it is missing; raise if it is not what was declared."""
        text, is_quoted = field
        if text in attribute.label_set:
            return text
        if not is_quoted and text in self._options.null_values:
            return None
        if attribute.type == "nominal":
            raise ArffSyntaxError(f"{text!r} is not a declared label of attribute {attribute.name!r}")
        if attribute.type == "numeric" and not _is_number(text):
            raise ArffSyntaxError(f"{text!r} is no number, as attribute {attribute.name!r} should be")
        return text

    def _fault(self, number: int, reason: str) -> UnreadableFileError:
        return UnreadableFileError.from_reason(self.source, f"line {number}: {reason}", "Correct the line.")


def _content(text: Iterable[str]) -> Iterator[Line]:
    """Yield the lines that are neither blank nor comments, with their numbers."""
    for number, line in enumerate(text, start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("%"):
            yield number, stripped


def _unstored(attribute: Attribute) -> str:
    """Return the value of a column that a sparse row leaves out: zero, or the first label."""
    if attribute.type == "numeric":
        return "0"
    if attribute.type == "nominal":
        return attribute.labels[0]
    raise ArffSyntaxError(f"attribute {attribute.name!r} is a {attribute.type}, so a sparse row must give its value")


def _is_number(text: str) -> bool:
    """Return whether a text spells a number, fast; what Python alone takes for a number, such as 1_000, is none."""
    try:
        return float(text) == float(text) and "_" not in text
    except ValueError:
        return False


# ---------------------------------------------------------------------- fields, declarations and sparse rows


class ArffSyntaxError(Exception):
    """Internal signal: a line that is no ARFF, with the reason."""


class Field(NamedTuple):
    """One value; a quoted one is never missing."""

    text: str
    is_quoted: bool


@dataclass(frozen=True)
class Attribute:
    """A declared column: ``type`` is numeric, nominal, string or date."""

    name: str
    type: str
    labels: tuple[str, ...] = ()

    @cached_property
    def label_set(self) -> frozenset[str]:
        """Return the labels, for looking up."""
        return frozenset(self.labels)

    def __str__(self) -> str:
        return f"{{{','.join(self.labels)}}}" if self.type == "nominal" else self.type


def split_fields(text: str) -> list[Field]:
    r"""Split a line at the commas outside quotes.

    >>> [field.text for field in split_fields(r"1, 'it\'s, so', ?")]
    ['1', "it's, so", '?']
    """
    if "'" not in text and '"' not in text:
        return [Field(part.strip(), False) for part in text.split(",")]
    fields, end = [], -1
    while end < len(text):
        field, end = _field_at(text, end + 1)
        fields.append(field)
    return fields


def _field_at(text: str, start: int) -> tuple[Field, int]:
    """Read the field that begins at a place; return it and where the comma after it is, or the end of the text.

    Every letter is looked at once or twice, so that a line takes a time that grows with its length.
    """
    start = _skip(text, start)
    if not text.startswith(("'", '"'), start):
        comma = text.find(",", start)
        end = len(text) if comma < 0 else comma
        return Field(text[start:end].rstrip(), False), end
    found = _QUOTED_TEXT.match(text, start)
    end = _skip(text, found.end()) if found else start
    if not found or (end < len(text) and text[end] != ","):
        raise ArffSyntaxError("a quote is never closed, or text follows a closing one")
    return Field(_unquoted(found[0]), True), end


def _skip(text: str, start: int) -> int:
    """Return where the next letter is that is no space."""
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def parse_attribute(line: str) -> Attribute:
    """Read a declaration such as ``@attribute 'the class' {yes, no}``."""
    found = _ATTRIBUTE.fullmatch(line)
    if not found:
        raise ArffSyntaxError("an attribute needs a name and a type")
    name = found["bare"] if found["quoted"] is None else _unquoted(found["quoted"])
    dtype = found["type"].strip()
    word = "".join(dtype.split()[:1]).lower()
    if dtype.startswith("{"):
        if not dtype.endswith("}"):
            raise ArffSyntaxError(f"the labels of attribute {name!r} have no closing brace")
        labels = dict.fromkeys(field.text for field in split_fields(dtype[1:-1]))  # one may be named twice
        return Attribute(name, "nominal", tuple(labels))
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word in ("string", "date"):
        return Attribute(name, word)
    raise ArffSyntaxError(f"attribute {name!r} has type {dtype!r}, which is not numeric, nominal, string or date")


def parse_sparse(line: str, n_attributes: int) -> dict[int, Field]:
    """Read a row such as ``{1 2.5, 4 yes}``, which lists the columns whose value is not zero."""
    if not line.endswith("}"):
        raise _no_sparse_row()
    text, end = line[1:-1].strip(), -1
    cells: dict[int, Field] = {}
    while end < len(text):
        start = end + 1
        found = _INDEX.match(text, start)
        field, end = _field_at(text, found.end() if found else start)
        if not found:
            if field.text:
                raise ArffSyntaxError(f"{text[start:end].strip()!r} is not an index and a value")
            continue  # nothing between two commas
        if not field.is_quoted and "}" in field.text:
            raise _no_sparse_row()
        if not field.is_quoted and not field.text:
            raise ArffSyntaxError(f"{text[start:end].strip()!r} is not an index and a value")
        index = int(found["index"][:20])  # no table has so many columns
        if index >= n_attributes or index in cells:
            raise ArffSyntaxError(f"index {index} is beyond the {n_attributes} attributes, or occurs twice")
        cells[index] = field
    return cells


def _no_sparse_row() -> ArffSyntaxError:
    return ArffSyntaxError("a sparse row must be one pair of braces, and weights of rows are not supported")


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text[1:-1])
