"""Features that widen what Winnow learns: complements and conjunctions, as scikit-learn transformers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Self

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from fewest.estimators.input import VersionedState, as_frame_with_columns, checked_names
from fewest.estimators.options import options_of
from fewest.exceptions import TooLargeError
from fewest.mistakes.estimators.input import BOOLEAN_ARRAY, as_dense, binarized
from fewest.mistakes.options import BINARIZE, MonomialsOptions


class BooleanTransformer(TransformerMixin, VersionedState, BaseEstimator):
    """A transformer of Boolean features into Boolean features; a subclass decides into which."""

    binarize: float | None

    def _rows(self, X, *, reset: bool) -> np.ndarray:
        """Return checked data as a dense matrix of zeros and ones."""
        X = binarized(validate_data(self, as_frame_with_columns(self, X), reset=reset, **BOOLEAN_ARRAY), self.binarize)
        return as_dense(X.toarray() if issparse(X) else X, type(self).__name__)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags


class ComplementedLiterals(BooleanTransformer):
    """Add the complement of every Boolean feature, so that Winnow learns disjunctions with negated literals.

    Conjunctions are learned, too: the complement of a conjunction is a
    disjunction of complements (De Morgan), so let Winnow describe the negative
    class, with its ``positive_class``.

    Parameters
    ----------
    keep_originals : bool, default=True
        Whether the features themselves stay, before their complements.
    binarize : float or None, default=0.0
        A number above it is true, as in scikit-learn's `BernoulliNB`. None refuses numbers other than 0 and 1.

    Attributes
    ----------
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    Monomials : Conjunctions, with complements if asked for.
    BooleanTests : Boolean features of columns of any kind.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from fewest import Winnow1
    >>> from fewest.preprocessing import ComplementedLiterals
    >>> X = np.random.default_rng(0).random((2000, 100)) < 0.5
    >>> conjunction = X[:, 2] & ~X[:, 9]
    >>> winnow = make_pipeline(ComplementedLiterals(), Winnow1(positive_class=False)).fit(X, conjunction)
    >>> names = winnow[:-1].get_feature_names_out()
    >>> winnow.score(X, conjunction), names[winnow[-1].weights_[0] > winnow[-1].theta_].tolist()
    (1.0, ['x9', '~x2'])
    """

    def __init__(self, *, keep_originals=True, binarize=BINARIZE):
        self.keep_originals = keep_originals
        self.binarize = binarize

    def fit(self, X, y=None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Remember the features.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Boolean: True and False, 1 and 0, or numbers that ``binarize`` makes so.
        y : None
            Ignored.

        Returns
        -------
        self : ComplementedLiterals
            The transformer itself.
        """
        self._rows(X, reset=True)
        return self

    def transform(self, X):
        """Return the features, then their complements.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            The features, as in `fit`.

        Returns
        -------
        array of uint8 or dataframe of shape (n_samples, n_features_out)
            The features, unless they are left out, and their complements; as `set_output` asks.
        """
        check_is_fitted(self)
        rows = self._rows(X, reset=False)
        return np.hstack([rows, 1 - rows]) if self.keep_originals else 1 - rows

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Return the names of the output: complements as ``~x0``.

        Parameters
        ----------
        input_features : array-like of str, optional
            The names of the features; those of training by default.

        Returns
        -------
        ndarray of str
            One name for every feature of the output.
        """
        names = checked_names(self, input_features)
        return np.array([*(names if self.keep_originals else []), *(f"~{name}" for name in names)], dtype=object)


class Monomials(BooleanTransformer):
    """Replace features by all conjunctions of up to k of their literals, so that Winnow learns k-DNF.

    The number of conjunctions is known before any is built: `count` returns it,
    and `fit` refuses more than ``max_features``.

    Parameters
    ----------
    degree : int, default=2
        The most literals in a conjunction.
    exactly : bool, default=False
        Only conjunctions of exactly ``degree`` literals.
    complemented : bool, default=False
        Negated literals as well. Every row then has one conjunction for every choice of features.
    max_features : int, default=10_000_000
        The most conjunctions to build.
    sparse_output : bool, default=True
        Whether the output is a sparse matrix; False gives an array, or a dataframe with `set_output`.
    binarize : float or None, default=0.0
        A number above it is true, as in scikit-learn's `BernoulliNB`. None refuses numbers other than 0 and 1.

    Attributes
    ----------
    n_features_out_ : int
        The number of conjunctions.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, where they are text.

    See Also
    --------
    ComplementedLiterals : The features and their complements alone.
    FringeFeatures : Those conjunctions that a tree finds useful.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from fewest import Winnow1
    >>> from fewest.preprocessing import Monomials
    >>> X = np.random.default_rng(0).random((3000, 50)) < 0.3
    >>> dnf = (X[:, 1] & X[:, 2]) | (X[:, 3] & X[:, 4])
    >>> Monomials(degree=2).count(50)
    1275
    >>> winnow = make_pipeline(Monomials(degree=2), Winnow1()).fit(X, dnf)
    >>> names = winnow[:-1].get_feature_names_out()
    >>> winnow.score(X, dnf), names[winnow[-1].weights_[0] > winnow[-1].theta_].tolist()
    (1.0, ['x1 & x2', 'x3 & x4'])
    """

    def __init__(
        self,
        degree=MonomialsOptions.degree,
        *,
        exactly=MonomialsOptions.exactly,
        complemented=MonomialsOptions.complemented,
        max_features=MonomialsOptions.max_features,
        sparse_output=True,
        binarize=BINARIZE,
    ):
        self.degree = degree
        self.exactly = exactly
        self.complemented = complemented
        self.max_features = max_features
        self.sparse_output = sparse_output
        self.binarize = binarize

    def count(self, n_features: int) -> int:
        """Return how many conjunctions of ``n_features`` features there are.

        Parameters
        ----------
        n_features : int
            The number of features.

        Returns
        -------
        int
            The number of conjunctions.
        """
        return self._space(n_features).n_monomials

    def _space(self, n_features: int) -> MonomialSpace:
        options = options_of(self, MonomialsOptions)
        return MonomialSpace(n_features, options.sizes, bool(options.complemented))

    def fit(self, X, y=None) -> Self:  # noqa: ARG002 (scikit-learn's signature)
        """Number the conjunctions.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            Boolean: True and False, 1 and 0, or numbers that ``binarize`` makes so.
        y : None
            Ignored.

        Returns
        -------
        self : Monomials
            The transformer itself.
        """
        self._rows(X, reset=True)
        space = self._space(self.n_features_in_)
        if space.n_monomials > self.max_features:
            raise TooLargeError.from_size(
                f"The conjunctions of up to {self.degree} literals of {self.n_features_in_:,} features",
                space.n_monomials,
                self.max_features,
                "Choose a smaller degree, select features first, or raise max_features.",
            )
        self._space_, self.n_features_out_ = space, space.n_monomials
        return self

    def transform(self, X):
        """Return whether every conjunction is true, for every row.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            The features, as in `fit`.

        Returns
        -------
        csr_array of uint8, array or dataframe of shape (n_samples, n_features_out)
            1 where a conjunction is true; sparse if ``sparse_output``.
        """
        check_is_fitted(self)
        rows = self._rows(X, reset=False)
        active = [self._space_.active(row) for row in rows]
        indptr = np.cumsum([0, *map(len, active)])
        indices = np.concatenate([np.empty(0, dtype=np.int64), *active])
        shape = len(rows), self.n_features_out_
        found = csr_array((np.ones(len(indices), np.uint8), indices, indptr), shape=shape)
        return found if self.sparse_output else found.toarray()

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Return the names of the output: conjunctions as ``x0 & ~x3``.

        Parameters
        ----------
        input_features : array-like of str, optional
            The names of the features; those of training by default.

        Returns
        -------
        ndarray of str
            One name for every conjunction.
        """
        names = checked_names(self, input_features)
        spelled = [(f"~{name}", name) for name in names]
        return np.array(
            [" & ".join(spelled[i][holds] for i, holds in monomial) for monomial in self._space_.monomials()],
            dtype=object,
        )


class MonomialSpace:
    """The conjunctions of some sizes of the literals of n features, numbered.

    Monomials of equal size are numbered in colexicographic order of their
    features: {a < b < c} has the number comb(a, 1) + comb(b, 2) + comb(c, 3).
    With complements, each set of d features has 2^d monomials, of which
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
        """Return the numbers of the monomials that are true for a Boolean row, ascending within a size."""
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
