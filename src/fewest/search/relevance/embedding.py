"""The matrix whose inner products make squared distances.

A squared distance is the two rows' squared norms less twice their inner
product. A number is itself, scaled to a range of 1 around 0; a name is an
indicator for each of its values, whose inner product counts agreement. Where
a value is missing, the mean (of numbers or of indicators) over its class takes
its place and the variance joins the norm: just the expected difference. Names
with many values are left out, to be compared one by one.
"""

from __future__ import annotations

import numpy as np

from fewest.search.relevance.unknown import UnknownNames, UnknownNumbers

# A name is one column for each of its values in the matrix, if these are not more.
MOST_INDICATORS = 16


class Embedding:
    """Rows as vectors.

    Parameters
    ----------
    values : float32 array of shape (n_rows, n_features)
        Numbers in [-1/2, 1/2], then codes of names; NaN where missing.
    n_numbers : int
    class_of : ndarray of shape (n_rows,)
    numbers : dict of int to UnknownNumbers
    names : dict of int to UnknownNames
        What to expect in the columns with missing values.

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

    def __init__(
        self,
        values: np.ndarray,
        n_numbers: int,
        class_of: np.ndarray,
        numbers: dict[int, UnknownNumbers],
        names: dict[int, UnknownNames],
    ):
        self.norms, self.spread = np.zeros(len(values)), np.zeros(len(values))
        self._values, self._class_of = values, class_of
        filled = self._filled(values[:, :n_numbers], numbers)
        self.norms += np.einsum("ij,ij->i", filled, filled, dtype=np.float64)
        self.many: list[int] = []
        indicators = [
            part for f in range(n_numbers, values.shape[1]) if (part := self._indicators(f, names.get(f))).size
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
        n_names = int(np.fmax.reduce(codes, initial=-1)) + 1
        if n_names > MOST_INDICATORS:
            self.many.append(f)
            return np.empty((len(codes), 0), dtype=np.float32)
        self.norms += 0.5 if n_names else 0.0
        indicators = (codes[:, None] == np.arange(n_names)).astype(np.float32)
        if unknown is not None:
            indicators[gaps] = 1 - unknown.expected[:n_names, classes].T
        return indicators
