"""The NumPy twin of `left_out_neighbors`, for data too small to load compiled code for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def add_left_out(columns, examples, sampled, weights, sums) -> None:
    """Add what sampled rows differ by from the neighbors that they have without a feature, for every feature."""
    every = np.arange(columns.values.shape[1])
    for i, weight in zip(sampled.tolist(), weights.tolist(), strict=True):
        part = _compared(columns, i, every)
        shares = weight * _shares(part.sum(axis=0) - part, examples, i)
        joint = shares * examples.factors[examples.class_of[i], examples.class_of]
        if len(examples.target):
            joint = shares * np.abs(examples.target[i] - examples.target)
            sums.target[:] += joint.sum(axis=1)
        for o, order in enumerate(examples.orders.T):
            apart = _compared(columns, order[i], order)
            sums.joint[:, o] += np.einsum("fj,fj->f", joint, apart)
            sums.features[:, o] += np.einsum("fj,fj->f", shares, apart)


def _compared(columns, i: int, others: np.ndarray) -> np.ndarray:
    """Return by how much a row differs from others, features x others."""
    values, n_numeric = columns.values[:, others].astype(np.float64), columns.n_numeric
    own = columns.values[:, i, None].astype(np.float64)
    apart = np.abs(values - own)
    if columns.is_squared:
        apart **= 2
    apart[n_numeric:] = values[n_numeric:] != own[n_numeric:]
    for f in np.flatnonzero(columns.gaps_of >= 0):
        expected = columns.expected[columns.gaps_of[f]]
        apart[f] = expected[others] if np.isnan(own[f, 0]) else np.where(np.isnan(values[f]), expected[i], apart[f])
    return apart


def _shares(rest: np.ndarray, examples, i: int) -> np.ndarray:
    """Return what every row counts for as a neighbor without each feature; those of a class sum to 1."""
    weights = examples.weights.copy()
    weights[i] -= 1  # a row is no neighbor of itself, but a copy of it is
    weights = np.maximum(weights, 0)
    shares, n_classes = np.zeros_like(rest), len(examples.starts) - 1
    for start, stop in pairwise(examples.starts.tolist()):
        of_class = slice(start, stop)
        if examples.k == 0:
            chosen = np.where(rest[:, of_class] < _usual(rest, weights), weights[of_class], 0.0)
        else:
            chosen = _nearest(rest[:, of_class], weights[of_class], examples)
        shares[:, of_class] = chosen / np.maximum(chosen.sum(axis=1, keepdims=True), 1e-300)
    is_hit = examples.class_of == examples.class_of[i]
    has_misses = np.full(len(shares), n_classes == 1) | shares[:, ~is_hit].any(axis=1)
    return np.where((shares[:, is_hit].any(axis=1) & has_misses)[:, None], shares, 0.0)


def _usual(rest: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the distance that is less than the mean by half a standard deviation."""
    total = max(weights.sum(), 1e-300)
    mean = (rest @ weights / total)[:, None]
    return mean - np.sqrt((rest - mean) ** 2 @ weights / total)[:, None] / 2


def _nearest(rest: np.ndarray, weights: np.ndarray, examples) -> np.ndarray:
    """Return the weights of the nearest rows that weigh k together, of rows at the last distance a share."""
    rest = rest[:, weights > 0]
    chosen = np.zeros((len(rest), len(weights)))
    if not rest.shape[1]:
        return chosen
    present = weights[weights > 0]
    order = np.argsort(rest, axis=1, kind="stable")
    enough = (np.cumsum(present[order], axis=1) < examples.k * (1 - 1e-12)).sum(axis=1)
    last = np.take_along_axis(rest, order, axis=1)[np.arange(len(rest)), np.minimum(enough, rest.shape[1] - 1)]
    is_sure = rest < (last - examples.slack)[:, None]
    is_tied = ~is_sure & (rest <= (last + examples.slack)[:, None])
    sure, tied = is_sure @ present, is_tied @ present
    wanted = np.minimum(examples.k, sure + tied)
    chosen[:, weights > 0] = present * (is_sure + is_tied * ((wanted - sure) / tied)[:, None])
    return chosen
