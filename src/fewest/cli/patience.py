"""Whoever asks the program to end does not wait for what nobody reads.

A signal ends a search, and the answer so far is printed. A pipe that nobody empties would keep that, and the program,
for ever: so once an end was asked for, everything that is said has a moment, and then the program leaves.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 0.8


class _Asked:
    code: int | None = None


def ask_to_end(code: int) -> None:
    """Wait for no reader any more; ``code`` is what the program ends with where one does not come."""
    _Asked.code = code


@contextmanager
def impatiently() -> Iterator[None]:
    """Write within it: if an end was asked for, the program leaves when that takes longer than a moment."""
    code = _Asked.code
    if code is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: os._exit(code))
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
