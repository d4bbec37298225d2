"""Large arrays, of which few rows are sampled, go by in blocks: the same attributes, without a copy of the array."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest import Relief, ReliefF, RReliefF
from fewest.relief import space
from fewest.relief.blocks import candidates, passes

SELECTORS = [
    Relief(threshold="interval", max_samples=7, random_state=0),
    Relief(threshold="interval", max_samples=30, replace=True, ties="average", identical="count", random_state=1),
    ReliefF(threshold="interval", max_samples=5, n_neighbors=2, random_state=0),
    ReliefF(
        threshold="interval", max_samples=11, n_neighbors=3, ties="random", identical="skip", random_state=2, n_jobs=1
    ),
    RReliefF(threshold="interval", max_samples=9, n_neighbors=3, random_state=0),
]


def attributes(selector):
    found = {
        name: np.asarray(value).tolist()
        for name, value in vars(selector).items()
        if name.endswith("_") and name != "history_"
    }
    return found, [(step["n_sampled"], step["scores"].tolist()) for step in selector.history_]


@pytest.fixture
def blocks(monkeypatch):
    """Make every array large, and note how often one went by in blocks."""
    stores = []
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    monkeypatch.setattr(space, "MANY_VALUES", 0)
    monkeypatch.setattr(passes, "BLOCK_VALUES", 12)
    make = passes.array_store

    def noted(*parts):
        stores.append(parts)
        return make(*parts)

    monkeypatch.setattr(passes, "array_store", noted)
    return stores


def fitted(selector, X, y, monkeypatch, many):
    """Fit, and then sample some more."""
    with monkeypatch.context() as patch:
        patch.setattr(space, "MANY_VALUES", many)
        return attributes(selector.fit(X, y).partial_fit(X, y))


@pytest.mark.parametrize("selector", SELECTORS)
def test_blocks_change_nothing(selector, blocks, monkeypatch):
    @settings(deadline=None, max_examples=25)
    @given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 4), st.sampled_from([np.float32, np.float64]))
    def check(seed, n_rows, n_features, kind):
        rng = np.random.default_rng(seed)
        X = rng.choice([0.0, 0.1, 0.5, 7.0, -2.0], (n_rows, n_features)).astype(kind)  # with ties
        X[rng.random(X.shape) < 0.3] += rng.random()
        y = rng.integers(0, 3, n_rows)
        np.testing.assert_equal(fitted(selector, X, y, monkeypatch, 0), fitted(selector, X, y, monkeypatch, np.inf))

    check()
    assert len(blocks) > 10


def test_gaps_bits_and_weights_are_left_to_memory(blocks):
    X = np.random.default_rng(0).random((30, 3))
    y = np.arange(30) % 2
    selector = ReliefF(max_samples=4, threshold="interval")
    selector.fit(np.where(X > 0.9, np.nan, X), y)
    selector.fit((X > 0.5).astype(float), y)
    selector.fit(X, y, sample_weight=np.arange(1.0, 31.0))
    ReliefF().fit(X, y)
    assert not blocks
    selector.fit(X, y)
    assert len(blocks) == 1


def test_too_many_ties_are_left_to_memory(blocks, monkeypatch):
    X = np.repeat([[0.0, 1.0], [3.0, 4.0], [5.0, 0.5]], 20, axis=0)
    y = np.arange(60) % 2
    expected = fitted(ReliefF(max_samples=6, random_state=0), X, y, monkeypatch, np.inf)
    monkeypatch.setattr(candidates, "MOST_CANDIDATES", 10)
    assert fitted(ReliefF(max_samples=6, random_state=0), X, y, monkeypatch, 0) == expected
    assert blocks
