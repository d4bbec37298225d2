"""How much memory data would take if all of it were read at once: an estimate from the files' sizes and headers."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet

from fewest.table.files import sources_of
from fewest.table.formats import Format, Source, detect, explained

# A value is kept as read and as a code, and some methods sort; text has a delimiter to each value.
BYTES_OF_A_TRUTH, BYTES_OF_A_NAME, BYTES_OF_A_NUMBER = 3, 9, 18
TEXT_FACTOR, GZIP_FACTOR = 3, 24


def estimated_memory(source: str | Path) -> float | None:
    """Return about how many bytes the data takes in memory; None for the standard input, which tells nothing."""
    path = Path(source)
    if str(source) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):
        return None
    with sources_of(source) as sources:
        return sum(_of_file(file) for file in sources)


def _of_file(source: Source) -> float:
    if detect(source) is not Format.PARQUET:
        size = source.path.stat().st_size
        return size * (GZIP_FACTOR if source.shown.lower().endswith(".gz") else TEXT_FACTOR)
    with explained(source):
        found = pyarrow.parquet.read_metadata(source.path)
    return found.num_rows * sum(_of_value(found.schema.column(j).physical_type) for j in range(found.num_columns))


def _of_value(physical_type: str) -> int:
    if physical_type == "BOOLEAN":
        return BYTES_OF_A_TRUTH
    return BYTES_OF_A_NAME if physical_type.endswith("BYTE_ARRAY") else BYTES_OF_A_NUMBER
