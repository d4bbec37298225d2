from functools import partial

import numpy as np
from hypothesis import given

import naive
from fewest.cover.kernels import split_counts
from fewest.cover.kernels.split_counts import mixed_pairs_of, pairs_of_splits, scores_of_splits
from fewest.kernels.entropy import quantum_for, size_times_entropy
from problems import codes_of, samples


def uncovered_after(codes, labels, groups):
    return scores_of_splits(codes, labels, groups, None, mixed_pairs_of)


@given(samples(max_values=4))
def test_counts_match_the_definition(problem):
    rows, classes, n_features = problem
    codes = codes_of(rows, n_features)
    labels = np.unique(classes, return_inverse=True)[1]
    groups = np.unique(codes[:, 0], return_inverse=True)[1]  # as if the first feature had been chosen
    expected = [len(naive.uncovered(rows, classes, {0, j})) for j in range(n_features)]
    assert uncovered_after(codes, labels, groups).tolist() == expected


@given(samples(max_values=4))
def test_compiled_counts_are_the_same(problem):
    rows, classes, n_features = problem
    codes = codes_of(rows, n_features)
    chosen = np.arange(0, len(rows), 2)
    labels = np.unique(np.array(classes)[chosen], return_inverse=True)[1]
    groups = np.unique(codes[chosen, 0], return_inverse=True)[1]
    for measure in (mixed_pairs_of, partial(size_times_entropy, quantum=quantum_for(len(chosen)))):
        plain = scores_of_splits(codes[chosen], labels, groups, None, measure)
        of_chosen = scores_of_splits(codes, labels, groups, chosen, measure)
        compiled = scores_of_splits(codes, labels, groups, chosen, measure, compiles=True)
        assert compiled.tolist() == of_chosen.tolist() == plain.tolist()
    pairs = [pairs_of_splits(codes[chosen], labels, groups, compiles) for compiles in (False, True)]
    for plain, compiled in zip(*pairs, strict=True):
        np.testing.assert_array_equal(plain, compiled)


def test_blocks_and_sorting_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (200, 25)).astype(np.int16)
    labels, groups = rng.integers(0, 3, 200), rng.integers(0, 10, 200)
    whole = uncovered_after(codes, labels, groups)
    monkeypatch.setattr(split_counts, "BLOCK_ENTRIES", 1)
    assert (uncovered_after(codes, labels, groups) == whole).all()
    codes[0, 0] = 30_000  # one column with large codes makes counters too many
    changed = uncovered_after(codes, labels, groups)
    assert (changed[1:] == whole[1:]).all()
