"""The target: the one column that holds each row's class, or the number that regression predicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewest.exceptions import ParameterError, TargetError
from fewest.table.column import Column, Kind, smallest_code_type
from fewest.table.table import Table

# A numeric target with more distinct values than this, and more than one for every ten rows, is a measurement.
MOST_NUMBERED_CLASSES = 50


def split_target(table: Table, name: str, *, missing_target: str = "raise") -> tuple[Table, Column]:
    """Split a table into its features and its discrete target.

    Parameters
    ----------
    table : Table
    name : str
        The target column.
    missing_target : {"raise", "drop"}
        What to do with rows that have no label.

    Returns
    -------
    features : Table
    target : Column
        Boolean or nominal, without missing values. Its labels are those that
        occur: a class without a row is none.
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


def refuse_regression_target(target: Column) -> None:
    """Raise when a numeric target holds measurements rather than class numbers."""
    if target.kind is Kind.NUMERIC:
        refuse_regression_values(target.name, np.unique(target.values), len(target))


def refuse_regression_values(name: str, distinct: np.ndarray, n_rows: int) -> None:
    """Raise when the distinct numbers of a target are measurements rather than class numbers."""
    many = len(distinct) > max(MOST_NUMBERED_CLASSES, n_rows / 10)
    if many or (distinct != np.floor(distinct)).any():
        raise TargetError.from_numeric(name, len(distinct), n_rows)
