"""Sums that are looked up against sums that are added up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from fewest.mistakes.kernels import byte_vectors
from fewest.mistakes.kernels.layout import LANE, STEP_FEATURES, VECTOR, LinearThreshold, PackedTrials
from fewest.mistakes.kernels.lookups import HEAVY, ROWS, right_by_lookups, tables_of
from fewest.mistakes.kernels.packed_scores import deciding_features, right_by_one


@pytest.fixture(params=["instruction", "byte by byte"])
def look_up(request, monkeypatch):
    """The lookup, compiled for this processor and for one that has no instruction for it."""
    if request.param != "instruction":
        monkeypatch.setattr(byte_vectors, "has_instruction", lambda context: False)
    words, vector, move = byte_vectors.look_up_words, byte_vectors.look_up_vector, byte_vectors.move_sums

    @njit
    def both(rows, turned, low, high, sums, scores):
        for step in range(len(low)):
            words(rows, 2, step, turned, low, sums)
        move(sums, 0.5, scores, 3)
        vector(turned.reshape(-1, 32), 20, 4, high, 1, sums)
        move(sums, 10.0, scores, 3)

    return both


def test_bytes_of_sixteen_rows_are_looked_up(look_up):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2**64, (20, 8), dtype=np.uint64)
    low, high = rng.integers(0, 64, (2, 1024), dtype=np.uint8), rng.integers(0, 256, (2, 32), dtype=np.uint8)
    scores = np.ones(30)
    look_up(rows, np.empty((2, LANE * VECTOR), np.uint8), low, high, np.zeros(32, np.uint16), scores)
    assert scores[:3].tolist() == [1] * 3
    assert scores[19:].tolist() == [1] * 11
    for row in range(LANE):
        mine = rows[2 + row].view(np.uint8).tolist()
        expected = 1.0
        for place, byte in enumerate(mine):
            step, lane, b = place // 32, place % 32 // 16, place % 16
            tables = low[step].reshape(16, 2, 2, 16)[b]
            expected += 0.5 * (int(tables[0, lane, byte & 15]) + int(tables[1, lane, byte >> 4]))
        for lane in (0, 1):  # vector 20 is bytes 4 and 20 of the second step
            expected += 10.0 * int(high[1, 16 * lane + (mine[32 + 4 + 16 * lane] >> 4)])
        assert scores[3 + row] == expected


@st.composite
def weighings(draw):
    n_words = draw(st.integers(1, 9))
    n_rows = draw(st.integers(1, 3 * ROWS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    spread = draw(st.sampled_from([0.0, 1.0, 5.0]))
    weights = np.exp(spread * rng.normal(size=64 * n_words)) * rng.choice([-1, 0, 1, 1], 64 * n_words)
    weights[rng.permutation(64 * n_words)[: draw(st.integers(0, 2 * HEAVY))]] *= draw(st.sampled_from([1.0, 30.0, 1e6]))
    if draw(st.booleans()):
        weights = np.abs(weights)
    loads = np.zeros(-(-64 * n_words // STEP_FEATURES) * STEP_FEATURES)
    loads[: 64 * n_words] = weights
    return rng.integers(0, 2**64, (n_rows, n_words), dtype=np.uint64), loads


def sums_of(rows, loads):
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
    return bits @ loads[: bits.shape[1]]


@given(weighings(), st.floats(0, 1), st.floats(-2, 2), st.data())
def test_predictions_are_those_of_the_sums_up_to_the_first_mistake(weighing, where, base, data):
    rows, loads = weighing
    sums = base + sums_of(rows, loads)
    threshold = float(np.quantile(sums, where)) * (1 + 1e-9) + 1e-9
    labels = sums > threshold
    wrong = data.draw(st.integers(0, len(rows)))
    if wrong < len(rows):
        labels[wrong] ^= True
    start = data.draw(st.integers(0, wrong))
    scores = np.full(len(rows), np.nan)
    trials = PackedTrials(rows, labels, scores)
    assert right_by_lookups(trials, start, len(rows), LinearThreshold(loads, base, threshold)) == wrong
    done = slice(start, wrong + 1)
    assert ((scores[done] > threshold) == (sums[done] > threshold)).all()
    assert np.isnan(scores[:start]).all()


@given(weighings())
def test_what_is_looked_up_is_near_enough(weighing):
    rows, loads = weighing
    doubt = tables_of(loads).doubt
    n_rows = len(rows)
    scores, sums = np.empty(n_rows), sums_of(rows, loads)
    far = np.abs(loads).sum() * 10 + 1
    trials = PackedTrials(rows, np.zeros(n_rows, bool), scores)
    right_by_lookups(trials, 0, n_rows, LinearThreshold(loads, 0.0, far))
    assert (np.abs(scores - sums) <= doubt + 1e-9 * np.abs(loads).sum()).all()


@given(weighings(), st.floats(-10, 10), st.floats(-1, 1))
def test_one_feature_that_is_enough(weighing, threshold, base):
    rows, loads = weighing
    n_words = rows.shape[1]
    mask = np.empty(n_words, dtype=np.uint64)
    is_all = deciding_features(LinearThreshold(loads, base, threshold), mask)
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little").astype(bool)
    positive, least = np.maximum(loads, 0)[: 64 * n_words], base + np.minimum(loads, 0).sum()
    if is_all:
        assert not (bits & (least + positive <= threshold)).any()
        assert base + positive[~bits].sum() <= threshold
        sums, scores = base + sums_of(rows, loads), np.empty(len(rows))
        assert right_by_one(PackedTrials(rows, sums > threshold, scores), 0, len(rows), mask) == len(rows)
        assert ((scores > threshold) == (sums > threshold)).all()
        wrong = len(rows) // 2
        labels = (sums > threshold) ^ (np.arange(len(rows)) == wrong)
        assert right_by_one(PackedTrials(rows, labels, scores), 0, len(rows), mask) == wrong
