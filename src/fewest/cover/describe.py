"""From a table to the features that describe its classes in the fewest bits: encode, search, warn.

Free of scikit-learn: the estimator stores what `describe_classes` returns, the command prints it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import numpy as np

from fewest.budget import Budget
from fewest.cover.codings import Codings
from fewest.cover.min_description import Description, DescriptionSearch
from fewest.cover.options import MinDescriptionOptions
from fewest.exceptions import StoppedEarlyWarning
from fewest.table import Column, Table
from fewest.table.requests import costs_by_position, included_and_excluded


@dataclass(frozen=True, eq=False)
class DescribedClasses:
    """The shortest description that was found, and where its numeric features are cut, by position."""

    description: Description
    cuts: dict[int, np.ndarray]


def describe_classes(
    features: Table,
    classes: Column,
    options: MinDescriptionOptions,
    progress: AbstractContextManager[Callable[[str], None] | None] | None = None,
) -> DescribedClasses:
    """Select the features with which the classes take the fewest bits to describe.

    Warns of a search that was stopped. The time limit starts when the columns are encoded.

    Parameters
    ----------
    features : Table
        Columns of any kind. A missing value is one more value; numeric columns of many values are cut.
    classes : Column
        The class of every row.
    options : MinDescriptionOptions
    progress : context manager, optional
        Entered for the time of the search.

    Examples
    --------
    >>> from fewest.datasets import load_votes
    >>> from fewest.table import split_target
    >>> features, classes = split_target(load_votes(), "party")
    >>> found = describe_classes(features, classes, MinDescriptionOptions())
    >>> [features.names[j] for j in found.description.subset]
    ['physician-fee-freeze', 'synfuels-corporation-cutback']
    """
    include, exclude = included_and_excluded(features, options.include, options.exclude)
    numbers = classes.values.astype(np.int64)
    codings = Codings.of(features, numbers, costs_by_position(features, options.costs), include, exclude)
    with progress or nullcontext() as on_progress:
        budget = Budget(options.time_limit, on_progress)
        search = DescriptionSearch(codings.coded, numbers, options.max_row_visits, codings.recode, budget)
        found = search.run()
    report_stop(found)
    cut = {int(search.coded.features[column]): codings.cuts[column] for column in found.columns}
    n_features = len(features.columns)
    found = replace(found, scores=_padded(found.scores, n_features), inclusion=_padded(found.inclusion, n_features))
    return DescribedClasses(found, {feature: cuts for feature, cuts in cut.items() if cuts is not None})


def _padded(values: np.ndarray, n: int) -> np.ndarray:
    return np.concatenate([values, np.zeros(n - len(values))])


def report_stop(found: Description) -> None:
    """Warn when a search ended early."""
    if found.stopped_by is None:
        return
    warnings.warn(
        f"Stopped by the {found.stopped_by} after {found.n_subsets:,} subsets. The best of them takes "
        f"{found.length:,.1f} bits; no subset takes less than {found.lower_bound:,.1f}. Allow more time for a better "
        "one.",
        StoppedEarlyWarning,
        stacklevel=3,
    )
