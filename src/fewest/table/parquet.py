"""Parquet files, read batch by batch; the schema declares what each column is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet

from fewest.table.arrow_columns import builder_of_type, family, is_text_or_date
from fewest.table.builder import ColumnBuilder
from fewest.table.column import Kind
from fewest.table.formats import Source, explained
from fewest.table.reader import Batch, Names

_FEWEST_ROWS = 1024
_BYTES_OF_A_BOOLEAN, _BYTES_OF_A_VALUE = 4, 16
_BLOCKS = 16  # nothing reads ahead here, so that a batch may be as large as all that other readers hold


class ParquetReader:
    """A Parquet file.

    Parameters
    ----------
    source : Source
    batch_bytes : int
        About how much of the file to hold at once.
    """

    def __init__(self, source: Source, batch_bytes: int):
        self.source, self._batch_bytes = source, batch_bytes
        with explained(source):
            schema = pa.parquet.read_schema(source.path)
        self._written: list[str] = schema.names
        self._dtypes: list[pa.DataType] = schema.types
        self.names = Names.from_written(schema.names)
        self.types: Sequence[object] = [family(dtype) for dtype in schema.types]
        self.null_values: tuple[str, ...] = ()

    def is_text(self, position: int) -> bool:
        """Return whether the column is declared as text or dates."""
        return is_text_or_date(self._dtypes[position])

    def builder(self, position: int, declared: Kind | None) -> ColumnBuilder:
        """Return a builder for the column's type."""
        return builder_of_type(self.names.unique[position], self._dtypes[position], declared, by_value=True)

    def group_sizes(self) -> list[int]:
        """Return the number of rows of every row group."""
        with explained(self.source), pa.parquet.ParquetFile(self.source.path, pre_buffer=False) as file:
            return [file.metadata.row_group(g).num_rows for g in range(file.num_row_groups)]

    def _bytes_of(self, position: int) -> int:
        return _BYTES_OF_A_BOOLEAN if pa.types.is_boolean(self._dtypes[position]) else _BYTES_OF_A_VALUE

    def batches(self, positions: Sequence[int], groups: Sequence[int] | None = None) -> Iterator[Batch]:
        """Read the columns at the given positions, from the first row on, or of some row groups only."""
        wanted = [self._written[i] for i in positions]
        # Parquet finds columns by name: where a name is shared, read all and pick by position.
        is_shared = len(set(self._written)) < len(self._written)
        n_rows = max(_FEWEST_ROWS, _BLOCKS * self._batch_bytes // max(1, sum(self._bytes_of(i) for i in positions)))
        with explained(self.source), pa.parquet.ParquetFile(self.source.path, pre_buffer=False) as file:
            chosen = None if groups is None else list(groups)
            columns = None if is_shared else wanted
            for batch in file.iter_batches(n_rows, row_groups=chosen, columns=columns, use_threads=False):
                place = {name: i for i, name in enumerate(batch.schema.names)}
                places = positions if is_shared else [place[name] for name in wanted]
                yield batch.num_rows, [batch.column(i) for i in places]
