"""Writing files so that nobody ever finds half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written_beside(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` that takes its place once it is whole; a failure leaves what was there before."""
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced, only written to
        with path.open("wb") as file:
            yield file
        return
    target = path.resolve()  # a link stays one, and points to the new file
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            yield file
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
