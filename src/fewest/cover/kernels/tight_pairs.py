"""The tightest conflicts: pairs of rows of different label that differ in the fewest features.

They constrain a cover the most, and a few hundred of them exclude almost all
that all conflicts together exclude.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from fewest.cover.kernels.packed_rows import NumericColumns, block_of_differences, pack_rows

Pairs = tuple[np.ndarray, np.ndarray]

# Words compared at a time.
BLOCK_WORDS = 1 << 20


def tightest_pairs(
    codes: np.ndarray, labels: np.ndarray, n_pairs: int, most_words: int, numeric: NumericColumns | None = None
) -> Pairs:
    """Return the tightest pairs of rows among as many rows as the work allows.

    Parameters
    ----------
    codes, labels : ndarray
    n_pairs : int
        How many pairs to keep. Pairs that differ in nothing are no conflicts.
    most_words : int
        Compare about so many words; beyond that, the pairs among a fixed random sample of rows stand for all.
    numeric : NumericColumns, optional
    """
    rows = _sampled_rows(codes, most_words)
    rows = rows[np.argsort(labels[rows], kind="stable")]  # so that lower labels are a slice
    packed = pack_rows(codes[rows], None if numeric is None else numeric.take(rows))
    starts = np.flatnonzero(np.diff(labels[rows], prepend=-1))
    kept = np.empty((3, 0), dtype=np.int64)  # size, outer, inner
    for start, end in pairwise([*starts.tolist(), len(rows)][1:]):
        step = max(1, BLOCK_WORDS // (start * len(packed.planes[0])))
        for first in range(start, end, step):
            block = slice(first, min(first + step, end))
            found = np.bitwise_count(block_of_differences(packed, block, slice(0, start))).sum(axis=0, dtype=np.int32)
            kept = _smallest(np.concatenate([kept, _tightest(found, first, n_pairs)], axis=1), n_pairs)
    return rows[kept[1]], rows[kept[2]]


def _tightest(found: np.ndarray, first: int, n_pairs: int) -> np.ndarray:
    """Return the size, outer and inner row of the smallest entries of a block, and of all that tie with the last."""
    sizes = found[found > 0]
    if len(sizes) > n_pairs:
        threshold = np.partition(sizes, n_pairs - 1)[n_pairs - 1]
        outer, inner = np.nonzero((found > 0) & (found <= threshold))
    else:
        outer, inner = np.nonzero(found)
    return np.stack([found[outer, inner], outer + first, inner])


def _smallest(kept: np.ndarray, n: int) -> np.ndarray:
    return kept[:, np.argsort(kept[0], kind="stable")[:n]]


def rows_to_compare(n_features: int, largest_code: int, most_words: int) -> int:
    """Return how many rows can be compared with each other in about so many words."""
    words_per_pair = max(1, n_features // 64) * max(1, largest_code.bit_length())
    return max(2, int((4 * most_words / words_per_pair) ** 0.5))


def _sampled_rows(codes: np.ndarray, most_words: int) -> np.ndarray:
    n_rows, n_features = codes.shape
    most_rows = rows_to_compare(n_features, int(codes.max(initial=0)), most_words)
    if n_rows <= most_rows:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, most_rows, replace=False))
