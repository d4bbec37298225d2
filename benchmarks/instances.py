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


def wide(n_rows: int = 3845, n_features: int = 1617, share: float = 0.035, seed: int = 0) -> Instance:
    """Draw sparse Boolean features that come in correlated groups, and a rare class that six of the groups go with."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=(n_rows, 40))
    density = np.exp(rng.uniform(np.log(0.004), np.log(0.12), n_features))
    values = 0.6 * hidden[:, rng.integers(0, 40, n_features)] + 0.8 * rng.normal(size=(n_rows, n_features))
    cuts = [np.quantile(column, 1 - some) for column, some in zip(values.T, density, strict=True)]
    score = hidden[:, :6].sum(axis=1) + 1.5 * rng.normal(size=n_rows)
    classes = (score > np.quantile(score, 1 - share)).astype(np.int64)
    return Instance(f"wide {n_rows}x{n_features}", np.asfortranarray(values > cuts, dtype=np.int8), classes, None)


def splices(n_rows: int = 3190, n_features: int = 60, seed: int = 0) -> Instance:
    """Draw sequences of four letters; of three classes two have a motif of their own in the middle, mostly."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, (n_rows, n_features))
    classes = rng.choice(3, n_rows, p=[0.24, 0.24, 0.52])
    middle = n_features // 2
    for which, start in ((0, middle - 3), (1, middle - 6)):
        motif = rng.integers(0, 4, 9)
        is_kept = rng.random((n_rows, 9)) < 0.8
        part = codes[:, start : start + 9]
        part[:] = np.where(is_kept & (classes == which)[:, None], motif, part)
    return Instance(f"splices {n_rows}x{n_features}", np.asfortranarray(codes, dtype=np.int8), classes, None)
