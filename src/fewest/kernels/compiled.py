"""Decorators that compile kernels: serial, without the GIL, and kept on disk for the next process.

numba's own modules that carry no promise (`numba.core`) are used here only, and guarded: where a release of numba
moves them, kernels still compile, only without what these add.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any

from numba import njit, typeof
from numba.extending import typeof_impl

from fewest.budget import work_clock
from fewest.kernels.held_interrupts import HeldInterrupts

try:
    from numba.core.caching import FunctionCache, IndexDataCacheFile
    from numba.core.event import Listener, register
    from numba.core.registry import cpu_target
except ImportError:  # numba has moved its insides
    FunctionCache = IndexDataCacheFile = Listener = object  # type: ignore[misc, assignment]
    register = cpu_target = None  # type: ignore[assignment]


class _HeldWhileCompiling(Listener):
    """Hold an interrupt back while numba compiles, which may lose it, or crash, when it comes in between.

    Time limits are of the work: their clock stands still meanwhile.
    """

    def __init__(self) -> None:
        self._held = HeldInterrupts()

    def on_start(self, event: Any) -> None:  # noqa: ARG002 (numba's signature)
        """Begin to hold interrupts back."""
        work_clock.stop()
        self._held.start()

    def on_end(self, event: Any) -> None:  # noqa: ARG002 (numba's signature)
        """Raise what was held back."""
        work_clock.start()
        self._held.end()


if register is not None:
    register("numba:compile", _HeldWhileCompiling())


class _KeptCode(IndexDataCacheFile):
    """Machine code on disk, to which several processes write at the same time.

    numba numbers the files of a function, one for each signature. Two processes that compile two signatures at once may
    give both the same number, and whoever loads the one runs the other. So files are named by a hash of what they hold,
    and are written before the index lists them. Where the disk is full, nothing is kept, and the next process compiles
    again.
    """

    def load(self, key: Any) -> Any:
        """Return the machine code of a signature, or None where there is none that can be read."""
        try:
            return super().load(key)
        except Exception:  # a damaged file, or one that names types of another version, raises whatever pickle may
            return None

    def _load_index(self) -> dict:
        try:
            return super()._load_index()
        except Exception:  # as above: what cannot be read is compiled again, and replaced
            return {}

    def save(self, key: Any, data: Any) -> None:
        """Keep the machine code of one signature."""
        stem = self._index_name.removesuffix(".nbi")
        name = f"{stem}.{sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]}.nbc"
        with suppress(OSError):
            self._save_data(name, data)
            self._save_index({**self._load_index(), key: name})


def compiled(function: Callable) -> Callable:
    """Compile a function at its first call and keep the machine code where numba finds a place for it.

    numba keeps it beside the source or in the user's cache folder. Where neither can be written to it refuses to
    decorate at all; compiling in every process is slower, but works.
    """
    return _kept(function)


def compiled_sum(function: Callable) -> Callable:
    """Compile a function whose sums may be taken in any order, so that LLVM vectorizes them.

    Divisions by zero are not checked either: the branch would keep loops from being vectorized.
    """
    return _kept(function, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")


def compiled_in_place(function: Callable) -> Callable:
    """Compile a function that allocates no array and returns none.

    numba counts the references to an array, in one atomic step for every array argument. Where a call lasts some
    nanoseconds this is most of the time, and a function that allocates nothing has nothing to free.
    """
    return _kept(function, _nrt=False, error_model="numpy")


def compiled_within(function: Callable) -> Callable:
    """Compile a function that allocates nothing to be inlined in those that call it.

    A call passes every array as seven words; where the work is a few steps on some of many arrays, that is most of the
    time.
    """
    return _kept(function, _nrt=False, error_model="numpy", forceinline=True)


def compiled_in_place_sum(function: Callable) -> Callable:
    """Compile a function that allocates nothing, and whose sums may be taken in any order."""
    return _kept(function, _nrt=False, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})


def compiled_in_place_max(function: Callable) -> Callable:
    """Compile a function that allocates nothing and compares numbers, none of them NaN, so that LLVM vectorizes it."""
    return _kept(function, _nrt=False, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "nnan"})


def _kept(function: Callable, **options: Any) -> Callable:
    try:
        dispatcher = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        return njit(nogil=True, **options)(function)
    cache = getattr(dispatcher, "_cache", None)  # None where NUMBA_DISABLE_JIT is set
    if IndexDataCacheFile is not object and isinstance(cache, FunctionCache) and hasattr(cache, "_cache_file"):
        stamp = cache._impl.locator.get_source_stamp()
        cache._cache_file = _KeptCode(cache.cache_path, cache._impl.filename_base, stamp)
    return dispatcher


@cache
def resolve_compilable(kind: type) -> None:
    """Let numba take the dispatcher of a `fewest.kernels.compiling.Compilable` that a compiled function calls."""

    @typeof_impl.register(kind)
    def of_compiled(function: Any, context: Any) -> Any:  # noqa: ARG001 (numba's signature)
        callee = function.compiled
        if IndexDataCacheFile is object:
            return typeof(callee)
        cpu_target.typing_context.refresh()  # an intrinsic that was imported just now is not known yet
        return cpu_target.typing_context.resolve_value_type(callee)
