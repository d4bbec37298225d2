"""Stopping on a signal between two lines, never within one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


class _Stop(BaseException):
    """A signal came while the program was waiting for a line."""


class Stopping:
    """Whether to stop: at once while waiting for input, otherwise after the line at hand."""

    def __init__(self) -> None:
        self.wanted = self.waiting = False

    def signalled(self, *_: object) -> None:
        """Take note of a signal."""
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
def stopping_on_signals() -> Iterator[Stopping]:
    """Let SIGINT and SIGTERM stop the work in order, instead of ending the program where it stands."""
    stopping = Stopping()
    before = {number: signal.signal(number, stopping.signalled) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
