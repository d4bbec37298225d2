"""From typed columns to the code matrix that the discrete methods compute on."""

from __future__ import annotations

import numpy as np

from fewest.exceptions import ParameterError
from fewest.table.column import MISSING, smallest_code_type
from fewest.table.table import Table

MISSING_RULES = ("value", "cautious")


def discrete_codes(features: Table, missing: str = "value") -> np.ndarray:
    """Encode every column by value into one matrix of small integers.

    Parameters
    ----------
    features : Table
    missing : {"value", "cautious"}
        ``"value"``: a missing value is one more value, equal to other missing
        values and different from all others, so that being missing can
        separate two rows. ``"cautious"``: it keeps the code -1, which the
        kernels never count as a difference, so that what is not known
        separates nothing.

    Returns
    -------
    ndarray of shape (n_rows, n_features), column-major
        Codes of the smallest signed type that holds them all.
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
