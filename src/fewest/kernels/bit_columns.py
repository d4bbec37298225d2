"""Columns of small codes as bit planes: 64 rows a word, as many planes as the codes have bits.

A column of truths is one plane, an eighth of a byte a row. Counting rows by
value, group and class is then popcounts of ANDs, as long as groups are few.
"""

from __future__ import annotations

import numpy as np

# Words that are combined at a time, so that they stay in the cache.
BLOCK_WORDS = 1 << 16
# Words that, all in all, are worth the second that loading compiled code takes.
COMPILED_FROM = 1 << 26
_n_combined = 0


def pack_column(codes: np.ndarray) -> np.ndarray:
    """Return the bit planes, uint64 (n_planes, n_words), of codes from 0; one plane at least."""
    n_planes = max(1, int(codes.max(initial=0)).bit_length())
    return np.stack([pack_truths(codes >> plane & 1) for plane in range(n_planes)])


def pack_truths(truths: np.ndarray) -> np.ndarray:
    """Return a column of zeros and ones as words."""
    padded = np.zeros(-(-len(truths) // 64) * 8, dtype=np.uint8)
    octets = np.packbits(truths.astype(bool, copy=False), bitorder="little")
    padded[: len(octets)] = octets
    return padded.view("<u8").astype(np.uint64, copy=False)


def words_of_octets(octets: np.ndarray, offset: int, n_rows: int) -> np.ndarray:
    """Return as words so many bits of a buffer, from ``offset`` on; the bits after the last are 0."""
    if offset % 8:
        return pack_truths(np.unpackbits(octets, bitorder="little", count=offset + n_rows)[offset:])
    padded = np.zeros(-(-n_rows // 64) * 8, dtype=np.uint8)
    n_octets = -(-n_rows // 8)
    padded[:n_octets] = octets[offset // 8 : offset // 8 + n_octets]
    if n_rows % 8:
        padded[n_octets - 1] &= (1 << n_rows % 8) - 1
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack_column(planes: np.ndarray, n_rows: int) -> np.ndarray:
    """Return the codes of a column: uint8 if they have at most 8 bits, else int64."""
    codes = _bits(planes[0], n_rows)
    if len(planes) > 8:
        codes = codes.astype(np.int64)
    for place, plane in enumerate(planes[1:], start=1):
        codes |= _bits(plane, n_rows).astype(codes.dtype, copy=False) << codes.dtype.type(place)
    return codes


def codes_at(planes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the codes of some rows."""
    words, places = rows // 64, (rows % 64).astype(np.uint64)
    codes = np.zeros(len(rows), dtype=np.int64)
    for place, plane in enumerate(planes):
        codes |= (plane[words] >> places & np.uint64(1)).astype(np.int64) << place
    return codes


def count_ones(columns: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Count the rows of every mask in which every column is one.

    Parameters
    ----------
    columns : uint64 array of shape (n_columns, n_words)
    masks : uint64 array of shape (n_masks, n_words)

    Returns
    -------
    ndarray of shape (n_columns, n_masks)
    """
    counts = np.zeros((len(columns), len(masks)), dtype=np.int64)
    if _is_much(columns.size * len(masks)):
        from fewest.kernels.masked_counts import count_masked

        count_masked(columns, masks, counts)
        return counts
    n_words = max(1, BLOCK_WORDS // max(1, len(masks)))
    for start in range(0, columns.shape[1], n_words):
        some, of_masks = columns[:, start : start + n_words], masks[None, :, start : start + n_words]
        step = max(1, BLOCK_WORDS // of_masks[0].size)
        for first in range(0, len(columns), step):
            together = some[first : first + step, None, :] & of_masks
            counts[first : first + step] += np.bitwise_count(together).sum(axis=2, dtype=np.int64)
    return counts


def _is_much(n_words: int) -> bool:
    """Count the words that were combined so far; threads may overlook some, which matters little."""
    global _n_combined
    _n_combined += n_words
    return _n_combined > COMPILED_FROM


def _bits(words: np.ndarray, n_rows: int) -> np.ndarray:
    octets = words.astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, bitorder="little", count=n_rows)
