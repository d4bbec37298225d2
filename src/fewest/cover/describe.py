"""From a table to the features that describe its classes in the fewest bits: encode, search, warn.

Free of scikit-learn: the estimator stores what `describe_classes` returns, the command prints it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import numpy as np

from fewest.blocks.scan import Scan
from fewest.blocks.threads import serial_products
from fewest.budget import INTERRUPT, Budget
from fewest.cover.additive import AdditiveSearch
from fewest.cover.codings import Codings
from fewest.cover.described_subsets import NEAR
from fewest.cover.description import Description, Near
from fewest.cover.distinct_rows import DistinctRows
from fewest.cover.kernels.description import UNIT
from fewest.cover.min_description import DescriptionSearch
from fewest.cover.options import ADDITIVE, CELLS, MinDescriptionOptions
from fewest.cover.sum_parts import MOST_ENTRIES, Terms, joint_parts
from fewest.exceptions import StoppedEarlyWarning
from fewest.table import Column, Table
from fewest.table.requests import costs_by_position, included_and_excluded, positions


@dataclass(frozen=True, eq=False)
class DescribedClasses:
    """The shortest description that was found, and where its numeric features are cut, by position."""

    description: Description
    cuts: dict[int, np.ndarray]


def describe_classes(
    features: Table | Scan,
    classes: Column | None,
    options: MinDescriptionOptions,
    progress: AbstractContextManager[Callable[[str], None] | None] | None = None,
) -> DescribedClasses:
    """Select the features with which the classes take the fewest bits to describe.

    Warns of a search that was stopped. The time limit starts when the columns are encoded.

    Parameters
    ----------
    features : Table or Scan
        Columns of any kind. A missing value is one more value; numeric columns of many values are cut. Of the rows of a
        scan, which are in blocks, the distinct ones have to fit in memory.
    classes : Column or None
        The class of every row of a table; a scan has its own.
    options : MinDescriptionOptions
    progress : context manager, optional
        Entered for the time of the search.

    Examples
    --------
    >>> from fewest.datasets import load_votes
    >>> from fewest.table import split_target
    >>> features, classes = split_target(load_votes(), "party")
    >>> found = describe_classes(features, classes, MinDescriptionOptions())
    >>> [features.names[j] for j in found.description.subset], found.description.model
    (['adoption-of-the-budget-resolution', 'physician-fee-freeze', 'synfuels-corporation-cutback'], 'additive')
    >>> found = describe_classes(features, classes, MinDescriptionOptions(model="cells"))
    >>> [features.names[j] for j in found.description.subset]
    ['physician-fee-freeze', 'synfuels-corporation-cutback']
    """
    header = features.header() if isinstance(features, Scan) else features
    include, exclude = included_and_excluded(header, options.include, options.exclude)
    groups = [positions(header, group) for group in options.feature_groups or ()]
    costs = costs_by_position(header, options.costs)
    distinct = _distinct_rows(features, classes, exclude)
    codings = Codings.of(distinct.features, distinct.rows, costs, include, exclude, groups)
    # Sums are fitted to some hundred rows and tens of terms: threads would wait for each other, not work.
    with serial_products(), progress or nullcontext() as on_progress:
        budget = Budget(options.time_limit, on_progress)
        additive = None if options.model == CELLS else additive_search(codings, budget)
        stopped_by = None if additive is None else additive.run()
        search = DescriptionSearch(codings.coded, codings.rows, options.max_row_visits, codings, budget)
        found = search.run() if stopped_by != INTERRUPT else search.stopped(INTERRUPT)
        if additive is not None and found.stopped_by is None:
            room = MOST_ENTRIES / additive.members.shape[1] - additive.terms.columns.size
            stopped_by = additive.join(joint_parts(codings, search.joint.interplay, room))
            found = replace(found, stopped_by=stopped_by)
        found = found if additive is None else with_additive(found, additive)
    report_stop(found)
    cuts = _cuts_of(found, codings)
    if additive is not None and found.model == ADDITIVE:
        cuts = {feature: own for part in additive.joined for feature, own in part.cuts.items()}
    return DescribedClasses(_by_feature(found, codings), cuts)


def _distinct_rows(features: Table | Scan, classes: Column | None, excluded: Sequence[int]) -> DistinctRows:
    if isinstance(features, Scan):
        from fewest.cover.blocks.distinct_rows import distinct_rows_of

        return distinct_rows_of(features.store, excluded)
    assert classes is not None, "a table does not have its classes"
    return DistinctRows.of(features, classes, excluded)


def additive_search(codings: Codings, budget: Budget) -> AdditiveSearch | None:
    """Return the search for an additive description of the same subsets; None where it has none, or takes too long."""
    coded = codings.coded
    candidates = {*coded.features.tolist(), *coded.include}
    units = {first: codings.units[first] for first in sorted(candidates)}
    terms = Terms.of(codings.features, units, codings.rows.copies)
    n_classes = codings.rows.n_classes
    lacking = set(coded.features.tolist()) & set(coded.include) - set(terms.owners.tolist())
    if lacking or n_classes < 2 or not len(terms.owners) or terms.columns.size * n_classes > MOST_ENTRIES:
        return None
    costs = np.zeros(len(codings.costs), dtype=np.int64)
    for first, unit in codings.units.items():
        costs[first] = round(codings.costs[list(unit)].sum() * UNIT)
    return AdditiveSearch(terms, codings.rows, coded.names, costs, coded.include, budget)


def with_additive(found: Description, additive: AdditiveSearch) -> Description:
    """Return the shorter of two descriptions, with what is near it of both kinds, by probability."""
    described = {near.subset: (near.length, CELLS) for near in found.alternatives}
    for subset, length in additive.lengths.items():
        features = tuple(sorted({*subset, *additive.include}))
        described[features] = min(described.get(features, (np.inf, CELLS)), (length / UNIT, ADDITIVE))
    is_additive = additive.shortest / UNIT < found.length
    sum_of = additive.features_of(additive.best)
    best = tuple(sorted({*sum_of, *additive.include})) if is_additive else found.subset
    shortest = described[best][0]
    near = {subset: one for subset, one in described.items() if one[0] < shortest + NEAR / UNIT}
    weights = {subset: 2.0 ** (shortest - length) for subset, (length, _) in near.items()}
    total = sum(sorted(weights.values()))
    order = sorted(near, key=lambda one: (one != best, near[one][0], len(one), one))
    scores = additive.scores() if is_additive else found.scores
    inclusion = np.zeros(max(len(scores), len(found.inclusion)))
    for subset in order:
        inclusion[list(subset)] += weights[subset] / total
    found = replace(
        found,
        alternatives=tuple(Near(one, near[one][0], weights[one] / total, near[one][1]) for one in order),
        inclusion=np.minimum(inclusion, 1.0),
        n_subsets=found.n_subsets + additive.n_sums,
    )
    if not is_additive:
        return found
    return replace(
        found,
        subset=best,
        length=additive.shortest / UNIT,
        lower_bound=min(found.lower_bound, additive.least_length / UNIT),
        is_optimal=False,
        scores=scores,
        history=tuple(additive.history),
        columns=(),
        model=ADDITIVE,
        joint=tuple(part.features for part in additive.joined if len(part.features) > 1),
    )


def _by_feature(found: Description, codings: Codings) -> Description:
    """Return a description of units as one of their features; those of a group have its score and probability."""
    n_features = len(codings.features.columns)
    scores, inclusion = np.zeros(n_features), np.zeros(n_features)
    for first, unit in codings.units.items():
        if first < len(found.scores):
            scores[list(unit)] = found.scores[first]
        if first < len(found.inclusion):
            inclusion[list(unit)] = found.inclusion[first]
    return replace(
        found,
        subset=codings.members(found.subset),
        scores=scores,
        inclusion=inclusion,
        alternatives=tuple(replace(near, subset=codings.members(near.subset)) for near in found.alternatives),
        history=tuple({**record, "subset": list(codings.members(record["subset"]))} for record in found.history),
        joint=tuple(codings.members(pair) for pair in found.joint),
    )


def _cuts_of(found: Description, codings: Codings) -> dict[int, np.ndarray]:
    return {feature: cuts for column in found.columns for feature, cuts in codings.cuts[column].items()}


def report_stop(found: Description) -> None:
    """Warn when a search ended early."""
    if found.stopped_by is None:
        return
    warnings.warn(
        f"Stopped by the {found.stopped_by} after {found.n_subsets:,} subsets. The best of them takes "
        f"{found.length:,.1f} bits; no subset takes less than {found.lower_bound:,.1f}. Allow more time for a better "
        f"one. {StoppedEarlyWarning.BY_CLOCK}",
        StoppedEarlyWarning,
        stacklevel=3,
    )
