"""Columns that are added to again and again, as a search learns conflicts, without copying all of them each time."""

from __future__ import annotations

import numpy as np


class GrowingColumns:
    """An array whose last axis grows.

    Parameters
    ----------
    columns : ndarray
        What it holds at first; it is copied.
    """

    def __init__(self, columns: np.ndarray):
        self._room, self._n_columns = columns.copy(), columns.shape[-1]

    @property
    def columns(self) -> np.ndarray:
        """Return what it holds: a view, to be read only."""
        return self._room[..., : self._n_columns]

    def add(self, columns: np.ndarray) -> None:
        """Add some after the last; room is made by half as much again, so that each is copied a few times at most."""
        first, self._n_columns = self._n_columns, self._n_columns + columns.shape[-1]
        if self._n_columns > self._room.shape[-1]:
            room = np.empty((*self._room.shape[:-1], self._n_columns + self._n_columns // 2), dtype=self._room.dtype)
            room[..., :first] = self._room[..., :first]
            self._room = room
        self._room[..., first : self._n_columns] = columns

    def cut(self, n_columns: int) -> None:
        """Forget all but the first so many."""
        self._n_columns = n_columns
