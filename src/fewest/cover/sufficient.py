"""Sufficiency and conflicts, as questions one can ask of any data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from fewest.blocks.scan import Scan
from fewest.cover.examples import Examples, RowPair
from fewest.cover.kernels.conflicts import Conflicts, minimal
from fewest.cover.options import DEFAULT_MAX_MEMORY, Margin
from fewest.cover.sample import Sample
from fewest.exceptions import ParameterError, TargetError
from fewest.table import Column, Table, from_array
from fewest.table.frames import table_from
from fewest.table.requests import positions


@dataclass(frozen=True)
class Sufficiency:
    """The verdict on a subset of features; true when it is sufficient.

    Attributes
    ----------
    is_sufficient : bool
        No two rows of different class agree on the subset.
    witness : tuple of int, or None
        Two rows that do, if there are any; where possible such that another feature separates them.
    n_uncovered : int
        How many pairs of rows do.
    n_contradictions : int
        How many of these no feature separates.
    """

    is_sufficient: bool
    witness: RowPair | None
    n_uncovered: int
    n_contradictions: int

    def __bool__(self) -> bool:
        return self.is_sufficient


def sufficiency(
    X: object, y: object, subset: Iterable[int | str], *, missing: str = "value", margin: Margin | None = None
) -> Sufficiency:
    """Return whether a subset of features is sufficient to tell the classes apart, and what shows it.

    The linear-time partition test of Almuallim and Dietterich (1994), Figure 1,
    for any number of values and classes.

    Parameters
    ----------
    X : dataframe, 2-D array, sparse matrix, Table or Scan
        The rows. What `scan` returns may be larger than memory.
    y : array-like or Column
        Classes. None for a scan, which has them.
    subset : str, int, list of these or Boolean mask
        Features by name or position, or a mask with an entry for every feature.
    missing : {"value", "cautious"}, default="value"
        Whether a missing value is one more value of its feature, or separates nothing.
    margin : float, str or mapping, default=None
        Numbers separate two rows only when they differ by at least this much: in their own unit (``0.5``), in standard
        deviations (``"0.5 sd"``) or in percent of their range (``"5%"``); one for all numeric columns, or one each by
        name. By default any difference counts.

    Returns
    -------
    Sufficiency
        The verdict, which is true when the subset is sufficient, and two rows that show it when it is not.

    See Also
    --------
    conflicts : What a sufficient subset has to cover.
    MinFeatures : Finds the smallest sufficient subset.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    >>> from fewest.cover import sufficiency
    >>> X, y = [[0, 0, 1], [0, 1, 0], [1, 1, 1]], ["no", "yes", "no"]
    >>> sufficiency(X, y, [2]).is_sufficient
    True
    >>> sufficiency(X, y, [1])
    Sufficiency(is_sufficient=False, witness=(1, 2), n_uncovered=1, n_contradictions=0)
    """
    if isinstance(X, Scan):
        if missing != "value" or margin is not None:
            raise ParameterError.from_blocks("A margin or missing='cautious'")
        from fewest.cover.blocks.sample import BlockSample

        table: Table = X.header()
        sample: Examples = BlockSample(X.store)
    else:
        table = table_from(X)
        sample = sample_from(table, y, missing, margin)
    chosen = positions(table, subset)
    n_uncovered = sample.n_uncovered(chosen)
    if n_uncovered == 0:
        return Sufficiency(True, None, 0, 0)
    witness = sample.witness(chosen) or sample.contradiction
    return Sufficiency(False, witness, n_uncovered, sample.n_contradictions)


def conflicts(
    X: object,
    y: object,
    *,
    reduced: bool = False,
    missing: str = "value",
    margin: Margin | None = None,
    max_memory: float = DEFAULT_MAX_MEMORY,
) -> Conflicts:
    """List the distinct conflicts of a sample: the sets of features in which rows of different class differ.

    Pairs that differ in no feature are contradictions, not conflicts, and are left out.

    Parameters
    ----------
    X : dataframe, 2-D array, sparse matrix or Table
        The rows.
    y : array-like or Column
        Classes.
    reduced : bool, default=False
        Leave out conflicts that include another one. Whatever covers the rest covers them too.
    missing : {"value", "cautious"}, default="value"
        Whether a missing value is one more value of its feature, or separates nothing.
    margin : float, str or mapping, default=None
        Numbers separate two rows only when they differ by at least this much: in their own unit (``0.5``), in standard
        deviations (``"0.5 sd"``) or in percent of their range (``"5%"``); one for all numeric columns, or one each by
        name. By default any difference counts.
    max_memory : float, default=4e9
        Refuse, before starting, data whose conflicts could need more bytes.

    Returns
    -------
    Conflicts
        The features that cover each conflict, the first pair of rows that has it, and how many pairs have it.

    See Also
    --------
    count_conflicts : Their number with copies, without listing them.
    solve_cover : The fewest features that cover them.

    Examples
    --------
    >>> from fewest.cover import conflicts
    >>> found = conflicts([[0, 0, 1], [0, 1, 0], [1, 1, 1]], ["no", "yes", "no"])
    >>> found.to_array().astype(int)
    array([[0, 1, 1],
           [1, 0, 1]])
    >>> found.rows
    array([[1, 1],
           [0, 2]])
    """
    sample = sample_from(X, y, missing, margin)
    found = sample.conflicts(max_memory=max_memory)
    if reduced:
        found = found.take(minimal(found.words))
    rows = [sample.rows_of_cells(int(i), int(j)) for i, j in found.rows.T]
    return replace(found, rows=np.array(rows, dtype=np.intp).reshape(-1, 2).T)


def count_conflicts(y: object) -> int:
    """Count the pairs of rows of different class without generating them.

    Parameters
    ----------
    y : array-like or Column
        Classes.

    Returns
    -------
    int
        The pairs, contradictions included.

    See Also
    --------
    conflicts : The distinct ones, listed.

    Examples
    --------
    >>> from fewest.cover import count_conflicts
    >>> count_conflicts([0] * 1_000_000 + [1] * 500_000)
    500000000000
    """
    counts = np.bincount(class_numbers(y)).tolist()
    return (sum(counts) ** 2 - sum(count**2 for count in counts)) // 2


def sample_from(X: object, y: object, missing: str = "value", margin: Margin | None = None) -> Sample:
    """Encode data of any accepted form: a frame of any library, a 2-D array or a sparse matrix, and its classes."""
    table = table_from(X)
    classes = class_numbers(y)
    if len(classes) != table.n_rows:
        raise ParameterError(f"There are {table.n_rows} rows but {len(classes)} classes. Give one class a row.")
    return Sample.from_table(table, classes, missing, margin)


def class_numbers(y: object) -> np.ndarray:
    """Number the classes of an array, a series, a list or a `Column`, by value; a missing class is an error."""
    return np.unique(class_column(y).values, return_inverse=True)[1]


def class_column(y: object) -> Column:
    """Return the classes of an array, a series, a list or a `Column` as a column; a missing class is an error."""
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
    return y
