"""Where a text file can be cut: after the end of a line, if no line end can be part of a value.

A quoted field may hold line ends, and what a quote means depends on all text
before it. So a file in which any quote occurs is not cut.
"""

from __future__ import annotations

import codecs
import io
from typing import BinaryIO

from fewest.table.formats import Source, is_compressed

# About how long a span is.
SPAN_BYTES = 32 << 20
_CHUNK = 8 << 20
# Encodings in which the bytes of a line end and of a quote are nothing else.
_PLAIN = ("utf-8", "ascii", "iso8859", "cp125")

Span = tuple[int, int]
"""The first byte, and the one after the last."""


def spans_of(source: Source, encoding: str) -> list[Span] | None:
    """Return parts of a file that can be read on their own, in order; None if it is to be read as a whole."""
    size = source.path.stat().st_size
    if size < 2 * SPAN_BYTES or is_compressed(source) or not codecs.lookup(encoding).name.startswith(_PLAIN):
        return None
    with source.path.open("rb") as file:
        cuts = _cuts(file)
    if cuts is None:
        return None
    ends = [*(cut for cut in cuts if cut < size), size]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _cuts(file: BinaryIO) -> list[int] | None:
    """Return where lines begin, about a span apart; None if there is a quote."""
    cuts: list[int] = []
    offset, wanted, is_blank = 0, SPAN_BYTES, True
    while chunk := file.read(_CHUNK):
        if b'"' in chunk:
            return None
        end = offset + len(chunk)
        while wanted < end:
            place = chunk.find(b"\n", wanted - offset)
            if place < 0:
                break
            cut = offset + place + 1
            if is_blank and not chunk[: place + 1].strip():  # the header is yet to come
                wanted = cut
                continue
            is_blank = False
            cuts.append(cut)
            wanted = cut + SPAN_BYTES
        is_blank = is_blank and not chunk.strip()
        offset, wanted = end, max(wanted, end) if wanted < end else wanted
    return cuts


class SpanReader(io.RawIOBase):
    """A part of a file, as if it were all there is."""

    def __init__(self, source: Source, span: Span):
        self._file = source.path.open("rb")
        self._start, self._stop = span
        self._file.seek(self._start)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a position within the part."""
        base = {io.SEEK_SET: self._start, io.SEEK_CUR: self._file.tell(), io.SEEK_END: self._stop}[whence]
        return self._file.seek(base + offset) - self._start

    def readinto(self, buffer) -> int:
        """Read what fits, but nothing beyond the part."""
        left = max(0, self._stop - self._file.tell())
        return self._file.readinto(memoryview(buffer)[:left]) or 0

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()
