"""Small tables for the tests of screening."""

import numpy as np

from fewest.screening import screen
from fewest.table import Column, Kind, Table, from_array
from fewest.table.frames import table_from


def column(name, values):
    """Return values, with None for missing, as a column."""
    values = list(values)
    if any(isinstance(value, str) for value in values):
        return table_from(from_array(np.array([[value] for value in values], dtype=object), [name])).columns[0]
    numbers = np.array([np.nan if value is None else float(value) for value in values])
    return Column(name, Kind.NUMERIC, numbers)


def features(**columns):
    """Return a table of columns by name."""
    built = tuple(column(name, values) for name, values in columns.items())
    return Table(built, len(built[0]))


def classes(labels, name="class"):
    """Return a target."""
    names = tuple(sorted(set(labels)))
    return Column(name, Kind.NOMINAL, np.array([names.index(label) for label in labels], dtype=np.int8), names)


def random_classes(n_rows, n_classes=2, seed=5):
    """Return a target that goes with nothing."""
    return classes([f"c{k}" for k in np.random.default_rng(seed).integers(0, n_classes, n_rows).tolist()])


def found(table, target=None, **options):
    """Screen a table; by default the classes go with nothing."""
    return screen(table, random_classes(table.n_rows) if target is None else target, **options)
