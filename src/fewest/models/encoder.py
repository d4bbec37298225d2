"""Encode the columns of new data as those that a model was trained on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fewest.exceptions import ColumnsMismatchError, PrecisionWarning
from fewest.table import Column, Kind, Table, discrete_codes
from fewest.table.column import MISSING, OPPOSITES, smallest_code_type
from fewest.table.discretize import cut_columns
from fewest.table.text_columns import is_number

UNSEEN = -1
"""The code of a value that the training data did not have."""


@dataclass(frozen=True)
class KnownColumn:
    """A column as it was in training: its name, its kind, and its distinct values in the order of their codes.

    A missing value has the code after the last. A numeric column with
    ``cuts`` has intervals for values, and no value is new to it.
    """

    name: str
    kind: str
    labels: tuple[Any, ...]
    cuts: tuple[float, ...] | None = None

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> KnownColumn:
        """Return the column that a model file describes; raise ValueError when it describes none."""
        if not isinstance(record, Mapping):
            raise ValueError("its columns are not described")
        cuts = record.get("cuts")
        labels = record["labels"]
        plain = all(label is None or isinstance(label, str | int | float) for label in labels)
        if not isinstance(record["name"], str) or record["kind"] not in list(Kind) or not plain:
            raise ValueError("its columns are not described by name, kind and values")
        if cuts is not None and not all(isinstance(cut, int | float) for cut in cuts):
            raise ValueError("its cuts are not numeric")
        return cls(record["name"], record["kind"], tuple(record["labels"]), None if cuts is None else tuple(cuts))

    @property
    def values(self) -> list[str]:
        """Return what each code stands for."""
        return [*map(str, self.labels), "(missing)"]

    @property
    def is_boolean(self) -> bool:
        """Return whether the column is a Boolean feature by itself: two opposites, or zeros and ones."""
        return len(self.labels) == 2 and (self.kind == Kind.BOOLEAN or self.labels == (0, 1))

    def accepts(self, column: Column) -> bool:
        """Return whether the values of a column can be compared with those of training.

        Both must be nominal or both numeric; nominal values that all read as
        numbers will do, too, since a file of zeros and ones may be either.
        """
        if self._is_alike(column) or column.n_missing == len(column):
            return True
        is_number_now = column.kind is Kind.NUMERIC
        nominal = self.labels if is_number_now else [column.labels[code] for code in _occurring(column)]
        return all(is_number(str(value)) for value in nominal)

    def codes(self, column: Column) -> np.ndarray:
        """Return the codes of an accepted column: those of training, and `UNSEEN` for other values."""
        if self.cuts is not None:
            codes = np.searchsorted(self.cuts, numeric_values(column), side="left")
            return np.where(column.is_missing, len(self.labels), codes)
        key = self._key(column)
        column = column.by_value()
        occurring = _occurring(column)
        codes = np.full(len(column.labels) + 1, len(self.labels))  # the last is what a missing value finds
        known: dict[Hashable, int] = {}
        if occurring:
            known = {key(label): code for code, label in reversed([*enumerate(self.labels)])}
        for code in occurring:
            codes[code] = known.get(key(column.labels[code]), UNSEEN)
        return codes[column.values]

    def _key(self, column: Column) -> Callable[[Any], Hashable]:
        """Return the key by which labels are compared: by meaning, as they are, or by number.

        Some programs write Booleans as True and False, others as yes and no or 1 and 0.
        """
        if self.kind == Kind.BOOLEAN and column.kind is Kind.BOOLEAN:
            return _meaning
        return _itself if self._is_alike(column) else float

    def _is_alike(self, column: Column) -> bool:
        """Return whether both columns are numeric, or neither is."""
        return (self.kind == Kind.NUMERIC) == (column.kind is Kind.NUMERIC)


def numeric_values(column: Column) -> np.ndarray:
    """Return the values of a numeric column, or of a nominal one whose values all read as numbers."""
    if column.kind is Kind.NUMERIC:
        return column.values
    occurring = _occurring(column)
    values = np.full(len(column.labels) + 1, np.nan)  # the last is what a missing value finds
    values[occurring] = [float(column.labels[code]) for code in occurring]
    return values[column.values]


def _itself(label: Any) -> Any:
    return label


def _meaning(label: Any) -> Hashable:
    """Return False for no, false, 0 and the like, True for their opposites, and other text whatever its case."""
    word = str(label).casefold()
    return next((word == yes for no, yes in OPPOSITES if word in (no, yes)), word)


def _occurring(column: Column) -> list[int]:
    """Return the codes in use."""
    codes = np.unique(column.values)
    return codes[codes != MISSING].tolist()


@dataclass(frozen=True)
class Encoder:
    """The columns that a model looks at."""

    columns: tuple[KnownColumn, ...]

    @classmethod
    def fit(cls, table: Table, cuts: Mapping[str, np.ndarray] | None = None) -> tuple[Encoder, np.ndarray]:
        """Learn the columns of training data; return the encoder and the codes.

        Numeric columns that have ``cuts`` are encoded by interval, others by value.
        """
        cuts = cuts or {}
        discrete = cut_columns(table, cuts)
        of_column = {name: tuple(of_name.tolist()) for name, of_name in cuts.items()}
        columns = tuple(
            KnownColumn(column.name, column.kind.value, nominal.by_value().labels, of_column.get(column.name))
            for column, nominal in zip(table, discrete, strict=True)
        )
        return cls(columns), discrete_codes(discrete)

    @cached_property
    def names(self) -> list[str]:
        """Return the names of the columns."""
        return [column.name for column in self.columns]

    def renamed(self, names: Sequence[str]) -> Encoder:
        """Return the encoder with other names for its columns."""
        return Encoder(tuple(replace(known, name=name) for known, name in zip(self.columns, names, strict=True)))

    def find(self, table: Table) -> list[Column]:
        """Return the columns of new data by name, whatever their order; others are ignored."""
        given = set(table.names)
        missing = [name for name in self.names if name not in given]
        if missing:
            changed = _changed([(known, table[known.name]) for known in self.columns if known.name in given])
            raise ColumnsMismatchError.from_columns(missing, changed)
        return [table[known.name] for known in self.columns]

    def codes(self, columns: Sequence[Column], n_rows: int) -> np.ndarray:
        """Encode new columns, in the order of training, into a matrix of codes.

        Missing values have a code of their own; values that training data did not have are `UNSEEN`.
        """
        pairs = list(zip(self.columns, columns, strict=True))
        if changed := _changed(pairs):
            raise ColumnsMismatchError.from_columns([], changed)
        most = max((len(column.labels) for column in self.columns), default=0)
        codes = np.empty((n_rows, len(self.columns)), dtype=smallest_code_type(most + 1), order="F")
        for j, (known, column) in enumerate(pairs):
            codes[:, j] = known.codes(column)
        _warn_of_lost_precision(pairs, codes)
        return codes


def _warn_of_lost_precision(pairs: Sequence[tuple[KnownColumn, Column]], codes: np.ndarray) -> None:
    """Warn of values that training data did not have, but had in single precision: a file between wrote other digits.

    A float32 is 0.1 in a file and 0.10000000149011612 in memory, and compared by value they are two.
    """
    lost, examples = [], []
    for j, (known, column) in enumerate(pairs):
        is_by_value = known.kind == Kind.NUMERIC and column.kind is Kind.NUMERIC and known.cuts is None
        if not is_by_value or not known.labels:
            continue
        unseen = column.values[codes[:, j] == UNSEEN]
        with np.errstate(over="ignore"):
            single, labels = unseen.astype(np.float32), np.array(known.labels, dtype=np.float64).astype(np.float32)
        alike = np.isin(single, labels)
        if alike.any():
            first = int(np.argmax(alike))
            lost.append(known.name)
            examples.append((float(unseen[first]), float(known.labels[int(np.argmax(labels == single[first]))])))
    if lost:
        warnings.warn(PrecisionWarning.from_columns(lost, *examples[0]), stacklevel=3)


def _changed(pairs: Sequence[tuple[KnownColumn, Column]]) -> list[tuple[str, str, str]]:
    """Return the columns that cannot be compared with those of training, as (name, then, now)."""
    return [(known.name, known.kind, column.kind.value) for known, column in pairs if not known.accepts(column)]


def numbered_classes(classes: Column) -> tuple[np.ndarray, int]:
    """Return the class number of every row, and how many classes there are."""
    return classes.values.astype(np.int64), len(classes.labels)


def class_labels(classes: Column) -> np.ndarray:
    """Return the labels of a column of classes."""
    return np.array(classes.labels)
