"""Rows of codes as bit planes, so that two rows are compared 64 features at a time.

Plane p holds bit p of every code. Two codes differ when they differ in some
plane: an OR of XORs, however many values a feature has.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels.bits import pack


class PackedRows(NamedTuple):
    """Bit planes of rows, and where values are known."""

    planes: np.ndarray  # uint64 (n_planes, n_words, n_rows)
    known: np.ndarray | None  # uint64 (n_words, n_rows); None when all values are


def pack_rows(codes: np.ndarray) -> PackedRows:
    """Pack codes; negative ones are unknown."""
    n_planes = max(1, int(codes.max(initial=0)).bit_length())
    rows = np.ascontiguousarray(codes)
    planes = np.stack([pack((rows >> plane & 1).astype(bool)) for plane in range(n_planes)])
    return PackedRows(planes, pack(rows >= 0) if rows.min(initial=0) < 0 else None)


def differences(rows: PackedRows, i: int, others: slice | np.ndarray) -> np.ndarray:
    """Return the words (n_words x others) of the features in which row ``i`` differs from each of ``others``."""
    return block_of_differences(rows, slice(i, i + 1), others)[:, 0]


def block_of_differences(rows: PackedRows, some: slice, others: slice | np.ndarray) -> np.ndarray:
    """Return the words (n_words x some x others) of the features in which the rows of two sets differ."""
    words = rows.planes[0][:, some, None] ^ rows.planes[0][:, None, others]
    for plane in rows.planes[1:]:
        words |= plane[:, some, None] ^ plane[:, None, others]
    if rows.known is not None:
        words &= rows.known[:, some, None]
        words &= rows.known[:, None, others]
    return words
