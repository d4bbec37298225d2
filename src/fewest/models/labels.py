"""The labels of classes in a model file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fewest.exceptions import ModelFileError
from fewest.table import Column


def classes_to_record(classes: np.ndarray) -> dict[str, Any]:
    """Return labels, and the type that holds them, as plain data; raise when JSON cannot say them."""
    labels = classes.tolist()
    for label in labels:
        if not isinstance(label, str | int | float):
            raise ModelFileError(
                f"The class {label!r} is a {type(label).__name__}, which a model file cannot hold, so nothing was "
                "written. Name the classes by text, numbers or truths."
            )
    return {"type": classes.dtype.str, "labels": labels}


def classes_from_record(record: Mapping[str, Any]) -> np.ndarray:
    """Return the labels that `classes_to_record` told."""
    return np.array(record["labels"], dtype=record["type"])


def numbered_classes(classes: Column) -> tuple[np.ndarray, int]:
    """Return the class number of every row, and how many classes there are."""
    return classes.values.astype(np.int64), len(classes.labels)


def class_labels(classes: Column) -> np.ndarray:
    """Return the labels of a column of classes."""
    return np.array(classes.labels)
