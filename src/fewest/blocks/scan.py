"""Data that is read when it is needed, a block at a time: ``fewest.scan``."""

from __future__ import annotations

import glob
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.blocks.block import Block, RawBlock, narrowest, raw_blocks, raw_column
from fewest.blocks.engine import Engine, Threads
from fewest.blocks.schema import MIXED, AgreedColumn, SeenColumn, agree
from fewest.blocks.store import Store
from fewest.exceptions import ParameterError, TargetError, UnreadableFileError
from fewest.table.column import Column, Kind, opposites, smallest_code_type
from fewest.table.formats import BATCH_BYTES, NULL_SPELLINGS, SUFFIXES, TextOptions
from fewest.table.reader import Layout
from fewest.table.spellings import Hints, Understood
from fewest.table.table import Table
from fewest.table.target import check_missing_target, refuse_regression_values

# What reads files is imported by the functions that read: every estimator imports `Scan`, and most are given arrays.
if TYPE_CHECKING:
    from fewest.blocks.pieces import Piece
    from fewest.blocks.typed_batches import Matters
    from fewest.table.builder import ColumnBuilder
    from fewest.table.reader import Reader

NO_TARGET = -1


def scan(
    source: Any,
    *,
    target: str | None = None,
    kinds: Mapping[str, str] | None = None,
    drop: str | Iterable[str] = (),
    missing_target: str = "raise",
    null_values: Iterable[str] = NULL_SPELLINGS,
    delimiter: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    decimal: str | None = None,
    thousands: str | None = None,
    batch_bytes: int = BATCH_BYTES,
    memory: float | None = None,
    n_jobs: int | None = None,
    client: Any = None,
) -> Scan:
    r"""Prepare data larger than memory for ``fit`` and ``predict``.

    For ``fit``, files are read in blocks, once, and kept as bits; what is learned is the same, to the last bit, as from
    the same data in memory. For ``predict``, they are read batch by batch and not kept.

    Parameters
    ----------
    source : str, Path, dask DataFrame or dask Array
        A file, a folder, a pattern such as ``"data/part-*.parquet"``, or ``"-"`` for the standard input. A Dask
        collection is read by the workers of its cluster, or on threads where there is none; ``fit`` takes one as it is.
    target : str, optional
        The column with the classes; `fit` needs it.
    kinds : mapping of str to {"boolean", "nominal", "numeric", "date"}, optional
        What columns are, where the values would mislead: ``{"zip": "nominal"}``.
    drop : str or iterable of str, default=()
        Columns to leave out, by name or by pattern (``"id_*"``).
    missing_target : {"raise", "drop"}, default="raise"
        What to do with rows that have no label.
    null_values : iterable of str, default=("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL")
        The spellings of a missing value in text files, compared after trimming.
    delimiter : str, optional
        What parts the fields of delimited text; found in the header by default.
    header : bool, default=True
        Whether the first record of delimited text holds the names.
    encoding : str, default="utf-8"
        The encoding of text files.
    decimal : {".", ","}, optional
        The decimal sign of numbers in text; found in the values by default.
    thousands : {",", ".", " ", "'", ""}, optional
        What stands between the thousands of numbers in text; found in the values by default.
    batch_bytes : int, default=2097152
        About how much of a file to hold at once.
    memory : float, optional
        Bytes that the encoded rows may take in memory; what is beyond goes to
        temporary files. Half of the memory that is free by default.
    n_jobs : int or None, default=None
        The number of threads. None is one, unless ``joblib.parallel_config`` says otherwise; -1 is one a core. The
        answer does not depend on it.
    client : dask.distributed.Client or str, optional
        Read and compute on the workers of a Dask cluster, given by its client
        or by the address of its scheduler. The workers must find the files
        under the same paths.

    Returns
    -------
    Scan
        Rows that are read when ``fit`` or ``predict`` asks for them.

    Raises
    ------
    UnreadableFileError
        If there is no such file, or files that are read together have different columns.
    UnknownColumnError
        If the target or another column that is named is not there.

    See Also
    --------
    fewest.read_table : Read all rows into memory.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fewest import MinFeatures, scan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part in range(2):
    ...         path = pathlib.Path(folder, f"part-{part}.csv")
    ...         _ = path.write_text("windy,humid,play\nno,no,yes\nno,yes,yes\nyes,no,no\n")
    ...     selector = MinFeatures().fit(scan(folder, target="play"))
    >>> selector.get_feature_names_out().tolist()
    ['windy']
    """
    if is_dask(source):
        from fewest.blocks.dask_collections import scan_collection

        return scan_collection(source, target, kinds=kinds, drop=drop, client=client, n_jobs=n_jobs, memory=memory)
    check_missing_target(missing_target)
    hints = Hints.from_request(decimal, thousands)
    options = TextOptions.from_request(null_values, delimiter, header, encoding, batch_bytes)
    from fewest.table.files import open_source, sources_of
    from fewest.table.reader import refuse_different_columns

    with ExitStack() as resources:
        sources = resources.enter_context(sources_of(_in_folder(source)))
        readers = [open_source(file, options) for file in sources]
        refuse_different_columns(readers)
        layout = Layout.from_request(readers[0].names, kinds, drop, hints)
        layout.names.warn(readers[0].source)
        engine = Threads(n_jobs, memory) if client is None else _on_dask(client)
        scanned = Scan(readers, options, layout, target, missing_target, engine)
        scanned._resources = resources.pop_all()
    return scanned


def is_dask(source: object) -> bool:
    """Return whether something is a Dask collection, without importing Dask to find out."""
    return hasattr(source, "__dask_graph__") and hasattr(source, "to_delayed")


def _in_folder(source: str | Path) -> str | Path:
    """Return the pattern of the data files in a folder; other sources as they are."""
    path = Path(source)
    if not path.is_dir():
        return source
    found = {file.name.lower().removesuffix(".gz") for file in path.iterdir() if file.is_file()}
    kinds = sorted({Path(name).suffix for name in found} & set(SUFFIXES))
    if len(kinds) != 1:
        reason = f"the folder holds {'files of several kinds: ' + ', '.join(kinds) if kinds else 'no data files'}"
        raise UnreadableFileError.from_reason(source, reason, f"Name the files: {str(path / '*.csv')!r}.")
    return f"{glob.escape(str(path))}/*{kinds[0]}*"


def _on_dask(client: Any) -> Engine:
    from fewest.blocks.on_dask import OnDask

    return OnDask.from_client(client)


class Scan:
    """A source of examples whose blocks are read, encoded and kept where the engine decides.

    Made by `scan`; given to ``fit`` in place of ``X`` and ``y``, and to ``predict``, which needs no target.

    Parameters
    ----------
    readers : sequence of Reader
        The files, with their headers read.
    options : TextOptions
        How to read text.
    layout : Layout
        The wanted columns and their kinds.
    target : str or None
        The column with the classes.
    missing_target : {"raise", "drop"}
        What to do with rows that have no label.
    engine : Engine
        Where blocks are kept and worked on: threads of this machine, or Dask.

    Attributes
    ----------
    feature_names : tuple of str
        All columns but the target.
    target_name : str
        Empty where there is no target.
    understood : list of Understood
        What columns of text were read as, once they have been read.

    See Also
    --------
    fewest.scan : Makes one.
    """

    has_names = True
    """Whether the features have names of their own, as those of an array have not."""

    def __init__(
        self,
        readers: Sequence[Reader],
        options: TextOptions,
        layout: Layout,
        target: str | None,
        missing_target: str,
        engine: Engine,
    ):
        self.engine = engine
        self._readers, self._options, self._layout = readers, options, layout
        self._drops = missing_target == "drop"
        header = layout.header()
        self._target = NO_TARGET if target is None else header.position(target)
        self.feature_names = tuple(name for j, name in enumerate(header.names) if j != self._target)
        self.target_name = "" if target is None else header.names[self._target]
        self.understood: list[Understood] = []
        self.on_understood: Callable[[Sequence[Understood]], None] | None = None  # called once all rows are read
        self._resources = ExitStack()  # a copy of the standard input, for as long as the scan is used

    def __repr__(self) -> str:
        return f"Scan of {len(self._readers)} files, {len(self.feature_names)} features, target {self.target_name!r}"

    def header(self) -> Table:
        """Return the features as columns without any row."""
        return self._layout.header().drop([self.target_name] if self._target != NO_TARGET else [])

    @property
    def n_jobs(self) -> int | None:
        """Return the number of threads that the scan was given; None for that of its engine."""
        return getattr(self.engine, "n_jobs", None)

    def without(self, names: Collection[str]) -> Scan:
        """Return a scan of the same rows that leaves out some features."""
        if not names:
            return self
        other = copy(self)
        for stored in ("store", "numeric_store", "regression_store"):
            vars(other).pop(stored, None)
        dropped = set(names)
        header = self._layout.header()
        kept = [(i, name) for i, name in zip(self._layout.kept, header.names, strict=True) if name not in dropped]
        other._layout = replace(self._layout, kept=tuple(i for i, _ in kept))
        if self._target != NO_TARGET:
            other._target = other._layout.header().position(self.target_name)
        other.feature_names = tuple(name for name in self.feature_names if name not in dropped)
        return other

    def batches(self, names: Iterable[str], matters: Matters, as_text: Collection[str] = ()) -> Iterable[Table]:
        """Return those of the columns that are there, to be read batch by batch and not kept.

        Those of ``as_text`` stay text, even if all their values mean numbers.
        """
        from fewest.blocks.typed_batches import TypedBatches

        header = self._layout.header()
        there = set(header.names)
        places = sorted({header.position(name) for name in names if name in there})
        return TypedBatches(self._readers, self._layout, [self._layout.kept[j] for j in places], matters, as_text)

    @cached_property
    def store(self) -> Store:
        """Read everything once, and return the encoded examples."""
        known: Store | None = vars(self).get("numeric_store")
        return self._stored() if known is None or any(column.keeps_numbers for column in known.features) else known

    @cached_property
    def numeric_store(self) -> Store:
        """Read everything once, keeping numeric features as numbers, for methods that measure distances."""
        known: Store | None = vars(self).get("store")
        if known is not None and not any(column.is_numeric for column in known.features):
            return known
        return self._stored(tuple(j for j in range(len(self._layout.kept)) if j != self._target))

    @cached_property
    def regression_store(self) -> Store:
        """Read everything once, keeping numeric features and a numeric target as numbers."""
        return self._stored(tuple(range(len(self._layout.kept))))

    def _stored(self, numeric: Sequence[int] = ()) -> Store:
        """Read and encode; the columns at the positions ``numeric`` are kept as numbers."""
        if self._target == NO_TARGET:
            raise ParameterError("The scan has no target, so nothing can be learned from it. Give scan(target=...).")
        stacks, seen, sizes = self._read((), numeric)
        mixed = [i for i, column in zip(self._layout.kept, seen, strict=True) if column.family == MIXED]
        if mixed:  # numeric in one piece and nominal in another: nominal in all, as written
            del stacks
            stacks, seen, sizes = self._read(mixed, numeric)
        if self._understand(seen, mixed, numeric):  # read once more, in the spellings that all rows agree on
            del stacks
            stacks, seen, sizes = self._read([i for i in mixed if i not in self._layout.spellings], numeric)
        n_rows = sum(map(sum, sizes))
        agreed = [self._agree(i, column, n_rows) for i, column in zip(self._layout.kept, seen, strict=True)]
        if self._drops and agreed[self._target].n_present < n_rows:
            agreed = self._narrowed(agreed, stacks)
        features = [column for j, column in enumerate(agreed) if j != self._target]
        is_regression = self._target in numeric
        classes = self._numeric_target if is_regression else self._classes
        target, labels = classes(agreed[self._target], seen[self._target], n_rows)
        encoding = Encoding(tuple(agreed), self._target, target, self._drops)
        kept = self._kept_rows(stacks, sizes, agreed[self._target].n_present)
        starts = np.concatenate([[0], np.cumsum([sum(rows) for rows in kept])])
        sources = np.concatenate([[0], np.cumsum([sum(rows) for rows in sizes])])
        places = list(zip(starts.tolist(), sources.tolist(), strict=True))[: len(stacks)]
        blocks = self.engine.change(partial(encode, encoding=encoding), stacks, places)
        return Store(
            self.engine, blocks, int(starts[-1]), tuple(features), labels, self.target_name, is_regression=is_regression
        )

    def _understand(self, seen: Sequence[SeenColumn], mixed: Sequence[int], numeric: Sequence[int]) -> bool:
        """Find out which columns of text mean numbers or dates; return whether there are any that were not known."""
        if self._layout.spellings or not self._readers:
            return False
        texts = [
            (i, column)
            for i, column in zip(self._layout.kept, seen, strict=True)
            if self._readers[0].is_text(i) and not column.is_empty
        ]
        spellings, self.understood = self._layout.understood(self._nominal(texts))
        values = {i: np.array(column.values, dtype=float) for i, column in texts if column.family == "numeric"}
        if thousands := self._layout.thousands_taken_for_decimals(values, spellings):
            _, again, _ = self._read([*mixed, *thousands], numeric)
            columns = zip(self._layout.kept, again, strict=True)
            hinted = replace(self._layout, hints=replace(self._layout.hints, decimal=","))
            more, said = hinted.understood(self._nominal([(i, column) for i, column in columns if i in thousands]))
            spellings |= more
            self.understood += [record for record in said if record.is_read]
        self._layout = replace(self._layout, spellings=spellings)
        if self.on_understood is not None:
            self.on_understood(self.understood)
        return bool(spellings)

    def _nominal(self, texts: Iterable[tuple[int, SeenColumn]]) -> dict[int, Column]:
        """Return the columns of text that are nominal, and no pair of opposites, with a row for every label."""
        found = {}
        for i, column in texts:
            if column.family in ("nominal", MIXED) and (i in self._layout.dates or not opposites(column.values)):
                labels = tuple(str(label) for label in column.values)
                found[i] = Column(self._layout.names.unique[i], Kind.NOMINAL, np.arange(len(labels)), labels)
        return found

    def _pieces(self) -> list[Any]:
        """Return what workers read: each has ``read(layout, nominal)``."""
        from fewest.blocks.pieces import pieces_of

        return [piece for reader in self._readers for piece in pieces_of(reader, self._options)]

    def _builder(self, i: int) -> ColumnBuilder:
        """Return a builder for the column at a position of the source."""
        return self._readers[0].builder(i, self._layout.kinds.get(i))

    def _read(self, nominal: Sequence[int], numeric: Sequence[int]) -> tuple[list, list[SeenColumn], list[list[int]]]:
        read = partial(read_piece, layout=self._layout, nominal=tuple(nominal), numeric=tuple(numeric))
        stacks = self.engine.read(read, self._pieces())
        seen: list[SeenColumn] | None = None
        sizes = []
        for n_rows, shown in self.engine.each(show, stacks):
            sizes.append(n_rows)
            if n_rows:
                seen = shown if seen is None else [a.joined(b) for a, b in zip(seen, shown, strict=True)]
        if seen is None:
            raise UnreadableFileError.from_empty(self._readers[0].source if self._readers else "the collection")
        return stacks, seen, sizes

    def _agree(self, i: int, seen: SeenColumn, n_rows: int) -> AgreedColumn:
        agreed = agree(self._layout.names.unique[i], seen, lambda: self._builder(i))
        return replace(agreed, has_missing=agreed.n_present < n_rows)

    def _narrowed(self, agreed: Sequence[AgreedColumn], stacks: list) -> list[AgreedColumn]:
        """Return the columns with the values that rows with a label have, as if no other row had been read.

        What kind a column is all rows decide, as in memory.
        """
        seen: list[SeenColumn] | None = None
        for shown in self.engine.each(show_labelled, stacks, self._target):
            seen = shown if seen is None else [a.joined(b) for a, b in zip(seen, shown, strict=True)]
        assert seen is not None
        columns = zip(agreed, seen, strict=True)
        n_labelled = agreed[self._target].n_present
        return [
            column if j == self._target else column.narrowed(own, n_labelled) for j, (column, own) in enumerate(columns)
        ]

    def _classes(self, target: AgreedColumn, seen: SeenColumn, n_rows: int) -> tuple[np.ndarray, tuple]:
        """Return the class of every value of the target, and the labels of the classes that occur."""
        if target.kind is Kind.NUMERIC:
            refuse_regression_values(target.name, np.array(target.labels, dtype=np.float64), target.n_present)
        if target.n_present == 0:
            raise TargetError.from_missing_labels(target.name, range(n_rows))
        occurring = target.lookup(seen.values)[:-1]
        numbers = np.full(len(target.keys), -1, dtype=np.int64)
        numbers[np.sort(occurring)] = np.arange(len(occurring))
        return numbers, tuple(target.labels[code] for code in np.sort(occurring).tolist())

    def _numeric_target(self, target: AgreedColumn, seen: SeenColumn, n_rows: int) -> tuple[None, tuple]:  # noqa: ARG002
        """Raise unless the target is numeric; return no classes, where `_classes` returns some."""
        if target.n_present == 0:
            raise TargetError.from_missing_labels(target.name, range(n_rows))
        if target.kind is Kind.NOMINAL:
            raise TargetError.from_nominal(target.name, str(target.labels[0]))
        return None, ()

    def _kept_rows(self, stacks: list, sizes: list[list[int]], n_labelled: int) -> list[list[int]]:
        """Return how many rows of each block have a label; all must, unless others may be left out."""
        n_rows = sum(map(sum, sizes))
        if n_labelled == n_rows:
            return sizes
        labelled = list(self.engine.each(count_labelled, stacks, self._target))
        if not self._drops:
            start = 0
            for rows, (_, first) in zip(sizes, labelled, strict=True):
                if first is not None:
                    break
                start += sum(rows)
            missing = range(start + first, start + first + n_rows - n_labelled)
            raise TargetError.from_missing_labels(self.target_name, missing)
        return [counts for counts, _ in labelled]


@dataclass(frozen=True)
class Encoding:
    """The encoding of raw blocks: the columns agreed upon, and the treatment of the target."""

    columns: tuple[AgreedColumn, ...]
    target: int
    class_numbers: np.ndarray | None  # None for a regression target
    drops: bool

    def classes(self, raw: RawBlock) -> np.ndarray:
        """Return the classes of the rows, -1 for none; or a regression target, NaN for none."""
        agreed, column = self.columns[self.target], raw.columns[self.target]
        if self.class_numbers is None and agreed.kind is Kind.NUMERIC:
            return column.numbers(raw.n_rows)
        codes = agreed.lookup(column.seen.values)
        if self.class_numbers is None:
            return np.where(codes == len(agreed.keys), np.nan, codes)[column.codes(raw.n_rows)]
        code_type = smallest_code_type(int(self.class_numbers.max(initial=0)) + 1)
        return np.append(self.class_numbers, -1)[codes][column.codes(raw.n_rows)].astype(code_type)


def read_piece(piece: Piece, layout: Layout, nominal: Sequence[int], numeric: Sequence[int] = ()) -> Iterator[RawBlock]:
    """Read a piece into raw blocks; the columns at the positions ``nominal`` and ``numeric`` are what these say."""
    for n_rows, parts in piece.read(layout, nominal):
        if n_rows:
            yield RawBlock(n_rows, tuple(raw_column(part, as_number=j in numeric) for j, part in enumerate(parts)))


def show(stack: Sequence[RawBlock]) -> tuple[list[int], list[SeenColumn]]:
    """Return the number of rows of each block of a stack, and the columns as these rows show them."""
    sizes: list[int] = []
    seen: list[SeenColumn] = []
    for block in raw_blocks(stack):
        sizes.append(block.n_rows)
        own = [column.seen for column in block.columns]
        seen = own if len(sizes) == 1 else [a.joined(b) for a, b in zip(seen, own, strict=True)]
    return sizes, seen


def show_labelled(stack: Sequence[RawBlock], target: int) -> list[SeenColumn]:
    """Return the columns as the rows with a label show them."""
    seen: list[SeenColumn] = []
    for block in raw_blocks(stack):
        labels = block.columns[target]
        is_labelled = labels.codes(block.n_rows) < len(labels.seen.values)
        own = [column.seen_in(is_labelled) for column in block.columns]
        seen = own if not seen else [a.joined(b) for a, b in zip(seen, own, strict=True)]
    return seen


def count_labelled(stack: Sequence[RawBlock], target: int) -> tuple[list[int], int | None]:
    """Count the rows with a label, block by block, and find the first without one."""
    counts, first, start = [], None, 0
    for block in raw_blocks(stack):
        seen = block.columns[target].seen
        counts.append(seen.n_present)
        if first is None and seen.n_present < block.n_rows:
            first = start + int(np.argmax(block.columns[target].codes(block.n_rows) == len(seen.values)))
        start += block.n_rows
    return counts, first


def encode(stack: Sequence[RawBlock], place: tuple[int, int], encoding: Encoding) -> Iterator[Block]:
    """Recode raw blocks by the columns agreed upon; ``place`` is the first row's number, here and in the source."""
    start, in_source = place
    for raw in raw_blocks(stack):
        columns = enumerate(zip(encoding.columns, raw.columns, strict=True))
        planes = [
            narrowest(column.numbers(raw.n_rows))
            if agreed.keeps_numbers
            else column.recoded(agreed.lookup(column.seen.values), raw.n_rows)
            for j, (agreed, column) in columns
            if j != encoding.target
        ]
        block = Block(start, raw.n_rows, encoding.classes(raw), tuple(planes))
        if encoding.drops:
            block = block.labelled(in_source)
        yield block
        start, in_source = start + block.n_rows, in_source + raw.n_rows
