"""Sets of features as bits, 64 to a word.

A family of sets is a *word-major* matrix: ``words[w, s]`` holds the features ``64 w .. 64 w + 63`` of set ``s``, the
first in the lowest bit, so that an operation on one word of all sets runs over contiguous memory. Bits after the last
feature are 0.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

WORD = 64  # bits; the one width of packed data in all kernels


def n_words(n_bits: int) -> int:
    """Return how many words hold ``n_bits`` bits."""
    return -(-n_bits // WORD)


def pack(rows: np.ndarray) -> np.ndarray:
    """Pack a Boolean matrix (sets x features) into words (words x sets)."""
    n_sets, n_bits = rows.shape
    padded = np.zeros((n_sets, n_words(n_bits) * 8), dtype=np.uint8)
    if n_bits:
        padded[:, : -(-n_bits // 8)] = np.packbits(rows, axis=1, bitorder="little")
    return np.ascontiguousarray(padded.view("<u8").astype(np.uint64, copy=False).T)


def unpack(words: np.ndarray, n_bits: int) -> np.ndarray:
    """Undo `pack`: return the Boolean matrix (sets x features)."""
    by_set = np.ascontiguousarray(words.T.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(by_set, axis=1, bitorder="little", count=n_bits).view(bool)


def transposed(words: np.ndarray) -> np.ndarray:
    """Return words, read as 8 x 8 matrices of bits, transposed: bit 8 i + j moves to bit 8 j + i.

    Three steps swap the off-diagonal parts of all 2 x 2, 4 x 4 and 8 x 8 blocks; ``moved`` marks one part of each.
    """
    for shift, moved in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        change = (words ^ (words >> np.uint64(shift))) & np.uint64(moved)
        words = words ^ change ^ (change << np.uint64(shift))
    return words


def mask(members: Iterable[int], n_bits: int) -> np.ndarray:
    """Return the words of one set, given its members."""
    row = np.zeros((1, n_bits), dtype=bool)
    row[0, list(members)] = True
    return pack(row)[:, 0]


def members(words: np.ndarray) -> list[int]:
    """Return the members of one set in ascending order."""
    return np.flatnonzero(unpack(words[:, None], len(words) * WORD)[0]).tolist()


def sizes(words: np.ndarray) -> np.ndarray:
    """Count the members of every set."""
    return np.bitwise_count(words).sum(axis=0, dtype=np.int64)


def missed(words: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Return the positions of the sets that have no member among the ``chosen``."""
    hit = np.zeros(words.shape[1], dtype=np.uint64)
    for word in np.flatnonzero(chosen):  # a small choice touches few words
        hit |= words[word] & chosen[word]
    return np.flatnonzero(hit == 0)
