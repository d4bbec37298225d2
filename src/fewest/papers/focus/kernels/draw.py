"""Draw a sample of a concept from the uniform distribution.

The k-th random word of a sample is a hash of its key and k: no state is carried from one sample to the next, so that
a sample depends on its seed and its number alone.

A concept is a truth table over at most six features, a word: bit ``i`` is the value where the features spell ``i``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.kernels import split_mix
from fewest.kernels.compiled import compiled_in_place
from fewest.kernels.intrinsics import lowest_bit, popcount
from fewest.kernels.split_mix import FIRST_FACTOR, STEP

mixed = split_mix.mixed.compiled


class Design(NamedTuple):
    """The concept, and how samples of it are drawn."""

    n_features: int
    n_relevant: int
    truth: np.uint64  # the truth table of the relevant features, repeated until the word is full
    n_examples: int
    seed: np.uint64
    is_replaced: bool  # each example is put back before the next is drawn
    is_shuffled: bool  # relevant features at random places, negated at random


class Examples(NamedTuple):
    """A drawn sample; the arrays are reused for the next."""

    positives: np.ndarray  # uint16, with eight entries to spare
    negatives: np.ndarray
    n: np.ndarray  # int64 (2,): how many are negative, how many positive
    truth: np.ndarray  # uint64 (1,): the truth table after negations
    order: np.ndarray  # int64 (n_features,): the features as the learner meets them
    rank: np.ndarray  # int64 (n_features,): the place of each feature in this order
    seen: np.ndarray  # uint64: the instances drawn, a bit each


def empty_examples(n_features: int, n_examples: int) -> Examples:
    """Allocate the arrays of a sample."""
    return Examples(
        positives=np.zeros(n_examples + 8, dtype=np.uint16),
        negatives=np.zeros(n_examples + 8, dtype=np.uint16),
        n=np.zeros(2, dtype=np.int64),
        truth=np.zeros(1, dtype=np.uint64),
        order=np.zeros(n_features, dtype=np.int64),
        rank=np.zeros(n_features, dtype=np.int64),
        seen=np.zeros(max(1, 2**n_features // 64), dtype=np.uint64),
    )


@compiled_in_place
def draw_sample(design, number, examples):
    """Fill ``examples`` with sample ``number``."""
    key = key_of(design.seed, number)
    n_words = order_features(design, key, examples)
    examples.seen[:] = 0
    n_instances = 1 << design.n_features
    if design.is_replaced or 2 * design.n_examples <= n_instances:
        draw_examples(design, key, n_words, examples)
    else:  # few are left out: draw these
        mark(design.n_features, n_instances - design.n_examples, key, n_words, examples.seen)
        list_unseen(design.n_features, examples)


@compiled_in_place
def order_features(design, key, examples):
    """Order the features and negate relevant ones at random; return how many random words that took."""
    n_features, order = design.n_features, examples.order
    for b in range(n_features):
        order[b] = b
    truth = design.truth
    if design.is_shuffled:
        for b in range(n_features - 1, 0, -1):
            other = random_below(key, b, b + 1)
            order[b], order[other] = order[other], order[b]
        flips = random_word(key, 0)
        for b in range(design.n_relevant):
            kept = ((flips >> np.uint64(b)) & np.uint64(1)) - np.uint64(1)  # all bits or none: no branch to mispredict
            truth = (truth & kept) | (negated(truth, b) & ~kept)
    examples.truth[0] = truth
    for place in range(n_features):
        examples.rank[order[place]] = place
    return n_features


@compiled_in_place
def draw_examples(design, key, n_words, examples):
    """Draw one example after the other; without replacement, pass over those seen before."""
    n_features, n_examples = design.n_features, design.n_examples
    truth, seen = examples.truth[0], examples.seen
    positives, negatives = examples.positives, examples.negatives
    last, one = np.uint64((1 << n_features) - 1), np.uint64(1)
    n_positive = n_drawn = 0
    while n_drawn < n_examples:
        word = random_word(key, n_words)
        n_words += 1
        for _ in range(64 // n_features):
            instance = word & last
            word >>= np.uint64(n_features)
            at, bit = np.int64(instance >> np.uint64(6)), instance & np.uint64(63)
            is_new = design.is_replaced | ((seen[at] >> bit) & one == 0)
            seen[at] |= one << bit
            is_positive = np.int64((truth >> bit) & one)
            positives[n_positive] = instance  # what is not counted is overwritten: no branch to mispredict
            negatives[n_drawn - n_positive] = instance
            n_drawn += is_new
            n_positive += is_positive & is_new
            if n_drawn == n_examples:
                break
    examples.n[0], examples.n[1] = n_drawn - n_positive, n_positive


@compiled_in_place
def mark(n_features, n_marked, key, n_words, seen):
    """Set ``n_marked`` random bits of the instances."""
    last, one = np.uint64((1 << n_features) - 1), np.uint64(1)
    n_drawn = 0
    while n_drawn < n_marked:
        word = random_word(key, n_words)
        n_words += 1
        for _ in range(64 // n_features):
            instance = word & last
            word >>= np.uint64(n_features)
            at, bit = np.int64(instance >> np.uint64(6)), instance & np.uint64(63)
            n_drawn += (seen[at] >> bit) & one == 0
            seen[at] |= one << bit
            if n_drawn == n_marked:
                break


@compiled_in_place
def list_unseen(n_features, examples):
    """Take the instances not seen as the sample."""
    truth, seen = examples.truth[0], examples.seen
    everything = all_cells(n_features)
    n_positive = n_negative = 0
    for at in range(len(seen)):
        seen[at] = ~seen[at] & everything
        word = seen[at] & truth
        while word:
            examples.positives[n_positive] = 64 * at + lowest_bit(word)
            n_positive += 1
            word &= word - np.uint64(1)
        word = seen[at] & ~truth
        while word:
            examples.negatives[n_negative] = 64 * at + lowest_bit(word)
            n_negative += 1
            word &= word - np.uint64(1)
    examples.n[0], examples.n[1] = n_negative, n_positive


@compiled_in_place
def key_of(seed, number):
    """Return the key of a sample."""
    return mixed(seed + mixed(np.uint64(number) * STEP + FIRST_FACTOR))


@compiled_in_place
def random_word(key, k):
    """Return the ``k``-th random word of a sample."""
    return mixed(key + np.uint64(k + 1) * STEP)


@compiled_in_place
def random_below(key, k, bound):
    """Return the ``k``-th random word as a number below a small ``bound``; the bias is below ``bound`` / 2**32."""
    return np.int64(((random_word(key, k) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


MOST_RELEVANT = 6

# Bit i of FEATURES[b] is bit b of i: feature b as a truth table.
FEATURES = np.array([sum(1 << i for i in range(64) if i >> b & 1) for b in range(6)], dtype=np.uint64)


@compiled_in_place
def negated(truth, b):
    """Return the table with feature ``b`` negated: its two halves change places."""
    shift = np.uint64(1 << b)
    return ((truth & FEATURES[b]) >> shift) | ((truth & ~FEATURES[b]) << shift)


@compiled_in_place
def all_cells(n_features):
    """Return the word of all instances that differ in the first six features."""
    return ~np.uint64(0) if n_features >= 6 else (np.uint64(1) << np.uint64(1 << n_features)) - np.uint64(1)


@compiled_in_place
def n_wrong(cells, truth, label, n_free):
    """Count the instances of a leaf that it gets wrong.

    Parameters
    ----------
    cells : uint64
        What the tests of the first six features on the leaf's path leave of all cells.
    truth : uint64
    label : bool
        The class that the leaf predicts.
    n_free : int
        How many of the other features the path does not test: each doubles the instances.
    """
    return np.int64(popcount(cells & (~truth if label else truth))) << np.int64(n_free)
