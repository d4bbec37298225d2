"""Wrappers on typed columns: what a learner of numbers takes of them, and the answer in terms of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from fewest.exceptions import FewestError, ParameterError
from fewest.table import Column, Kind, Table, discrete_codes
from fewest.table.requests import Features, included_and_excluded
from fewest.wrapper.evaluators.generic import FAILURES, Learner
from fewest.wrapper.examples import Examples
from fewest.wrapper.options import WrapperOptions
from fewest.wrapper.result import WrapperResult
from fewest.wrapper.wrap import wrap


class Numbers(NamedTuple):
    """A matrix, and which of its columns stand for each column of the table."""

    X: np.ndarray
    groups: list[list[int]]


def wrap_table(
    estimator: Any,
    table: Table,
    target: Column,
    options: WrapperOptions,
    apart: np.ndarray | None = None,
    *,
    is_discrete: bool = False,
) -> WrapperResult:
    """Choose the columns of a table with which an estimator predicts the target best.

    Parameters
    ----------
    estimator : classifier or regressor
    table : Table
    target : Column
    options : StandardWrapOptions, OrderedFSOptions or OrderedFS2Options
        ``include`` and ``exclude`` have columns of the table, by number or name, or as a mask.
    apart : ndarray of int, optional
        The group of every row; rows of one group stay on one side of every split.
    is_discrete : bool
        Whether the estimator compares values for equality only, and takes codes instead of numbers.

    Returns
    -------
    WrapperResult
        Its features are columns of the table.
    """
    if not table.columns:
        raise ParameterError(f"There is no feature: the data has no column but {target.name}.")
    if len(np.unique(target.values)) < 2:
        raise ParameterError(f"Every row has the same {target.name}, so that there is nothing to predict.")
    included, excluded = included_and_excluded(table, options.include, options.exclude)
    if is_discrete:
        numbers = Numbers(discrete_codes(table), [[j] for j in range(len(table.columns))])
    else:
        numbers = as_numbers(table)
    options = replace(options, include=included, exclude=excluded)
    try:
        return wrap_numbers(estimator, numbers, target.values, options, apart)
    except FewestError:
        raise
    except FAILURES as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise ParameterError(
            f"{type(estimator).__name__} can learn nothing from the {table.n_rows:,} rows: {reason}. Give more rows, "
            "or another estimator."
        ) from error


def wrap_numbers(
    estimator: Any, numbers: Numbers, y: np.ndarray, options: WrapperOptions, apart: np.ndarray | None = None
) -> WrapperResult:
    """Choose the columns of a table that numbers stand for; the numbers of a column enter together.

    Parameters
    ----------
    estimator : classifier or regressor
    numbers : Numbers
    y : ndarray of shape (n_rows,)
    options : StandardWrapOptions, OrderedFSOptions or OrderedFS2Options
        ``include`` and ``exclude`` have columns of the table, by number.
    apart : ndarray of int, optional
        The group of every row.
    """
    groups = numbers.groups
    included, excluded = (
        [feature for j in _numbered(given) for feature in groups[j]] for given in (options.include, options.exclude)
    )
    options = replace(options, include=included, exclude=excluded, feature_groups=groups)
    learner = Learner.of(estimator, options.scoring)
    result = wrap(learner, Examples(*learner.validated(numbers.X, y)), options, apart)
    column = np.repeat(np.arange(len(groups)), [len(group) for group in groups])

    def columns(features: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(np.unique(column[list(features)]).tolist())

    history = [{**record, "features": columns(record["features"])} for record in result.history]
    return replace(
        result,
        n_features_in=len(groups),
        features=columns(result.features),
        history=tuple({**record, "n_features": len(record["features"])} for record in history),
    )


def _numbered(features: Features) -> list[int]:
    return [int(j) for j in features or ()]  # type: ignore[union-attr]  # `wrap_table` has read them


def as_numbers(table: Table) -> Numbers:
    """Turn nominal values into indicators, and scale numeric values to mean 0 and variance 1.

    A missing numeric value is the mean, with an indicator of being missing; a missing nominal value is one more
    category. Targets play no part, so that nothing of the hold-out rows' targets leaks.
    """
    parts: list[np.ndarray] = []
    groups: list[list[int]] = []
    width = 0
    for column in table:
        part = _scaled(column) if column.kind is Kind.NUMERIC else _indicators(column)
        groups.append(list(range(width, width + part.shape[1])))
        width += part.shape[1]
        parts.append(part)
    return Numbers(np.hstack(parts) if parts else np.empty((table.n_rows, 0)), groups)


# Larger numbers cannot be squared, and a sum of squares be divided by their count.
LARGEST_EXPONENT = 600
LARGEST_SQUARED = 1e120


def _scaled(column: Column) -> np.ndarray:
    """Return numeric values on one scale and, where some are missing, the indicator of that."""
    is_missing, values = column.is_missing, column.values
    known = values[~is_missing]
    if not np.isfinite(known).all():
        raise ParameterError(
            f"The column {column.name} has infinite values, and no learner can be fitted to these. Replace them in the "
            f"data, or leave the column out: --drop {column.name}."
        )
    if np.abs(known).max(initial=0.0) > LARGEST_SQUARED:  # the result is the same in any unit
        values, known = np.ldexp(values, -LARGEST_EXPONENT), np.ldexp(known, -LARGEST_EXPONENT)
    mean, spread = (float(known.mean()), float(known.std())) if len(known) else (0.0, 1.0)
    scaled = np.where(is_missing, 0.0, (values - mean) / (spread or 1.0))
    return np.column_stack([scaled, is_missing]) if is_missing.any() else scaled[:, None]


def _indicators(column: Column) -> np.ndarray:
    """Return an indicator for every category; of two, one is enough, since the other is its opposite."""
    values, codes = np.unique(column.values, return_inverse=True)
    indicators = (codes[:, None] == np.arange(len(values))).astype(np.float64)
    return indicators[:, 1:] if len(values) == 2 else indicators
