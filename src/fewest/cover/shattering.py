"""Sets of instances that the concepts of few relevant features shatter: the proof of lemma 2, made and checked.

Almuallim and Dietterich (1994), section 4. A set of instances is a matrix, a
row an instance and a column a feature. It is shattered by the concepts of at
most p relevant features if every labelling of its rows is a function of some p columns.
"""

from __future__ import annotations

from itertools import combinations
from math import floor, log2

import numpy as np

from fewest.exceptions import ParameterError, TooLargeError

# Labellings are tried one by one.
MOST_ROWS = 16
# All subsets of p columns are tried by `is_shattered`.
MOST_SUBSETS = 1_000_000


class Shattered:
    """The larger of the two matrices of lemma 2's proof, for n features and p relevant ones.

    Part 1 writes the truth table of p variables into p columns: 2^p rows. Part
    2 takes r variables, of which d are *unfolded*: its columns are all
    functions of the other r - d, one of every two that are complements, and the d
    variables themselves; 2^r rows. The columns that are left are 0.

    Parameters
    ----------
    n_features, n_relevant : int
    part : {1, 2}, optional
        The part of the proof; by default the one that gives more rows. Part 2 needs p >= 2 and n >= 4.

    Attributes
    ----------
    matrix : ndarray of bool of shape (n_rows, n_features)
    part : int

    Examples
    --------
    With 2^16 features and two relevant ones, eight instances are shattered instead of four:

    >>> shattered = Shattered(2**16, 2)
    >>> shattered.matrix.shape, shattered.part
    ((8, 65536), 2)
    >>> shattered.features_for([1, 0, 0, 1, 1, 0, 1, 0]), shattered.n_verified()
    ((89,), 256)
    """

    def __init__(self, n_features: int, n_relevant: int, part: int | None = None) -> None:
        n, p = n_features, n_relevant
        can_fold = p >= 2 and n >= 4
        if not 1 <= p <= n or part not in (None, 1, 2) or (part == 2 and not can_fold):
            raise ParameterError(
                f"p = {p}, n = {n}, but part 1 of the proof holds for 1 <= p <= n, part 2 for p >= 2 and n >= 4 only."
            )
        # The logarithm of a logarithm is rounded; a whole number must not fall below itself.
        r = floor(log2(p) + log2(log2(n)) + 1e-12) - 2 if can_fold else 0
        self.n_relevant, self.part = p, part or (2 if r > p else 1)
        self.n_variables, self.n_unfolded = (p, p) if self.part == 1 else (r, p.bit_length() - 2)
        if self.n_variables > MOST_ROWS:
            raise TooLargeError(f"The matrix has 2^{self.n_variables} rows, too many to be listed. Choose smaller p.")
        self.matrix = np.zeros((1 << self.n_variables, n), dtype=bool)
        columns = self._columns()
        self.matrix[:, : len(columns)] = np.array(columns).T

    def _columns(self) -> list[np.ndarray]:
        """Return the columns that are not arbitrary: in part 2, the functions that come before the variables."""
        rows = np.arange(1 << self.n_variables)
        variables = [(rows >> b & 1).astype(bool) for b in range(self.n_variables)]
        if self.part == 1:
            return variables
        inner = 1 << (self.n_variables - self.n_unfolded)
        cells = rows & (inner - 1)
        # A function and its complement are expressed alike; the one that is 0 in the last cell stays.
        functions = [(code >> cells & 1).astype(bool) for code in range(1 << (inner - 1))]
        return functions + variables[self.n_variables - self.n_unfolded :]

    def features_for(self, labels) -> tuple[int, ...]:
        """Return the columns, at most p, that lemma 3 names for a labelling: its unfoldings, and what was unfolded."""
        wanted = np.asarray(labels).astype(bool)
        if self.part == 1:
            return tuple(range(self.n_relevant))
        inner = 1 << (self.n_variables - self.n_unfolded)
        parts = wanted.reshape(-1, inner)  # one function of the inner variables for every value of the unfolded ones
        codes = {int((part ^ part[-1]) @ (1 << np.arange(inner))) for part in parts}
        first = 1 << (inner - 1)
        return tuple(sorted(codes)) + tuple(range(first, first + self.n_unfolded))

    def expresses(self, labels) -> bool:
        """Return whether a labelling is a function of at most p columns, those that lemma 3 names."""
        features = self.features_for(labels)
        seen: dict[bytes, bool] = {}
        agreed = (
            seen.setdefault(row.tobytes(), bool(label)) == bool(label)
            for row, label in zip(self.matrix[:, features], labels, strict=True)
        )
        return len(features) <= self.n_relevant and all(agreed)

    def n_verified(self) -> int:
        """Express every labelling of the rows, and return how many there are."""
        n_rows = len(self.matrix)
        if n_rows > MOST_ROWS:
            raise TooLargeError(f"{n_rows} rows have 2^{n_rows} labellings, too many to try. Choose smaller p.")
        for code in range(1 << n_rows):
            if not self.expresses([code >> i & 1 for i in range(n_rows)]):
                raise AssertionError(f"The labelling {code:b} is not a function of {self.n_relevant} columns.")
        return 1 << n_rows


def is_shattered(matrix: object, n_relevant: int) -> bool:
    """Return whether every labelling of the rows is a function of some p columns, by trying all.

    >>> bool(is_shattered(Shattered(5, 2).matrix, 2)), bool(is_shattered([[0, 1], [0, 1]], 1))
    (True, False)
    """
    rows = np.asarray(matrix).astype(bool)
    n_rows, n_features = rows.shape
    distinct = np.unique(rows, axis=1)  # equal columns express alike
    subsets = [*combinations(range(distinct.shape[1]), min(n_relevant, distinct.shape[1]))]
    if n_rows > MOST_ROWS or len(subsets) > MOST_SUBSETS:
        raise TooLargeError(
            f"{n_rows} rows and {n_features} columns have too many labellings and subsets to try them all."
        )
    reached = np.zeros(1 << n_rows, dtype=bool)
    for subset in subsets:
        groups = np.unique(distinct[:, subset], axis=0, return_inverse=True)[1].ravel()
        words = [sum(1 << int(i) for i in np.flatnonzero(groups == g)) for g in range(groups.max() + 1)]
        labellings = np.zeros(1, dtype=np.int64)
        for word in words:
            labellings = np.concatenate([labellings, labellings | word])
        reached[labellings] = True
    return bool(reached.all())
