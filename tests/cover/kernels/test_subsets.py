from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from fewest.cover.kernels.subsets import scan_subsets
from problems import codes_of, samples


@settings(deadline=None)  # the first call compiles
@given(samples(max_rows=10, max_values=3), st.data())
def test_scan_matches_plain_enumeration_in_any_portions(problem, data):
    rows, classes, n_features = problem
    size = data.draw(st.integers(1, n_features))
    portion = data.draw(st.integers(1, 7))
    sufficient = [not naive.uncovered(rows, classes, s) for s in combinations(range(n_features), size)]
    expected_tests = sufficient.index(True) + 1 if any(sufficient) else len(sufficient)

    subset, total, is_found, is_done = np.arange(size), 0, False, False
    while not (is_found or is_done):
        columns = np.ascontiguousarray(codes_of(rows, n_features).T)
        n_tests, is_found, is_done = scan_subsets(columns, np.array(classes), subset, portion)
        assert n_tests <= portion
        total += n_tests

    assert is_found == any(sufficient)
    assert total == expected_tests
    if is_found:
        assert tuple(subset.tolist()) == list(combinations(range(n_features), size))[expected_tests - 1]
