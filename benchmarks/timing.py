"""Seconds of repeated work."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(work: Callable[[], object], times: int = 3) -> float:
    """Return the least seconds of several runs."""
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)
