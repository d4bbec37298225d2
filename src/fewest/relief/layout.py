"""What both layouts share: how large blocks are, and which rows are equal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fewest.relief.kernels.layout import Draw, Found, Rows, Rule
from fewest.relief.rows import BLOCK_CELLS

# Distances, and differences, that a block of drawn rows may have.
BLOCK_DISTANCES, BLOCK_DIFFERENCES, MOST_DRAWN = 1 << 21, 1 << 21, 512


def room(draw: Draw, rows: Rows, rule: Rule) -> Found:
    """Make room for the neighbours of some rows, ties included."""
    n_classes = 2 if rule.pools_misses else len(rows.starts) - 1
    neighbours = int(min(rule.k, len(rows.weights))) * n_classes
    return Found.with_room(len(draw.rows), len(rows.weights), min(4 * neighbours * len(draw.rows), 1 << 22))


def even_blocks(n_drawn: int, most: int) -> int:
    """Return the size of blocks of which there is an even number, so that two cores have the same to do.

    It may not depend on the number of cores: sums over other blocks are rounded otherwise.
    """
    n_blocks = -(-n_drawn // most)
    n_blocks += n_blocks % 2 if n_blocks > 1 else 0
    return max(1, -(-n_drawn // max(1, n_blocks)))


def parts(order: np.ndarray, n_features: int, multiple: int = 1) -> Iterator[np.ndarray]:
    """Cut rows into parts of about `BLOCK_CELLS` cells, of a multiple of so many rows."""
    step = max(1, BLOCK_CELLS // max(1, n_features) // multiple) * multiple
    for start in range(0, len(order), step):
        yield order[start : start + step]


def twins_of(rows: np.ndarray, is_certain: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group equal rows; those that are alone, or not certain, get the number -1."""
    if not rows.shape[1]:
        rows = np.zeros((len(rows), 1), dtype=np.uint8)
    as_bytes = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1] * rows.itemsize)))[:, 0]
    group = np.unique(as_bytes, return_inverse=True)[1]
    certain = np.bincount(group, weights=is_certain)
    shared = certain >= 2
    number = np.where(shared, np.cumsum(shared) - 1, -1)
    twin_of = np.where(is_certain, number[group], -1).astype(np.int32)
    members = np.flatnonzero(twin_of >= 0)
    members = members[np.argsort(twin_of[members], kind="stable")]
    starts = np.append(0, np.cumsum(certain[shared])).astype(np.int64)
    return twin_of, members.astype(np.int32), starts
