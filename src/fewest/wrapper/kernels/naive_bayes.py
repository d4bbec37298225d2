"""Naive Bayes on many subsets: scores are sums over features, so a child needs one term more than its parent.

The loops are compiled (``gaussian_errors.compiled``); their twins in NumPy follow them.
"""

from __future__ import annotations

import numpy as np

from fewest.kernels.compiling import compilable
from fewest.wrapper.kernels.layout import Gaussians, LogOdds, Moves, Rows


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
                scores[c, :] = base[c]
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
                scores[c, :] = base[c]
                _add_linear(scores[c], columns[f], offset[c, f], slope[c, f])
            wrong[j] = _wrong(scores, target, weight)


def gaussian_errors_numpy(rows: Rows, densities: Gaussians, moves: Moves, wrong: np.ndarray) -> None:
    """Set the weight of the rows that each child gets wrong; arguments as for `gaussian_errors`."""
    prior, mean, variance, spread = densities
    for parent, added, positions in moves.each():
        largest = spread[parent].max(initial=0.0)
        for c, feature in enumerate(added, start=positions.start):
            features = np.append(parent, feature)
            spreads = variance[:, features] + max(largest, spread[feature])
            if not (spreads > 0).all():
                wrong[c] = np.nan
                continue
            distances = (rows.columns[features] - mean[:, features, None]) ** 2 / spreads[:, :, None]
            scores = prior - 0.5 * np.log(2 * np.pi * spreads).sum(axis=1) - 0.5 * distances.sum(axis=1).T
            wrong[c] = rows.weight @ (scores.argmax(axis=1) != rows.target)


def bernoulli_errors_numpy(rows: Rows, terms: LogOdds, moves: Moves, wrong: np.ndarray) -> None:
    """Set the weight of the rows that each child of Boolean features gets wrong; as for `bernoulli_errors`."""
    prior, offset, slope = terms
    for parent, added, positions in moves.each():
        base = prior + offset[:, parent].sum(axis=1) + rows.columns[parent].T @ slope[:, parent].T
        for c, feature in enumerate(added, start=positions.start):
            scores = base + offset[:, feature] + rows.columns[feature][:, None] * slope[:, feature]
            wrong[c] = rows.weight @ (scores.argmax(axis=1) != rows.target)
