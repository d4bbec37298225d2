"""What any model says about new data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

UNDECIDED = -1


@dataclass(frozen=True)
class Answers:
    """One answer a row.

    Attributes
    ----------
    predicted : ndarray of shape (n_rows,)
        Numbers of classes; -1 where nothing decided.
    shares : ndarray of shape (n_rows, n_classes)
        What each class has for itself, adding up to 1.
    otherwise : int
        The class to name where nothing decided.
    n_unseen : int
        Rows with values that the training data did not have.
    """

    predicted: np.ndarray
    shares: np.ndarray
    otherwise: int
    n_unseen: int

    @property
    def n_undecided(self) -> int:
        """Count the rows without a decision."""
        return int((self.predicted == UNDECIDED).sum())

    @property
    def settled(self) -> np.ndarray:
        """Return the classes, with ``otherwise`` where nothing decided."""
        return np.where(self.predicted == UNDECIDED, self.otherwise, self.predicted)
