"""Naive Bayes on many subsets in NumPy: the twins of `naive_bayes`."""

from __future__ import annotations

import numpy as np

from fewest.wrapper.kernels.layout import Gaussians, LogOdds, Moves, Rows


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
