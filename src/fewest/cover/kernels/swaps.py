"""Local search for a cover within a cost: swap features, and weigh the conflicts that stay open.

A step chooses the feature of a random open conflict that covers the most weight, then gives up those that alone cover
the least, until the cost is within its limit again; every conflict that is open then weighs one more. So conflicts
that are hard to cover come to decide, and the search does not stay where it is (weighting local search, as for vertex
covers by Cai et al. 2013).

What every feature gains or loses is kept up to date: a conflict matters when its number of chosen features becomes or
ceases to be 0 or 1. ``sole`` is the exclusive or of the chosen features of a conflict, and so, when there is one, that
one. One source runs plain and compiled; see `fewest.kernels.compiling`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.cover.kernels.counted_covers import ones
from fewest.kernels.compiling import compilable
from fewest.kernels.split_mix import next_fraction

# Steps for which what has been given up, or chosen, stays so.
TENURE = 3


class Incidence(NamedTuple):
    """Conflicts as lists of features, and features as bits of conflicts; both have room for more conflicts."""

    row_start: np.ndarray  # int64 (conflicts + 1,): where each list begins
    rows: np.ndarray  # int32
    columns: np.ndarray  # uint64 (features, words of conflicts)


class Swaps(NamedTuple):
    """Where a local search stands."""

    chosen: np.ndarray  # int32 (features + 1,): the chosen features, the first ``numbers[CHOSEN]``
    place: np.ndarray  # int32 (features,): where each is among them, -1 where not chosen
    changed: np.ndarray  # int64 (features,): the step of the last change
    gain: np.ndarray  # int64 (features,): the weight of the open conflicts of each feature
    loss: np.ndarray  # int64 (features,): the weight of the conflicts that it alone covers
    n_chosen: np.ndarray  # int32 (conflicts,): how many of the features of each are chosen
    sole: np.ndarray  # int32 (conflicts,)
    weight: np.ndarray  # int64 (conflicts,)
    open: np.ndarray  # int32 (conflicts,): the open ones, the first ``numbers[OPEN]``
    place_open: np.ndarray  # int32 (conflicts,): where each is among them
    numbers: np.ndarray  # int64: see below
    state: np.ndarray  # uint64 (1,): of the random numbers


# What ``numbers`` holds: how many features are chosen, conflicts open, units spent, steps made, conflicts known.
CHOSEN, OPEN, COST, STEPS, KNOWN = range(5)
ONE = np.uint64(1)


@compilable(how="compiled_in_place")
def swap_until_covered(sets, swaps, costs, most, n_steps):
    """Make steps until all conflicts are covered at a cost of at most ``most``, or the steps are made.

    Returns
    -------
    bool
        Whether all are covered.
    """
    numbers = swaps.numbers
    last = numbers[STEPS] + n_steps
    while True:
        while numbers[COST] > most and numbers[CHOSEN] > 0:
            give_up(sets, swaps, cheapest_loss(swaps, costs), costs)
        if numbers[OPEN] == 0:
            return True
        if numbers[STEPS] >= last or most <= 0:
            return False
        numbers[STEPS] += 1
        swaps.state[0], fraction = next_fraction(swaps.state[0])
        conflict = swaps.open[min(np.int64(fraction * numbers[OPEN]), numbers[OPEN] - 1)]
        x = best_gain(sets, swaps, costs, conflict, most)
        if x < 0:
            return False
        choose(sets, swaps, x, costs)
        while numbers[COST] > most:
            give_up(sets, swaps, cheapest_loss(swaps, costs), costs)
        for k in range(numbers[OPEN]):
            c = swaps.open[k]
            swaps.weight[c] += 1
            for m in range(sets.row_start[c], sets.row_start[c + 1]):
                swaps.gain[sets.rows[m]] += 1


@compilable(how="compiled_within")
def best_gain(sets, swaps, costs, conflict, most):
    """Return the feature of a conflict that covers the most weight for its cost, not given up just now; -1 if none."""
    best, fallback = -1, -1
    for m in range(sets.row_start[conflict], sets.row_start[conflict + 1]):
        x = sets.rows[m]
        if costs[x] > most:
            continue
        if swaps.changed[x] + TENURE > swaps.numbers[STEPS] and swaps.changed[x] > 0:
            if fallback < 0 or swaps.changed[x] < swaps.changed[fallback]:
                fallback = x
        elif best < 0:
            best = x
        else:
            one, other = swaps.gain[x] * costs[best], swaps.gain[best] * costs[x]
            if one > other or (one == other and swaps.changed[x] < swaps.changed[best]):
                best = x
    return best if best >= 0 else fallback


@compilable(how="compiled_within")
def cheapest_loss(swaps, costs):
    """Return the chosen feature, not chosen just now, that alone covers the least weight for its cost."""
    best, fallback = -1, -1
    for k in range(swaps.numbers[CHOSEN]):
        x = swaps.chosen[k]
        if swaps.changed[x] == swaps.numbers[STEPS] and swaps.changed[x] > 0:
            fallback = x
        elif best < 0:
            best = x
        else:
            one, other = swaps.loss[x] * costs[best], swaps.loss[best] * costs[x]
            if one < other or (one == other and swaps.changed[x] < swaps.changed[best]):
                best = x
    return best if best >= 0 else fallback


@compilable(how="compiled_in_place")
def choose(sets, swaps, x, costs):
    """Choose a feature."""
    numbers = swaps.numbers
    swaps.chosen[numbers[CHOSEN]], swaps.place[x] = x, numbers[CHOSEN]
    numbers[CHOSEN] += 1
    numbers[COST] += costs[x]
    swaps.changed[x] = numbers[STEPS]
    swaps.loss[x] = 0
    for w in range((numbers[KNOWN] + 63) >> 6):
        word = sets.columns[x, w]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            cover(sets, swaps, x, c)


@compilable(how="compiled_in_place")
def give_up(sets, swaps, x, costs):
    """Give a chosen feature up."""
    numbers = swaps.numbers
    numbers[CHOSEN] -= 1
    moved, place = swaps.chosen[numbers[CHOSEN]], swaps.place[x]
    swaps.chosen[place], swaps.place[moved] = moved, place
    swaps.place[x] = -1
    numbers[COST] -= costs[x]
    swaps.changed[x] = numbers[STEPS]
    for w in range((numbers[KNOWN] + 63) >> 6):
        word = sets.columns[x, w]
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            uncover(sets, swaps, x, c)
    swaps.loss[x] = 0


@compilable(how="compiled_within")
def cover(sets, swaps, x, c):
    """Count a feature that was chosen for one of its conflicts."""
    if swaps.n_chosen[c] == 0:
        swaps.loss[x] += swaps.weight[c]
        for m in range(sets.row_start[c], sets.row_start[c + 1]):
            swaps.gain[sets.rows[m]] -= swaps.weight[c]
        swaps.numbers[OPEN] -= 1
        moved, place = swaps.open[swaps.numbers[OPEN]], swaps.place_open[c]
        swaps.open[place], swaps.place_open[moved] = moved, place
    elif swaps.n_chosen[c] == 1:
        swaps.loss[swaps.sole[c]] -= swaps.weight[c]
    swaps.n_chosen[c] += 1
    swaps.sole[c] ^= x


@compilable(how="compiled_within")
def uncover(sets, swaps, x, c):
    """Count a feature that was given up for one of its conflicts."""
    swaps.n_chosen[c] -= 1
    swaps.sole[c] ^= x
    if swaps.n_chosen[c] == 0:
        for m in range(sets.row_start[c], sets.row_start[c + 1]):
            swaps.gain[sets.rows[m]] += swaps.weight[c]
        swaps.open[swaps.numbers[OPEN]], swaps.place_open[c] = c, swaps.numbers[OPEN]
        swaps.numbers[OPEN] += 1
    elif swaps.n_chosen[c] == 1:
        swaps.loss[swaps.sole[c]] += swaps.weight[c]


@compilable(how="compiled_in_place")
def learn_conflicts(sets, swaps, features, sizes, weight):
    """Add conflicts, given one after the other as lists of features, where there is room for them."""
    numbers = swaps.numbers
    first = 0
    for size in sizes:
        c = numbers[KNOWN]
        numbers[KNOWN] += 1
        swaps.weight[c] = weight
        swaps.n_chosen[c] = 0
        swaps.sole[c] = 0
        start = sets.row_start[c]
        sets.row_start[c + 1] = start + size
        for k in range(size):
            x = features[first + k]
            sets.rows[start + k] = x
            sets.columns[x, c >> 6] |= ONE << np.uint64(c & 63)
            if swaps.place[x] >= 0:
                swaps.n_chosen[c] += 1
                swaps.sole[c] ^= x
        first += size
        if swaps.n_chosen[c] == 0:
            swaps.open[numbers[OPEN]], swaps.place_open[c] = c, numbers[OPEN]
            numbers[OPEN] += 1
        weigh(sets, swaps, c)


@compilable(how="compiled_within")
def weigh(sets, swaps, c):
    """Add the weight of a conflict to what its features gain or lose."""
    if swaps.n_chosen[c] == 0:
        for m in range(sets.row_start[c], sets.row_start[c + 1]):
            swaps.gain[sets.rows[m]] += swaps.weight[c]
    elif swaps.n_chosen[c] == 1:
        swaps.loss[swaps.sole[c]] += swaps.weight[c]


@compilable(how="compiled_in_place")
def restart(sets, swaps, costs, share):
    """Give up a random share of the chosen features, and forget all weights."""
    numbers = swaps.numbers
    k = 0
    while k < numbers[CHOSEN]:
        swaps.state[0], fraction = next_fraction(swaps.state[0])
        if fraction < share:
            give_up(sets, swaps, swaps.chosen[k], costs)  # which moves another one here
        else:
            k += 1
    for x in range(len(swaps.gain)):
        swaps.gain[x] = 0
        swaps.loss[x] = 0
    for c in range(numbers[KNOWN]):
        swaps.weight[c] = 1
        weigh(sets, swaps, c)
