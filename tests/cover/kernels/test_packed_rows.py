import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover.kernels.packed_rows import differences, pack_rows
from fewest.kernels.bits import unpack
from problems import codes_of, samples


@given(st.one_of(samples(max_values=2), samples(max_values=9), samples(max_values=5, missing=True)))
def test_differences_are_the_conflicts(problem):
    rows, _, n_features = problem
    packed = pack_rows(codes_of(rows, n_features))
    for i in range(len(rows)):
        found = unpack(differences(packed, i, slice(None)), n_features)
        assert [frozenset(np.flatnonzero(row).tolist()) for row in found] == [naive.conflict(rows[i], r) for r in rows]
