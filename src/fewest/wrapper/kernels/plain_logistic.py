"""What `logistic_fits` does, in NumPy and all children in one stack, where compiling would take longer."""

from __future__ import annotations

import numpy as np

LAST_STEP = 1e-5
LARGE_STEP = 3.0
MOST_STEPS = 60
PERFECT = 1e-4
# As in `logistic_rows`.
BORDER = 1e-10
# Added to the diagonal of a Hessian, in units of itself, so that features that depend on each other have a solution.
RIDGE = 1e-12


def plain_logistic_fits(
    columns, target, weight, penalty, intercept, parents, starts, added, known, coefs, wrong
) -> None:
    """Fit every child by Newton's method from its parent; parameters as for `logistic_fits`."""
    children = np.repeat(np.arange(len(parents)), np.diff(starts))
    rows = rows_of_children(columns, parents, children, added, intercept)
    own = np.zeros(rows.shape[:2])
    own[:, :-1] = np.nan_to_num(known[children, 1 - intercept :])
    z = np.einsum("cpm,cp->cm", rows, own)
    penalties = np.full(rows.shape[1], float(penalty))
    penalties[:intercept] = 0.0
    going = np.arange(len(rows))
    for _ in range(MOST_STEPS):
        if not len(going):
            break
        step = _step(rows[going], target, weight, penalties, own[going], z[going])
        change = np.einsum("cpm,cp->cm", rows[going], step)
        largest = np.abs(change).max(axis=1, initial=0.0)
        scale = np.minimum(1.0, LARGE_STEP / np.maximum(largest, LARGE_STEP))
        own[going] += scale[:, None] * step
        z[going] += scale[:, None] * change
        is_perfect = (penalty == 0) & (np.abs(target - _sigmoid(z[going])).max(axis=1) < PERFECT)
        going = going[(largest > LAST_STEP) & ~is_perfect]
    coefs[:, 0] = 0.0
    coefs[:, 1 - intercept :] = own
    if len(wrong):
        wrong[:] = ((z > BORDER) != (target > 0.5)) @ weight


def plain_linear_errors(columns, target, weight, coefs, parents, starts, added, wrong) -> None:
    """Set the weight of the rows that linear classifiers get wrong; parameters as for `linear_errors`."""
    children = np.repeat(np.arange(len(parents)), np.diff(starts))
    rows = rows_of_children(columns, parents, children, added, 1)
    z = np.einsum("cpm,cp->cm", rows, coefs)
    wrong[:] = ((z > BORDER) != (target > 0.5)) @ weight


def rows_of_children(columns, parents, children, added, intercept) -> np.ndarray:
    """Return the features of every child, after ones for the intercept; ``children`` are the parents of each."""
    rows = columns[np.hstack([parents[children], added[:, None]])]
    if not intercept:
        return rows
    return np.concatenate([np.ones((len(rows), 1, rows.shape[2])), rows], axis=1)


def _step(rows, target, weight, penalties, own, z) -> np.ndarray:
    p = _sigmoid(z)
    gradient = np.einsum("cpm,cm->cp", rows, weight * (target - p)) - penalties * own
    hessian = (rows * (weight * p * (1 - p))[:, None, :]) @ rows.transpose(0, 2, 1)
    places = np.arange(rows.shape[1])
    hessian[:, places, places] += penalties
    hessian[:, places, places] *= 1 + RIDGE
    try:
        return np.linalg.solve(hessian, gradient[..., None])[..., 0]
    except np.linalg.LinAlgError:
        return np.einsum("cpq,cq->cp", np.linalg.pinv(hessian, hermitian=True), gradient)


def _sigmoid(z: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-z))
