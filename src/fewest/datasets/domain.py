"""What a generator makes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewest.exceptions import ParameterError


class Domain(NamedTuple):
    """Examples, and the truth about them."""

    X: np.ndarray
    y: np.ndarray
    relevant: tuple[int, ...]


def check_counts(**counts: int) -> None:
    """Refuse numbers of rows and features that cannot be."""
    for name, count in counts.items():
        if count < 0 or (name in ("n", "relevant") and count == 0):
            raise ParameterError(f"{name}={count} makes no data. Give a positive number.")


def check_noise(noise: float) -> None:
    """Refuse what is no share of the values."""
    if not 0 <= noise <= 1:
        raise ParameterError(f"noise={noise} is no share of the values. Give a number from 0 to 1, such as 0.05.")
