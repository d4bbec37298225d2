"""Decorators that compile kernels: serial, without the GIL, and kept on disk for the next process.

numba's own modules that carry no promise (`numba.core`) are used here only, and guarded: where a release of numba
moves them, kernels still compile, only without what these add.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from numba import njit, typeof
from numba.extending import typeof_impl

from fewest.budget import work_clock
from fewest.kernels.held_interrupts import HeldInterrupts

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

try:
    from numba.core import serialize
    from numba.core.caching import FunctionCache, IndexDataCacheFile
    from numba.core.event import Listener, register
    from numba.core.registry import cpu_target
    from numba.core.types import IntegerLiteral, unliteral
except ImportError:  # numba has moved its insides
    FunctionCache = IndexDataCacheFile = Listener = object  # type: ignore[misc, assignment]
    serialize = register = cpu_target = IntegerLiteral = unliteral = None  # type: ignore[assignment, misc]


class _Turns:
    """Locks by which processes that need the same function take turns: the first compiles it, the others load it.

    Each folder of machine code has a file of locks, in which every function has a byte. Record locks end with their
    process, no child inherits them, and the system refuses those that would wait for each other for ever. Where there
    are none, every process compiles. numba compiles one function at a time, and meanwhile those that it calls, so two
    threads never come here at once.
    """

    def __init__(self) -> None:
        self._files: dict[str, int] = {}
        self._taken: set[tuple[str, int]] = set()

    def take(self, path: str) -> None:
        """Wait until no other process compiles the function of an index file; from now on the others wait."""
        folder, place = self._place(path)
        if fcntl is None or (folder, place) in self._taken:
            return
        work_clock.stop(compiles=True)
        try:
            if folder not in self._files:
                os.makedirs(folder, exist_ok=True)
                self._files[folder] = os.open(os.path.join(folder, "fewest.lock"), os.O_CREAT | os.O_RDWR, 0o666)
            fcntl.lockf(self._files[folder], fcntl.LOCK_EX, 1, place)
            self._taken.add((folder, place))
        except OSError:  # a disk without such locks or without room, or one that is read only
            pass
        finally:
            work_clock.start()

    def end(self, path: str) -> None:
        """Let the others load what was compiled, or compile what was not kept."""
        self._end(*self._place(path))

    def end_all(self) -> None:
        """Let the others compile what was interrupted."""
        for folder, place in list(self._taken):
            self._end(folder, place)

    def _end(self, folder: str, place: int) -> None:
        if (folder, place) in self._taken:
            self._taken.remove((folder, place))
            fcntl.lockf(self._files[folder], fcntl.LOCK_UN, 1, place)

    @staticmethod
    def _place(path: str) -> tuple[str, int]:
        folder, name = os.path.split(path)
        return folder, int.from_bytes(sha256(name.encode()).digest()[:4], "big") >> 1


_TURNS = _Turns()


class _HeldWhileCompiling(Listener):
    """Hold an interrupt back while numba compiles, which may lose it, or crash, when it comes in between.

    Time limits are of the work: their clock stands still meanwhile.
    """

    def __init__(self) -> None:
        self._held = HeldInterrupts()

    def on_start(self, event: Any) -> None:  # noqa: ARG002 (numba's signature)
        """Begin to hold interrupts back."""
        work_clock.stop(compiles=True)
        self._held.start()

    def on_end(self, event: Any) -> None:
        """Raise what was held back."""
        work_clock.start()
        if getattr(event, "_exc_details", None) is not None:
            _TURNS.end_all()
        try:
            self._held.end()
        except BaseException:
            _TURNS.end_all()
            raise


if register is not None:
    register("numba:compile", _HeldWhileCompiling())


# Compiled code asks this function for the types of what it returns, and goes on with nothing where Ctrl-C ends it: a
# function of C that knows the answer, as it does from the second call on, hears of no interrupt.
if hasattr(serialize, "_numba_unpickle"):
    serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)


class _KeptFunction(FunctionCache):
    """Machine code of a function, compiled by one process at a time."""

    def __init__(self, function: Callable) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _KeptCode(self.cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what is kept of a signature; None where this process is the one to compile it."""
        found = super().load_overload(sig, target_context)
        if found is None:
            _TURNS.take(self._cache_file._index_path)
            found = super().load_overload(sig, target_context)
            if found is not None:
                _TURNS.end(self._cache_file._index_path)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, where it can be kept."""
        try:
            super().save_overload(sig, data)
        finally:
            _TURNS.end(self._cache_file._index_path)


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
        return _for_any_number(njit(nogil=True, **options)(function))
    cache = getattr(dispatcher, "_cache", None)  # None where NUMBA_DISABLE_JIT is set
    if IndexDataCacheFile is not object and isinstance(cache, FunctionCache) and hasattr(cache, "_cache_file"):
        dispatcher._cache = _KeptFunction(function)
    return _for_any_number(dispatcher)


def _for_any_number(dispatcher: Any) -> Any:
    """Let compiled functions call one version of this one, be an argument a variable or an integer in their source.

    numba compiles a version for each such integer, and then one for variables; LLVM knows the integer anyway where it
    inlines.
    """
    of_types = getattr(dispatcher, "get_call_template", None)  # None where NUMBA_DISABLE_JIT is set
    if of_types is None or IntegerLiteral is None:
        return dispatcher

    def of_any_number(args: tuple, kws: dict) -> Any:
        args = tuple(unliteral(one) if isinstance(one, IntegerLiteral) else one for one in args)
        kws = {name: unliteral(one) if isinstance(one, IntegerLiteral) else one for name, one in kws.items()}
        return of_types(args, kws)

    dispatcher.get_call_template = of_any_number
    return dispatcher


@cache
def resolve_compilable(kind: type) -> None:
    """Let numba take the dispatcher of a `fewest.kernels.compile_or_not.Compilable` that a compiled function calls."""

    @typeof_impl.register(kind)
    def of_compiled(function: Any, context: Any) -> Any:  # noqa: ARG001 (numba's signature)
        callee = function.compiled
        if IndexDataCacheFile is object:
            return typeof(callee)
        cpu_target.typing_context.refresh()  # an intrinsic that was imported just now is not known yet
        return cpu_target.typing_context.resolve_value_type(callee)
