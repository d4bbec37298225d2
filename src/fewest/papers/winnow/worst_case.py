"""Examples that are hard for Winnow: adversaries that see its weights, and, for few features, every sequence there is.

An adversary shows only examples that the learner gets wrong, and of those the ones after which it can show the most.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from fewest.mistakes.winnow import Winnow

Example = tuple[np.ndarray, bool]


def against_winnow1(machine: Winnow, k: int) -> Iterator[Example]:
    """Yield examples of a disjunction of the first k features that Winnow1 gets wrong.

    While some relevant feature weighs too little to be noticed, show it with as much weight of irrelevant ones as goes
    unnoticed, so that these become heavier, too; then show irrelevant ones that weigh just enough to be mistaken.
    """
    while (example := _unnoticed(machine, k, 1)) is not None:
        yield example
    while (example := _mistaken(machine, k, 0)) is not None:
        yield example


def against_winnow2(machine: Winnow, k: int, r: int) -> Iterator[Example]:
    """Yield examples of "at least r of the first k features" that Winnow2 gets wrong.

    Positive and negative ones take turns, as long as there are both. The positive ones have the r lightest relevant
    features. The negative ones have the r - 1 heaviest, which loses nearly all that was learned from the positive one
    before, and irrelevant ones that it made heavy.
    """
    is_positive = True
    while True:
        positive, negative = _unnoticed(machine, k, r), _mistaken(machine, k, r - 1)
        wanted, other = (positive, negative) if is_positive else (negative, positive)
        example = other if wanted is None else wanted
        if example is None:
            return
        yield example
        is_positive = not is_positive


def _unnoticed(machine: Winnow, k: int, r: int) -> Example | None:
    """Return the r lightest relevant features with as much irrelevant weight as goes unnoticed; None if they do not."""
    weights, theta = machine.weights, machine.rule.theta
    lightest = np.argsort(weights[:k], kind="stable")[:r]
    room = theta - weights[lightest].sum()
    if room < 0:
        return None
    order = k + np.argsort(weights[k:], kind="stable")
    order = order[weights[order] > 0]
    return np.append(order[np.cumsum(weights[order]) <= room], lightest), True


def _mistaken(machine: Winnow, k: int, r: int) -> Example | None:
    """Return the r heaviest relevant features, too few, with irrelevant ones that make up for it; None if none do."""
    weights = machine.weights
    heaviest = np.argsort(-weights[:k], kind="stable")[:r]
    missing = machine.rule.threshold - weights[heaviest].sum()
    order = k + np.argsort(-weights[k:], kind="stable")
    enough = np.flatnonzero(np.cumsum(weights[order]) > missing)
    return (np.append(heaviest, order[: enough[0] + 1]), False) if len(enough) else None


def most_mistakes(machine: Winnow, k: int, r: int) -> int:
    """Return the most mistakes that any sequence of examples of "at least r of the first k features" causes Winnow2.

    All sequences of mistakes are tried, from each state once. A state is the exponents of the weights, those of the
    relevant features and those of the others in order, since features of one kind are alike.
    """
    n, factor, threshold = len(machine.weights), machine.rule.update_factor, machine.rule.threshold
    examples = np.array(list(product((0, 1), repeat=n)))
    is_positive = examples[:, :k].sum(axis=1) >= r
    steps = np.where(is_positive[:, None], examples, -examples)
    known: dict[tuple[int, ...], int] = {}

    def most(state: tuple[int, ...]) -> int:
        if state not in known:
            exponents = np.array(state)
            is_wrong = (examples @ factor**exponents > threshold) != is_positive
            after = exponents + steps[is_wrong]
            after[:, :k].sort(axis=1)
            after[:, k:].sort(axis=1)
            known[state] = max((1 + most(next_one) for next_one in {*map(tuple, after.tolist())}), default=0)
        return known[state]

    return most((0,) * n)
