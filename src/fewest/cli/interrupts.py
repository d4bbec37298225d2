"""No interrupt is lost.

Where Python may not raise (in a destructor, in a function that C calls, as
the loader of compiled code does) an interrupt is printed and forgotten, and
the program runs on as if nobody had pressed Ctrl-C. So it is sent again.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from typing import Any

SECONDS = 0.05  # the place that may not raise is left by then; if not, it comes back here


def repeat_lost_interrupts() -> None:
    """Send an interrupt that Python could not raise once more, a moment later."""
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
