"""What `gaussian_errors` and `bernoulli_errors` do, in NumPy, for data so small that compiling would take longer."""

from __future__ import annotations

import numpy as np


def plain_gaussian_errors(
    columns, target, weight, prior, mean, variance, spread, parents, starts, added, wrong
) -> None:
    """Set the weight of the rows that each child gets wrong; parameters as for `gaussian_errors`."""
    for p, parent in enumerate(parents):
        largest = spread[parent].max(initial=0.0)
        for c in range(starts[p], starts[p + 1]):
            features = np.append(parent, added[c])
            spreads = variance[:, features] + max(largest, spread[added[c]])
            if not (spreads > 0).all():
                wrong[c] = np.nan
                continue
            distances = (columns[features] - mean[:, features, None]) ** 2 / spreads[:, :, None]
            scores = prior - 0.5 * np.log(2 * np.pi * spreads).sum(axis=1) - 0.5 * distances.sum(axis=1).T
            wrong[c] = weight @ (scores.argmax(axis=1) != target)


def plain_bernoulli_errors(columns, target, weight, prior, offset, slope, parents, starts, added, wrong) -> None:
    """Set the same for features that are 0 or 1; parameters as for `bernoulli_errors`."""
    for p, parent in enumerate(parents):
        base = prior + offset[:, parent].sum(axis=1) + columns[parent].T @ slope[:, parent].T
        for c in range(starts[p], starts[p + 1]):
            scores = base + offset[:, added[c]] + columns[added[c]][:, None] * slope[:, added[c]]
            wrong[c] = weight @ (scores.argmax(axis=1) != target)
