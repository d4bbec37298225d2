"""How kernels are compiled: serial, without the GIL, and kept on disk for the next process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(function: Callable) -> Callable:
    """Compile a function at its first call and keep the machine code where numba finds a place for it.

    numba keeps it beside the source or in the user's cache folder. Where
    neither can be written to it refuses to decorate at all; compiling anew in
    every process is slower, but works.
    """
    return _compiled(function)


def compiled_sum(function: Callable) -> Callable:
    """Compile a function whose sums may be taken in any order, so that they run on vectors."""
    return _compiled(function, fastmath={"reassoc", "contract", "nsz"})


def _compiled(function: Callable, **options: Any) -> Callable:
    try:
        return njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        return njit(nogil=True, **options)(function)
