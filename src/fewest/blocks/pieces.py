"""Pieces of a source: what one worker reads at a time, described so that any worker can read it again.

A piece is a path and some row groups of a Parquet file, or some lines of a text; never data. So it can be sent to any
worker, and a piece that is lost with its worker is read once more.

A text is cut after the end of a line, if no line end can be part of a value. A quoted field may hold line ends, and
what a quote means depends on all text before it. So a file in which any quote occurs is not cut.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa

from fewest.blocks.schema import BooleanPart, TypedPart
from fewest.exceptions import UnreadableFileError
from fewest.table.builder import BooleanBuilder, ColumnBuilder, InferringBuilder
from fewest.table.delimited import DelimitedReader, Span
from fewest.table.files import open_source
from fewest.table.formats import LineBound, Source, TextOptions, explained, is_compressed
from fewest.table.parquet import ParquetReader
from fewest.table.reader import Layout, Reader

# Row groups are read together up to about this many values.
PIECE_VALUES = 1 << 27
# About how long the spans of a text are.
SPAN_BYTES = 32 << 20
_CHUNK = 8 << 20
# Encodings in which the bytes of a line end and of a quote are nothing else.
_PLAIN = ("utf-8", "ascii", "iso8859", "cp125")


@dataclass(frozen=True)
class Piece:
    """Part of a source.

    Parameters
    ----------
    source : Source
    options : TextOptions
    groups : tuple of int, optional
        Row groups of a Parquet file; None for a whole file.
    rows : tuple of int, optional
        The first row of the file that it holds and the one after the last, where they are known.
    span : tuple of int, optional
        The first byte of a text file that it holds and the one after the last.
    """

    source: Source
    options: TextOptions
    groups: tuple[int, ...] | None = None
    rows: tuple[int, int] | None = None
    span: Span | None = None

    def __str__(self) -> str:
        where = "" if self.rows is None else f", rows {self.rows[0]:,} to {self.rows[1] - 1:,}"
        where = where if self.span is None else f", bytes {self.span[0]:,} to {self.span[1] - 1:,}"
        return f"{self.source}{where}"

    def read(
        self, layout: Layout, nominal: Sequence[int] = (), only: Sequence[int] | None = None
    ) -> Iterator[tuple[int, list[TypedPart | BooleanPart]]]:
        """Yield the rows batch by batch, typed by themselves.

        Parameters
        ----------
        layout : Layout
            The wanted columns, as positions in the first file.
        nominal : sequence of int
            Columns that are nominal even where all values of a batch are numbers.
        only : sequence of int, optional
            Read these columns alone.
        """
        reader = open_source(self.source, self.options)
        wanted = list(layout.kept if only is None else only)
        place = {name: i for i, name in enumerate(reader.names.unique)}
        positions = [place[layout.names.unique[i]] for i in wanted]
        try:
            for n_rows, arrays in self._batches(reader, positions):
                yield (
                    n_rows,
                    [
                        _typed(layout.builder(reader, i, p), array, as_nominal=i in nominal)
                        for i, p, array in zip(wanted, positions, arrays, strict=True)
                    ],
                )
        except UnreadableFileError as error:
            if self.rows is None:
                raise
            raise UnreadableFileError.from_rows(error, *self.rows) from None

    def _batches(self, reader: Reader, positions: Sequence[int]):
        if self.span is not None:
            assert isinstance(reader, DelimitedReader)
            return reader.batches(positions, self.span)
        if self.groups is None:
            return reader.batches(positions)
        assert isinstance(reader, ParquetReader)
        return reader.batches(positions, self.groups)


def _typed(builder: ColumnBuilder, array: pa.Array, *, as_nominal: bool) -> TypedPart | BooleanPart:
    """Encode one column of a batch."""
    if isinstance(builder, BooleanBuilder) and array.null_count == 0:
        return BooleanPart(array)
    if as_nominal and isinstance(builder, InferringBuilder):
        builder = builder.as_nominal()
    builder.add(array)
    return TypedPart(builder.finish(), builder.family)


def pieces_of(reader: Reader, options: TextOptions) -> list[Piece]:
    """Cut a file into pieces."""
    if isinstance(reader, DelimitedReader) and (spans := spans_of(reader.source, options.encoding)) is not None:
        return [Piece(reader.source, options, span=span) for span in spans]
    if not isinstance(reader, ParquetReader):
        return [Piece(reader.source, options)]
    pieces, groups, start, n_rows = [], [], 0, 0
    sizes = reader.group_sizes()
    for g, size in enumerate(sizes):
        groups.append(g)
        n_rows += size
        if n_rows * len(reader.types) >= PIECE_VALUES or g == len(sizes) - 1:
            pieces.append(Piece(reader.source, options, tuple(groups), (start, start + n_rows)))
            groups, start, n_rows = [], start + n_rows, 0
    return pieces


def spans_of(source: Source, encoding: str) -> list[Span] | None:
    """Return parts of a file that can be read on their own, in order; None if it is to be read as a whole."""
    with explained(source):
        return _spans(source, encoding)


def _spans(source: Source, encoding: str) -> list[Span] | None:
    size = source.path.stat().st_size
    if size < 2 * SPAN_BYTES or is_compressed(source) or not codecs.lookup(encoding).name.startswith(_PLAIN):
        return None
    with source.path.open("rb") as file:
        cuts = _cuts(file, LineBound(source))
    if cuts is None:
        return None
    ends = [*(cut for cut in cuts if cut < size), size]
    return list(zip([0, *ends[:-1]], ends, strict=True))


def _cuts(file: BinaryIO, lines: LineBound) -> list[int] | None:
    """Return where lines begin, about a span apart; None if there is a quote. Raise if a line is too long."""
    cuts: list[int] = []
    offset, wanted, is_blank = 0, SPAN_BYTES, True
    while chunk := file.read(_CHUNK):
        if b'"' in chunk:
            return None
        lines.check(chunk)
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
