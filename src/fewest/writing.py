"""Write files atomically: beside their place, renamed once they are complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import ENOENT
from glob import escape
from pathlib import Path
from platform import node
from typing import BinaryIO


@contextmanager
def written_beside(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` that replaces it once it is complete; a failure leaves what was there before.

    A process that is killed leaves an incomplete file; the next one that writes there removes it.
    """
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced, only written to
        with path.open("wb") as file:
            yield file
        return
    target = path.resolve()  # a link stays one, and points to the new file
    if not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, "There is no such folder", str(path.parent))
    beside = target.with_name(f".{target.name}.{node()}.{os.getpid()}.part")
    _remove_halves(target)
    try:
        with beside.open("wb") as file:
            yield file
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _remove_halves(target: Path) -> None:
    """Remove the incomplete files of processes of this machine that do not run any more."""
    if os.name != "posix":  # elsewhere asking for a process may end it
        return
    for half in target.parent.glob(f".{escape(target.name)}.{escape(node())}.*.part"):
        number = half.name.split(".")[-2]
        if number.isdecimal() and not _is_running(int(number)):
            with suppress(OSError):  # another process was faster, or it is not ours to remove
                half.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
