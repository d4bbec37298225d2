"""MultiSURF's neighborhood: all rows that are nearer than usual, however many these are.

Urbanowicz, Olson, Schmitt, Meeker and Moore (2018): to a row, those are neighbors whose distance is less than the mean
of its distances to all other rows by more than half their standard deviation. There is no number to choose.
"""

from __future__ import annotations

import numpy as np

from fewest.relief.kernels.layout import Neighbors, Rows, Rule, Sampled


def nearer_than_usual(distances: np.ndarray, sampled: Sampled, rows: Rows, rule: Rule) -> Neighbors:
    """Return the neighbors of sampled rows, given their distances to all rows.

    The weights of the neighbors from one class, or, where misses are pooled, of all misses, sum to 1.
    """
    weights = np.broadcast_to(rows.weights, distances.shape).copy()
    weights[np.arange(len(weights)), sampled.rows] -= 1  # a row is no neighbor of itself, but a copy of it is
    if rule.skips_identical:
        group = rows.duplicate_of[sampled.rows, None]
        weights[(group >= 0) & (group == rows.duplicate_of)] = 0
    weights = np.maximum(weights, 0)
    n_others = np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    mean = (weights * distances).sum(axis=1, keepdims=True) / n_others
    spread = np.sqrt((weights * (distances - mean) ** 2).sum(axis=1, keepdims=True) / n_others)
    weights[distances >= mean - spread / 2] = 0
    is_hit = rows.class_of == rows.class_of[sampled.rows, None]
    pools = [is_hit, ~is_hit]
    if not rule.pools_misses:
        pools = [np.broadcast_to(rows.class_of == c, weights.shape) for c in range(len(rows.starts) - 1)]
    shares = np.zeros_like(weights)
    for pool in pools:
        members = np.where(pool, weights, 0)
        shares += members / np.maximum(members.sum(axis=1, keepdims=True), 1e-300)
    of, near = np.nonzero(shares)
    starts = np.append(0, np.cumsum(np.bincount(of, minlength=len(shares)))).astype(np.int64)
    return Neighbors(starts, near.astype(np.int32), shares[of, near].astype(np.float32))
