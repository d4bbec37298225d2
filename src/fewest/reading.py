"""Read a small file whole (a model, a certificate, a checkpoint, costs), whatever it turns out to be.

A device or a file that grows while it is read may never end, and JSON may nest deeper than any reader: both are
refused, with the reason, before memory or stack are gone.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

from fewest.exceptions import UnreadableFileError

# What no file of ours comes near, but a device reaches in a second; a regular file of a known size may be larger.
MOST_OF_STREAM, MOST_OF_FILE = 1 << 26, 1 << 31
_PIECE = 1 << 20


def read_whole(path: str | Path) -> bytes:
    """Return the content of a file; raise `UnreadableFileError` for one that is too large or does not end."""
    with Path(path).open("rb") as file:
        return read_rest(file, path)


def read_rest(file: BinaryIO, path: str | Path) -> bytes:
    """Return what is left of an open file."""
    found = os.fstat(file.fileno())
    # A file that grows is given room for what is being written to it just now, and no more.
    most = found.st_size + MOST_OF_STREAM if stat.S_ISREG(found.st_mode) else MOST_OF_STREAM
    most = min(most, MOST_OF_FILE)
    if found.st_size > most:
        raise _too_large(path, most)
    pieces, n_bytes = [], 0
    while piece := file.read(_PIECE):
        pieces.append(piece)
        n_bytes += len(piece)
        if n_bytes > most:
            raise _too_large(path, most)
    return b"".join(pieces)


def _too_large(path: str | Path, most: int) -> UnreadableFileError:
    reason = f"it goes on after {most:,} bytes, which is more than fewest ever writes"
    return UnreadableFileError.from_reason(path, reason, "Name another file.")


def parsed_json(text: str | bytes) -> Any:
    """Return what a JSON text says; raise ValueError, and nothing else, when it is none that can be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
