"""Rankings of other schools that take part: univariate scores, L1, forests, elimination, and mRMR.

Each orders all features by training rows; how many of them to keep is decided by `fewest.comparison.curves`.
"""

from __future__ import annotations

import warnings
from functools import partial

import numpy as np

from fewest.comparison.learners import least_leaf
from fewest.comparison.training import N_BINS, Training
from fewest.table.discretize import quantile_cuts

# Trees of a forest that orders features; and within a fold of a fold, where only the number of features is sought.
N_TREES, N_TREES_WITHIN = 25, 10
# What elimination keeps of the features in each round.
KEPT = 0.7
# Features that mRMR and the lasso order; the others follow by their univariate score.
MOST_ORDERED = 100


def univariate_scores(training: Training) -> np.ndarray:
    """Return the F statistic of every feature alone; of a category, the largest of its indicators.

    The largest of w indicators is up to about 2 log(w) by chance, in units of chi-squared: that is subtracted.
    """
    from sklearn.feature_selection import f_classif, f_regression

    score = f_regression if training.task.is_regression else f_classif
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns without any spread
        values = score(training.standardized, training.target)[0] if training.standardized.shape[1] else np.empty(0)
    largest = training.matrix.by_feature(np.nan_to_num(values, nan=0.0, posinf=1e30), np.maximum)
    n_free = max(1, training.task.n_classes - 1)
    return np.maximum(largest - 2 * np.log(np.maximum(np.diff(training.matrix.starts), 1)) / n_free, 0.0)


def univariate(training: Training) -> np.ndarray:
    """Order features by their F statistic."""
    return _descending(training.shared("univariate", partial(univariate_scores, training)))


def information(training: Training) -> np.ndarray:
    """Order features by their mutual information with the target, numeric values in bins of equal size.

    What (levels - 1) x (classes - 1) free counts find by chance (Miller, 1955) is subtracted.
    """
    target = training.target
    if training.task.is_regression:
        target = np.searchsorted(quantile_cuts(target, N_BINS), target, side="left")
    return _descending(mutual_information(training.bins, target))


def mutual_information(codes: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the mutual information of every discrete column with a discrete target, in nats, corrected for chance.

    Examples
    --------
    >>> same = np.array([0, 0, 1, 1] * 50)
    >>> mutual_information(np.column_stack([same, np.arange(200) % 2]), same).round(2)  # log 2, nearly, and nothing
    array([ 0.69, -0.  ])
    """
    n_rows, n_columns = codes.shape
    n_targets = int(target.max(initial=0)) + 1
    if not n_columns:
        return np.empty(0)
    # The values of all columns are counted at once, those of each after those of the one before.
    starts = np.r_[0, np.cumsum(codes.max(axis=0) + 1)]
    cells = (codes + starts[:-1]) * n_targets + target[:, None]
    joint = np.bincount(cells.ravel(), minlength=starts[-1] * n_targets).reshape(-1, n_targets)
    rows, classes = joint.sum(axis=1), np.bincount(target, minlength=n_targets)
    expected = rows[:, None] * (classes / n_rows)
    terms = joint * np.log(np.where(joint > 0, joint, 1) / np.where(joint > 0, expected, 1))
    information = np.add.reduceat(terms.sum(axis=1), starts[:-1]) / n_rows
    n_free = (np.add.reduceat(rows > 0, starts[:-1], dtype=np.int64) - 1) * (int((classes > 0).sum()) - 1)
    return information - n_free / (2 * n_rows)


def l1(training: Training) -> np.ndarray:
    """Order features by when the lasso's path takes them up, as its penalty falls; the earliest of any class counts."""
    X = training.standardized.astype(np.float64)
    strengths = np.zeros(X.shape[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that repeat others
        for wanted in _indicators(training):
            alphas, coefficients = _lasso_path(X, wanted)
            entered = np.abs(coefficients) > 0
            first = np.where(entered.any(axis=1), alphas[np.maximum(entered.argmax(axis=1) - 1, 0)], 0.0)
            strengths = np.maximum(strengths, first)
    by_feature = training.matrix.by_feature(strengths, np.maximum)
    scores = training.shared("univariate", partial(univariate_scores, training))
    return np.lexsort((-scores, -by_feature))  # what the path never takes comes last, by its own score


def _lasso_path(X: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return falling penalties, and the coefficients by each.

    Least angles find every penalty at which a coefficient enters. scikit-learn's fail where columns that repeat each
    other leave in the same step; coordinate descent, at a hundred penalties, does not.
    """
    from sklearn.linear_model import lars_path, lasso_path

    try:
        alphas, _, coefficients = lars_path(X, wanted, method="lasso", max_iter=MOST_ORDERED)
    except ValueError:
        alphas, coefficients, _ = lasso_path(X, wanted)
    return alphas, coefficients


def _indicators(training: Training) -> list[np.ndarray]:
    """Return what the lasso is to predict: the values, or one indicator a class, one for two classes."""
    if training.task.is_regression:
        return [training.target - training.target.mean()]
    classes = range(1, 2) if training.task.n_classes == 2 else range(training.task.n_classes)
    indicators = [(training.target == k).astype(np.float64) for k in classes]
    return [one - one.mean() for one in indicators if one.any()]


def forest_importances(
    X: np.ndarray, training: Training, seed: int, n_trees: int = N_TREES, max_depth: int | None = None
) -> np.ndarray:
    """Return how much each column lowers the impurity in random trees, every class counting the same.

    The trees of scikit-learn's extremely randomized forest, without what it spends on each of small ones: the variance
    of the classes' indicators is Gini's impurity, and no numeric target is looked through for its classes again.
    """
    from sklearn import config_context
    from sklearn.tree import ExtraTreeRegressor

    target, weights = _as_numbers(training)
    X = np.asfortranarray(X, dtype=np.float32)
    options = {"min_samples_leaf": least_leaf(len(X)), "max_depth": max_depth, "max_features": "sqrt"}
    total = np.zeros(X.shape[1])
    with config_context(skip_parameter_validation=True, assume_finite=True):
        for number in range(n_trees):
            tree = ExtraTreeRegressor(random_state=seed + number, **options)
            total += tree.fit(X, target, weights, check_input=False).tree_.compute_feature_importances()
    return total / n_trees


def _as_numbers(training: Training) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the target, or the indicators of its classes, as numbers; with weights that make classes count alike."""
    target = training.target
    if training.task.is_regression:
        return target[:, None], None
    present, codes, counts = np.unique(target, return_inverse=True, return_counts=True)
    indicators = np.eye(len(present))[codes]
    return indicators[:, 1:] if len(present) == 2 else indicators, (len(target) / (len(present) * counts))[codes]


def forest(training: Training, n_trees: int = N_TREES) -> np.ndarray:
    """Order features by their importance in a forest of random trees, a category with all its indicators."""
    return _descending(training.shared(("forest", n_trees), partial(_forest_scores, training, n_trees)))


def _forest_scores(training: Training, n_trees: int) -> np.ndarray:
    importances = forest_importances(training.standardized, training, training.seed, n_trees)
    return training.matrix.by_feature(importances, np.add)


def elimination(training: Training) -> np.ndarray:
    """Order features by recursive elimination: the least important in a forest leave, and a new one is grown."""
    left = np.arange(len(training.table.columns))
    scores = training.shared(("forest", N_TREES), partial(_forest_scores, training, N_TREES))
    last: list[int] = []
    while len(left) > 1:
        order = left[np.argsort(-scores, kind="stable")]
        n_kept = min(len(left) - 1, max(1, int(KEPT * len(left))))
        last = order[n_kept:].tolist() + last
        left = np.sort(order[:n_kept])
        columns = training.matrix.columns_of(left)
        widths = np.diff(training.matrix.starts)[left]
        values = forest_importances(training.standardized[:, columns], training, training.seed + len(left))
        scores = np.add.reduceat(values, np.r_[0, np.cumsum(widths)[:-1]])
    return np.array([*left.tolist(), *last], dtype=np.intp)


def mrmr(training: Training) -> np.ndarray:
    """Order features by relevance over redundancy: F statistic by mean correlation with those before.

    Ding and Peng (2005), *Minimum redundancy feature selection from microarray
    gene expression data*, the quotient of F test and correlation (FCQ).
    """
    scores = training.shared("univariate", partial(univariate_scores, training))
    X, matrix = training.standardized.astype(np.float64), training.matrix
    n_features = len(scores)
    redundancy, is_left, order = np.zeros(n_features), np.ones(n_features, dtype=bool), []
    for n_before in range(min(n_features, MOST_ORDERED)):
        value = scores / np.maximum(redundancy / max(n_before, 1), 1e-3) if n_before else scores
        best = int(np.where(is_left, value, -np.inf).argmax())
        order.append(best)
        is_left[best] = False
        chosen = X[:, matrix.starts[best] : matrix.starts[best + 1]]
        correlation = np.abs(chosen.T @ X).max(axis=0) / len(X)
        redundancy += matrix.by_feature(correlation, np.maximum)
    rest = np.flatnonzero(is_left)
    return np.array([*order, *rest[np.argsort(-scores[rest], kind="stable")].tolist()], dtype=np.intp)


def _descending(scores: np.ndarray) -> np.ndarray:
    return np.argsort(-scores, kind="stable")
