"""Logistic regressions on many subsets in NumPy, all children in one stack: twins of `logistic` and `multinomial`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fewest.wrapper.kernels.layout import BORDER, PERFECT, Moves, Penalised, Rows

LAST_STEP = 1e-5
LARGE_STEP = 3.0
MOST_STEPS = 60
# Added to the diagonal of a Hessian, in units of itself, so that features that depend on each other have a solution.
RIDGE = 1e-12
# Values of columns whose losses are computed at a time.
AT_A_TIME = 1 << 19
# And values of columns that are fitted at a time: a step makes several copies, which stay in the cache.
FITTED_AT_A_TIME = 1 << 16


def logistic_fits_numpy(
    rows: Rows, form: Penalised, moves: Moves, known: np.ndarray, coefs: np.ndarray, wrong: np.ndarray
) -> None:
    """Fit every child by Newton's method from its parent; arguments as for `logistic_fits`."""
    known = np.nan_to_num(known[moves.parent_of_child(), 1 - form.intercept :])
    coefs[:, 0] = 0.0
    for part, X in _parts(rows, moves, form.intercept, FITTED_AT_A_TIME):
        own, z = _fitted(X, rows, form, known[part])
        coefs[part, 1 - form.intercept :] = own
        if len(wrong):
            wrong[part] = ((z > BORDER) != (rows.target > 0.5)) @ rows.weight


def _fitted(X: np.ndarray, rows: Rows, form: Penalised, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients of some children, and what they add up to in every row."""
    own = np.zeros(X.shape[:2])
    own[:, :-1] = known
    z = np.einsum("cpm,cp->cm", X, own)
    penalties = _penalties(form, X.shape[1])
    going = np.arange(len(X))
    for _ in range(MOST_STEPS):
        if not len(going):
            break
        step = _step(X[going], rows, penalties, own[going], z[going])
        change = np.einsum("cpm,cp->cm", X[going], step)
        largest = np.abs(change).max(axis=1, initial=0.0)
        scale = np.minimum(1.0, LARGE_STEP / np.maximum(largest, LARGE_STEP))
        own[going] += scale[:, None] * step
        z[going] += scale[:, None] * change
        is_perfect = (form.penalty == 0) & (np.abs(rows.target - _sigmoid(z[going])).max(axis=1) < PERFECT)
        going = going[(largest > LAST_STEP) & ~is_perfect]
    return own, z


def linear_errors_numpy(rows: Rows, coefs: np.ndarray, moves: Moves, wrong: np.ndarray) -> None:
    """Set the weight of the rows that linear classifiers get wrong; arguments as for `linear_errors`."""
    for part, X in _parts(rows, moves):
        z = np.einsum("cpm,cp->cm", X, coefs[part])
        wrong[part] = ((z > BORDER) != (rows.target > 0.5)) @ rows.weight


def multinomial_fits_numpy(rows: Rows, form: Penalised, moves: Moves, known: np.ndarray, coefs: np.ndarray) -> None:
    """Fit every child of several classes by Newton's method from its parent; arguments as for `multinomial_fits`."""
    X = _stacked(rows, moves.children(), form.intercept)
    n_classes = coefs.shape[2]
    is_class = (rows.target == np.arange(n_classes)[:, None]).astype(np.float64)
    own = np.zeros((len(X), n_classes, X.shape[1]))
    own[:, :, :-1] = np.nan_to_num(known[moves.parent_of_child(), 1 - form.intercept :]).transpose(0, 2, 1)
    penalties = _penalties(form, X.shape[1])
    going = np.arange(len(X))
    for _ in range(MOST_STEPS):
        if not len(going):
            break
        step = _class_step(X[going], is_class, rows.weight, penalties, own[going])
        largest = np.abs(step @ X[going]).max(axis=(1, 2))
        own[going] += np.minimum(1.0, LARGE_STEP / np.maximum(largest, LARGE_STEP))[:, None, None] * step
        going = going[largest > LAST_STEP]
    own[going] = np.nan
    coefs[:, 0] = 0.0
    coefs[:, 1 - form.intercept :] = own.transpose(0, 2, 1)


def class_errors_numpy(rows: Rows, coefs: np.ndarray, moves: Moves, wrong: np.ndarray) -> None:
    """Set the weight of the rows that classifiers of several classes get wrong; arguments as for `class_errors`."""
    z = coefs.transpose(0, 2, 1) @ _stacked(rows, moves.children(), 1)
    first = (z >= z.max(axis=1, keepdims=True) - BORDER).argmax(axis=1)
    wrong[:] = np.where(np.isnan(coefs[:, 1, 0]), np.nan, (first != rows.target) @ rows.weight)


def log_losses(rows: Rows, coefs: np.ndarray, moves: Moves) -> np.ndarray:
    """Return the weighted sum of the logarithmic losses of every child of two classes: those of `logistic_fits`.

    Few children at a time, so that their columns stay small; exponentials take most of the time, compiled or not.
    """
    sign = 1.0 - 2.0 * rows.target
    found = np.empty(len(coefs))
    for part, X in _parts(rows, moves):
        z = np.einsum("cpm,cp->cm", X, coefs[part])
        found[part] = np.logaddexp(0.0, sign * z) @ rows.weight
    return found


def class_log_losses(rows: Rows, coefs: np.ndarray, moves: Moves) -> np.ndarray:
    """Return the same for several classes: those of `multinomial_fits`; NaN for a class that no child has seen."""
    found = np.empty(len(coefs))
    own = np.maximum(rows.target, 0)
    for part, X in _parts(rows, moves):
        z = coefs[part].transpose(0, 2, 1) @ X
        largest = z.max(axis=1)
        losses = np.log(np.exp(z - largest[:, None]).sum(axis=1)) + largest - z[:, own, np.arange(len(own))]
        found[part] = losses @ rows.weight
    return found if (rows.target >= 0).all() else np.full(len(coefs), np.nan)


def _parts(
    rows: Rows, moves: Moves, intercept: int = 1, at_a_time: int = AT_A_TIME
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield some children at a time, with their columns after ones."""
    children = moves.children()
    step = max(1, at_a_time // max(1, (children.shape[1] + 1) * rows.columns.shape[1]))
    for start in range(0, len(children), step):
        yield slice(start, start + step), _stacked(rows, children[start : start + step], intercept)


def _stacked(rows: Rows, children: np.ndarray, intercept: int) -> np.ndarray:
    """Return the columns of children, after ones for the intercept, of shape (n_children, size, n_rows)."""
    X = rows.columns[children]
    if not intercept:
        return X
    return np.concatenate([np.ones((len(X), 1, X.shape[2])), X], axis=1)


def _penalties(form: Penalised, size: int) -> np.ndarray:
    penalties = np.full(size, float(form.penalty))
    penalties[: form.intercept] = 0.0
    return penalties


def _step(X: np.ndarray, rows: Rows, penalties: np.ndarray, own: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Return a step of Newton's method for every child, of shape (n_children, size)."""
    p = _sigmoid(z)
    gradient = np.einsum("cpm,cm->cp", X, rows.weight * (rows.target - p)) - penalties * own
    hessian = (X * (rows.weight * p * (1 - p))[:, None, :]) @ X.transpose(0, 2, 1)
    diagonal = np.arange(X.shape[1])
    hessian[:, diagonal, diagonal] += penalties
    hessian[:, diagonal, diagonal] *= 1 + RIDGE
    try:
        return np.linalg.solve(hessian, gradient[..., None])[..., 0]
    except np.linalg.LinAlgError:
        return np.einsum("cpq,cq->cp", np.linalg.pinv(hessian, hermitian=True), gradient)


def _class_step(
    X: np.ndarray, is_class: np.ndarray, weight: np.ndarray, penalties: np.ndarray, own: np.ndarray
) -> np.ndarray:
    """Return a step of Newton's method for every child, of shape (n_children, n_classes, size)."""
    n_children, n_classes, size = own.shape
    z = own @ X
    chances = np.exp(z - z.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    gradient = (weight * (is_class - chances)) @ X.transpose(0, 2, 1) - penalties * own
    spread = (chances[:, :, None, :] * X[:, None, :, :]).reshape(n_children, n_classes * size, -1)
    hessian = -(spread * weight) @ spread.transpose(0, 2, 1)
    within = ((spread * weight) @ X.transpose(0, 2, 1)).reshape(n_children, n_classes, size, size)
    hessian = hessian.reshape(n_children, n_classes, size, n_classes, size)
    classes = np.arange(n_classes)
    hessian[:, classes, :, classes, :] += within.transpose(1, 0, 2, 3) + np.diag(penalties)
    # The sum of a feature's coefficients, which nothing depends on, stays as it is: see `multinomial`.
    steep = np.einsum("ckjj->cj", within)
    hessian += np.eye(size)[None, None, :, None, :] * steep[:, None, :, None, None]
    flat = hessian.reshape(n_children, n_classes * size, n_classes * size)
    return np.linalg.solve(flat, gradient.reshape(n_children, -1, 1)).reshape(own.shape)


def _sigmoid(z: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + np.exp(-z))
