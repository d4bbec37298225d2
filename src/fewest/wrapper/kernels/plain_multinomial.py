"""What `multinomial_fits` does, in NumPy, where compiling would take longer."""

from __future__ import annotations

import numpy as np

from fewest.wrapper.kernels.plain_logistic import BORDER, LARGE_STEP, LAST_STEP, MOST_STEPS, rows_of_children


def plain_multinomial_fits(columns, labels, weight, penalty, intercept, parents, starts, added, known, coefs) -> None:
    """Fit every child by Newton's method from its parent; parameters as for `multinomial_fits`."""
    children = np.repeat(np.arange(len(parents)), np.diff(starts))
    rows = rows_of_children(columns, parents, children, added, intercept)
    n_classes = coefs.shape[2]
    truth = (labels == np.arange(n_classes)[:, None]).astype(np.float64)
    own = np.zeros((len(rows), n_classes, rows.shape[1]))
    own[:, :, :-1] = np.nan_to_num(known[children, 1 - intercept :]).transpose(0, 2, 1)
    penalties = np.full(rows.shape[1], float(penalty))
    penalties[:intercept] = 0.0
    going = np.arange(len(rows))
    for _ in range(MOST_STEPS):
        if not len(going):
            break
        step = _step(rows[going], truth, weight, penalties, own[going])
        largest = np.abs(step @ rows[going]).max(axis=(1, 2))
        own[going] += np.minimum(1.0, LARGE_STEP / np.maximum(largest, LARGE_STEP))[:, None, None] * step
        going = going[largest > LAST_STEP]
    own[going] = np.nan
    coefs[:, 0] = 0.0
    coefs[:, 1 - intercept :] = own.transpose(0, 2, 1)


def plain_class_errors(columns, labels, weight, coefs, parents, starts, added, wrong) -> None:
    """Set the weight of the rows that classifiers get wrong; parameters as for `class_errors`."""
    children = np.repeat(np.arange(len(parents)), np.diff(starts))
    rows = rows_of_children(columns, parents, children, added, 1)
    z = coefs.transpose(0, 2, 1) @ rows
    first = (z >= z.max(axis=1, keepdims=True) - BORDER).argmax(axis=1)
    wrong[:] = np.where(np.isnan(coefs[:, 1, 0]), np.nan, (first != labels) @ weight)


def _step(rows, truth, weight, penalties, own) -> np.ndarray:
    """Return a step of Newton's method for every child, of shape (n_children, n_classes, size)."""
    n_children, n_classes, size = own.shape
    z = own @ rows
    chances = np.exp(z - z.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    gradient = (weight * (truth - chances)) @ rows.transpose(0, 2, 1) - penalties * own
    spread = (chances[:, :, None, :] * rows[:, None, :, :]).reshape(n_children, n_classes * size, -1)
    hessian = -(spread * weight) @ spread.transpose(0, 2, 1)
    within = ((spread * weight) @ rows.transpose(0, 2, 1)).reshape(n_children, n_classes, size, size)
    hessian = hessian.reshape(n_children, n_classes, size, n_classes, size)
    places = np.arange(n_classes)
    hessian[:, places, :, places, :] += within.transpose(1, 0, 2, 3) + np.diag(penalties)
    # The sum of a feature's coefficients, which nothing depends on, stays as it is: see `multinomial`.
    steep = np.einsum("ckjj->cj", within)
    hessian += np.eye(size)[None, None, :, None, :] * steep[:, None, :, None, None]
    flat = hessian.reshape(n_children, n_classes * size, n_classes * size)
    return np.linalg.solve(flat, gradient.reshape(n_children, -1, 1)).reshape(own.shape)
