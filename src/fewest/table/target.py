"""The target: the one column that names each row's class."""

from __future__ import annotations

import numpy as np

from fewest.exceptions import ParameterError, TargetError
from fewest.table.column import Column, Kind
from fewest.table.table import Table

# A numeric target with more distinct values than this, and more than one for every ten rows, is taken for a quantity.
MOST_NUMBERED_CLASSES = 50


def split_target(table: Table, name: str, *, missing_target: str = "raise") -> tuple[Table, Column]:
    """Part a table into its features and its discrete target.

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
        Boolean or nominal, without missing values.
    """
    if missing_target not in ("raise", "drop"):
        raise ParameterError.from_choice("missing_target", missing_target, ("raise", "drop"))
    position = table.position(name)
    target = table.columns[position]
    features = Table(table.columns[:position] + table.columns[position + 1 :], table.n_rows, table.ambiguous)
    unlabelled = np.flatnonzero(target.is_missing)
    if len(unlabelled) and (missing_target == "raise" or len(unlabelled) == len(target)):
        raise TargetError.from_missing_labels(name, unlabelled.tolist())
    if len(unlabelled):
        labelled = ~target.is_missing
        features = features.take(labelled)
        target = Column(name, target.kind, target.values[labelled], target.labels)
    refuse_quantity(target)
    return features, target.by_value()


def refuse_quantity(target: Column) -> None:
    """Raise when a numeric target holds measurements rather than class numbers."""
    if target.kind is not Kind.NUMERIC:
        return
    distinct = np.unique(target.values)
    many = len(distinct) > max(MOST_NUMBERED_CLASSES, len(target) / 10)
    if many or (distinct != np.floor(distinct)).any():
        raise TargetError.from_quantity(target.name, len(distinct), len(target))
