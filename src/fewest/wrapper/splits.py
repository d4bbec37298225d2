"""Splits of the rows: those that a learner is trained on, and those that it is then tested on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewest.exceptions import ParameterError

TRAINING, HOLDOUT, SECOND = "training", "holdout", "second"
PARTS = (TRAINING, HOLDOUT, SECOND)


@dataclass(frozen=True)
class Roles:
    """Which part of the rows guides the search within a size, and which decides among sizes."""

    guide: str
    judge: str


@dataclass(frozen=True)
class Fold:
    """Rows to train on (S') and the hold-out sets (S'' and S'''), empty where the fold has none."""

    training: np.ndarray
    holdout: np.ndarray
    second: np.ndarray

    def rows(self, part: str) -> np.ndarray:
        """Return the rows of a part."""
        return getattr(self, part)


def holdout_fold(
    fractions: Sequence[float], y: np.ndarray, groups, rng, *, stratify: bool, shuffle: bool = True
) -> Fold:
    """Split the rows at random into parts of these fractions: training, hold-out and perhaps a second hold-out set.

    Sizes are rounded. Rows of one group stay together, in which case the
    fractions are those of the groups. With ``stratify`` every class is split by itself. Without ``shuffle`` rows stay
    in their order, and the parts are one after the other.
    """
    if not shuffle:
        if groups is not None or stratify:
            raise ParameterError("The last rows cannot be held out by group or by class. Leave out one of the two.")
        split = _parts(np.arange(len(y)), fractions, "rows")
    elif groups is not None:
        _, of_row = np.unique(np.asarray(groups), return_inverse=True)
        if stratify:
            raise ParameterError("Rows cannot be split both by groups and by class. Leave out stratify or groups.")
        parts = _random_parts(int(of_row.max()) + 1, fractions, rng, "groups")
        split = [np.flatnonzero(np.isin(of_row, part)) for part in parts]
    elif stratify:
        classes = np.unique(y, return_inverse=True)[1]
        each = [
            [np.flatnonzero(classes == c)[part] for part in _random_parts((classes == c).sum(), fractions, rng, "")]
            for c in range(int(classes.max()) + 1)
        ]
        split = [np.sort(np.concatenate(parts)) for parts in zip(*each, strict=True)]
    else:
        split = [np.sort(part) for part in _random_parts(len(y), fractions, rng, "rows")]
    empty = np.empty(0, dtype=np.int64)
    return Fold(split[0], split[1], split[2] if len(split) > 2 else empty)


def _random_parts(n: int, fractions: Sequence[float], rng, what: str) -> list[np.ndarray]:
    """Shuffle ``n`` rows or groups and cut them."""
    return _parts(rng.permutation(n), fractions, what)


def _parts(order: np.ndarray, fractions: Sequence[float], what: str) -> list[np.ndarray]:
    """Cut rows or groups into parts; the first takes what rounding leaves."""
    n = len(order)
    counts = [round(fraction * n) for fraction in fractions[1:]]
    if what:  # every part must have something
        counts = [max(1, count) for count in counts]
    first = n - sum(counts)
    if what and first < 1:
        raise ParameterError(
            f"{n} {what} cannot be split into parts of {', '.join(f'{part:.3g}' for part in fractions)}: nothing would "
            "be left to train on. Give more of them or other fractions."
        )
    return np.split(order, np.cumsum([max(first, 0), *counts])[:-1])


def cross_validation_folds(splitter: Any, X, y: np.ndarray, groups) -> list[Fold]:
    """Return the folds of a splitter of scikit-learn's kind."""
    empty = np.empty(0, dtype=np.int64)
    split = splitter.split(X, y, groups=groups)
    return [Fold(np.asarray(train), np.asarray(test), empty) for train, test in split]


def with_second_holdout(
    splitter_of: Callable[[np.ndarray], Any], share: float, y: np.ndarray, groups, rng, *, shuffle: bool = True
) -> list[Fold]:
    """Cross-validate on all rows but a second hold-out set, which tests a learner trained on all of the others.

    ``splitter_of`` returns the splitter for the targets of these rows.
    """
    outer = holdout_fold((1 - share, share), y, groups, rng, stratify=False, shuffle=shuffle)
    rest, second = outer.training, outer.holdout
    of_rest = None if groups is None else np.asarray(groups)[rest]
    within = cross_validation_folds(splitter_of(y[rest]), np.zeros((len(rest), 1)), y[rest], of_rest)
    empty = np.empty(0, dtype=np.int64)
    folds = [Fold(rest[fold.training], rest[fold.holdout], empty) for fold in within]
    return [*folds, Fold(rest, empty, second)]
