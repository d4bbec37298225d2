"""The format of a file, by its suffix or its first bytes, and how to open it."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, TextIO

import pyarrow as pa

from fewest.exceptions import FewestError, ParameterError, UnreadableFileError
from fewest.reading import MOST_OF_STREAM

NULL_SPELLINGS = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL")
"""How text files spell a missing value by default."""

BATCH_BYTES = 2 << 20
"""About how much of a file to take at a time. pyarrow reads up to 32 such blocks ahead, so more costs memory."""

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_COMPRESSED = {
    b"PK\x03\x04": "a ZIP archive or a spreadsheet",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
}
_FOREIGN = {
    _PARQUET: "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"\x89HDF": "an HDF5 file",
    b"SQLite": "a database",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
}
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_HEAD_BYTES = 1 << 16
_PIECE = 1 << 18
# No line that is longer is read.
LONGEST_LINE = 64 << 20


class Format(StrEnum):
    """The formats that can be read."""

    DELIMITED = "delimited text"
    PARQUET = "Parquet"
    ARFF = "ARFF"


SUFFIXES = {
    ".csv": Format.DELIMITED,
    ".tsv": Format.DELIMITED,
    ".txt": Format.DELIMITED,
    ".data": Format.DELIMITED,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".arff": Format.ARFF,
}


@dataclass(frozen=True)
class Source:
    """A file and what to call it in messages."""

    path: Path
    shown: str

    def __str__(self) -> str:
        return self.shown

    @property
    def suffix(self) -> str:
        """Return the suffix of the format, in lower case: ``.csv`` for ``a.CSV.gz``."""
        name = self.shown.lower().removesuffix(".gz")
        return Path(name).suffix


@dataclass(frozen=True)
class TextOptions:
    """How to read a text file."""

    null_values: tuple[str, ...] = NULL_SPELLINGS
    delimiter: str | None = None
    header: bool = True
    encoding: str = "utf-8"
    batch_bytes: int = BATCH_BYTES

    @classmethod
    def from_request(
        cls, null_values: str | Iterable[str], delimiter: str | None, header: bool, encoding: str, batch_bytes: int
    ) -> TextOptions:
        """Check what the user asks for, before a file is opened; the header of the file decides about delimiters."""
        if batch_bytes < 1:
            raise ParameterError(
                f"batch_bytes={batch_bytes} leaves no room to read. Give at least 1; the default is 2 MiB."
            )
        _refuse_unknown_encoding(encoding)
        null_values = (null_values,) if isinstance(null_values, str) else tuple(null_values)
        # A shell passes bytes that are no text on as lone surrogates; no text that was decoded holds one.
        null_values = tuple(value for value in null_values if not any("\ud800" <= sign <= "\udfff" for sign in value))
        return cls(null_values, delimiter, header, encoding, batch_bytes)


def detect(source: Source) -> Format:
    """Return the format of a file, by its suffix or else by its content."""
    with explained(source), open_bytes(source) as stream:
        head = stream.read(_HEAD_BYTES)
    if not head.strip():
        raise UnreadableFileError.from_empty(source)
    found = SUFFIXES.get(source.suffix) or _by_content(head)
    if found is Format.PARQUET:
        _refuse_other_than_parquet(source, head)
    else:
        _refuse_binary(source, head)
    return found


def spool(stream: BinaryIO, source: Source) -> None:
    """Copy a stream into a file, as long as it may be a table: what never ends would fill the disk."""
    lines: LineBound | None = LineBound(source)
    n_bytes, is_device = 0, _is_device(stream)
    with source.path.open("wb") as file:
        while piece := stream.read(_PIECE):
            if not n_bytes and piece.startswith((_GZIP, _PARQUET)):
                lines = None  # bytes, in which a line break means nothing
            if lines is not None:
                lines.check(piece)
            n_bytes += len(piece)
            if is_device and n_bytes > MOST_OF_STREAM:
                reason = f"it is a device that goes on after {MOST_OF_STREAM:,} bytes"
                raise UnreadableFileError.from_reason(source, reason, "Name a file, or pipe the data in.")
            file.write(piece)


def _is_device(stream: BinaryIO) -> bool:
    try:
        return stat.S_ISCHR(os.fstat(stream.fileno()).st_mode)
    except (AttributeError, OSError):  # no file of the system
        return False


def is_compressed(source: Source) -> bool:
    """Return whether a file is compressed with gzip, or has the suffix ``.gz``."""
    with source.path.open("rb") as stream:
        return stream.read(2) == _GZIP or source.shown.lower().endswith(".gz")


def open_bytes(source: Source) -> BinaryIO:
    """Open a file, uncompressed on the way if it is compressed."""
    is_packed = is_compressed(source)
    file = gzip.GzipFile(source.path, "rb") if is_packed else source.path.open("rb", buffering=0)
    return io.BufferedReader(BoundedLines(source, file, "unpacked, " if is_packed else ""), _PIECE)


class LineBound:
    """Raise once a line of a file is longer than any that anybody would write."""

    def __init__(self, source: Source, when: str = ""):
        self.length = 0
        self._source, self._when = source, when

    def check(self, piece: bytes) -> None:
        """Look at the next bytes of the file."""
        last = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
        self.length = self.length + len(piece) if last < 0 else len(piece) - last - 1
        if self.length > LONGEST_LINE:
            reason = f"{self._when}a line of it is longer than {LONGEST_LINE >> 20} MiB"
            raise UnreadableFileError.from_reason(self._source, reason, "This is no table: make or download it again.")


class BoundedLines(io.RawIOBase):
    """What is in a file, as long as its lines are some that anybody would write.

    A megabyte of gzip, or a file with a hole in it, may hold gigabytes of zeros, and everything that reads lines would
    put them into memory.
    """

    def __init__(self, source: Source, file: io.RawIOBase | gzip.GzipFile, when: str = ""):
        self._lines = LineBound(source, when)
        self._file = file

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position; what is read from there is the beginning of a line."""
        self._lines.length = 0
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the position."""
        return self._file.tell()

    def readinto(self, buffer) -> int:
        """Read what fits; raise when that makes a line too long."""
        n_bytes = self._file.readinto(buffer) or 0
        self._lines.check(bytes(memoryview(buffer)[:n_bytes]))
        return n_bytes

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


def open_text(source: Source, encoding: str, part: BinaryIO | None = None) -> TextIO:
    """Open a file, or a part of it, as text with its line ends as they are and without the byte order mark."""
    text = io.TextIOWrapper(open_bytes(source) if part is None else part, encoding=encoding, newline="")
    try:
        if text.read(1) != "\ufeff":
            text.seek(0)
    except BaseException:
        text.close()
        raise
    return text


def _refuse_unknown_encoding(encoding: str) -> None:
    """Raise unless the name is that of an encoding of text, as base64 is not."""
    try:
        " ".encode(encoding)
    except (LookupError, ValueError):
        raise ParameterError.from_choice("encoding", encoding, ("utf-8", "latin-1", "cp1252", "utf-16")) from None


@contextmanager
def explained(source: Source, encoding: str = "utf-8") -> Iterator[None]:
    """Turn what the libraries below raise into an error about the file."""
    try:
        yield
    except FewestError:
        raise
    except UnicodeError:
        raise _undecodable(source, encoding) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        reason = "its name or its first bytes say gzip, but it is not, or it is broken or cut short"
        raise UnreadableFileError.from_reason(source, reason, "Make or download it again.") from None
    except FileNotFoundError:
        raise UnreadableFileError.from_missing(source) from None
    except pa.ArrowMemoryError as error:
        raise MemoryError(str(error)) from None
    except (pa.ArrowException, OSError) as error:
        reason = getattr(error, "strerror", None) or (str(error).splitlines() or ["it is damaged"])[0].rstrip(".")
        raise UnreadableFileError.from_reason(source, reason) from None


def _by_content(head: bytes) -> Format:
    if head.startswith(_PARQUET):
        return Format.PARQUET
    for line in head.removeprefix(codecs.BOM_UTF8).splitlines():
        if line.strip() and not line.lstrip().startswith(b"%"):
            return Format.ARFF if line.lstrip().lower().startswith(b"@relation") else Format.DELIMITED
    return Format.DELIMITED


def _refuse_other_than_parquet(source: Source, head: bytes) -> None:
    if not head.startswith(_PARQUET):
        raise UnreadableFileError.from_reason(
            source, "its name says Parquet, its content does not", "Rename it after its content, such as .csv."
        )
    with source.path.open("rb") as stream:
        if stream.read(2) == _GZIP:
            raise UnreadableFileError.from_reason(source, "it is Parquet inside gzip", "Decompress it first.")


def _refuse_binary(source: Source, head: bytes) -> None:
    for magic, what in _COMPRESSED.items():
        if head.startswith(magic):
            raise UnreadableFileError.from_reason(
                source,
                f"it is {what}, and of all compressions only gzip is read",
                "Unpack it, or compress it with gzip; export a spreadsheet as CSV.",
            )
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            raise UnreadableFileError.from_reason(
                source, f"it is {what}, not text", "Rename it if it is Parquet (.parquet), else export it as CSV."
            )


def _undecodable(source: Source, encoding: str) -> UnreadableFileError:
    """Return an error that suggests another encoding: that of the byte order mark, or a likely one."""
    canonical, mark = codecs.lookup(encoding).name, _mark(source)
    if canonical in _MARKS.values() and mark is None:
        reason = f"it has no byte order mark, so {encoding} does not say how to read it"
        remedy = f"Name the byte order ({_named(f'{canonical}-le')}, or {canonical}-be), or another encoding."
        return UnreadableFileError.from_reason(source, reason, remedy)
    remedy = f"Name the encoding it was written in ({_named(mark or 'latin-1')})."
    if mark == canonical:
        remedy = "It is damaged or cut short: make or download it again."
    return UnreadableFileError.from_reason(source, f"{_first_fault(source, encoding)} is not {encoding} text", remedy)


def _named(encoding: str) -> str:
    return f"encoding={encoding!r}, --encoding {encoding}"


def _mark(source: Source) -> str | None:
    """Return the encoding that the byte order mark of a file stands for."""
    with open_bytes(source) as stream:
        head = stream.read(4)
    return next((encoding for mark, encoding in _MARKS.items() if head.startswith(mark)), None)


def _first_fault(source: Source, encoding: str) -> str:
    """Name the first line whose bytes mean nothing in the encoding, if its lines end as ASCII has it."""
    if "\n".encode(encoding) == b"\n":
        with open_bytes(source) as lines:
            for number, line in enumerate(lines, start=1):
                try:
                    line.decode(encoding)
                except UnicodeError:
                    return f"line {number}"
    return "it"
