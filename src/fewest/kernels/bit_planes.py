"""Columns of small codes as bit planes: 64 rows in a word, as many planes as the codes have bits.

Bit ``r % 64`` of word ``r // 64`` of plane ``p`` is bit ``p`` of the code of row ``r``; bits after the last row are 0.
A Boolean column is one plane, an eighth of a byte for each row. Counting rows by value, group and class is then
popcounts of ANDs, as long as groups are few.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compile_or_not import compiles

# Words that are combined at a time, so that they stay in the cache.
BLOCK_WORDS = 1 << 16
# The compiled twin of `count_ones`.
KERNELS = "fewest.kernels.intrinsics"
# What AND, popcount and sum of one word take in NumPy where threads share the memory.
NANOSECONDS_PER_WORD = 10


def pack_column(codes: np.ndarray) -> np.ndarray:
    """Return the bit planes, uint64 (n_planes, n_words), of codes from 0; one plane at least."""
    n_planes = max(1, int(codes.max(initial=0)).bit_length())
    return np.stack([pack_bits(codes >> plane & 1) for plane in range(n_planes)])


def pack_bits(column: np.ndarray) -> np.ndarray:
    """Return a Boolean column (or one of zeros and ones) as one plane."""
    padded = np.zeros(-(-len(column) // 64) * 8, dtype=np.uint8)
    packed = np.packbits(column.astype(bool, copy=False), bitorder="little")
    padded[: len(packed)] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def words_of_bytes(buffer: np.ndarray, offset: int, n_rows: int) -> np.ndarray:
    """Return ``n_rows`` bits of a buffer of bytes, from bit ``offset`` on, as one plane."""
    if offset % 8:
        return pack_bits(np.unpackbits(buffer, bitorder="little", count=offset + n_rows)[offset:])
    padded = np.zeros(-(-n_rows // 64) * 8, dtype=np.uint8)
    n_bytes = -(-n_rows // 8)
    padded[:n_bytes] = buffer[offset // 8 : offset // 8 + n_bytes]
    if n_rows % 8:
        padded[n_bytes - 1] &= (1 << n_rows % 8) - 1
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack_column(planes: np.ndarray, n_rows: int) -> np.ndarray:
    """Return the codes of a column: uint8 if they have at most 8 bits, else int64."""
    codes = _bits(planes[0], n_rows)
    if len(planes) > 8:
        codes = codes.astype(np.int64)
    for p, plane in enumerate(planes[1:], start=1):
        codes |= _bits(plane, n_rows).astype(codes.dtype, copy=False) << codes.dtype.type(p)
    return codes


def codes_at(planes: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the codes of some rows."""
    words, bits = rows // 64, (rows % 64).astype(np.uint64)
    codes = np.zeros(len(rows), dtype=np.int64)
    for p, plane in enumerate(planes):
        codes |= (plane[words] >> bits & np.uint64(1)).astype(np.int64) << p
    return codes


def count_ones(columns: np.ndarray, masks: np.ndarray, compiled: bool | None = None) -> np.ndarray:
    """Count for every column and every mask the rows of the mask in which the column is one.

    Parameters
    ----------
    columns : uint64 array of shape (n_columns, n_words)
    masks : uint64 array of shape (n_masks, n_words)
    compiled : bool, optional
        Whether compiled code counts. A search that asks often decides by the work of all its calls, at
        `NANOSECONDS_PER_WORD` for a column and a mask; by default the work of this call decides.

    Returns
    -------
    ndarray of shape (n_columns, n_masks)
    """
    counts = np.zeros((len(columns), len(masks)), dtype=np.int64)
    seconds = columns.size * len(masks) * NANOSECONDS_PER_WORD * 1e-9
    if compiles(seconds, KERNELS) if compiled is None else compiled:
        from fewest.kernels.intrinsics import count_common_ones

        count_common_ones(columns, masks, counts)
        return counts
    n_words = max(1, BLOCK_WORDS // max(1, len(masks)))
    for start in range(0, columns.shape[1], n_words):
        some, of_masks = columns[:, start : start + n_words], masks[None, :, start : start + n_words]
        step = max(1, BLOCK_WORDS // of_masks[0].size)
        for first in range(0, len(columns), step):
            together = some[first : first + step, None, :] & of_masks
            counts[first : first + step] += np.bitwise_count(together).sum(axis=2, dtype=np.int64)
    return counts


def _bits(words: np.ndarray, n_rows: int) -> np.ndarray:
    return np.unpackbits(words.astype("<u8", copy=False).view(np.uint8), bitorder="little", count=n_rows)
