"""All relevant features: those that are more important than the best of shuffled copies, again and again.

Kursa and Rudnicki (2010), *Feature selection with the Boruta package*, Journal of Statistical Software 36(11).
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from fewest.budget import Budget
from fewest.comparison.rankings import forest_importances
from fewest.comparison.training import Training

N_ROUNDS, N_TREES, DEPTH = 25, 50, 7
# The probability that an irrelevant feature is confirmed, or a relevant one rejected, over all features and rounds.
ALPHA = 0.05


def shadow_selection(training: Training, budget: Budget) -> list[int]:
    """Return the features that beat their shuffled copies more often than a coin would.

    In every round a forest learns from the features and a shuffled copy of each; a feature that is more
    important than every copy scores. Features that score too rarely leave, those that do
    often are confirmed, both by a binomial test with Bonferroni's correction. Undecided
    ones at the end count as irrelevant.
    """
    return np.flatnonzero(training.shared("shadows", partial(_confirmed, training, budget))).tolist()


def _confirmed(training: Training, budget: Budget) -> np.ndarray:
    from scipy.stats import binom

    n_features = len(training.table.columns)
    rng = np.random.default_rng(training.seed)
    n_hits, is_open = np.zeros(n_features, dtype=np.int64), np.ones(n_features, dtype=bool)
    is_confirmed = np.zeros(n_features, dtype=bool)
    for n_rounds in range(1, N_ROUNDS + 1):
        n_hits += _hits(training, is_open | is_confirmed, rng)
        level = ALPHA / n_features
        is_often = binom.sf(n_hits - 1, n_rounds, 0.5) < level
        is_rare = binom.cdf(n_hits, n_rounds, 0.5) < level
        is_confirmed |= is_open & is_often
        is_open &= ~(is_often | is_rare)
        if not is_open.any() or budget.seconds_left == 0:
            break
    return is_confirmed


def _hits(training: Training, is_kept: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return which features are more important than the best of the shuffled copies, in one forest."""
    kept = np.flatnonzero(is_kept)
    matrix = training.matrix
    X = training.standardized[:, matrix.columns_of(kept)]
    widths = np.diff(matrix.starts)[kept]
    starts = np.r_[0, np.cumsum(widths)]
    shuffled = np.column_stack([X[rng.permutation(len(X)), a:b] for a, b in pairwise(starts)])
    importances = forest_importances(
        np.column_stack([X, shuffled]), training, int(rng.integers(1 << 30)), N_TREES, max_depth=DEPTH
    )
    by_feature = np.add.reduceat(importances, np.r_[starts[:-1], starts[-1] + starts[:-1]])
    real, shadow = by_feature[: len(kept)], by_feature[len(kept) :]
    hits = np.zeros(len(is_kept), dtype=np.int64)
    hits[kept] = real > shadow.max()
    return hits
