"""Decide whether to compile, in one place for all kernels.

Most kernels exist twice, in NumPy (or plain Python) and compiled, with the same answers, those of rankings and wrappers
up to rounding and all others bit for bit. NumPy starts at once;
compiled code is many times faster, but before its first step numba must be imported and machine code loaded or, on a
machine that has not kept it on disk, compiled. So the caller predicts what the work would cost its NumPy twin, and that
is weighed against loading or compiling. The decision depends on the work, on whether the program or Python asks, and on
what the machine has kept, never on what the process did before: the same call takes the same way every time.

``FEWEST_COMPILE=always`` or ``never`` overrides it.

Where a loop does the same in plain Python and compiled, there is no twin: `compilable` lets one source run both ways.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial, update_wrapper
from hashlib import sha1
from pathlib import Path
from typing import Any, TypeVar

import fewest
from fewest.budget import work_clock
from fewest.exceptions import ParameterError
from fewest.kernels.held_interrupts import HeldInterrupts

VARIABLE = "FEWEST_COMPILE"
CHOICES = ("auto", "always", "never")

Result = TypeVar("Result")

# Seconds from which on loading and compiling pay. Importing numba and loading machine code that is kept on disk take
# about one. Compiling takes ten or twenty, but once on a machine: it pays before a single call would.
LOADING, COMPILING = 1.0, 5.0
# How often the work at hand will be done, by whoever says so. Who calls from Python does not say, and seldom calls
# once: parameters are compared, models cross-validated. The program answers once and ends.
_TIMES: ContextVar[int | None] = ContextVar("times", default=None)
FROM_PYTHON = 5


@contextmanager
def repeated(n_times: int) -> Iterator[None]:
    """Within it, what is done once will be done so often: machine code that is kept pays the sooner."""
    with _done((_TIMES.get() or 1) * n_times if n_times > 1 else _TIMES.get()):
        yield


@contextmanager
def answered_once() -> Iterator[None]:
    """Within it, what is done once is done once, but for what is `repeated` there."""
    with _done(1):
        yield


@contextmanager
def _done(n_times: int | None) -> Iterator[None]:
    token = _TIMES.set(n_times)
    try:
        yield
    finally:
        _TIMES.reset(token)


def compiles(seconds: float, kernels: str, compiling: float = COMPILING, from_python: int = FROM_PYTHON) -> bool:
    """Return whether compiled code should do work that would take its NumPy twin long.

    Parameters
    ----------
    seconds : float
        What the work would take the twin, about.
    kernels : str
        The module of the kernels that would do it, ``fewest.cover.kernels.covers``; of several, one
        that is always among them.
    compiling : float, optional
        Seconds from which on compiling pays, where the kernels compile longer than most.
    from_python : int, optional
        How often a call from Python is taken to be made.
    """
    choice = _choice()
    pays = choice == "always" or (choice == "auto" and _pays(seconds, kernels, compiling, from_python))
    if pays:
        _import_numba()
    return pays


def compiles_faster(seconds: float, kernels: str) -> bool:
    """Return whether kernels that compile long should do work that others, which compile fast, would take long for.

    Either way numba is loaded, so that what is kept pays at once.

    Parameters
    ----------
    seconds : float
        What the work would take the kernels that compile fast, about.
    kernels : str
        One of those that compile long, ``fewest.mistakes.kernels.winnow:winnow_dense``.
    """
    choice = _choice()
    return choice == "always" or (choice == "auto" and (seconds > COMPILING or is_kept(kernels)))


def _choice() -> str:
    choice = os.environ.get(VARIABLE, "auto") or "auto"
    if choice not in CHOICES:
        raise ParameterError.from_choice(VARIABLE, choice, CHOICES)
    return choice


def _pays(seconds: float, kernels: str, compiling: float, from_python: int) -> bool:
    # Repetition pays for loading; compiling takes longer than the time limits of those who repeat.
    return seconds > compiling or (seconds * (_TIMES.get() or from_python) > LOADING and is_kept(kernels))


@cache
def is_kept(kernels: str) -> bool:
    """Return whether this machine had machine code of a module or ``module:kernel`` on disk when first asked.

    It is asked once, before the process compiles any of them, so that doing so changes no later decision. numba lists
    what it keeps of a function in an index file, named for module and function; one older than its source is stale.
    numba itself is not asked, since importing it is half of what may not be worth it.
    """
    module, _, kernel = kernels.partition(":")
    source = Path(fewest.__file__).parent.joinpath(*module.split(".")[1:]).with_suffix(".py")
    python = f"py{sys.version_info.major}{sys.version_info.minor}{getattr(sys, 'abiflags', '')}"
    try:
        changed = source.stat().st_mtime
        name = f"{source.stem}.{f'{kernel}-*' if kernel else '*'}.{python}.nbi"
        indices = [index for folder in _kept_in(source) for index in folder.glob(name)]
        return any(index.stat().st_mtime >= changed for index in indices)
    except OSError:  # in an archive, or removed just now
        return False


def _kept_in(source: Path) -> Iterator[Path]:
    """Yield the folders in which numba keeps machine code: that of its variable, or else the first it can write to."""
    below = f"{source.parent.name}_{sha1(str(source.parent).encode(), usedforsecurity=False).hexdigest()}"
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(named, below)
        return
    yield source.parent / "__pycache__"
    yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "numba", below)


@cache
def _import_numba() -> None:
    """Import numba with interrupts held back: half imported, it can be neither used nor imported again."""
    with HeldInterrupts(), work_clock.standing():
        import numba  # noqa: F401 (those who compile import it again)


class Work:
    """The work of one search, fit or learner whose length is unknown beforehand, added up as it goes on.

    Parameters
    ----------
    kernels : str
        The module of the compiled kernels: see `compiles`.
    compiling : float, optional
        Seconds from which on compiling pays.
    from_python : int, optional
        How often a call from Python is taken to be made: once, where the steps are taken to be more than they are
        already, since one guess is not to be multiplied by another.
    """

    def __init__(self, kernels: str, compiling: float = COMPILING, from_python: int = FROM_PYTHON) -> None:
        self.kernels, self.compiling, self.from_python, self.seconds = kernels, compiling, from_python, 0.0

    def compiles(self, n_steps: float, nanoseconds: float) -> bool:
        """Add steps that take the NumPy twin so long each; return whether compiled code should do them."""
        self.seconds += n_steps * nanoseconds * 1e-9
        return compiles(self.seconds, self.kernels, self.compiling, self.from_python)


class Compilable(partial[Result]):
    """A function whose one source runs both ways: called, as plain Python; by ``compiled``, as machine code.

    Such functions may call each other. Plain code finds the objects among its globals and calls them; numba finds the
    same objects there, and takes their dispatchers instead (`fewest.kernels.compiled.resolve_compilable`). They are
    partial objects without arguments, which Python calls nearly as fast as functions.

    Parameters
    ----------
    function : callable
    how : str, default="compiled"
        The function of `fewest.kernels.compiled` that compiles it.
    by : callable, optional
        Returns what compiled code calls instead, where it has a better way: another `Compilable`, or what numba can
        call. It is asked when something is compiled, so it may import numba.

    Attributes
    ----------
    compiled : callable
        numba's dispatcher, made when it is first asked for.
    """

    how: str
    by: Callable[[], Any] | None

    def __new__(
        cls, function: Callable[..., Result], how: str = "compiled", by: Callable[[], Any] | None = None
    ) -> Compilable[Result]:
        """Wrap a function."""
        self = super().__new__(cls, function)
        update_wrapper(self, function)
        self.how, self.by = how, by
        return self

    @property
    def compiled(self) -> Any:
        """Return what compiled code calls."""
        made = self.__dict__.get("_compiled")
        # Of two threads that come here at the same time, one keeps what it made and both return that.
        return made if made is not None else self.__dict__.setdefault("_compiled", self._made())

    def _made(self) -> Any:
        from fewest.kernels import compiled

        compiled.resolve_compilable(Compilable)
        if self.by is None:
            return getattr(compiled, self.how)(self.func)
        better = self.by()
        return better.compiled if isinstance(better, Compilable) else better


def compilable(
    *, how: str = "compiled", by: Callable[[], Any] | None = None
) -> Callable[[Callable[..., Result]], Compilable[Result]]:
    """Decorate a function so that it can be compiled, too: see `Compilable`."""
    return partial(Compilable, how=how, by=by)
