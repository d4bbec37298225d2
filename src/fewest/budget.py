"""Time limits of searches, and reports of their progress."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

Result = TypeVar("Result")

TIME_LIMIT = "time limit"
INTERRUPT = "interrupt"
MEMORY_LIMIT = "memory limit"


class OutOfBudgetError(Exception):
    """Ends a search from within; the search itself catches it and returns the best answer so far."""


def raise_interrupt(stopped_by: str | None) -> None:
    """Raise the interrupt that ended a part of a larger work: who interrupts means all of it."""
    if stopped_by == INTERRUPT:
        raise KeyboardInterrupt


class WorkClock:
    """Seconds that pass while work is done: it stands still while numba is imported or compiles, once on a machine.

    Attributes
    ----------
    on_compiling : callable or None
        Called whenever the clock is stopped to compile: whoever waits should know for what.

    Examples
    --------
    >>> clock = WorkClock()
    >>> with clock.standing():
    ...     before = clock()
    ...     time.sleep(0.01)
    ...     clock() == before
    True
    """

    def __init__(self) -> None:
        self.on_compiling: Callable[[], None] | None = None
        self._lock = threading.Lock()
        self._depth, self._since, self._stood = 0, 0.0, 0.0

    def __call__(self) -> float:
        """Return the time in seconds; only differences mean something."""
        with self._lock:
            return (self._since if self._depth else time.monotonic()) - self._stood

    @property
    def is_standing(self) -> bool:
        """Return whether something is compiled right now."""
        return self._depth > 0

    def stop(self, *, compiles: bool = False) -> None:
        """Stand still until `start`; threads may do so at the same time, and pairs may be nested."""
        with self._lock:
            if not self._depth:
                self._since = time.monotonic()
            self._depth += 1
        if compiles and self.on_compiling is not None:
            self.on_compiling()

    def start(self) -> None:
        """Go on."""
        with self._lock:
            self._depth -= 1
            if not self._depth:
                self._stood += time.monotonic() - self._since

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Stand still within."""
        self.stop()
        try:
            yield
        finally:
            self.start()


work_clock = WorkClock()


class Budget:
    """A time limit and a listener to progress.

    Parameters
    ----------
    time_limit : float or None
        Seconds of work from now, compiling left aside; None for no limit.
    on_progress : callable or None
        Called with a short text about ten times a second.

    Attributes
    ----------
    is_cut : bool
        Whether its end, or that of a part of it, has cut something short: what was found then is up to the clock.
    """

    INTERVAL = 0.1

    def __init__(self, time_limit: float | None = None, on_progress: Callable[[str], None] | None = None):
        now = work_clock()
        self.is_cut = False
        self._whole: Budget | None = None
        self._deadline = None if time_limit is None else now + time_limit
        self._on_progress = on_progress
        self._next_report = now + self.INTERVAL

    def part(self, fraction: float) -> Budget:
        """Return a budget of a fraction of the time that is left, with the same listener."""
        left = self.seconds_left
        part = Budget(None if left is None else left * fraction, self._on_progress)
        part._whole = self
        return part

    def cut(self) -> None:
        """Note that something was cut short."""
        self.is_cut = True
        if self._whole is not None:
            self._whole.cut()

    @property
    def seconds_left(self) -> float | None:
        """Return the time that is left; None without a limit."""
        return None if self._deadline is None else max(0.0, self._deadline - work_clock())

    def wait_for(self, work: Callable[[], Result]) -> Result:
        """Return what ``work`` returns; raise `OutOfBudgetError` when the time is over before.

        It is done by another thread, which is left behind then, and when Ctrl-C is pressed: a fit of a foreign library
        cannot be ended from without, and a thread that is in one hears of no interrupt.
        """
        done: Future[Result] = Future()
        context = copy_context()
        threading.Thread(target=lambda: context.run(_settle, done, work), daemon=True).start()
        while True:
            try:
                return done.result(self.seconds_left)
            except TimeoutError:
                if done.done():  # just now, or it is the work's own
                    return done.result()
                if self.seconds_left == 0:  # if not, the clock stood still meanwhile
                    self.cut()
                    raise OutOfBudgetError from None

    def check(self, status: Callable[[], str]) -> None:
        """Report ``status()`` about ten times a second; raise `OutOfBudgetError` when the time is over."""
        now = work_clock()
        if self._deadline is not None and now >= self._deadline:
            self.cut()
            raise OutOfBudgetError
        if self._on_progress is not None and now >= self._next_report:
            self._next_report = now + self.INTERVAL
            self._on_progress(status())

    def is_over(self, status: Callable[[], str]) -> bool:
        """Do what `check` does, but return whether the time is over: for work that has an answer after every step."""
        try:
            self.check(status)
        except OutOfBudgetError:
            return True
        return False


def _settle(done: Future[Result], work: Callable[[], Result]) -> None:
    try:
        done.set_result(work())
    except BaseException as error:  # whatever it is, it is for who waits
        done.set_exception(error)


@contextmanager
def printed_progress(verbose: bool) -> Iterator[Callable[[str], None] | None]:
    """Yield what rewrites one line of standard error while a search goes on; None unless ``verbose``."""
    if not verbose:
        yield None
        return
    yield lambda status: print(f"\r{status:<110}", end="", file=sys.stderr, flush=True)  # noqa: T201 (asked for)
    print(file=sys.stderr)  # noqa: T201 (asked for)
