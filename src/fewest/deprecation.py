"""Warn of what will be removed, as the versioning policy promises: one minor version ahead at least."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def warn_of_removal(what: str, *, removed_in: str, instead: str, stacklevel: int = 2) -> None:
    """Warn that something works for now and from which version on it will not.

    It is a FutureWarning, as scikit-learn's are, which Python shows to users; a DeprecationWarning it would hide.

    Parameters
    ----------
    what : str
        What the caller used, such as ``parameter 'n'``.
    removed_in : str
        The version without it.
    instead : str
        What to use from now on.
    stacklevel : int, default=2
        How many calls up the line is that the warning shows; by default that of the caller's caller.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_of_removal("parameter 'n'", removed_in="0.3", instead="'n_samples'")
    >>> print(caught[0].message)
    parameter 'n' is deprecated and will be removed in fewest 0.3. Use 'n_samples' instead.
    """
    message = f"{what} is deprecated and will be removed in fewest {removed_in}. Use {instead} instead."
    warnings.warn(message, FutureWarning, stacklevel=stacklevel + 1)


def deprecated(*, removed_in: str, instead: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function or a method warn whenever it is called.

    Parameters
    ----------
    removed_in : str
        The version without it.
    instead : str
        What to call from now on.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> @deprecated(removed_in="0.3", instead="make_parity")
    ... def parity(n_samples):
    ...     return n_samples % 2
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     parity(3)
    1
    >>> print(caught[0].message)
    parity is deprecated and will be removed in fewest 0.3. Use make_parity instead.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def warned(*args: P.args, **kwargs: P.kwargs) -> R:
            warn_of_removal(function.__name__, removed_in=removed_in, instead=instead)
            return function(*args, **kwargs)

        return warned

    return decorate
