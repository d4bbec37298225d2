"""How many features random labels would need."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.budget import Budget
from fewest.cover.chance import ByChance, cost_by_chance
from fewest.cover.sample import Sample
from problems import codes_of, samples


@given(samples(max_rows=8, max_features=4), st.integers(0, 3))
def test_every_permutation_needs_what_enumeration_says(problem, seed):
    rows, classes, n_features = problem
    codes, classes = codes_of(rows, n_features), np.array(classes)
    found = cost_by_chance(lambda permuted: Sample(codes, permuted), classes, 1, 5, seed=seed)
    rng, needed = np.random.default_rng(seed), []
    for _ in range(5):
        permuted = rng.permutation(classes).tolist()
        most = len(naive.contradictions(rows, permuted))
        needed.append(len(naive.smallest_tolerable_subsets(rows, permuted, n_features, most)[0]))
    assert (list(found.lower), list(found.upper)) == (needed, needed)
    assert found.pvalue == (1 + sum(size <= 1 for size in needed)) / 6


def test_what_matters_is_no_chance_and_noise_is():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (60, 8)).astype(np.int8)
    told = cost_by_chance(lambda classes: Sample(codes, classes), codes[:, 1] ^ codes[:, 5], 2, 30)
    assert told.pvalue == 1 / 31
    assert str(told).startswith("Random labels would need ")
    assert str(told).endswith("yours need 2 (30 permutations, p = 0.032).")
    guessed = cost_by_chance(lambda classes: Sample(codes, classes), rng.integers(0, 2, 60), max(told.upper), 30)
    assert guessed.pvalue > 0.05
    assert "so chance alone could do that" in str(guessed)


def test_a_permutation_counts_unless_it_is_proven_to_need_more():
    assert ByChance(3, (2, 4, 3), (5, 4, 6), 3).pvalue == 3 / 4


def test_out_of_time_there_is_no_answer():
    sample = Sample(np.eye(4, dtype=np.int8), np.arange(4))
    found = cost_by_chance(lambda _: sample, np.arange(4), 3, 10, budget=Budget(0.0))
    assert (found.lower, found.pvalue) == ((), 1.0)
    assert str(found) == "There was no time to see what random labels would need."
