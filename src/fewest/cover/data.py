"""From data of any accepted form to a sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np

from fewest.cover.margins import Margin
from fewest.cover.sample import Sample
from fewest.exceptions import ParameterError, TargetError
from fewest.table import Column, from_array
from fewest.table.frames import table_from


def sample_from(X: object, y: object, missing: str = "value", margin: Margin | None = None) -> Sample:
    """Encode data of any accepted form: a frame of any library, a 2-D array or a sparse matrix, and its classes."""
    table = table_from(X)
    classes = class_numbers(y)
    if len(classes) != table.n_rows:
        raise ParameterError(f"There are {table.n_rows} rows but {len(classes)} classes. Give one class a row.")
    return Sample.from_table(table, classes, missing, margin)


def class_numbers(y: object) -> np.ndarray:
    """Number the classes of an array, a series, a list or a `Column`, by value; a missing class is an error."""
    if not isinstance(y, Column):
        # A list goes in as objects, so that 1 and "1" stay two classes.
        shaped = np.asarray(y) if hasattr(y, "shape") else np.array([*cast(Iterable, y)], dtype=object)
        if shaped.ndim == 2 and shaped.shape[1] == 1:
            shaped = shaped[:, 0]
        if shaped.ndim != 1:
            raise ParameterError(f"Classes must be one a row, not of shape {shaped.shape}.")
        y = from_array(shaped[:, None], names=["y"]).columns[0]
    if y.n_missing:
        raise TargetError.from_missing_labels(y.name, np.flatnonzero(y.is_missing).tolist())
    return np.unique(y.values, return_inverse=True)[1]
