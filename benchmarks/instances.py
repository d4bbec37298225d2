"""The instances of the benchmark, made from a seed: planted concepts and plain noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Instance(NamedTuple):
    """A name such as ``100:6:1000`` (features : relevant : examples), the data, and what was planted."""

    name: str
    codes: np.ndarray
    classes: np.ndarray
    planted: tuple[int, ...] | None


def planted(n_features: int, n_relevant: int, n_rows: int, seed: int = 0) -> Instance:
    """Draw examples uniformly and label them by a random function of some features, all of them relevant."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (n_rows, n_features), dtype=np.int8)
    relevant = np.sort(rng.permutation(n_features)[:n_relevant])
    while True:
        table = rng.integers(0, 2, (2,) * n_relevant)
        if all((table.take(0, axis) != table.take(1, axis)).any() for axis in range(n_relevant)):
            break
    classes = table[tuple(codes[:, relevant].T)]
    name = f"{n_features}:{n_relevant}:{n_rows}"
    return Instance(name, np.asfortranarray(codes), classes, tuple(relevant.tolist()))


def noise(n_features: int, n_rows: int, seed: int = 0) -> Instance:
    """Draw examples and labels without any connection."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 2, (n_rows, n_features), dtype=np.int8)
    return Instance(f"{n_features}:noise:{n_rows}", np.asfortranarray(codes), rng.integers(0, 2, n_rows), None)
