"""What a model says about data larger than memory: batch by batch, as it would about all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from fewest.blocks.scanned import Scan
from fewest.blocks.threads import in_order, n_workers
from fewest.exceptions import ColumnsMismatchError
from fewest.models.encoder import KnownColumn
from fewest.table import Column, Kind, Table
from fewest.table.batches import RetypedError, Shown

Told = TypeVar("Told")


def batches_for(columns: Sequence[KnownColumn], scanned: Scan, also: Iterable[str] = ()) -> Iterable[Table]:
    """Return what a model that knows these columns has to read of a scan, and other columns."""
    known = {column.name: column for column in columns}

    def matters(name: str, taken: Shown, shown: Shown) -> bool:
        if name not in known:
            return shown is Shown.NAMES
        return _matters(known[name], taken, shown)

    return scanned.batches([*known, *also], matters)


def each_batch(batches: Iterable[Table], work: Callable[[Table], Told], n_jobs: int | None = -1) -> Iterator[Told]:
    """Yield the results for all batches in order; raise `RetypedError` when all must begin anew.

    A batch may seem not to fit the model though the whole does: numbers, where some other batch has names. So that is
    an error only once all has been read, and then one that tells of all batches.
    """

    def tried(table: Table) -> Told | ColumnsMismatchError:
        try:
            return work(table)
        except ColumnsMismatchError as error:
            return error

    misfits: list[ColumnsMismatchError] = []
    for told in in_order(tried, batches, n_workers(n_jobs)):
        if isinstance(told, ColumnsMismatchError):
            misfits.append(told)
        elif not misfits:
            yield told
    if misfits:
        raise ColumnsMismatchError.from_batches(misfits)


def all_batches(batches: Iterable[Table], work: Callable[[Table], Told]) -> list[Told]:
    """Return the results for all batches."""
    while True:
        try:
            return list(each_batch(batches, work))
        except RetypedError:
            continue


def _matters(known: KnownColumn, taken: Shown, shown: Shown) -> bool:
    """Return whether values get other codes when they are something else than they were taken for."""
    if known.kind == Kind.NUMERIC:  # names that read as numbers are numbers to it, and others are refused
        return False
    if shown is Shown.NAMES or taken is not Shown.DIGITS:
        return True
    digits = Column(known.name, Kind.BOOLEAN, np.array([0, 1], dtype=np.int8), ("0", "1"))
    floats = Column(known.name, Kind.NUMERIC, np.array([0.0, 1.0]))
    return known.accepts(floats) and known.codes(digits).tolist() != known.codes(floats).tolist()
