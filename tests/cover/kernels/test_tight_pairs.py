import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover.kernels.tight_pairs import tightest_pairs
from problems import codes_of, samples


@given(st.one_of(samples(), samples(missing=True)), st.integers(1, 8))
def test_the_tightest_conflicts_are_kept(problem, n_pairs):
    rows, classes, n_features = problem
    i, j = tightest_pairs(codes_of(rows, n_features), np.array(classes), n_pairs, most_words=10**6)
    found = [len(naive.conflict(rows[a], rows[b])) for a, b in zip(i, j, strict=True)]
    assert all(classes[a] != classes[b] for a, b in zip(i, j, strict=True))
    assert len({frozenset(pair) for pair in zip(i.tolist(), j.tolist(), strict=True)}) == len(found)
    assert found == sorted(len(c) for c in naive.all_conflicts(rows, classes) if c)[:n_pairs]


def test_a_sample_of_rows_stands_for_too_many():
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, 2, (5000, 30)).astype(np.int8), rng.integers(0, 2, 5000)
    i, j = tightest_pairs(codes, labels, 50, most_words=10_000)
    assert len(i) == 50
    assert (labels[i] != labels[j]).all()
    again = tightest_pairs(codes, labels, 50, most_words=10_000)
    assert (again[0] == i).all()
    assert len(np.unique(np.r_[i, j])) <= 200
