"""Minimum subsets by enumeration, with costs, include, exclude, tolerance, margins and missing values all at once."""

from fractions import Fraction
from itertools import combinations
from math import floor, isnan

import numpy as np
import pytest

from fewest import MinFeatures

pytestmark = pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
SEEDS = range(60)


def differ(a, b, margin, missing):
    """Whether two numbers, NaN where missing, separate their rows."""
    if isnan(a) or isnan(b):
        return missing == "value" and isnan(a) != isnan(b)
    return abs(a - b) >= margin if margin else a != b


def cheapest(X, y, options):
    """Return the least cost of all subsets that leave no more pairs than they may."""
    n_features, margin = X.shape[1], options["margin"] or 0
    pairs = [(i, j) for i, j in combinations(range(len(y)), 2) if y[i] != y[j]]
    seps = [{f for f in range(n_features) if differ(X[i, f], X[j, f], margin, options["missing"])} for i, j in pairs]
    free = set(range(n_features)) - set(options["exclude"])
    inseparable = sum(not sep & free for sep in seps)
    most = max(floor(Fraction(str(options["tolerance"])) * len(pairs)), inseparable)
    costs = [Fraction(str(cost)) for cost in options["costs"]]
    found = [
        sum(costs[f] for f in subset)
        for size in range(n_features + 1)
        for subset in combinations(sorted(free), size)
        if set(options["include"]) <= set(subset) and sum(not sep & set(subset) for sep in seps) <= most
    ]
    return min(found)


def problem(seed):
    rng = np.random.default_rng(seed)
    n_rows, n_features = int(rng.integers(2, 11)), int(rng.integers(1, 6))
    X = rng.integers(0, 5, (n_rows, n_features)) / 2
    X[rng.random(X.shape) < rng.choice([0, 0.2])] = np.nan
    y = rng.integers(0, rng.integers(2, 4), n_rows)
    y[:2] = 0, 1
    forced = rng.permutation(n_features)
    return X, y, {
        "costs": rng.choice([1, 0.1, 0.3, 2.5, 7], n_features).tolist(),
        "include": forced[: rng.integers(0, 2)].tolist(),
        "exclude": forced[1 : 1 + rng.integers(0, 2)].tolist(),
        "tolerance": float(rng.choice([0, 0.1, 0.3])),
        "margin": [None, 0.5, 1.0, 1.5][rng.integers(4)],
        "missing": ["value", "cautious"][rng.integers(2)],
    }  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cheapest_subset_is_that_of_enumeration(seed):
    X, y, options = problem(seed)
    selector = MinFeatures(**options).fit(X, y)
    chosen = selector.get_support(indices=True).tolist()
    assert selector.is_optimal_
    assert set(options["include"]) <= set(chosen)
    assert not set(options["exclude"]) & set(chosen)
    expected = cheapest(X, y, options)
    assert sum(Fraction(str(options["costs"][f])) for f in chosen) == expected, options
    assert cheapest(X, y, {**options, "include": chosen}) == expected  # so it leaves no more pairs than it may
