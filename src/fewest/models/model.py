"""What every model has in common: its columns and classes, and its answers about rows in memory or in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from fewest.blocks.block import Blocks
from fewest.blocks.scan import Scan
from fewest.blocks.schema import AgreedColumn
from fewest.blocks.store import tables_of
from fewest.blocks.threads import in_order, n_workers
from fewest.blocks.typed_batches import RetypedError, Shown
from fewest.exceptions import ColumnsMismatchError
from fewest.models.encoder import Encoder, KnownColumn
from fewest.table import Column, Kind, Table

UNDECIDED = -1
"""The class number of a row about which nothing decided."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Answers:
    """The answers of a model about new data, one a row.

    Attributes
    ----------
    predicted : ndarray of shape (n_rows,)
        Class numbers; -1 where nothing decided.
    shares : ndarray of shape (n_rows, n_classes)
        The share of each class, adding up to 1.
    otherwise : int
        The class to predict where nothing decided.
    n_unseen : int
        Rows with values that the training data did not have.
    """

    predicted: np.ndarray
    shares: np.ndarray
    otherwise: int
    n_unseen: int

    @property
    def n_undecided(self) -> int:
        """Count the rows without a decision."""
        return int((self.predicted == UNDECIDED).sum())

    @property
    def settled(self) -> np.ndarray:
        """Return the classes, with ``otherwise`` where nothing decided."""
        return np.where(self.predicted == UNDECIDED, self.otherwise, self.predicted)


class Model(Protocol):
    """A classifier without scikit-learn, as model files keep it: its columns, classes and answers."""

    classes_: np.ndarray
    target: str | None
    encoder: Encoder

    @property
    def class_names(self) -> list[str]:
        """Return the labels as text."""

    def predict(self, X: object) -> np.ndarray:
        """Return the class of every row."""

    def answers(self, X: Any) -> Answers:
        """Return the class and the shares of every row."""


def count_right(stack: Blocks, model: Model, features: Sequence[AgreedColumn], chosen: Sequence[int]) -> int:
    """Count the rows of a stack whose class a model predicts."""
    return sum(
        int((model.answers(table).settled == classes).sum()) for table, classes in tables_of(stack, features, chosen)
    )


# ---------------------------------------------------------------------- rows beyond memory


def batches_for(columns: Sequence[KnownColumn], scanned: Scan, also: Iterable[str] = ()) -> Iterable[Table]:
    """Return the batches of a scan that a model needs: the columns that it knows, and those of ``also``."""
    known = {column.name: column for column in columns}

    def matters(name: str, taken: Shown, shown: Shown) -> bool:
        if name not in known:
            return shown is Shown.NOMINAL
        return _matters(known[name], taken, shown)

    as_text = [name for name, column in known.items() if column.kind != Kind.NUMERIC]
    return scanned.batches([*known, *also], matters, as_text)


def each_batch(
    batches: Iterable[Table], work: Callable[[Table], Result], n_jobs: int | None = None
) -> Iterator[Result]:
    """Yield the results for all batches in order; raise `RetypedError` when reading must start again.

    A batch may seem not to fit the model though the whole does: numeric values, where some other batch has nominal
    ones. So that is an error only once all has been read, and then one about all batches.
    """

    def tried(table: Table) -> Result | ColumnsMismatchError:
        try:
            return work(table)
        except ColumnsMismatchError as error:
            return error

    misfits: list[ColumnsMismatchError] = []
    for result in in_order(tried, batches, n_workers(n_jobs)):
        if isinstance(result, ColumnsMismatchError):
            misfits.append(result)
        elif not misfits:
            yield result
    if misfits:
        raise ColumnsMismatchError.from_batches(misfits)


def all_batches(batches: Iterable[Table], work: Callable[[Table], Result], n_jobs: int | None = None) -> list[Result]:
    """Return the results for all batches."""
    while True:
        try:
            return list(each_batch(batches, work, n_jobs))
        except RetypedError:
            continue


def _matters(known: KnownColumn, taken: Shown, shown: Shown) -> bool:
    """Return whether values get other codes when their column is of another type than it was taken for."""
    if known.kind == Kind.NUMERIC:  # nominal values that read as numbers are numeric to it, and others are refused
        return False
    if shown is Shown.NOMINAL or taken is not Shown.ZEROS_AND_ONES:
        return True
    digits = Column(known.name, Kind.BOOLEAN, np.array([0, 1], dtype=np.int8), ("0", "1"))
    floats = Column(known.name, Kind.NUMERIC, np.array([0.0, 1.0]))
    return known.accepts(floats) and known.codes(digits).tolist() != known.codes(floats).tolist()
