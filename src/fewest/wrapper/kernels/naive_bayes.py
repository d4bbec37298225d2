"""Naive Bayes on many subsets: scores are sums over features, so a child needs one term more than its parent.

The loops are compiled (``gaussian_errors.compiled``); their twins in NumPy follow them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fewest.kernels.compile_or_not import compilable
from fewest.wrapper.kernels.layout import Gaussians, LogOdds, Moves, Rows

# Scores that the twins in NumPy hold at a time, so that they stay in the cache.
BLOCK = 1 << 16


@compilable(how="compiled_sum")
def _add_gaussian(scores, column, mean, variance):
    """Add the log density of a feature."""
    scale, level = -0.5 / variance, -0.5 * np.log(2.0 * np.pi * variance)
    for i in range(len(column)):
        scores[i] += scale * (column[i] - mean) * (column[i] - mean) + level


@compilable()
def _wrong(scores, target, weight):
    """Return the weight of rows whose best class, the first of equals, is not theirs."""
    total = 0.0
    for i in range(scores.shape[1]):
        best = 0
        for c in range(1, scores.shape[0]):
            if scores[c, i] > scores[best, i]:
                best = c
        if best != target[i]:
            total += weight[i]
    return total


@compilable()
def gaussian_errors(rows, densities, moves, wrong):
    """Set the weight of the rows that each child gets wrong, NaN where some variance is 0 and there is no density.

    Parameters
    ----------
    rows : Rows
    densities : Gaussians
    moves : Moves
    wrong : float64 array of shape (n_children,), set
    """
    columns, target, weight = rows.columns, rows.target, rows.weight
    prior, mean, variance, spread = densities.prior, densities.mean, densities.variance, densities.spread
    parents, starts, added = moves.parents, moves.starts, moves.added
    n_classes, n_rows = len(prior), columns.shape[1]
    base, scores = np.empty((n_classes, n_rows)), np.empty((n_classes, n_rows))
    for p in range(len(parents)):
        largest, least = 0.0, np.inf
        for k in range(parents.shape[1]):
            largest = max(largest, spread[parents[p, k]])
            least = min(least, variance[:, parents[p, k]].min())
        smoothing = -1.0
        for j in range(starts[p], starts[p + 1]):
            wanted = max(largest, spread[added[j]])
            if not min(least, variance[:, added[j]].min()) + wanted > 0.0:
                wrong[j] = np.nan
                continue
            if wanted != smoothing:
                smoothing = wanted
                for c in range(n_classes):
                    base[c, :] = prior[c]
                    for k in range(parents.shape[1]):
                        f = parents[p, k]
                        _add_gaussian(base[c], columns[f], mean[c, f], variance[c, f] + smoothing)
            f = added[j]
            for c in range(n_classes):
                for i in range(n_rows):  # compiles many times faster than slices do
                    scores[c, i] = base[c, i]
                _add_gaussian(scores[c], columns[f], mean[c, f], variance[c, f] + smoothing)
            wrong[j] = _wrong(scores, target, weight)


@compilable(how="compiled_sum")
def _add_linear(scores, column, offset, slope):
    for i in range(len(column)):
        scores[i] += offset + slope * column[i]


@compilable()
def bernoulli_errors(rows, terms, moves, wrong):
    """Set the weight of the rows that each child of Boolean features gets wrong; ``terms`` are `LogOdds`."""
    columns, target, weight = rows.columns, rows.target, rows.weight
    prior, offset, slope = terms.prior, terms.offset, terms.slope
    parents, starts, added = moves.parents, moves.starts, moves.added
    n_classes, n_rows = len(prior), columns.shape[1]
    base, scores = np.empty((n_classes, n_rows)), np.empty((n_classes, n_rows))
    for p in range(len(parents)):
        for c in range(n_classes):
            base[c, :] = prior[c]
            for k in range(parents.shape[1]):
                f = parents[p, k]
                _add_linear(base[c], columns[f], offset[c, f], slope[c, f])
        for j in range(starts[p], starts[p + 1]):
            f = added[j]
            for c in range(n_classes):
                for i in range(n_rows):
                    scores[c, i] = base[c, i]
                _add_linear(scores[c], columns[f], offset[c, f], slope[c, f])
            wrong[j] = _wrong(scores, target, weight)


def gaussian_errors_numpy(rows: Rows, densities: Gaussians, moves: Moves, wrong: np.ndarray) -> None:
    """Set the weight of the rows that each child gets wrong; arguments as for `gaussian_errors`."""
    _, _, variance, spread = densities
    for parent, added, positions in moves.each():
        largest, least = spread[parent].max(initial=0.0), variance[:, parent].min(initial=np.inf)
        wanted = np.maximum(largest, spread[added])
        lowest = np.minimum(least, variance[:, added].min(axis=0))
        found = np.full(len(added), np.nan)
        has_density = lowest + wanted > 0
        for smoothing in np.unique(wanted[has_density]):  # most often that of the parent
            alike = np.flatnonzero(has_density & (wanted == smoothing))
            found[alike] = _gaussian_wrong(rows, densities, parent, added[alike], smoothing)
        wrong[positions] = found


def _gaussian_wrong(rows: Rows, densities: Gaussians, parent: np.ndarray, added: np.ndarray, smoothing) -> np.ndarray:
    """Return the weight that children whose variances are smoothed alike get wrong."""
    prior, mean, variance, _ = densities

    def density(features: np.ndarray) -> np.ndarray:
        """Return log densities of shape (n_classes, n_features, n_rows)."""
        spreads = (variance[:, features] + smoothing)[:, :, None]
        terms = rows.columns[features] - mean[:, features, None]
        terms *= terms
        terms *= -0.5 / spreads
        terms += -0.5 * np.log(2.0 * np.pi * spreads)
        return terms

    base = prior[:, None] + density(parent).sum(axis=1)
    return _wrong_of_children(rows, added, len(prior), lambda some: density(some) + base[:, None, :])


def bernoulli_errors_numpy(rows: Rows, terms: LogOdds, moves: Moves, wrong: np.ndarray) -> None:
    """Set the weight of the rows that each child of Boolean features gets wrong; as for `bernoulli_errors`.

    Boolean features leave many classes as likely as each other, so terms are added in scikit-learn's order.
    """
    prior, offset, slope = terms
    for parent, added, positions in moves.each():
        base = (prior + offset[:, parent].sum(axis=1) + rows.columns[parent].T @ slope[:, parent].T).T

        def scores(some: np.ndarray, base: np.ndarray = base) -> np.ndarray:
            return base[:, None, :] + offset[:, some, None] + slope[:, some, None] * rows.columns[some]

        wrong[positions] = _wrong_of_children(rows, added, len(prior), scores)


def _wrong_of_children(
    rows: Rows, added: np.ndarray, n_classes: int, scores: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return the weight that children get wrong, from scores of shape (n_classes, n_children, n_rows)."""
    found, target = np.empty(len(added)), rows.target.astype(np.int8 if n_classes == 2 else np.int32)
    step = max(1, BLOCK // max(1, n_classes * len(target)))
    for first in range(0, len(added), step):
        some = slice(first, first + step)
        found[some] = (first_of_best(scores(added[some])) != target) @ rows.weight
    return found


def first_of_best(scores: np.ndarray) -> np.ndarray:
    """Return the class of the largest score, the first of equals, along the first axis; faster than ``argmax``."""
    if len(scores) == 2:
        return (scores[1] > scores[0]).view(np.int8)
    best, predicted = scores[0].copy(), np.zeros(scores.shape[1:], dtype=np.int32)
    for c in range(1, len(scores)):
        np.copyto(predicted, c, where=scores[c] > best)
        np.maximum(best, scores[c], out=best)
    return predicted
