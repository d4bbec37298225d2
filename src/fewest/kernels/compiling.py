"""Decide whether to compile, in one place for all kernels.

Most kernels exist twice, in NumPy (or plain Python) and compiled, with the same answers. NumPy starts at once;
compiled code is many times faster, but numba must be imported and machine code loaded before its first step. So the
caller predicts what the work would cost its NumPy twin, and compiles only what is worth it. The decision depends on
that work alone, never on what the process did before: the same call takes the same way every time.

``FEWEST_COMPILE=always`` or ``never`` overrides it.

Where a loop does the same in plain Python and compiled, there is no twin: `compilable` lets one source run both ways.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial, update_wrapper
from typing import Any, TypeVar

from fewest.exceptions import ParameterError
from fewest.kernels.held_interrupts import HeldInterrupts

VARIABLE = "FEWEST_COMPILE"
CHOICES = ("auto", "always", "never")

Result = TypeVar("Result")

# Importing numba and loading machine code that is kept on disk take about a second.
PAYS_FROM = 1.0


def compiles(seconds: float) -> bool:
    """Return whether compiled code should do work that would take its NumPy twin about so many seconds."""
    choice = os.environ.get(VARIABLE, "auto") or "auto"
    if choice not in CHOICES:
        raise ParameterError.from_choice(VARIABLE, choice, CHOICES)
    pays = choice == "always" or (choice == "auto" and seconds > PAYS_FROM)
    if pays:
        _import_numba()
    return pays


@cache
def _import_numba() -> None:
    """Import numba with interrupts held back: half imported, it can be neither used nor imported again."""
    with HeldInterrupts():
        import numba  # noqa: F401 (those who compile import it again)


class Work:
    """The work of one search, fit or learner whose length is unknown beforehand, added up as it goes on."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def compiles(self, n_steps: float, nanoseconds: float) -> bool:
        """Add steps that take the NumPy twin so long each; return whether compiled code should do them."""
        self.seconds += n_steps * nanoseconds * 1e-9
        return compiles(self.seconds)


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
