"""The evidence for a logistic regression with a normal prior, by Laplace's method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# The standard deviation of the constant: that of the log-odds of a probability with Jeffreys' prior.
SPREAD_OF_CONSTANT = float(np.pi)


class Fit(NamedTuple):
    """The weights of most probability, and the bits of the classes under the average over all weights."""

    weights: np.ndarray  # (1 + n_terms, n_classes - 1): differences from the last class
    probabilities: np.ndarray  # (n_rows, n_classes)
    bits: float


def fitted(terms: np.ndarray, members: np.ndarray, spread: float, start: np.ndarray | None = None) -> Fit:
    """Fit a logistic regression with a normal prior, and return the evidence for it by Laplace's method.

    The weights of all classes are independent with variance ``spread ** 2 / 2``, so that those of the difference of two
    classes have the spread; the constant has its own. Newton's method; steps that do not improve are halved.

    Parameters
    ----------
    terms : ndarray of shape (n_rows, n_terms)
    members : ndarray of shape (n_rows, n_classes)
        How many rows have these terms and each class.
    spread : float
    start : ndarray of shape (1 + n_terms, n_classes - 1), optional
        Weights to start from.
    """
    n_rows, n_classes = members.shape
    copies = members.sum(axis=1)
    Z = np.column_stack([np.ones(n_rows), terms])
    spreads = np.concatenate([[SPREAD_OF_CONSTANT], np.full(terms.shape[1], spread)])
    between = np.eye(n_classes - 1) - 1 / n_classes
    precision = np.kron(np.diag(2 / spreads**2), between)
    weights = np.zeros((Z.shape[1], n_classes - 1)) if start is None else start

    def losses(weights: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds = np.column_stack([Z @ weights, np.zeros(n_rows)])
        log_odds -= log_odds.max(axis=1, keepdims=True)
        odds = np.exp(log_odds)
        total = odds.sum(axis=1, keepdims=True)
        flat = weights.ravel()
        loss = (copies * np.log(total[:, 0]) - (log_odds * members).sum(axis=1)).sum() + flat @ precision @ flat / 2
        return float(loss), odds / total

    loss, probabilities = losses(weights)
    for _ in range(50):
        expected = copies[:, None] * probabilities
        gradient = (Z.T @ (expected - members)[:, :-1]).ravel() + precision @ weights.ravel()
        hessian = _hessian(Z, probabilities[:, :-1], copies) + precision
        step = np.linalg.solve(hessian, gradient)
        gained = float(gradient @ step) / 2
        if gained < 1e-9:
            break
        size = 1.0
        while True:
            moved = weights - size * step.reshape(weights.shape)
            after, probabilities_after = losses(moved)
            if after <= loss or size < 1e-6:
                break
            size /= 2
        weights, loss, probabilities = moved, after, probabilities_after
    hessian = _hessian(Z, probabilities[:, :-1], copies) + precision
    determinants = np.linalg.slogdet(hessian)[1] - np.linalg.slogdet(precision)[1]
    return Fit(weights, probabilities, float((loss + determinants / 2) / np.log(2)))


def _hessian(Z: np.ndarray, probabilities: np.ndarray, copies: np.ndarray) -> np.ndarray:
    """Return the second derivatives of the logarithmic loss, by terms and, within, by classes but the last.

    A row adds the product of its terms, two by two, times p (1 - p) within a class and - p q between two.
    """
    n_rows, n_terms = Z.shape
    n_free = probabilities.shape[1]
    each = (Z[:, :, None] * probabilities[:, None, :]).reshape(n_rows, n_terms * n_free)
    counted = each * copies[:, None]
    hessian = -(each.T @ counted).reshape(n_terms, n_free, n_terms, n_free)
    within = (Z.T @ counted).reshape(n_terms, n_terms, n_free)
    for number in range(n_free):
        hessian[:, number, :, number] += within[:, :, number]
    return hessian.reshape(n_terms * n_free, n_terms * n_free)
