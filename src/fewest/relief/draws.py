"""Which rows are drawn, in an order that goes on where it stopped."""

from __future__ import annotations

import numpy as np

from fewest.kernels.split_mix import fractions, states


def drawn_rows(n_rows: int, first: int, n_samples: int | None, seed: int, replace: bool) -> np.ndarray:
    """Return the rows drawn as number ``first`` and following.

    Parameters
    ----------
    n_rows : int
    first : int
        How many have been drawn before.
    n_samples : int or None
        How many to draw; None for every row once, always in the same shuffled order.
    seed : int
    replace : bool
        Whether each is drawn from all rows, or only from those not drawn yet in this round.
    """
    if n_samples is None:
        return np.random.default_rng(0).permutation(n_rows)
    numbers = np.arange(first, first + n_samples)
    if replace:
        return (fractions(states(seed, numbers)) * n_rows).astype(np.int64)
    rounds = numbers // n_rows
    shuffled = {r: np.random.default_rng([seed, r]).permutation(n_rows) for r in np.unique(rounds).tolist()}
    return np.array([shuffled[r][t] for r, t in zip(rounds.tolist(), (numbers % n_rows).tolist(), strict=True)])


def lots(seed: int, first: int, n_samples: int) -> np.ndarray:
    """Return what the lots of each drawn row start from."""
    return states(seed + 1, np.arange(first, first + n_samples))
