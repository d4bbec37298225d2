"""Relief, then the fewest of the features it keeps."""

from __future__ import annotations

import narwhals.stable.v1 as nw
import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.validation import validate_data

from fewest.cover.estimators import MinFeatures
from fewest.estimators.input import AnyColumnsMixin, as_frame, is_frame
from fewest.estimators.selector import KeepsFeatures
from fewest.relief.estimators import ReliefF


class ReliefThenCover(KeepsFeatures, MetaEstimatorMixin, AnyColumnsMixin, BaseEstimator):
    """Keep the fewest of the features that are relevant: Relief first, then a search for a smallest subset.

    Relief keeps every relevant feature, copies included. Kira and Rendell
    (1992), section 6, propose "subsequent exhaustive search over the subsets
    of all the features selected by Relief": it drops those that the others
    make redundant, and is quick, since few are left to search.

    Parameters
    ----------
    relief : selector, optional
        What keeps the relevant features; ``ReliefF()`` by default.
    cover : selector, optional
        What finds a small sufficient subset of them: `MinFeatures` by default, which is exact; a greedy one is quicker.

    Attributes
    ----------
    relief_, cover_ : selectors
        The two, fitted; ``cover_`` is None when Relief keeps nothing.
    relevant_ : ndarray of int
        What Relief kept; ``cover_`` saw these columns only.
    support_ : ndarray of shape (n_features,)
    n_features_in_ : int
    feature_names_in_ : ndarray, where the data has string names

    Examples
    --------
    Two features are relevant, and each comes twice:

    >>> import numpy as np
    >>> from fewest import Relief, ReliefThenCover
    >>> X = np.random.default_rng(0).integers(0, 2, (300, 10))
    >>> X[:, 8:] = X[:, :2]
    >>> selector = ReliefThenCover(Relief(threshold=0.1, random_state=0)).fit(X, X[:, 0] ^ X[:, 1])
    >>> selector.relevant_, selector.get_support(indices=True)
    (array([0, 1, 8, 9]), array([0, 1]))
    """

    def __init__(self, relief=None, cover=None):
        self.relief = relief
        self.cover = cover

    def fit(self, X, y):
        """Find the relevant features, then the fewest of them that tell the classes apart.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        X = as_frame(X)
        validate_data(self, X, y, skip_check_array=True)
        self.relief_ = (ReliefF() if self.relief is None else clone(self.relief)).fit(X, y)
        self.relevant_ = self.relief_.get_support(indices=True)
        self.support_ = np.zeros(len(self.relief_.get_support()), dtype=bool)
        self.cover_ = None
        if len(self.relevant_):
            self.cover_ = MinFeatures() if self.cover is None else clone(self.cover)
            self.cover_.fit(_columns(X, self.relevant_), y)
            self.support_[self.relevant_[self.cover_.get_support()]] = True
        return self


def _columns(X, positions: np.ndarray):
    if is_frame(X):
        return nw.from_native(X)[:, positions.tolist()].to_native()
    if hasattr(X, "tocsc"):
        return X.tocsc()[:, positions]
    return (X if hasattr(X, "shape") and hasattr(X, "dtype") else np.asarray(X, dtype=object))[:, positions]
