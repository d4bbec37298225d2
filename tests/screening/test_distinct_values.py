"""The warning of estimators about columns of mostly distinct values."""

import numpy as np

from fewest.screening.distinct_values import distinct_columns
from fewest.table import Column, Kind


def test_mostly_distinct_columns():
    rows = np.arange(40)
    columns = [
        Column("key", Kind.NOMINAL, rows.astype(np.int8), tuple(map(str, rows))),
        Column("measure", Kind.NUMERIC, rows + 0.5),
        Column("half", Kind.NUMERIC, rows // 2 * 1.0),
        Column("flag", Kind.BOOLEAN, (rows % 2).astype(np.int8), ("no", "yes")),
    ]
    assert distinct_columns(columns) == ["key", "measure"]
    assert distinct_columns([Column(c.name, c.kind, c.values[:19], c.labels) for c in columns]) == []
