"""The signs of ARFF: quoted and bare fields, attribute declarations and sparse rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_FIELD = re.compile(rf"\s*(?:(?P<quoted>{_QUOTED})|(?P<bare>[^,]*?))\s*(?P<end>,|$)")
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:(?P<quoted>{_QUOTED})|(?P<bare>[^\s{{]+))\s*(?P<type>.+)", re.IGNORECASE)
_CELL = re.compile(r"\s*(?P<index>\d+)\s+(?P<value>.+)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_NUMERIC = ("numeric", "real", "integer")


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
    fields, start, end = [], 0, ","
    while end:
        found = _FIELD.match(text, start)
        if not found:
            raise ArffSyntaxError("text follows a closing quote, or a quote is never closed")
        quoted, bare, end = found["quoted"], found["bare"], found["end"]
        if bare and bare[0] in "'\"":
            raise ArffSyntaxError("a quote is never closed, or text follows a closing one")
        fields.append(Field(bare if quoted is None else _unquoted(quoted), quoted is not None))
        start = found.end()
    return fields


def parse_attribute(line: str) -> Attribute:
    """Read a declaration such as ``@attribute 'the class' {yes, no}``."""
    found = _ATTRIBUTE.fullmatch(line)
    if not found:
        raise ArffSyntaxError("an attribute needs a name and a type")
    name = found["bare"] if found["quoted"] is None else _unquoted(found["quoted"])
    dtype = found["type"].strip()
    word = dtype.split()[0].lower()
    if dtype.startswith("{"):
        if not dtype.endswith("}"):
            raise ArffSyntaxError(f"the labels of attribute {name!r} have no closing brace")
        return Attribute(name, "nominal", tuple(field.text for field in split_fields(dtype[1:-1])))
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word in ("string", "date"):
        return Attribute(name, word)
    raise ArffSyntaxError(f"attribute {name!r} has type {dtype!r}, which is not numeric, nominal, string or date")


def parse_sparse(line: str, n_attributes: int) -> dict[int, Field]:
    """Read a row such as ``{1 2.5, 4 yes}``, which names the columns whose value is not zero."""
    if not line.endswith("}") or "}" in re.sub(_QUOTED, "", line[:-1]):
        raise ArffSyntaxError("a sparse row must be one pair of braces, and weights of rows are not supported")
    cells: dict[int, Field] = {}
    for text in _split_cells(line[1:-1].strip()):
        found = _CELL.fullmatch(text)
        if not found:
            raise ArffSyntaxError(f"{text.strip()!r} is not an index and a value")
        index = int(found["index"])
        if index >= n_attributes or index in cells:
            raise ArffSyntaxError(f"index {index} is beyond the {n_attributes} attributes, or occurs twice")
        (cells[index],) = split_fields(found["value"])
    return cells


def _split_cells(text: str) -> list[str]:
    """Split at the commas outside quotes, and keep the quotes."""
    return [cell for cell in re.findall(rf"(?:{_QUOTED}|[^,])+", text) if cell.strip()]


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text[1:-1])
