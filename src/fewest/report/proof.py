"""Why each feature of a subset is needed, why no smaller subset is sufficient, and which others cost as little."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.exceptions import NotProvenError

if TYPE_CHECKING:
    from fewest.cover.examples import Examples
    from fewest.cover.min_features import MinFeaturesSearch
    from fewest.table import Column, Table

# What a page shows.
MOST_PAIRS, MOST_SUBSETS = 60, 50


def reason_facts(
    features: Table, classes: Column, witnesses: Mapping[int, tuple[int, int] | None]
) -> list[dict[str, Any]]:
    """Name, for each selected feature, two rows that only it separates; none where it was merely asked for."""
    return [_reason(features, classes, features.columns[feature], pair) for feature, pair in witnesses.items()]


def _reason(features: Table, classes: Column, column: Column, pair: tuple[int, int] | None) -> dict[str, Any]:
    if pair is None:
        return {"feature": column.name, "rows": None, "classes": None, "values": None}
    return {
        "feature": column.name,
        "rows": [features.row_number(row) for row in pair],
        "classes": [classes.value_at(row) for row in pair],
        "values": [column.value_at(row) for row in pair],
    }


def proof_facts(search: MinFeaturesSearch, features: Table, classes: Column) -> dict[str, Any] | None:
    """Describe the proof of a search; None with a tolerance, where no few pairs force anything."""
    if search.sample.is_tolerant:
        return None
    pairs = search.proof()
    return {
        "lower_bound": search.cover.problem.in_costs(search.cover.lower),
        "n_pairs": len(pairs),
        "pairs": pair_facts(search.sample, pairs, features, classes),
    }


def pair_facts(
    sample: Examples, pairs: list[tuple[int, int]], features: Table, classes: Column
) -> list[dict[str, Any]]:
    """Describe pairs of rows, those first that differ in the fewest features."""
    if not pairs:
        return []
    i, j = np.array(pairs).T
    differ = sample.row_differences(i, j)
    order = np.argsort(differ.sum(axis=1), kind="stable")[:MOST_PAIRS].tolist()
    return [
        {
            "rows": [features.row_number(row) for row in pairs[k]],
            "classes": [str(classes.value_at(row)) for row in pairs[k]],
            "features": [features.names[f] for f in np.flatnonzero(differ[k]).tolist()],
        }
        for k in order
    ]


def path_facts(sample: Examples, order: list[int], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Count, after every feature that a method added, the pairs of rows of different class that are still alike."""
    left = [sample.n_uncovered(order[:k]) for k in range(len(order) + 1)]
    return [{"feature": None if k == 0 else names[order[k - 1]], "n_left": n} for k, n in enumerate(left)]


def alternative_facts(
    names: Sequence[str],
    find_core: Callable[[], Iterable[int]],
    list_subsets: Callable[[], Iterable[Sequence[int]]],
) -> dict[str, Any]:
    """Name the features that every minimum subset has, and other minimum subsets, as far as time allowed.

    ``find_core`` may raise `NotProvenError`, and ``list_subsets`` warn that it stopped early.
    """
    found: dict[str, Any] = {}
    with suppress(NotProvenError):
        found["core"] = [names[j] for j in find_core()]
    with warnings.catch_warnings(record=True) as cut_short:
        warnings.simplefilter("always")
        subsets = list(islice(list_subsets(), MOST_SUBSETS + 1))
    if subsets:
        found["minimum_subsets"] = [[names[j] for j in subset] for subset in subsets[:MOST_SUBSETS]]
        found["has_more_subsets"] = bool(cut_short) or len(subsets) > MOST_SUBSETS
    return found
