"""Check the files that a command is to write, before it does any work."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from fewest.exceptions import ParameterError


def check_outputs(*outputs: Path | None, reads: Sequence[str | Path | None] = ()) -> None:
    """Raise, before any work, when a file could not be written, or writing it would destroy what is read."""
    named = [path for path in outputs if path is not None]
    for path in named:
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise ParameterError(f"Cannot write {str(path)!r}: it is a folder, or its folder does not exist.")
    files = [path for path in named if path.is_file() or not path.exists()]  # /dev/null takes everything
    for one, other in combinations(files, 2):
        if one.resolve() == other.resolve():
            raise ParameterError(f"Two results are to go into {str(one)!r}, and one would be lost. Name two files.")
    there = [path for path in files if path.exists()]
    read = {path.resolve() for source in reads for path in _files(source)} if there else set()
    for path in there:
        if path.resolve() in read:
            raise ParameterError(f"{str(path)!r} is read, and would be overwritten by the result. Name another file.")


def _files(source: str | Path | None) -> Iterator[Path]:
    """Yield the files that a path, a folder or a glob stands for."""
    if source is None:
        return
    path = Path(source)
    if path.is_dir():
        from fewest.table.formats import SUFFIXES

        yield from (file for file in path.iterdir() if file.name.lower().removesuffix(".gz").endswith(tuple(SUFFIXES)))
    elif path.exists():
        yield path
    else:
        yield from map(Path, glob.glob(str(source), recursive=True))


def check_report(path: Path | None) -> None:
    """Raise, before any work, when a report would not be an HTML page."""
    if path is not None and path.suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"A report is a page, and {str(path)!r} is none. Let its name end in .html.")


def check_drawing(path: Path | None) -> None:
    """Raise, before any work, when a drawing could not be made into that file."""
    if path is not None:
        from fewest.drawing import check_drawable

        check_drawable(path)
