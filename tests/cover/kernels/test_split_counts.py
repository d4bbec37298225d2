from functools import partial

import numpy as np
import pytest
from hypothesis import given

import naive
from fewest.cover.kernels import split_counts
from fewest.cover.kernels.split_counts import entropy_after, uncovered_after
from fewest.kernels.entropy import quantum_for
from problems import codes_of, samples


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
    for scores in (uncovered_after, partial(entropy_after, quantum=quantum_for(len(chosen)))):
        plain = scores(codes[chosen], labels, groups, None)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(split_counts, "COMPILED_FROM", 0)
            assert scores(codes, labels, groups, chosen).tolist() == plain.tolist()


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
