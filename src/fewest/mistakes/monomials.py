"""All conjunctions of up to k literals as features, numbered so that a row's are computed, not searched."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np


class MonomialSpace:
    """The conjunctions of up to, or exactly, so many of n literals.

    Monomials of equal size are numbered in colexicographic order of their
    features: {a < b < c} has the number comb(a, 1) + comb(b, 2) + comb(c, 3).
    With complements, each set of d features makes 2^d monomials, of which
    every row has exactly one.

    Parameters
    ----------
    n_features : int
    sizes : range
        The numbers of literals.
    complemented : bool
        Whether literals may be negated.
    """

    def __init__(self, n_features: int, sizes: range, complemented: bool) -> None:
        self.n_features, self.sizes, self.complemented = n_features, sizes, complemented
        counts = [comb(n_features, size) << (size if complemented else 0) for size in sizes]
        self.starts = [sum(counts[:k]) for k in range(len(counts))]
        self.n_monomials = sum(counts)

    def active(self, row: np.ndarray) -> np.ndarray:
        """Return the numbers of the monomials that are true for a row of truths, ascending within a size."""
        candidates = np.arange(self.n_features) if self.complemented else row.nonzero()[0]
        parts = [
            self._of_size(row, candidates, size, start) for size, start in zip(self.sizes, self.starts, strict=True)
        ]
        return np.concatenate([np.empty(0, dtype=np.int64), *parts])

    def _of_size(self, row: np.ndarray, candidates: np.ndarray, size: int, start: int) -> np.ndarray:
        chosen = candidates[_subsets(len(candidates), size)]
        rank = sum((_binomials(self.n_features, k + 1)[chosen[:, k]] for k in range(size)), np.zeros(len(chosen), int))
        if self.complemented:
            signs = sum((row[chosen[:, k]].astype(np.int64) << k for k in range(size)), np.zeros(len(chosen), int))
            rank = (rank << size) | signs
        return start + np.sort(rank)

    def monomials(self) -> Iterator[tuple[tuple[int, bool], ...]]:
        """Yield every monomial in order, as pairs of a feature and whether it is to be true."""
        for size in self.sizes:
            for features in sorted(combinations(range(self.n_features), size), key=lambda chosen: chosen[::-1]):
                for signs in range(1 << size) if self.complemented else [(1 << size) - 1]:
                    yield tuple((feature, bool(signs >> k & 1)) for k, feature in enumerate(features))


@lru_cache(maxsize=512)
def _subsets(n: int, size: int) -> np.ndarray:
    """Return all subsets of ``range(n)``, a row each, ascending within."""
    return np.array([*combinations(range(n), size)], dtype=np.intp).reshape(-1, size)


@lru_cache(maxsize=512)
def _binomials(n: int, size: int) -> np.ndarray:
    return np.array([comb(k, size) for k in range(n)], dtype=np.int64)
