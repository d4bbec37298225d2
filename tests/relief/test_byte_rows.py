"""Numeric values rounded to bytes: the neighbors and scores are those of the values themselves."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest import ReliefF, RReliefF
from fewest.relief import byte_rows, matrix_space
from fewest.relief.byte_rows import ByteRows
from fewest.relief.kernels.differences import add_byte_differences

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


@pytest.fixture
def used(monkeypatch):
    """Let compiled code run and bytes be used however few rows they tell apart; return which rows were rounded."""
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    rounded = []
    monkeypatch.setattr(ByteRows, "tell_apart", lambda self, *_: rounded.append(self) or True)
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
    monkeypatch.setattr(matrix_space, "LEAST_FEATURES", N_FEATURES + 1)
    np.testing.assert_array_equal(selector.fit(X, y).scores_, scores)
    assert len(used) == 1


def test_weights_and_nominal_columns_change_nothing(used, monkeypatch):
    rng = np.random.default_rng(1)
    X = np.hstack([numeric(rng), rng.integers(0, 3, (N_ROWS, 2))])
    y, weights = rng.integers(0, 2, N_ROWS), rng.integers(1, 4, N_ROWS)
    selector = ReliefF(n_features_to_select=1, categorical_features=[N_FEATURES, N_FEATURES + 1])
    scores = selector.fit(X, y, sample_weight=weights).scores_
    assert used
    monkeypatch.setattr(matrix_space, "LEAST_FEATURES", N_FEATURES + 1)
    np.testing.assert_array_equal(selector.fit(X, y, sample_weight=weights).scores_, scores)


def test_rounding_is_bounded_and_rows_that_it_does_not_tell_apart_are_not_rounded(monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    rng = np.random.default_rng(2)
    X = (rng.random((300, 100)) - 0.5).astype(np.float32)
    rounded = ByteRows.rounded(X)
    real = np.abs(X[:, None].astype(float) - X).sum(axis=2)
    by_bytes = np.abs(rounded.values[:, None].astype(int) - rounded.values).sum(axis=2) / byte_rows.STEPS
    assert (np.abs(real - by_bytes) <= rounded.error[:, None] + rounded.error).all()
    assert (np.abs(real - by_bytes) <= rounded.margin[:, None]).all()
    assert rounded.tell_apart(X, 2)
    close = X / 1000  # all within a step
    assert not ByteRows.rounded(close).tell_apart(close, 2)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.sampled_from([1, 3, 4, 515]), st.sampled_from([32, 64, 256]))
def test_byte_differences_are_added_whatever_the_tiles(seed, n_sampled, n_rows, n_bytes):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 256, (n_rows, n_bytes)).astype(np.uint8)
    sampled = rows[rng.integers(0, n_rows, n_sampled)]
    sums = np.ones((n_sampled, n_rows), dtype=np.float32)
    add_byte_differences(sampled, rows, np.float32(0.5), sums)
    np.testing.assert_array_equal(sums, 1 + np.abs(sampled[:, None].astype(int) - rows).sum(axis=2) / 2)


def test_processors_without_the_instruction_add_up_the_same(tmp_path):
    program = (
        "import numpy as np\n"
        "from fewest.relief.kernels.differences import add_byte_differences\n"
        "rows = np.random.default_rng(0).integers(0, 256, (9, 96)).astype(np.uint8)\n"
        "sums = np.zeros((9, 9), dtype=np.float32)\n"
        "add_byte_differences(rows, rows, np.float32(1), sums)\n"
        "assert (sums == np.abs(rows[:, None].astype(int) - rows).sum(axis=2)).all()\n"
    )
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
