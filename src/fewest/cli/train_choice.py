"""Which learner ``fewest train`` takes when none is named: the tree, unless a linear function predicts clearly better.

A tree is what a person can read, and it sees what features do together. But of measurements it keeps the interval
alone, and where many of them add up, probabilities that are linear in the numbers predict better.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fewest.exceptions import StoppedEarlyWarning
from fewest.table import Column, Table

if TYPE_CHECKING:
    from fewest.cli.train_validation import Learn, Validation
    from fewest.comparison.folds import Splitting

# Folds and rows that decide.
N_FOLDS, MOST_ROWS = 3, 5000


class Choice(NamedTuple):
    """The learner that was chosen, and what every candidate scored on rows left out, None where nothing was chosen."""

    learner: str
    scores: dict[str, float] | None = None

    def sentence(self) -> str:
        """Return in text what was chosen, and what for."""
        assert self.scores is not None
        preferred, other = self.scores
        first, second = (f"{self.scores[name]:.3f}" for name in (preferred, other))
        if self.learner == preferred:
            return (
                f"{preferred} was kept: {other} is not clearly better in cross-validation within these rows ({second}; "
                f"{preferred} {first}). --learner {other} takes it."
            )
        return (
            f"{other} was chosen by cross-validation within these rows ({second}; {preferred} {first}). "
            f"--learner {preferred} takes the other."
        )


def chosen_learner(
    learners: Mapping[str, Learn],
    rows: tuple[Table, Column, Splitting],
    scoring: str | None,
    seconds: float | None,
) -> Choice:
    """Return the first of two learners, or the other if it is better by more than the standard error.

    Where nothing predicts better than the most frequent class, the first stays.

    Parameters
    ----------
    learners : mapping of str to callable
        Two, the preferred one first.
    rows : Table, Column and Splitting
        The features, the classes, and which rows are kept apart.
    scoring : str, optional
    seconds : float, optional
        For all of them; where that is not enough, the first is taken.
    """
    from fewest.cli.train_validation import OUT_OF_TIME, cross_validated
    from fewest.comparison.uncertainty import corrected_error

    (features, classes, splitting), (first, other) = rows, learners
    some = _sampled(features.n_rows)
    if some is not None:
        features, splitting = features.take(some), splitting.take(some)
        classes = Column(classes.name, classes.kind, classes.values[some], classes.labels)
    splitting = replace(splitting, n_splits=N_FOLDS)
    share = None if seconds is None else seconds / (2 * len(learners))
    measured: dict[str, Validation] = {}
    for name, learn in learners.items():
        found = cross_validated(learn, None, (features, classes), scoring, splitting, share)
        if found == OUT_OF_TIME or (not isinstance(found, str) and found.n_left_out):
            _warn_of_time(first, other)
            return Choice(first)
        if isinstance(found, str) or len(found.scores) < N_FOLDS:
            return Choice(first)
        measured[name] = found
    scores = {name: found.metric.sign * found.mean for name, found in measured.items()}
    gained = measured[other].scores - measured[first].scores
    error = corrected_error(gained, measured[first].test_share) or 0.0
    is_better = np.nanmean(gained) > error and measured[other].is_better_than_guessing
    return Choice(other if is_better else first, scores)


def _warn_of_time(first: str, other: str) -> None:
    warnings.warn(
        f"The time limit came before {first} and {other} could be compared, so {first} is taken. "
        f"{StoppedEarlyWarning.BY_CLOCK}",
        StoppedEarlyWarning,
        stacklevel=4,
    )


def _sampled(n_rows: int) -> np.ndarray | None:
    if n_rows <= MOST_ROWS:
        return None
    return np.sort(np.random.default_rng(0).permutation(n_rows)[:MOST_ROWS])
