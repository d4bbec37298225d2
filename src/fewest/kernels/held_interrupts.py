"""Hold Ctrl-C back while something runs that must not be cut in two, and raise it afterwards."""

from __future__ import annotations

import signal
import threading
from typing import Any


class HeldInterrupts:
    """Hold interrupts back from `start` to `end`, or within a ``with``; pairs may be nested."""

    def __init__(self) -> None:
        self._depth, self._held = 0, False
        self._before: Any = None

    def start(self) -> None:
        """Record interrupts instead of raising them; only the main thread is ever interrupted."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth += 1
        handler = signal.getsignal(signal.SIGINT)
        if self._depth == 1 and callable(handler):
            self._before, self._held = handler, False
            signal.signal(signal.SIGINT, self._hold)

    def end(self) -> None:
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

    def __enter__(self) -> None:
        self.start()

    def __exit__(self, *_: object) -> None:
        self.end()
