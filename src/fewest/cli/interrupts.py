"""Signals: no interrupt is lost, and streams stop between two lines.

Where Python may not raise (in a destructor, in a function that C calls, as
the loader of compiled code does) an interrupt is printed and forgotten, and
the program runs on as if nobody had pressed Ctrl-C. So it is sent again.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

SECONDS = 0.05  # the place that may not raise is left by then; if not, it comes back here


def repeat_lost_interrupts() -> None:
    """Send an interrupt that Python could not raise again, a moment later."""
    sys.unraisablehook = _repeat


def _repeat(unraisable: Any) -> None:
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    again = threading.Timer(SECONDS, _interrupt)
    again.daemon = True
    again.start()


def _interrupt() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # ends a wait, too
    else:
        _thread.interrupt_main()


class _Stop(BaseException):
    """A signal came while the program was waiting for a line."""


class StopSignal:
    """Whether to stop: immediately while waiting for input, otherwise after the current line."""

    def __init__(self) -> None:
        self.wanted = self.waiting = False

    def signalled(self, *_: object) -> None:
        """Handle a signal."""
        self.wanted = True
        if self.waiting:
            self.waiting = False
            raise _Stop

    def next_line(self, source: IO[bytes]) -> bytes:
        """Read a line; nothing at the end of the stream, or when the program is to stop."""
        if self.wanted:
            return b""
        try:
            self.waiting = True
            line = source.readline()
            self.waiting = False
        except _Stop:
            line = b""
        return line


@contextmanager
def stopping_on_signals() -> Iterator[StopSignal]:
    """Let SIGINT and SIGTERM stop the work in order, instead of ending the program where it stands."""
    stopping = StopSignal()
    before = {number: signal.signal(number, stopping.signalled) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
