"""Iterated Relief (TuRF): drop the least relevant features, look for neighbors again without them, and so on.

Moore and White (2007). Among thousands of irrelevant features rows are near each other by chance, and a relevant
feature is hardly seen. With each round fewer irrelevant features blur the distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fewest.relief.options import RelevanceOptions
from fewest.relief.relevance import Relevance

if TYPE_CHECKING:
    from fewest.relief.relief import Ranking

# Features that are left in the end where their number is not given.
FEWEST_LEFT = 10


def iterated_relevance(measured: Callable[[np.ndarray], Relevance], n_features: int, step: float, n_left: int):
    """Return the relevance of every feature, measured in the last round that it takes part in.

    Parameters
    ----------
    measured : callable
        Takes the positions of features; returns their relevance, measured without the others.
    n_features : int
        How many there are in all.
    step : float
        The share of the features that is dropped in each round; one is the least.
    n_left : int
        The last round has this many.

    Returns
    -------
    Relevance
        A feature that was dropped scores less than those that stayed, so that scores have the order of the rounds.
    """
    left, dropped = np.arange(n_features), []
    scores, errors = np.empty(n_features), np.empty(n_features)
    while True:
        found = measured(left)
        scores[left], errors[left] = found.scores, found.standard_errors
        n_dropped = min(max(1, int(step * len(left))), len(left) - n_left)
        if n_dropped <= 0:
            break
        dropped.append(left[found.order[len(left) - n_dropped :]])
        left = np.sort(left[found.order[: len(left) - n_dropped]])
    least = scores[left].min(initial=np.inf)
    for features in reversed(dropped):
        scores[features] = np.minimum(scores[features], np.nextafter(least, -np.inf))
        least = scores[features].min()
    return replace(found, scores=scores, standard_errors=errors)


def iterated_where_it_pays(ranked: Callable[[RelevanceOptions], Ranking], options: RelevanceOptions) -> Ranking:
    """Return the ranking in one round, or, where that finds nothing relevant, in many if these do.

    Features that matter only together score above others in one round, but not beyond chance: the neighbors are chosen
    by all that is irrelevant. Where features tell something alone one round finds them, and tests each beside the
    others, which an iterated ranking cannot. Each of the two tests has half of ``alpha``, so that on noise both
    together err as seldom as one. A ranking whose number of features is given needs no test, and iterates.
    """
    iterated = replace(options, step=options.share_dropped)
    if options.n_features_to_select is not None:
        return ranked(iterated)
    plain = ranked(replace(options, step=None, alpha=options.alpha / 2))
    if plain.stopped_by is not None or _finds_any(plain):
        return plain
    again = ranked(replace(iterated, alpha=options.alpha / 2))
    return again if again.stopped_by is None and _finds_any(again) else plain


def _finds_any(ranking: Ranking) -> bool:
    return bool((ranking.scores >= ranking.threshold).any())
