"""Write files atomically: beside their place, renamed once they are complete; and keep two runs from one file.

And write data so that a terminal or a page only shows it.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, ENOENT
from glob import escape
from pathlib import Path
from platform import node
from typing import IO, Any, BinaryIO

from fewest.exceptions import BusyFileError

# What joins letters and emoji is no control.
JOINERS = "\u200c\u200d"


def without_controls(text: str) -> str:
    """Return a text with a dot for every control, escape, format or unassigned character."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" + JOINERS else "·" for letter in text)


@contextmanager
def written_beside(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file beside ``path`` that replaces it once it is complete; a failure leaves what was there before.

    The new file has the mode of the one that it replaces. One that nobody may write to is not replaced. A process that
    is killed leaves an incomplete file; the next one that writes there removes it.
    """
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced, only written to
        with path.open("wb") as file:
            yield file
        return
    target = path.resolve()  # a link stays one, and points to the new file
    if not target.parent.is_dir():
        raise FileNotFoundError(ENOENT, "There is no such folder", str(path.parent))
    refuse_read_only(path)
    former = target.stat() if target.exists() else None
    # Nobody else can know the name before the file is there, nor put a link in its place.
    beside = target.with_name(f".{target.name}.{node()}.{os.getpid()}.{secrets.token_hex(8)}.part")
    _remove_halves(target)
    descriptor = _created(beside, 0o666 if former is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            if former is not None:
                file.flush()
                _give_mode(file, former)
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def refuse_read_only(path: Path) -> None:
    """Raise PermissionError for a file that nobody may write to; the superuser could all the same."""
    if path.is_file() and not path.stat().st_mode & 0o222:
        raise PermissionError(EACCES, "The file is read-only, and is not replaced", str(path))


def _created(path: Path, mode: int) -> int:
    """Create a file that is not there yet, and return its descriptor."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags, mode)


def _give_mode(file: BinaryIO, former: os.stat_result) -> None:
    """Let a file have the owner and the mode of another, as far as the system allows."""
    if hasattr(os, "fchown"):
        with suppress(OSError):  # only the superuser gives files away
            os.fchown(file.fileno(), former.st_uid, former.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), stat.S_IMODE(former.st_mode))


def _remove_halves(target: Path) -> None:
    """Remove the incomplete files of processes of this machine that do not run any more."""
    if os.name != "posix":  # elsewhere asking for a process may end it
        return
    for half in target.parent.glob(f".{escape(target.name)}.{escape(node())}.*.part"):
        number = half.name.split(".")[-3]
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


# ---------------------------------------------------------------------- one run at a time


def hold(file: IO[Any], path: str | Path) -> None:
    """Keep an open file for this run until it is closed; raise `BusyFileError` while another run has it.

    The system gives it up when the process ends, however it ends. Where there are no such locks nothing is kept.
    """
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BusyFileError.from_path(path) from None
    except OSError:  # some network file systems have no locks
        return


@contextmanager
def held_beside(path: str | Path) -> Iterator[None]:
    """Keep ``path`` for this run where the file itself is replaced again and again: by a file beside it.

    The file is removed at the end. A run that came in between holds a file that is there no more, and tries again.
    """
    target = Path(path).resolve()
    beside = target.with_name(f".{target.name}.lock")
    while True:
        with os.fdopen(os.open(beside, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600), "r+b") as file:
            hold(file, path)
            if not _is_still(file, beside):
                continue
            try:
                yield
            finally:
                beside.unlink(missing_ok=True)
            return


def _is_still(file: IO[Any], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
