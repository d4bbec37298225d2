"""Rows in blocks as a table whose values are fetched when they are shown: names, and few rows at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fewest.blocks.scan import Scan
from fewest.blocks.store import Store
from fewest.table import Column, Kind, Table


@dataclass
class FetchedRows:
    """Rows of a store, each fetched once."""

    store: Store
    known: dict[int, tuple[list[int], int]] = field(default_factory=dict)

    def at(self, row: int) -> tuple[list[int], int]:
        """Return the codes and the class of a row."""
        if row not in self.known:
            codes, classes = self.store.rows(np.array([row]))
            self.known[row] = codes[0].tolist(), int(classes[0])
        return self.known[row]


@dataclass(frozen=True, eq=False)
class LazyColumn(Column):
    """A feature of a scan, or its target, whose values are fetched when asked for."""

    rows: Any = None
    position: int | None = None

    def value_at(self, row: int) -> object:
        """Return one value as the user wrote it; None when missing."""
        codes, label = self.rows.at(int(row))
        code = label if self.position is None else codes[self.position]
        return self.labels[code] if code < len(self.labels) else None


@dataclass(frozen=True, eq=False)
class LazyTable(Table):
    """The features of a scan."""

    store: Any = None

    def row_number(self, row: int) -> int:
        """Return where a row stood in its source, counted from 0."""
        return self.store.row_number(int(row))


def lazy_table(scanned: Scan, store: Store | None = None) -> tuple[LazyTable, LazyColumn]:
    """Return the features and the target of a scan, as one of its stores has them."""
    store = scanned.store if store is None else store
    rows, none = FetchedRows(store), np.empty(0)
    columns = tuple(
        LazyColumn(column.name, column.kind, none, column.labels, rows, j) for j, column in enumerate(store.features)
    )
    table = LazyTable(columns, store.n_rows, scanned.header().ambiguous, store=store)
    return table, LazyColumn(store.target_name, Kind.NOMINAL, none, store.labels, rows)
