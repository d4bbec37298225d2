"""Local search for a cover within a cost: swap features, and weigh the conflicts that stay open.

A step gives up the feature that alone covers the least weight, where there is no room for another, then chooses, of a
random open conflict, the feature that covers the most; every conflict that is open then weighs one more. So conflicts
that are hard to cover come to decide, and the search does not stay where it is (weighting local search, as for set
covers by Gao et al. 2015). Choosing first, and giving up then, takes many more steps to covers as small.

How many features of each conflict are chosen is held in binary, a word of 64 conflicts for every digit: choosing a
feature adds its column of bits to these numbers, and only where one becomes or ceases to be 0 or 1 a conflict is
looked at by itself. What features gain is counted when it is asked for, since few conflicts are open.
One source runs plain and compiled; see `fewest.kernels.compile_or_not`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.cover.kernels.counted_sets import ones
from fewest.kernels.compile_or_not import compilable
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
    gain: np.ndarray  # int64 (features,): the weight of the open conflicts of each feature, where asked for last
    loss: np.ndarray  # int64 (features,): the weight of the conflicts that it alone covers
    digits: np.ndarray  # uint64 (words of conflicts, digits): how many of the features of each are chosen
    sole: np.ndarray  # int32 (conflicts,): the chosen feature, where there is one
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
    least = costs[0]
    for x in range(len(costs)):
        least = min(least, costs[x])
    while True:
        while numbers[COST] > most and numbers[CHOSEN] > 0:
            give_up(sets, swaps, cheapest_loss(swaps, costs), costs)
        if numbers[OPEN] == 0:
            return True
        if numbers[STEPS] >= last or most <= 0:
            return False
        numbers[STEPS] += 1
        if numbers[COST] + least > most and numbers[CHOSEN] > 0:
            give_up(sets, swaps, cheapest_loss(swaps, costs), costs)
        swaps.state[0], fraction = next_fraction(swaps.state[0])
        conflict = swaps.open[min(np.int64(fraction * numbers[OPEN]), numbers[OPEN] - 1)]
        x = best_gain(sets, swaps, costs, conflict, most)
        if x < 0:
            return False
        choose(sets, swaps, x, costs)
        while numbers[COST] > most:
            give_up(sets, swaps, cheapest_loss(swaps, costs), costs)
        for k in range(numbers[OPEN]):
            swaps.weight[swaps.open[k]] += 1


@compilable(how="compiled_within")
def best_gain(sets, swaps, costs, conflict, most):
    """Return the feature of a conflict that covers the most weight for its cost, not given up just now; -1 if none."""
    gain = swaps.gain
    for m in range(sets.row_start[conflict], sets.row_start[conflict + 1]):
        gain[sets.rows[m]] = 0
    for k in range(swaps.numbers[OPEN]):
        c = swaps.open[k]
        weight = swaps.weight[c]
        for m in range(sets.row_start[c], sets.row_start[c + 1]):
            gain[sets.rows[m]] += weight
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
            one, other = gain[x] * costs[best], gain[best] * costs[x]
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
    """Choose a feature: add one to the number of every conflict of it."""
    numbers, digits = swaps.numbers, swaps.digits
    swaps.chosen[numbers[CHOSEN]], swaps.place[x] = x, numbers[CHOSEN]
    numbers[CHOSEN] += 1
    numbers[COST] += costs[x]
    swaps.changed[x] = numbers[STEPS]
    swaps.loss[x] = 0
    n_digits = n_digits_of(numbers[CHOSEN])
    for w in range((numbers[KNOWN] + 63) >> 6):
        carry = column = sets.columns[x, w]
        if column == 0:
            continue
        several = at_least_two(digits, w, n_digits)
        covered = several | digits[w, 0]
        for d in range(n_digits):
            digit = digits[w, d]
            digits[w, d] = digit ^ carry
            carry &= digit
        word = column & ~covered
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            swaps.sole[c] = x
            swaps.loss[x] += swaps.weight[c]
            numbers[OPEN] -= 1
            moved, place = swaps.open[numbers[OPEN]], swaps.place_open[c]
            swaps.open[place], swaps.place_open[moved] = moved, place
        word = column & covered & ~several
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            swaps.loss[swaps.sole[c]] -= swaps.weight[c]


@compilable(how="compiled_in_place")
def give_up(sets, swaps, x, costs):
    """Give a chosen feature up: take one from the number of every conflict of it."""
    numbers, digits = swaps.numbers, swaps.digits
    n_digits = n_digits_of(numbers[CHOSEN])
    numbers[CHOSEN] -= 1
    moved, place = swaps.chosen[numbers[CHOSEN]], swaps.place[x]
    swaps.chosen[place], swaps.place[moved] = moved, place
    swaps.place[x] = -1
    numbers[COST] -= costs[x]
    swaps.changed[x] = numbers[STEPS]
    for w in range((numbers[KNOWN] + 63) >> 6):
        borrowed = column = sets.columns[x, w]
        if column == 0:
            continue
        one = column & at_least_two(digits, w, n_digits)
        for d in range(n_digits):
            digit = digits[w, d]
            digits[w, d] = digit ^ borrowed
            borrowed &= ~digit
        several = at_least_two(digits, w, n_digits)
        one &= ~several
        word = column & ~(several | digits[w, 0])
        while word:
            lowest = word & (~word + ONE)
            word ^= lowest
            c = w * 64 + np.int64(ones(lowest - ONE))
            swaps.open[numbers[OPEN]], swaps.place_open[c] = c, numbers[OPEN]
            numbers[OPEN] += 1
        k = 0
        while one:  # some chosen feature covers each of them alone now
            y = swaps.chosen[k]
            word = one & sets.columns[y, w]
            one ^= word
            while word:
                lowest = word & (~word + ONE)
                word ^= lowest
                c = w * 64 + np.int64(ones(lowest - ONE))
                swaps.sole[c] = y
                swaps.loss[y] += swaps.weight[c]
            k += 1
    swaps.loss[x] = 0


@compilable(how="compiled_within")
def n_digits_of(number):
    """Return how many binary digits a number has."""
    n_digits = 0
    while number > 0:
        number >>= 1
        n_digits += 1
    return n_digits


@compilable(how="compiled_within")
def at_least_two(digits, w, n_digits):
    """Return which conflicts of a word have at least two chosen features."""
    several = np.uint64(0)
    for d in range(1, n_digits):
        several |= digits[w, d]
    return several


@compilable(how="compiled_in_place")
def learn_conflicts(sets, swaps, features, sizes, weight):
    """Add conflicts, given one after the other as lists of features, where there is room for them."""
    numbers = swaps.numbers
    first = 0
    for size in sizes:
        c = numbers[KNOWN]
        numbers[KNOWN] += 1
        bit = ONE << np.uint64(c & 63)
        swaps.weight[c] = weight
        n_chosen, start = 0, sets.row_start[c]
        sets.row_start[c + 1] = start + size
        for k in range(size):
            x = features[first + k]
            sets.rows[start + k] = x
            sets.columns[x, c >> 6] |= bit
            if swaps.place[x] >= 0:
                n_chosen += 1
                swaps.sole[c] = x
        first += size
        for d in range(n_digits_of(n_chosen)):
            if n_chosen >> d & 1:
                swaps.digits[c >> 6, d] |= bit
        if n_chosen == 0:
            swaps.open[numbers[OPEN]], swaps.place_open[c] = c, numbers[OPEN]
            numbers[OPEN] += 1
        elif n_chosen == 1:
            swaps.loss[swaps.sole[c]] += weight


@compilable(how="compiled_in_place")
def restart(sets, swaps, costs, share):
    """Give up a random share of the chosen features, and forget all weights."""
    numbers, digits = swaps.numbers, swaps.digits
    k = 0
    while k < numbers[CHOSEN]:
        swaps.state[0], fraction = next_fraction(swaps.state[0])
        if fraction < share:
            give_up(sets, swaps, swaps.chosen[k], costs)  # which moves another one here
        else:
            k += 1
    for x in range(len(swaps.loss)):
        swaps.loss[x] = 0
    n_digits = n_digits_of(numbers[CHOSEN])
    for c in range(numbers[KNOWN]):
        swaps.weight[c] = 1
        w = c >> 6
        if (digits[w, 0] & ~at_least_two(digits, w, n_digits)) >> np.uint64(c & 63) & ONE:
            swaps.loss[swaps.sole[c]] += 1
