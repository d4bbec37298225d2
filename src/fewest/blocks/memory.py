"""How much memory there is, how much of it a process may take, and how much data would need."""

from __future__ import annotations

import os
from pathlib import Path

from fewest.table.formats import Format, Source, detect, explained

# A value is kept as read and as a code, the look at the data numbers it in 8 bytes, and some methods sort; text has a
# delimiter to each value.
BYTES_OF_A_BOOLEAN, BYTES_OF_A_LABEL, BYTES_OF_A_NUMBER = 11, 17, 26
TEXT_FACTOR, GZIP_FACTOR = 3, 24
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


def estimated_memory(source: str | Path) -> float | None:
    """Return about how many bytes data takes if it is read at once; None for the standard input, whose size is unknown.

    An estimate from the sizes and headers of the files.
    """
    path = Path(source)
    if str(source) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
        return None
    from fewest.table.files import sources_of

    with sources_of(source) as sources:
        return sum(_of_file(file) for file in sources)


def _of_file(source: Source) -> float:
    if detect(source) is not Format.PARQUET:
        size = source.path.stat().st_size
        return size * (GZIP_FACTOR if source.shown.lower().endswith(".gz") else TEXT_FACTOR)
    import pyarrow.parquet

    with explained(source):
        found = pyarrow.parquet.read_metadata(source.path)
    return found.num_rows * sum(_of_value(found.schema.column(j).physical_type) for j in range(found.num_columns))


def _of_value(physical_type: str) -> int:
    if physical_type == "BOOLEAN":
        return BYTES_OF_A_BOOLEAN
    return BYTES_OF_A_LABEL if physical_type.endswith("BYTE_ARRAY") else BYTES_OF_A_NUMBER
