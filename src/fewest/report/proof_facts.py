"""Why no smaller subset will do: the pairs of rows that force it, with the features in which they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fewest.cover.blocks.sample import AnySample
    from fewest.cover.min_features import MinFeaturesSearch
    from fewest.table import Column, Table

MOST_PAIRS = 60


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
    sample: AnySample, pairs: list[tuple[int, int]], features: Table, classes: Column
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


def path_facts(sample: AnySample, order: list[int], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Tell, after every feature that a method added, how many pairs of rows of different class are left alike."""
    left = [sample.n_uncovered(order[:k]) for k in range(len(order) + 1)]
    return [{"feature": None if k == 0 else names[order[k - 1]], "n_left": n} for k, n in enumerate(left)]
