"""Coefficients of the subsets that were fitted last: a search extends the best of them, and asks for the best again."""

from __future__ import annotations

from threading import Lock

import numpy as np

from fewest.wrapper.evaluators.moves import Moves
from fewest.wrapper.search.candidates import Keys

# Coefficients kept of a size: 32 MB.
MOST = 1 << 22


class KnownFits:
    """The coefficients of subsets of the size fitted last, and of one feature less.

    Threads may add at the same time. What is found does not depend on who was first, unless there is too much to keep.
    """

    def __init__(self, n_features: int, *shape: int) -> None:
        self._shape = shape  # of what belongs to one feature: a number, or one for every class
        self._keys = Keys(n_features, 0).units
        self._fits: dict[int, list[tuple[np.ndarray, Moves, np.ndarray]]] = {}
        self._lock = Lock()

    def add(self, moves: Moves, coefs: np.ndarray) -> None:
        """Keep the intercepts and coefficients of all children; forget other sizes and, of too many, the oldest."""
        size = moves.parents.shape[1] + 1
        parents = np.bitwise_xor.reduce(self._keys[moves.parents], axis=1)
        keys = np.repeat(parents, np.diff(moves.starts)) ^ self._keys[moves.added]
        with self._lock:
            self._fits = {kept: self._fits.get(kept, []) for kept in (size - 1, size)}
            fits = self._fits[size]
            fits.append((keys, moves, coefs))
            while sum(each.size for _, _, each in fits) > MOST:
                del fits[0]

    def of(self, subsets: np.ndarray) -> np.ndarray:
        """Return the intercept of every row of features, and their coefficients in the row's order; NaN if unknown."""
        found = np.full((len(subsets), subsets.shape[1] + 1, *self._shape), np.nan)
        keys = np.bitwise_xor.reduce(self._keys[subsets], axis=1)
        order = np.argsort(keys)
        for fitted, moves, coefs in self._fits.get(subsets.shape[1], ()):
            place = np.minimum(np.searchsorted(keys, fitted, sorter=order), len(order) - 1)
            hits = np.flatnonzero(keys[order[place]] == fitted)
            rows = order[place[hits]]
            parent = np.searchsorted(moves.starts, hits, side="right") - 1
            features = np.column_stack([moves.parents[parent], moves.added[hits]])
            found[rows, 0] = coefs[hits, 0]
            ascending = coefs[hits[:, None], 1 + np.argsort(features, axis=1)]
            found[rows[:, None], 1 + np.argsort(subsets[rows], axis=1)] = ascending
        return found
