"""How much memory there is, and how much of it a process may take."""

from __future__ import annotations

import os
from pathlib import Path

_UNKNOWN = 4 << 30


def available_memory() -> float:
    """Return the bytes that can still be taken: what is free, or less where a limit is lower."""
    return max(0, min(_free(), _left_of_the_limit(), _left_of_the_group()))


def _free() -> float:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return _UNKNOWN


def _left_of_the_limit() -> float:
    """Return what RLIMIT_AS leaves."""
    try:
        import resource
    except ImportError:  # not a Unix
        return float("inf")
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return float("inf")
    try:
        taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        taken = 0
    return limit - taken


def _left_of_the_group() -> float:
    """Return what the control group of a container leaves."""
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        taken = int(Path("/sys/fs/cgroup/memory.current").read_text())
        return float("inf") if limit == "max" else int(limit) - taken
    except (OSError, ValueError):
        return float("inf")
