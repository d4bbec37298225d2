"""Hold Ctrl-C back while something runs that must not be cut in two, and raise it afterwards."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any, ClassVar


class HeldInterrupts:
    """Hold interrupts back from `start` to `end`, or within a ``with``; pairs may be nested.

    Attributes
    ----------
    on_held : callable or None
        Called when an interrupt is held back, and what it returns when that is raised: a program may not want to wait.
    """

    on_held: ClassVar[Callable[[], Callable[[], object]] | None] = None

    def __init__(self) -> None:
        self._depth, self._held = 0, False
        self._before: Any = None
        self._raised: Callable[[], object] | None = None

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
        if self._raised is not None:
            self._raised()
            self._raised = None
        if self._held:
            handler(signal.SIGINT, None)

    def _hold(self, *_: object) -> None:
        on_held = HeldInterrupts.on_held
        if not self._held and on_held is not None:
            self._raised = on_held()
        self._held = True

    def __enter__(self) -> None:
        self.start()

    def __exit__(self, *_: object) -> None:
        self.end()
