"""Which data a certificate is about, in one line: a digest of which rows agree in which columns.

What a value is called does not matter to a proof, only where it stands: every value of a column is taken by its number,
in the order in which the rows bring them. So the digest is the same for a frame, for the file that was made of it, and
for rows in blocks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np


def digest_of(batches: Iterable[tuple[Sequence[np.ndarray], np.ndarray]], measured: Collection[int] = ()) -> str:
    """Return the digest of columns and classes that come in batches of rows.

    Parameters
    ----------
    batches : iterable of (arrays, classes)
        The values of every column, as numbers or codes that mean the same in all batches, and the classes.
    measured : collection of int
        The columns whose numbers themselves matter, since they are compared by a margin.
    """
    columns: list[_ColumnDigest] = []
    for arrays, classes in batches:
        every = [*arrays, classes]
        columns = columns or [_ColumnDigest(j in measured) for j in range(len(every))]
        for column, values in zip(columns, every, strict=True):
            column.update(np.asarray(values))
    return "sha256:" + hashlib.sha256(b"".join(column.sha.digest() for column in columns)).hexdigest()


class _ColumnDigest:
    """The digest of one column, batch by batch."""

    def __init__(self, is_measured: bool):
        self.is_measured = is_measured
        self.sha = hashlib.sha256()
        self.numbers: dict[Any, int] = {}

    def update(self, values: np.ndarray) -> None:
        """Take in the values of some more rows."""
        if self.is_measured:
            numbers = np.where(np.isnan(values), np.nan, values + 0.0)  # one NaN, and one zero
            self.sha.update(numbers.astype("<f8").tobytes())
            return
        distinct, first, places = np.unique(values, return_index=True, return_inverse=True)
        keys = [None if value != value else value for value in distinct.tolist()]
        for k in np.argsort(first).tolist():
            self.numbers.setdefault(keys[k], len(self.numbers))
        numbers = np.array([self.numbers[key] for key in keys], dtype="<u4")
        self.sha.update(numbers[places.reshape(-1)].tobytes())
