"""Boolean examples in the three shapes that the learners read: dense, sparse and packed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fewest.kernels.bits import n_words, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Callable

    from fewest.mistakes.kernels.layout import UpdateRule, WeightState


@dataclass(frozen=True, eq=False)
class Dense:
    """Rows of zeros and ones, a byte each."""

    rows: np.ndarray  # uint8 (n_rows, n_features), C order

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def n_features(self) -> int:
        """Return how many features a row has."""
        return self.rows.shape[1]

    @property
    def n_values(self) -> int:
        """Return how many values a pass reads."""
        return self.rows.size

    def active(self, row: int) -> np.ndarray:
        """Return the features that are true in a row."""
        return self.rows[row].nonzero()[0]

    @cached_property
    def lists(self) -> Sparse:
        """Return the same rows as lists of features."""
        indptr = np.append(0, np.cumsum(np.count_nonzero(self.rows, axis=1)))
        return Sparse(indptr.astype(np.int32), self.rows.nonzero()[1].astype(np.int32), self.n_features)

    def part(self, some: slice) -> Dense:
        """Return the rows from one to another."""
        return Dense(self.rows[some])

    def learn_compiled(self, labels: np.ndarray, state: WeightState, rule: UpdateRule, scores: np.ndarray) -> None:
        """Learn from all rows by compiled code, updating ``state`` and writing ``scores``."""
        from fewest.mistakes.kernels.winnow import winnow_dense

        winnow_dense(self.rows, labels, tuple(state), tuple(rule), scores)

    def scores(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum of the weights of the active features of each row."""
        return _in_blocks(len(self), self.n_features, lambda some: self.rows[some] @ weights[:-1]) + weights[-1]


@dataclass(frozen=True, eq=False)
class Sparse:
    """For each row a list of the features that are true (compressed sparse rows without their data)."""

    indptr: np.ndarray
    indices: np.ndarray
    n_features: int

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def n_values(self) -> int:
        """Return how many values a pass reads."""
        return len(self.indices)

    def active(self, row: int) -> np.ndarray:
        """Return the features that are true in a row."""
        return self.indices[self.indptr[row] : self.indptr[row + 1]]

    def part(self, some: slice) -> Sparse:
        """Return the rows from one to another."""
        first, last = self.indptr[some.start], self.indptr[some.stop]
        return Sparse(self.indptr[some.start : some.stop + 1] - first, self.indices[first:last], self.n_features)

    def learn_compiled(self, labels: np.ndarray, state: WeightState, rule: UpdateRule, scores: np.ndarray) -> None:
        """Learn from all rows by compiled code, updating ``state`` and writing ``scores``."""
        from fewest.mistakes.kernels.winnow import winnow_sparse

        winnow_sparse(self.indptr, self.indices, labels, tuple(state), tuple(rule), scores)

    def scores(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum of the weights of the active features of each row."""
        sums = np.add.reduceat(np.append(weights[self.indices], 0.0), self.indptr[:-1])
        return np.where(np.diff(self.indptr) > 0, sums, 0.0) + weights[-1]  # of nothing, reduceat makes something


@dataclass(frozen=True, eq=False)
class PackedBits:
    """Boolean examples as bits, 64 features a word: an eighth of the memory, and the fastest to learn from.

    Parameters
    ----------
    words : ndarray of uint64 of shape (n_samples, n_words)
        Feature i is bit ``i % 64`` of word ``i // 64``.
    n_features : int
        The number of features; bits of the last word beyond it are ignored.

    See Also
    --------
    Winnow1 : A classifier that takes such examples, as `Winnow2` and `BalancedWinnow` do.
    numpy.packbits : Bits packed into bytes, which `from_bytes` takes.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import Winnow1
    >>> from fewest.mistakes import PackedBits
    >>> X = np.random.default_rng(0).random((500, 100)) < 0.05
    >>> y = X[:, 3] | X[:, 70]
    >>> packed = PackedBits.from_dense(X)
    >>> packed.shape, packed.words.nbytes
    ((500, 100), 8000)
    >>> bool((Winnow1().fit(packed, y).predict(packed) == y).all())
    True
    """

    words: np.ndarray
    n_features: int

    @classmethod
    def from_dense(cls, X: object) -> PackedBits:
        """Pack a Boolean matrix.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            What is not 0 is true.

        Returns
        -------
        PackedBits
            The same examples, 64 features a word.

        Examples
        --------
        >>> PackedBits.from_dense([[1, 0, 1]]).words
        array([[5]], dtype=uint64)
        """
        rows = np.asarray(X).astype(bool)
        return cls(np.ascontiguousarray(pack(rows).T), rows.shape[1])

    @classmethod
    def from_bytes(cls, rows: np.ndarray, n_features: int) -> PackedBits:
        """Take the rows of ``np.packbits(X, axis=1, bitorder="little")``.

        Parameters
        ----------
        rows : ndarray of uint8 of shape (n_samples, n_bytes)
            Feature i is bit ``i % 8`` of byte ``i // 8``.
        n_features : int
            The number of features.

        Returns
        -------
        PackedBits
            The same examples, 64 features a word.

        Examples
        --------
        >>> X = np.eye(3, 20, dtype=bool)
        >>> packed = PackedBits.from_bytes(np.packbits(X, axis=1, bitorder="little"), 20)
        >>> bool((packed.to_dense() == X).all())
        True
        """
        padded = np.zeros((len(rows), n_words(n_features) * 8), dtype=np.uint8)
        padded[:, : rows.shape[1]] = rows
        return cls(padded.view("<u8").astype(np.uint64, copy=False), n_features)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of rows and features."""
        return len(self.words), self.n_features

    @property
    def n_values(self) -> int:
        """Return how many values a pass reads."""
        return len(self.words) * self.n_features

    def to_dense(self) -> np.ndarray:
        """Return the Boolean matrix.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_features)
            The examples, a byte for every value.
        """
        return unpack(self.words.T, self.n_features)

    def active(self, row: int) -> np.ndarray:
        """Return the features that are true in a row.

        Parameters
        ----------
        row : int
            The number of the row.

        Returns
        -------
        ndarray of int
            Their numbers, in order.
        """
        return unpack(self.words[row : row + 1].T, self.n_features)[0].nonzero()[0]

    def part(self, some: slice) -> PackedBits:
        """Return the rows from one to another.

        Parameters
        ----------
        some : slice
            Which rows.

        Returns
        -------
        PackedBits
            A view of them; nothing is copied.
        """
        return PackedBits(self.words[some], self.n_features)

    def learn_compiled(self, labels: np.ndarray, state: WeightState, rule: UpdateRule, scores: np.ndarray) -> None:
        """Learn from all rows by compiled code, updating ``state`` and writing ``scores``.

        Parameters
        ----------
        labels : ndarray of shape (n_samples,)
            Which rows are positive.
        state : WeightState
            The weights of a learner, which change in place.
        rule : UpdateRule
            The threshold, and what a mistake does to weights.
        scores : ndarray of float of shape (n_samples,)
            Receives the sum of weights that each row had before its label was used, or, unless the rule is exact, any
            number on the same side of the threshold.
        """
        from fewest.mistakes.kernels.winnow import winnow_packed

        winnow_packed(np.ascontiguousarray(self.words), labels, tuple(state), tuple(rule), scores)

    def scores(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum of the weights of the active features of each row.

        Parameters
        ----------
        weights : ndarray of float of shape (n_features + 1,)
            The weight of every feature; the last is added to every row.

        Returns
        -------
        ndarray of float of shape (n_samples,)
            A sum for every row.
        """
        n = self.n_features
        return _in_blocks(len(self), n, lambda some: unpack(self.words[some].T, n) @ weights[:-1]) + weights[-1]

    def fits(self) -> bool:
        """Return whether the words are as many as the features need; bits beyond these are ignored.

        Returns
        -------
        bool
            Whether a row has ``ceil(n_features / 64)`` words of 64 bits.
        """
        return self.words.dtype == np.uint64 and self.words.shape[1:] == (n_words(self.n_features),)


def _in_blocks(n_rows: int, n_features: int, work: Callable[[slice], np.ndarray]) -> np.ndarray:
    """Work on some rows at a time: a matrix product needs them as floating-point numbers."""
    step = max(1, (1 << 22) // max(1, n_features))
    return np.concatenate([work(slice(start, start + step)) for start in range(0, n_rows, step)] or [np.empty(0)])


Examples = Dense | Sparse | PackedBits
