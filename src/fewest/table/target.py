"""The target: split off as classes, or as the numbers of a regression, whichever it looks like or is asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewest.exceptions import ParameterError, TargetError
from fewest.table.column import Column, Kind, smallest_code_type
from fewest.table.table import Table

# A numeric target with more distinct values than this, and more than one for every ten rows, is a measurement.
MOST_NUMBERED_CLASSES = 50
# The squares of a hundred million values of a regression target can be added up as long as none is larger.
LARGEST = 1e150
CLASSIFICATION, REGRESSION = "classification", "regression"


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
    values = target.values.astype(np.float64)
    refuse_far_values(name, values)
    return features, replace(target, kind=Kind.NUMERIC, values=values, labels=())


def refuse_far_values(name: str, values: np.ndarray) -> None:
    """Raise if a value of a regression target is infinite, or so large that sums of its squares are."""
    far = np.abs(values) > LARGEST
    if far.any():
        raise TargetError.from_far_value(name, float(values[far.argmax()]))


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
        task = REGRESSION if is_measured(table[name]) else CLASSIFICATION
    if task == REGRESSION:
        return split_regression_target(table, name, missing_target=missing_target)
    if is_measured(table[name]):  # forced: every value is a class
        table = _with_classes(table, name)
    return split_target(table, name, missing_target=missing_target)


def _with_classes(table: Table, name: str) -> Table:
    """Return the table with every number of a column as a category."""
    position = table.position(name)
    nominal = table.columns[position].by_value()
    return replace(table, columns=(*table.columns[:position], nominal, *table.columns[position + 1 :]))


def is_measured(column: Column) -> bool:
    """Return whether a column holds measurements rather than classes: fractions, or very many different numbers."""
    if column.kind is not Kind.NUMERIC:
        return False
    known = column.values[~column.is_missing]
    return _are_measurements(np.unique(known), len(known))


def _are_measurements(distinct: np.ndarray, n_rows: int) -> bool:
    many = len(distinct) > max(MOST_NUMBERED_CLASSES, n_rows / 10)
    return many or bool((distinct != np.floor(distinct)).any())


def refuse_regression_target(target: Column) -> None:
    """Raise when a numeric target holds measurements rather than class numbers."""
    if target.kind is Kind.NUMERIC:
        refuse_regression_values(target.name, np.unique(target.values), len(target))


def refuse_regression_values(name: str, distinct: np.ndarray, n_rows: int) -> None:
    """Raise when the distinct numbers of a target are measurements rather than class numbers."""
    if _are_measurements(distinct, n_rows):
        raise TargetError.from_numeric(name, len(distinct), n_rows)
