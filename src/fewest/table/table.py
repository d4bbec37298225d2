"""A table of typed columns: what every reader produces and every method takes.

Its features are encoded as the matrix of codes that the discrete methods compute on; `target` splits its target off.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.exceptions import AmbiguousColumnError, ParameterError, UnknownColumnError
from fewest.table.column import MISSING, Column, Kind, smallest_code_type

if TYPE_CHECKING:
    import pyarrow

    from fewest.table.spellings import Understood

MISSING_RULES = ("value", "cautious")
# Cells that are encoded together.
_TOGETHER = 1 << 20


@dataclass(frozen=True, eq=False)
class Table:
    """Typed columns of equal length.

    Parameters
    ----------
    columns : tuple of Column
        In their order.
    n_rows : int
        Their length.
    ambiguous : tuple, default=()
        The names that several columns of the source shared, each with the unique names that these columns got. Asking
        for a shared name is an error rather than a guess, unless only one such column is left.
    row_numbers : ndarray of shape (n_rows,) or None, default=None
        The positions of the rows in the source; None when the rows are those of the source, in its order.
    understood : tuple of Understood, default=()
        What columns of text were read as, and which stayed text for the sake of a few values.

    See Also
    --------
    fewest.read_table : Read one from a file or a frame.

    Examples
    --------
    >>> from fewest.table import from_frame
    >>> import pyarrow
    >>> table = from_frame(pyarrow.table({"smoker": ["no", "yes"], "age": [31, 52]}))
    >>> table.names, table["age"].to_list()
    (('smoker', 'age'), [31, 52])
    """

    columns: tuple[Column, ...]
    n_rows: int
    ambiguous: tuple[tuple[str, tuple[str, ...]], ...] = ()
    row_numbers: np.ndarray | None = None
    understood: tuple[Understood, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the column names in order."""
        return tuple(column.name for column in self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> Column:
        return self.columns[self.position(name)]

    def position(self, name: str) -> int:
        """Return where the column called ``name`` stands."""
        found = sorted(place for own in self._own_names(name) for place in self._places.get(own, ()))
        if len(found) > 1:
            raise AmbiguousColumnError.from_name(name, found, [self.names[place] for place in found])
        if not found:
            raise UnknownColumnError.from_name(name, self.names)
        return found[0]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where each name stands; there may be thousands to be looked up."""
        places: dict[str, list[int]] = {}
        for i, name in enumerate(self.names):
            places.setdefault(name, []).append(i)
        return places

    def drop(self, patterns: str | Iterable[str]) -> Table:
        """Return the table without the columns that match any of the names or globs.

        A pattern that matches nothing is a misspelling, and an error.
        """
        patterns = [patterns] if isinstance(patterns, str) else list(patterns)
        dropped = {i for pattern in patterns for i in self.matches(pattern)}
        kept = tuple(column for i, column in enumerate(self.columns) if i not in dropped)
        return replace(self, columns=kept)

    def matches(self, pattern: str) -> list[int]:
        """Return the positions of the columns that a name or a glob (``id_*``) selects."""
        if pattern in self._places:  # a name that happens to hold glob signs is still a name
            return [self.position(pattern)]
        found = [i for i, name in enumerate(self.names) if fnmatch.fnmatchcase(name, pattern)]
        return found or [self.position(pattern)]

    def to_arrow(self) -> pyarrow.Table:
        """Return the table as a pyarrow Table, which any dataframe library takes over.

        Numeric columns come as floats, Boolean ones as Booleans and nominal ones as categories; missing values are
        null.

        Returns
        -------
        pyarrow.Table
            With the names and rows of this table.
        """
        import pyarrow as pa

        arrays = []
        for column in self.columns:
            if column.kind is Kind.NUMERIC:
                arrays.append(pa.array(column.values, mask=column.is_missing))
            elif column.kind is Kind.BOOLEAN:
                arrays.append(pa.array(column.values == 1, mask=column.is_missing))
            else:
                codes = pa.array(column.values.astype("int32"), mask=column.is_missing)
                arrays.append(pa.DictionaryArray.from_arrays(codes, pa.array([*map(str, column.labels)], pa.string())))
        return pa.table(arrays, names=list(self.names))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return all values, rows x columns, as NumPy has them: objects, unless all are numbers."""
        is_numeric = all(column.kind is Kind.NUMERIC for column in self.columns)
        values = np.empty((self.n_rows, len(self.columns)), dtype=np.float64 if is_numeric else object)
        for j, column in enumerate(self.columns):
            values[:, j] = np.asarray(column)
        return np.array(values, dtype=dtype, copy=copy)

    def take(self, rows: Sequence[int] | np.ndarray) -> Table:
        """Return the given rows (positions or a Boolean mask) as a table."""
        columns = tuple(Column(c.name, c.kind, c.values[rows], c.labels) for c in self.columns)
        numbers = np.arange(self.n_rows) if self.row_numbers is None else self.row_numbers
        taken = numbers[rows]
        return replace(self, columns=columns, n_rows=len(taken), row_numbers=taken)

    def row_number(self, row: int) -> int:
        """Return where a row of this table stood in its source, counted from 0."""
        return int(row if self.row_numbers is None else self.row_numbers[row])

    def _own_names(self, name: str) -> Collection[str]:
        """Return the unique names of the columns that a name may stand for."""
        for shared, owners in self.ambiguous:
            if shared == name:
                return frozenset(owners)
        return (name,)


# ---------------------------------------------------------------------- codes


def discrete_codes(features: Table, missing: str = "value") -> np.ndarray:
    """Encode every column by value into one matrix of small integers.

    Parameters
    ----------
    features : Table
        Columns of any kind; numeric ones are encoded by value.
    missing : {"value", "cautious"}, default="value"
        ``"value"``: a missing value is one more value, equal to other missing
        values and different from all others, so that being missing can
        separate two rows. ``"cautious"``: it keeps the code -1, which the
        kernels never count as a difference, so that what is not known
        separates nothing.

    Returns
    -------
    ndarray of shape (n_rows, n_features), column-major
        Codes of the smallest signed type that holds them all.

    See Also
    --------
    split_target : Separate the classes first.
    """
    if missing not in MISSING_RULES:
        raise ParameterError.from_choice("missing", missing, MISSING_RULES)
    columns = [column.by_value() for column in features]
    n_labels = np.array([len(column.labels) for column in columns], dtype=np.int64)
    dtype = smallest_code_type(int(n_labels.max(initial=0)) + 1)
    codes = np.empty((features.n_rows, len(columns)), dtype=dtype, order="F")
    step = max(1, _TOGETHER // max(1, features.n_rows))
    for start in range(0, len(columns), step):  # calls of NumPy for every column of a wide table would take longest
        some = slice(start, start + step)
        rows = codes.T[some]  # a column each
        np.stack([column.values for column in columns[some]], out=rows, casting="same_kind")
        if missing == "value":
            np.copyto(rows, n_labels[some, None].astype(dtype), where=rows == MISSING)
    return codes
