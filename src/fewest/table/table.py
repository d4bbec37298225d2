"""A table of typed columns: what every reader produces and every method takes.

Its target is split off as classes or as the numbers of a regression, and its features are encoded as the matrix of
codes that the discrete methods compute on.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.exceptions import AmbiguousColumnError, ParameterError, TargetError, UnknownColumnError
from fewest.table.column import MISSING, Column, Kind, smallest_code_type

if TYPE_CHECKING:
    import pyarrow

    from fewest.table.spellings import Understood

# A numeric target with more distinct values than this, and more than one for every ten rows, is a measurement.
MOST_NUMBERED_CLASSES = 50
CLASSIFICATION, REGRESSION = "classification", "regression"
MISSING_RULES = ("value", "cautious")


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
            raise AmbiguousColumnError.from_name(name, found)
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


# ---------------------------------------------------------------------- the target


def split_target(table: Table, name: str, *, missing_target: str = "raise") -> tuple[Table, Column]:
    """Split a table into its features and its discrete target.

    Parameters
    ----------
    table : Table
        All columns, the target among them.
    name : str
        The target column.
    missing_target : {"raise", "drop"}, default="raise"
        What to do with rows that have no label.

    Returns
    -------
    features : Table
        The other columns.
    target : Column
        Boolean or nominal, without missing values. Its labels are those that
        occur: a class without a row is none.

    Raises
    ------
    TargetError
        If rows have no label and are not to be dropped, or the target holds measurements.

    See Also
    --------
    split_regression_target : The same for a numeric target.
    """
    features, target = _split(table, name, missing_target)
    refuse_regression_target(target)
    return features, _without_idle_labels(target.by_value())


def split_regression_target(table: Table, name: str, *, missing_target: str = "raise") -> tuple[Table, Column]:
    """Split a table into its features and a regression target, as `split_target` does for classes."""
    features, target = _split(table, name, missing_target)
    if target.kind is Kind.NOMINAL:
        raise TargetError.from_nominal(name, str(target.labels[0]) if target.labels else "")
    return features, replace(target, kind=Kind.NUMERIC, values=target.values.astype(np.float64), labels=())


def check_missing_target(missing_target: str) -> None:
    """Raise unless the treatment of rows without a label is one of those known."""
    if missing_target not in ("raise", "drop"):
        raise ParameterError.from_choice("missing_target", missing_target, ("raise", "drop"))


def _split(table: Table, name: str, missing_target: str) -> tuple[Table, Column]:
    """Separate the target, and leave out or refuse rows that have none."""
    check_missing_target(missing_target)
    position = table.position(name)
    target = table.columns[position]
    features = replace(table, columns=table.columns[:position] + table.columns[position + 1 :])
    unlabelled = np.flatnonzero(target.is_missing)
    if len(unlabelled) and (missing_target == "raise" or len(unlabelled) == len(target)):
        raise TargetError.from_missing_labels(name, [table.row_number(row) for row in unlabelled.tolist()])
    if len(unlabelled):
        labelled = ~target.is_missing
        features = features.take(labelled)
        target = replace(target, values=target.values[labelled])
    return features, target


def _without_idle_labels(target: Column) -> Column:
    """Return the column with the labels that occur, such as yes alone where no value is no."""
    used, codes = np.unique(target.values, return_inverse=True)
    if len(used) == len(target.labels):
        return target
    labels = tuple(target.labels[code] for code in used)
    return replace(target, values=codes.astype(smallest_code_type(len(labels))), labels=labels)


def split_by_task(
    table: Table, name: str, task: str | None = None, *, missing_target: str = "raise"
) -> tuple[Table, Column]:
    """Split a table into its features and its target: classes, or numeric values where it looks like that.

    Parameters
    ----------
    table : Table
    name : str
        The target column.
    task : {"classification", "regression"}, optional
        By default a numeric target with fractions, or with many different values, is one of regression.
    missing_target : {"raise", "drop"}
        What to do with rows that have no label.
    """
    if task not in (None, CLASSIFICATION, REGRESSION):
        raise ParameterError.from_choice("task", task, (CLASSIFICATION, REGRESSION))
    if task is None:
        task = REGRESSION if _is_measured(table[name]) else CLASSIFICATION
    if task == REGRESSION:
        return split_regression_target(table, name, missing_target=missing_target)
    if _is_measured(table[name]):  # forced: every value is a class
        table = _with_classes(table, name)
    return split_target(table, name, missing_target=missing_target)


def _with_classes(table: Table, name: str) -> Table:
    """Return the table with every number of a column as a category."""
    column, position = table[name], table.position(name)
    written = [None if gone else f"{value:g}" for value, gone in zip(column.values, column.is_missing, strict=True)]
    labels = tuple(dict.fromkeys(f"{value:g}" for value in np.unique(column.values[~column.is_missing])))
    number = {text: code for code, text in enumerate(labels)}
    codes = np.array([MISSING if text is None else number[text] for text in written])
    nominal = Column(name, Kind.NOMINAL, codes.astype(smallest_code_type(len(labels))), labels)
    return replace(table, columns=(*table.columns[:position], nominal, *table.columns[position + 1 :]))


def _is_measured(column: Column) -> bool:
    """Return whether a column holds measurements rather than classes."""
    try:
        refuse_regression_target(replace(column, values=column.values[~column.is_missing]))
    except TargetError:
        return True
    return False


def refuse_regression_target(target: Column) -> None:
    """Raise when a numeric target holds measurements rather than class numbers."""
    if target.kind is Kind.NUMERIC:
        refuse_regression_values(target.name, np.unique(target.values), len(target))


def refuse_regression_values(name: str, distinct: np.ndarray, n_rows: int) -> None:
    """Raise when the distinct numbers of a target are measurements rather than class numbers."""
    many = len(distinct) > max(MOST_NUMBERED_CLASSES, n_rows / 10)
    if many or (distinct != np.floor(distinct)).any():
        raise TargetError.from_numeric(name, len(distinct), n_rows)


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
    most_labels = max((len(column.labels) for column in columns), default=0)
    codes = np.empty((features.n_rows, len(columns)), dtype=smallest_code_type(most_labels + 1), order="F")
    for j, column in enumerate(columns):
        codes[:, j] = column.values
        if missing == "value":
            codes[column.values == MISSING, j] = len(column.labels)
    return codes
