"""The score of Weighted-Greedy, without ever listing all conflicts.

Almuallim and Dietterich (1994), section 6.3: a conflict gives each feature that
covers it 1 / (the number of other features that cover it). For a block of rows
against the rows of lower label that is two matrix products: one finds how
many values two rows share, and so how many features cover their conflict;
the other sums the weights by feature.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Pairs weighed at a time.
BLOCK_PAIRS = 1 << 22


class Agreement(NamedTuple):
    """Rows as columns whose products show where two rows agree.

    A feature of two values is one column of -1 and 1, any other a column of
    zeros and ones for every value. Summed over a feature's columns,
    ``scale`` times the product of two rows is ``most`` where they agree and
    ``most - 1`` where they differ.
    """

    columns: np.ndarray  # float (n_rows, n_columns)
    feature_of: np.ndarray  # (n_columns,)
    scale: np.ndarray  # (n_columns,): a half for the columns of -1 and 1
    most: np.ndarray  # (n_features,): a half, or one

    def take(self, rows: np.ndarray) -> Agreement:
        """Return some of the rows."""
        return self._replace(columns=self.columns[rows])


def agreement(codes: np.ndarray, dtype: type = np.float64) -> Agreement:
    """Lay out codes as columns of agreement."""
    values = [np.unique(column) for column in codes.T]
    is_single = [len(distinct) <= 2 for distinct in values]
    feature_of = np.repeat(np.arange(len(values)), [1 if s else len(v) for s, v in zip(is_single, values, strict=True)])
    columns: np.ndarray = np.empty((len(codes), len(feature_of)), dtype=dtype)
    place = 0
    for column, distinct, single in zip(codes.T, values, is_single, strict=True):
        if single:
            columns[:, place] = np.where(column == distinct[0], 1, -1) if len(distinct) else 1
            place += 1
        else:
            columns[:, place : place + len(distinct)] = column[:, None] == distinct
            place += len(distinct)
    most = np.where(is_single, 0.5, 1.0)
    return Agreement(columns, feature_of, most[feature_of].astype(dtype), most)


def weighted_scores(rows: Agreement, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """Return, for every feature, the summed weights of the conflicts that it covers among some rows.

    It is infinite where a feature alone covers a conflict. The second result
    is the sum of all weights, by which rounding errors are judged.
    """
    scores, total = np.zeros(len(rows.most)), 0.0
    order = np.argsort(labels, kind="stable")
    rows, labels = rows.take(order), labels[order]
    for start in np.unique(np.searchsorted(labels, labels))[1:].tolist():
        end = int(np.searchsorted(labels, labels[start], side="right"))
        inner = rows.columns[:start]
        step = max(1, BLOCK_PAIRS // start)
        for first in range(start, end, step):
            outer = rows._replace(columns=rows.columns[first : min(first + step, end)])
            block_scores, block_total = _block(outer, inner)
            scores += block_scores
            total += block_total
    return scores, total


def _block(outer: Agreement, inner: np.ndarray) -> tuple[np.ndarray, float]:
    n_features = len(outer.most)
    others = (outer.columns * outer.scale) @ inner.T  # the numbers of features, less one, that cover each conflict
    np.subtract(outer.most.sum() - 1, others, out=others)
    has_sole = others.min() <= 0
    alone = np.empty(0, dtype=np.intp)
    if has_sole:
        i, j = np.nonzero(others == 0)
        alone = outer.feature_of[(outer.columns[i] != inner[j]).argmax(axis=1)]
        others[others <= 0] = np.inf  # nobody covers a contradiction, and a sole coverer needs no sum
    weights = np.reciprocal(others, out=others)
    shared = np.einsum("ic,ic->c", outer.columns, weights @ inner, dtype=np.float64) * outer.scale
    total = float(weights.sum(dtype=np.float64))
    # The weight of pairs that differ: of all, less that of those that share a value.
    scores = total * outer.most - np.bincount(outer.feature_of, shared, minlength=n_features)
    scores[alone] = np.inf
    return scores, total


def weighted_scores_of_pairs(separates: np.ndarray, multiplicity: np.ndarray | int = 1) -> np.ndarray:
    """Return the same for listed pairs, from the matrix (pairs x features) of which feature separates which pair."""
    others = np.count_nonzero(separates, axis=1) - 1.0
    alone = separates[others == 0].argmax(axis=1)
    others[others <= 0] = np.inf
    scores = (multiplicity / others) @ separates
    scores[alone] = np.inf
    return scores
