"""How kernels are compiled: serial, without the GIL, and kept on disk for the next process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any

from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.registry import cpu_target
from numba.extending import typeof_impl


class _HeldInterrupt(event.Listener):
    """Holds an interrupt back while numba compiles, which may lose it, or crash, when it comes in between."""

    def __init__(self) -> None:
        self._depth, self._held = 0, False
        self._before: Any = None

    def on_start(self, event: Any) -> None:  # noqa: ARG002 (numba's signature)
        """Take note of interrupts instead of raising them; only the main thread is ever interrupted."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth += 1
        handler = signal.getsignal(signal.SIGINT)
        if self._depth == 1 and callable(handler):
            self._before, self._held = handler, False
            signal.signal(signal.SIGINT, self._hold)

    def on_end(self, event: Any) -> None:  # noqa: ARG002 (numba's signature)
        """Raise what was held back."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth -= 1
        if self._depth or self._before is None:
            return
        handler, self._before = self._before, None
        signal.signal(signal.SIGINT, handler)
        if self._held:
            handler(signal.SIGINT, None)

    def _hold(self, *_: object) -> None:
        self._held = True


event.register("numba:compile", _HeldInterrupt())


class _KeptCode(IndexDataCacheFile):
    """Machine code on disk, where several processes put theirs at the same time.

    numba numbers the files of a function, one a signature. Two processes that compile two signatures at once may give
    both the same number, and whoever loads the one runs the other. So files are named for what they hold, and the index
    names none before it is there. Where there is no room, nothing is kept, and the next process compiles anew.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of a signature."""
        stem = self._index_name.removesuffix(".nbi")
        name = f"{stem}.{sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]}.nbc"
        with suppress(OSError):
            self._save_data(name, data)
            self._save_index({**self._load_index(), key: name})


def compiled(function: Callable) -> Callable:
    """Compile a function at its first call and keep the machine code where numba finds a place for it.

    numba keeps it beside the source or in the user's cache folder. Where
    neither can be written to it refuses to decorate at all; compiling anew in
    every process is slower, but works.
    """
    return _kept(function)


def compiled_sum(function: Callable) -> Callable:
    """Compile a function whose sums may be taken in any order, so that they run on vectors.

    Nor does it look out for divisions by zero, which would keep loops from running on vectors, too.
    """
    return _kept(function, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")


def compiled_in_place(function: Callable) -> Callable:
    """Compile a function that allocates no array and returns none.

    numba counts who uses an array, in one atomic step for every array that a
    function is given. Where a call lasts some nanoseconds this is most of
    the time, and who allocates nothing has nothing to set free.
    """
    return _kept(function, _nrt=False, error_model="numpy")


def compiled_within(function: Callable) -> Callable:
    """Compile a function that allocates nothing to be a part of those that call it.

    A call hands over every array as seven words; where the work is a few steps on some of many arrays, that is most
    of the time.
    """
    return _kept(function, _nrt=False, error_model="numpy", forceinline=True)


def compiled_in_place_sum(function: Callable) -> Callable:
    """Compile a function that allocates nothing, and whose sums may be taken in any order."""
    return _kept(function, _nrt=False, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})


def compiled_in_place_max(function: Callable) -> Callable:
    """Compile a function that allocates nothing and compares numbers, none of them NaN, so that it runs on vectors."""
    return _kept(function, _nrt=False, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "nnan"})


def _kept(function: Callable, **options: Any) -> Callable:
    try:
        dispatcher = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        return njit(nogil=True, **options)(function)
    cache = getattr(dispatcher, "_cache", None)  # there is none where numba is told not to compile
    if isinstance(cache, FunctionCache) and hasattr(cache, "_cache_file"):  # numba may come to keep code otherwise
        stamp = cache._impl.locator.get_source_stamp()
        cache._cache_file = _KeptCode(cache.cache_path, cache._impl.filename_base, stamp)
    return dispatcher


@cache
def resolve_compilable(kind: type) -> None:
    """Let numba take the dispatcher of a `fewest.kernels.compiling.Compilable` that a compiled function calls."""

    @typeof_impl.register(kind)
    def of_compiled(function: Any, context: Any) -> Any:  # noqa: ARG001 (numba's signature)
        callee = function.compiled
        cpu_target.typing_context.refresh()  # an intrinsic that was imported just now is not known yet
        return cpu_target.typing_context.resolve_value_type(callee)
