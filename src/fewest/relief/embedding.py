"""The matrix whose inner products make squared distances.

A squared distance is the two rows' squared norms less twice their inner
product. A number is itself, scaled to a range of 1 around 0; a name is an
indicator for each of its values, whose inner product counts agreement. Where
a value is missing, the mean (of numbers or of indicators) over its class takes
its place and the variance joins the norm: just the expected difference. Names
with many values are left out, to be compared one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewest.relief.layout import parts
from fewest.relief.missing import UnknownNames, UnknownNumbers

# A name is one column for each of its values in the matrix, if these are not more.
MOST_INDICATORS = 16


@dataclass(frozen=True)
class Expectations:
    """What one has to know of all rows to make a vector of one.

    Parameters
    ----------
    n_numbers : int
        The first so many columns are numbers, the others names.
    n_names : dict of int to int
        How many names each of the others has.
    numbers : dict of int to UnknownNumbers
    names : dict of int to UnknownNames
        What to expect in the columns with missing values.
    """

    n_numbers: int
    n_names: dict[int, int]
    numbers: dict[int, UnknownNumbers]
    names: dict[int, UnknownNames]

    @classmethod
    def from_rows(
        cls, values: np.ndarray, n_numbers: int, gaps: list[int], weights: np.ndarray, starts: np.ndarray
    ) -> Expectations:
        """Look at all rows, sorted by class; ``gaps`` are the columns with missing values."""
        class_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return cls(
            n_numbers,
            {f: int(np.fmax.reduce(values[:, f], initial=-1)) + 1 for f in range(n_numbers, values.shape[1])},
            {f: UnknownNumbers.from_rows(values[:, f], weights, starts) for f in gaps if f < n_numbers},
            {
                f: UnknownNames.from_rows(values[:, f], weights, class_of, len(starts) - 1)
                for f in gaps
                if f >= n_numbers
            },
        )


class Embedding:
    """Rows as vectors.

    Parameters
    ----------
    values : float32 array of shape (n_rows, n_features)
        Numbers in [-1/2, 1/2], then codes of names; NaN where missing.
    class_of : ndarray of shape (n_rows,)
    expectations : Expectations

    Attributes
    ----------
    matrix : float32 array of shape (n_rows, n_columns)
    scale : float32 array of shape (n_columns,)
        What an inner product counts for in the distance.
    norms : ndarray of shape (n_rows,)
    spread : ndarray of shape (n_rows,)
        The distance of each row from a copy of itself, in whose gaps something else may be; 0 for a row without gaps.
    many : list of int
        The names that were left out.
    """

    def __init__(self, values: np.ndarray, class_of: np.ndarray, expectations: Expectations):
        self.norms, self.spread = np.zeros(len(values)), np.zeros(len(values))
        self._values, self._class_of, self._expectations = values, class_of, expectations
        n_numbers = expectations.n_numbers
        filled = self._filled(values[:, :n_numbers], expectations.numbers)
        for rows in parts(np.arange(len(values)), n_numbers):  # each row by itself: sums are rounded by their order
            self.norms[rows] += (filled[rows].astype(np.float64) ** 2).sum(axis=1)
        self.many: list[int] = []
        indicators = [
            part
            for f in range(n_numbers, values.shape[1])
            if (part := self._indicators(f, expectations.names.get(f))).size
        ]
        self.matrix = np.ascontiguousarray(np.hstack([filled, *indicators]) if indicators else filled)
        self.scale = np.full(self.matrix.shape[1], -1, dtype=np.float32)
        self.scale[:n_numbers] = -2

    def _filled(self, numbers: np.ndarray, unknown: dict[int, UnknownNumbers]) -> np.ndarray:
        """Return the numbers with means in the gaps."""
        filled = numbers.copy() if unknown else numbers
        for f, expected in unknown.items():
            gaps = np.flatnonzero(np.isnan(numbers[:, f]))
            classes = self._class_of[gaps]
            filled[gaps, f] = expected.means[classes]
            self.norms[gaps] += expected.variances[classes]
            self.spread[gaps] += 2 * expected.variances[classes]
        return filled

    def _indicators(self, f: int, unknown: UnknownNames | None) -> np.ndarray:
        """Return an indicator for each value of a name, its share of the class in the gaps; none if they are many."""
        codes = self._values[:, f]
        gaps = np.flatnonzero(np.isnan(codes))
        classes = self._class_of[gaps]
        if unknown is not None:
            self.spread[gaps] += unknown.expected[unknown.n_names + classes, classes]
        n_names = self._expectations.n_names[f]
        if n_names > MOST_INDICATORS:
            self.many.append(f)
            return np.empty((len(codes), 0), dtype=np.float32)
        self.norms += 0.5 if n_names else 0.0
        indicators = (codes[:, None] == np.arange(n_names)).astype(np.float32)
        if unknown is not None:
            indicators[gaps] = 1 - unknown.expected[:n_names, classes].T
        return indicators

    def identities(self) -> np.ndarray:
        """Return rows of numbers that are equal where the vectors are, and the names that were left out."""
        if not self.many:
            return self.matrix
        return np.hstack([self.matrix, np.nan_to_num(self._values[:, self.many], nan=-1)])
