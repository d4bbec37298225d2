"""Numeric values rounded to bytes or words: the neighbors and scores are those of the values themselves."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest import ReliefF, RReliefF
from fewest.kernels import compile_or_not
from fewest.relief import embedding, rounded_rows
from fewest.relief.kernels.differences import add_byte_differences, add_word_differences
from fewest.relief.options import ReliefFOptions
from fewest.relief.rounded_rows import BYTE_STEPS, WORD_STEPS, RoundedRows
from fewest.relief.space import compiles_search

N_ROWS, N_FEATURES = 280, 70


def numeric(rng):
    return rng.random((N_ROWS, N_FEATURES))


def heavy_tailed(rng):
    return rng.standard_t(2, (N_ROWS, N_FEATURES))


def tied(rng):
    return np.repeat(rng.integers(0, 5, (N_ROWS // 2, N_FEATURES)), 2, axis=0).astype(float)


def incomplete(rng):
    X = rng.random((N_ROWS, N_FEATURES))
    return np.where(rng.random(X.shape) < 0.05, np.nan, X)


@pytest.fixture(params=[BYTE_STEPS, WORD_STEPS])
def used(monkeypatch, request):
    """Let compiled code run, and bytes or words be used however few rows they tell apart; return those that are."""
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    monkeypatch.setattr(rounded_rows, "LEAST_FOR_WORDS", 0)
    rounded = []

    def tell_apart(self, _n_near):
        if self.steps == request.param:
            rounded.append(self)
        return self.steps == request.param

    monkeypatch.setattr(RoundedRows, "tell_apart", tell_apart)
    return rounded


@pytest.mark.parametrize("make", [numeric, heavy_tailed, tied, incomplete])
@pytest.mark.parametrize(
    "selector", [ReliefF(), ReliefF(identical="skip", ties="random", random_state=0), RReliefF()], ids=str
)
def test_scores_are_the_same_to_the_last_bit(make, selector, used, monkeypatch):
    rng = np.random.default_rng(0)
    X = make(rng)
    y = rng.integers(0, 3, N_ROWS)
    selector.set_params(n_features_to_select=1)
    scores = selector.fit(X, y).scores_
    assert len(used) == 1
    monkeypatch.setattr(embedding, "LEAST_FEATURES", N_FEATURES + 1)
    np.testing.assert_array_equal(selector.fit(X, y).scores_, scores)
    assert len(used) == 1


def test_weights_and_nominal_columns_change_nothing(used, monkeypatch):
    rng = np.random.default_rng(1)
    X = np.hstack([numeric(rng), rng.integers(0, 3, (N_ROWS, 2))])
    y, weights = rng.integers(0, 2, N_ROWS), rng.integers(1, 4, N_ROWS)
    selector = ReliefF(n_features_to_select=1, categorical_features=[N_FEATURES, N_FEATURES + 1])
    scores = selector.fit(X, y, sample_weight=weights).scores_
    assert used
    monkeypatch.setattr(embedding, "LEAST_FEATURES", N_FEATURES + 1)
    np.testing.assert_array_equal(selector.fit(X, y, sample_weight=weights).scores_, scores)


@pytest.mark.parametrize("steps", [BYTE_STEPS, WORD_STEPS])
def test_rounding_is_bounded(steps):
    X = (np.random.default_rng(2).random((300, 100)) - 0.5).astype(np.float32)
    rounded = RoundedRows.rounded(X, steps)
    real = np.abs(X[:, None].astype(float) - X).sum(axis=2)
    by_steps = np.abs(rounded.values[:, None].astype(int) - rounded.values).sum(axis=2) / steps
    assert (np.abs(real - by_steps) <= rounded.error[:, None] + rounded.error).all()
    assert (np.abs(real - by_steps) <= rounded.margin[:, None]).all()
    assert rounded.error.max() <= 100 * (0.5 / steps + 1e-6)


def test_rows_are_rounded_as_coarsely_as_tells_them_apart_or_not_at_all():
    rng = np.random.default_rng(2)
    few = (rng.random((300, 100)) - 0.5).astype(np.float32)
    found = RoundedRows.coarsest(few, 2)
    assert found is not None
    assert found.steps == BYTE_STEPS
    assert len(found.values) == 300
    assert RoundedRows.coarsest(few / 1000, 2) is None  # all within a step
    found = RoundedRows.coarsest((rng.random((300, 5000)) - 0.5).astype(np.float32), 2)
    assert found is not None
    assert found.steps == WORD_STEPS


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.sampled_from([1, 3, 4, 515]), st.sampled_from([32, 64, 256]))
def test_byte_differences_are_added_whatever_the_tiles(seed, n_sampled, n_rows, n_bytes):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 256, (n_rows, n_bytes)).astype(np.uint8)
    sampled = rows[rng.integers(0, n_rows, n_sampled)]
    sums = np.ones((n_sampled, n_rows), dtype=np.float32)
    add_byte_differences(sampled, rows, np.float32(0.5), sums)
    np.testing.assert_array_equal(sums, 1 + np.abs(sampled[:, None].astype(int) - rows).sum(axis=2) / 2)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.sampled_from([1, 3, 4, 9]), st.sampled_from([256, 512, 2560]))
def test_word_differences_are_added_whatever_the_blocks(seed, n_sampled, n_rows, n_words):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, WORD_STEPS + 1, (n_rows, n_words)).astype(np.uint16)
    rows[rng.random(rows.shape) < 0.2] = WORD_STEPS  # so that sums come close to overflow
    sampled = rows[rng.integers(0, n_rows, n_sampled)]
    sums = np.ones((n_sampled, n_rows), dtype=np.float32)
    add_word_differences(sampled, rows, np.float32(0.5), sums)
    np.testing.assert_array_equal(sums, 1 + np.abs(sampled[:, None].astype(int) - rows).sum(axis=2) / 2)


def test_words_of_the_largest_numbers_do_not_overflow():
    rows = np.full((5, 256 * 20), WORD_STEPS, dtype=np.uint16)
    rows[0] = 0
    sums = np.zeros((5, 5), dtype=np.float32)
    add_word_differences(rows, rows, np.float32(1), sums)
    np.testing.assert_array_equal(sums, np.abs(rows[:, None].astype(int) - rows).sum(axis=2))


def test_processors_without_the_instruction_add_up_the_same(tmp_path):
    program = (
        "import numpy as np\n"
        "from fewest.relief.kernels.differences import add_byte_differences, add_word_differences\n"
        "rows = np.random.default_rng(0).integers(0, 256, (9, 96)).astype(np.uint8)\n"
        "sums = np.zeros((9, 9), dtype=np.float32)\n"
        "add_byte_differences(rows, rows, np.float32(1), sums)\n"
        "assert (sums == np.abs(rows[:, None].astype(int) - rows).sum(axis=2)).all()\n"
        "words = np.tile(rows.astype(np.uint16) * 16, (1, 8))\n"
        "add_word_differences(words, words, np.float32(1), sums)\n"
        "assert (sums == 129 * np.abs(rows[:, None].astype(int) - rows).sum(axis=2)).all()\n"
    )
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_thousands_of_features_by_absolute_differences_are_worth_compiling(monkeypatch):
    monkeypatch.setattr(compile_or_not, "is_kept", lambda _kernels: False)
    monkeypatch.setenv("FEWEST_COMPILE", "auto")
    monkeypatch.setattr(compile_or_not, "_import_numba", lambda: None)
    manhattan, euclidean = ReliefFOptions(), ReliefFOptions(metric="euclidean")
    assert compiles_search(1000, (1000, 10_000, 2), manhattan)
    assert not compiles_search(1000, (1000, 1000, 2), euclidean)
    assert not compiles_search(5000, (5000, 50, 2), manhattan)
    assert compiles_search(5000, (5000, 50, 2), manhattan, is_weighted=True)
    assert not compiles_search(10, (500_000, 8, 2), manhattan)
    assert compiles_search(10, (500_000, 9, 2), manhattan)  # more than NumPy may hold
