"""What a smallest sufficient subset is worth on rows it has not seen, and which of several predicts best.

That features separate the rows at hand says little where many would, as those of a table of noise do. So the search is
run again without each fold of the rows, intervals and all, and a tree over the features it finds predicts the fold.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.budget import Budget, raise_interrupt
from fewest.comparison.folds import Fold
from fewest.comparison.uncertainty import corrected_error, loses_too_much
from fewest.cover.cross_validated_tolerance import N_FOLDS, folds_of, predicted, rows_of
from fewest.cover.options import CoverOptions
from fewest.cover.sample import Sample
from fewest.cover.select import select_features
from fewest.table import Column, Table

if TYPE_CHECKING:
    from fewest.cover.min_features import MinFeaturesSearch

# Fewer rows of a class than folds cannot be shared out to them.
FEWEST_ROWS = N_FOLDS
# Standard errors above guessing from which on features predict better than that.
STANDARD_ERRORS = 2.0
# Of smallest subsets so many are compared, unless the search for them took more steps than this.
MOST_COMPARED, MOST_NODES = 50, 100_000
# A tree over all features of larger tables takes longer than people wait for a remark.
MOST_JUDGED = 1_000_000

Cut = Callable[[Table, np.ndarray, Table], Table]
"""Cut the numeric columns of the last table into the intervals that the rows and classes before it show."""


@dataclass(frozen=True)
class SelectionValidation:
    """How well a tree over the features that were selected without some rows predicts these rows.

    Attributes
    ----------
    scores : tuple of float
        The balanced accuracy of every fold.
    n_features : float
        The mean number of features that were selected.
    n_classes : int
    test_share : float
        The rows that judge in a fold, for each row that learns.
    of_all : tuple of float
        The balanced accuracy of a tree over all features in every fold; empty where growing it would take long.
    """

    scores: tuple[float, ...]
    n_features: float
    n_classes: int
    test_share: float = 1 / (N_FOLDS - 1)
    of_all: tuple[float, ...] = ()

    @property
    def mean(self) -> float:
        """Return the mean score."""
        return float(np.mean(self.scores))

    @property
    def guess(self) -> float:
        """Return the balanced accuracy of guessing."""
        return 1 / self.n_classes

    @property
    def is_better_than_guessing(self) -> bool:
        """Return whether the folds show that the features tell something of new rows."""
        error = corrected_error(np.array(self.scores), self.test_share) or 0.0
        return self.mean - self.guess > STANDARD_ERRORS * error + 1e-9

    @property
    def loses_much(self) -> bool:
        """Return whether all features predict better by more than two points and one standard error."""
        return bool(self.of_all) and loses_too_much(np.subtract(self.of_all, self.scores), self.test_share)

    def described(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "scoring": "balanced_accuracy",
            "mean": self.mean,
            "of_all": float(np.mean(self.of_all)) if self.of_all else None,
            "loses_much": self.loses_much,
            "guess": self.guess,
            "scores": list(self.scores),
            "n_features": self.n_features,
            "is_better_than_guessing": self.is_better_than_guessing,
        }


def validated_selection(
    features: Table,
    classes: Column,
    options: CoverOptions,
    cut: Cut,
    budget: Budget,
    folds: Sequence[Fold] | None = None,
) -> SelectionValidation | str:
    """Select without each of five folds, and predict it; return the scores, or the reason why there are none.

    Parameters
    ----------
    features : Table
        With numeric columns as they are; ``cut`` turns them into intervals, by the rows of training alone.
    classes : Column
    options : CoverOptions
    cut : callable
    budget : Budget
        A fold that does not begin within it ends the validation.
    folds : sequence of folds, optional
        Which rows learn and which judge, where these are kept apart; by default five folds of any rows.
    """
    codes = classes.values.astype(np.int64)
    counts = np.bincount(codes, minlength=len(classes.labels))
    if len(counts) < 2 or counts.min() < FEWEST_ROWS:
        return f"some class has fewer than {FEWEST_ROWS} rows"
    scores, of_all, n_features, folds = [], [], 0, folds or _folds(codes)
    judges_all = features.n_rows * len(features.columns) <= MOST_JUDGED
    for kept, unseen in folds:
        left = budget.seconds_left
        if left is not None and left <= 0:
            return "the time limit ended before all folds were seen"
        seen = features.take(kept)
        table = cut(seen, codes[kept], features)
        with warnings.catch_warnings():  # what was said of all rows is not said again of most of them
            warnings.simplefilter("ignore")
            labels = replace(classes, values=classes.values[kept])
            learned = seen if table is features else table.take(kept)
            found = select_features(learned, labels, replace(options, time_limit=left))
        if found.answer.stopped_by is not None:
            raise_interrupt(found.answer.stopped_by)
            return "the time limit ended before all folds were seen"
        subset = list(found.subset)
        scores.append(_score(_restricted(table, codes, subset, options), kept, unseen))
        if judges_all:
            every = Sample.from_table(table, codes, options.missing, options.margin)
            of_all.append(_score(every, kept, unseen))
        n_features += len(subset)
    share = float(np.mean([len(unseen) / len(kept) for kept, unseen in folds]))
    return SelectionValidation(tuple(scores), n_features / len(folds), len(counts), share, tuple(of_all))


def _restricted(table: Table, codes: np.ndarray, subset: list[int], options: CoverOptions) -> Sample:
    """Return the sample with the features of a subset only; of a wide table, no others are encoded."""
    if options.margin is None:
        few = replace(table, columns=tuple(table.columns[j] for j in subset), ambiguous=())
        return Sample.from_table(few, codes, options.missing)
    return Sample.from_table(table, codes, options.missing, options.margin).restricted(subset)


def best_predicting(
    search: MinFeaturesSearch,
    sample: Sample,
    budget: Budget,
    most: int = MOST_COMPARED,
    folds: Sequence[Fold] | None = None,
) -> tuple[list[tuple[int, ...]], list[float] | None]:
    """Return up to so many smallest subsets and how well each predicts, the best first; None for a single one.

    Where the proof took long, listing subsets would, too: then there are none.
    """
    if sample.is_tolerant or search.n_nodes > MOST_NODES:
        return [], None
    subsets = list(islice(search.minimum_subsets(budget), max(MOST_COMPARED, most)))
    if len(subsets) < 2:
        return subsets, None
    scores = subset_scores(sample, subsets, folds)
    order = sorted(range(len(subsets)), key=lambda k: -scores[k])  # the first found among equals
    return [subsets[k] for k in order], [scores[k] for k in order]


def subset_scores(sample: Sample, subsets: Sequence[Sequence[int]], folds: Sequence[Fold] | None = None) -> list[float]:
    """Return how well a tree over each subset predicts rows that it has not seen: the mean over the folds.

    All rows took part in finding the subsets, so that the scores serve to compare them, not to trust them.
    """
    folds = folds or _folds(sample.classes)
    parts = [sample.restricted(list(subset)) for subset in subsets]
    return [float(np.mean([_score(part, *fold) for fold in folds])) for part in parts]


def _folds(codes: np.ndarray) -> list[Fold]:
    """Return five folds of any rows."""
    return [(np.flatnonzero(~held_out), np.flatnonzero(held_out)) for held_out in folds_of(codes)]


def _score(sample: Sample, kept: np.ndarray, held_out: np.ndarray) -> float:
    """Learn from some rows, and return the balanced accuracy on those held out."""
    learned, unseen = rows_of(sample, kept), rows_of(sample, held_out)
    right = predicted(learned, unseen) == unseen.classes
    counts = np.bincount(unseen.classes)
    return float((np.bincount(unseen.classes, right)[counts > 0] / counts[counts > 0]).mean())
