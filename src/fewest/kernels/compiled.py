"""How kernels are compiled: serial, without the GIL, and kept on disk for the next process."""

from __future__ import annotations

from collections.abc import Callable

from numba import njit


def compiled(function: Callable) -> Callable:
    """Compile a function at its first call and keep the machine code where numba finds a place for it.

    numba keeps it beside the source or in the user's cache folder. Where
    neither can be written to it refuses to decorate at all; compiling anew in
    every process is slower, but works.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)
