"""The score of Weighted-Greedy, without ever listing the conflicts.

Almuallim and Dietterich (1994), section 6.3: a conflict gives each feature that
covers it 1 / (the number of other features that cover it). For a block of rows
against the rows of lower label that is two matrix products: one finds how
many values two rows share, and so how many features cover their conflict;
the other sums the weights by feature.
"""

from __future__ import annotations

import numpy as np

# Pairs weighed at a time.
BLOCK_PAIRS = 1 << 22


def weighted_scores(one_hot: np.ndarray, feature_of: np.ndarray, labels: np.ndarray, n_features: int) -> np.ndarray:
    """Return, for every feature, the summed weights of the conflicts that it covers among some rows.

    Parameters
    ----------
    one_hot : float array of shape (n_rows, n_columns)
        A column for every value of every feature.
    feature_of : ndarray of shape (n_columns,)
    labels : ndarray of shape (n_rows,)
    n_features : int

    Returns
    -------
    ndarray of shape (n_features,)
        Infinite where a feature alone covers a conflict.
    """
    scores = np.zeros(n_features)
    order = np.argsort(labels, kind="stable")
    one_hot, labels = one_hot[order], labels[order]
    start_of_label = np.searchsorted(labels, labels)
    for start in np.unique(start_of_label)[1:]:
        end = int(np.searchsorted(labels, labels[start], side="right"))
        step = max(1, BLOCK_PAIRS // int(start))
        for first in range(int(start), end, step):
            outer, inner = one_hot[first : min(first + step, end)], one_hot[:start]
            scores += _block(outer, inner, feature_of, n_features)
    return scores


def _block(outer: np.ndarray, inner: np.ndarray, feature_of: np.ndarray, n_features: int) -> np.ndarray:
    n_covering = n_features - outer @ inner.T
    with np.errstate(divide="ignore"):
        weights = np.where(n_covering > 1, 1 / (n_covering - 1), 0.0)  # nobody covers a contradiction
    shared = np.bincount(feature_of, (outer * (weights @ inner)).sum(axis=0), minlength=n_features)
    scores = weights.sum() - shared  # the weight of pairs that differ: of all, less that of those that share a value
    i, j = np.nonzero(n_covering == 1)
    if len(i):
        alone = feature_of[((outer[i] != inner[j]) & (outer[i] > 0)).argmax(axis=1)]
        scores[alone] = np.inf
    return scores
