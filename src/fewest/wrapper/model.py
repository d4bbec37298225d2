"""The model of a regression that ``fewest train`` keeps: ridge regression over typed columns.

The learner around which Ng's wrappers select features for a numeric target is least squares; here it is regularised,
with the penalty that predicts best when every row is left out once, which takes one decomposition for all penalties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fewest.blocks.scan import Scan
from fewest.budget import Budget
from fewest.models.encoder import UNSEEN, Encoder, KnownColumn, numeric_values
from fewest.models.files import save_file
from fewest.models.model import all_batches, batches_for
from fewest.table import Column, Kind, Table
from fewest.table.frames import table_from
from fewest.table.target import LARGEST, refuse_far_values

KIND = "linear regression"
# Penalties to choose from, in units of the number of rows: features are scaled to a variance of 1.
PENALTIES = np.logspace(-6, 3, 28)
# Categories of a column that get a coefficient of their own, the most frequent ones; the others share the intercept.
MOST_CATEGORIES = 50
NUMBER = -1
"""The code of a term that is the number in a column, not one of its categories."""


@dataclass(frozen=True, eq=False)
class Terms:
    """What the coefficients of a linear function belong to: numbers of columns, and categories of columns.

    Attributes
    ----------
    columns : ndarray of shape (n_terms,)
        The column of every term.
    codes : ndarray of shape (n_terms,)
        Its category, as the encoder numbers them; `NUMBER` where the term is the number itself.
    means : ndarray of shape (n_columns,)
        What stands for a missing number.
    """

    columns: np.ndarray
    codes: np.ndarray
    means: np.ndarray

    @classmethod
    def of(cls, columns: Sequence[Column], codes: np.ndarray) -> Terms:
        """Return a term for every numeric column, and one for each of the most frequent categories of the others."""
        terms: list[tuple[int, int]] = []
        for j, column in enumerate(columns):
            if column.kind is Kind.NUMERIC:
                terms.append((j, NUMBER))
            else:
                counts = np.bincount(codes[~column.is_missing, j], minlength=1)
                frequent = np.sort(np.argsort(-counts, kind="stable")[:MOST_CATEGORIES])
                terms += [(j, code) for code in frequent.tolist() if counts[code]]
        of_columns, of_codes = np.array(terms, dtype=np.int64).reshape(-1, 2).T
        return cls(of_columns, of_codes, np.array([_mean(column) for column in columns]))

    def values(self, columns: Sequence[Column], codes: np.ndarray) -> np.ndarray:
        """Return the value of every term in every row; a missing or new category has none, and adds nothing."""
        matrix = np.empty((len(codes), len(self.columns)))
        for k, (j, code) in enumerate(zip(self.columns.tolist(), self.codes.tolist(), strict=True)):
            if code == NUMBER:
                numbers = numeric_values(columns[j]).astype(np.float64)
                matrix[:, k] = np.where(np.abs(numbers) <= LARGEST, numbers, self.means[j])
            else:
                matrix[:, k] = codes[:, j] == code
        return matrix

    def check(self, known: Sequence[KnownColumn]) -> None:
        """Raise ValueError unless every term is one of the columns."""
        if len(self.columns) != len(self.codes) or len(self.means) != len(known):
            raise ValueError("its terms and columns differ in number")
        if ((self.columns < 0) | (self.columns >= len(known))).any():
            raise ValueError("it has terms of columns that it does not name")
        for j, code in zip(self.columns.tolist(), self.codes.tolist(), strict=True):
            n_labels = 0 if known[j].kind == Kind.NUMERIC else len(known[j].labels)
            if not (code == NUMBER if known[j].kind == Kind.NUMERIC else 0 <= code < n_labels):
                raise ValueError("it has terms of categories that it does not name")


@dataclass(frozen=True, eq=False)
class LinearModel:
    """A linear function of numeric columns and of the categories of the others.

    Attributes
    ----------
    encoder : Encoder
        The columns that the model looks at.
    terms : Terms
    coefficients : ndarray of shape (n_terms,)
    intercept : float
    penalty : float
        In units of the number of rows, for terms of variance 1.
    target : str or None
    left_out : ndarray of shape (n_rows,)
        What is predicted for every row of training by the other rows; empty for a model from a file.
    """

    encoder: Encoder
    terms: Terms
    coefficients: np.ndarray
    intercept: float
    penalty: float
    target: str | None = None
    left_out: np.ndarray = field(default_factory=lambda: np.empty(0))

    def predict(self, X: object) -> np.ndarray:
        """Return the value of every row of a `Table`, a frame of any library, an array, or of what `scan` returns."""
        if isinstance(X, Scan):
            return np.concatenate(all_batches(batches_for(self.encoder.columns, X), self._of_table, X.n_jobs))
        return self._of_table(table_from(X))

    def _of_table(self, table: Table) -> np.ndarray:
        columns = self.encoder.find(table)
        codes = self.encoder.codes(columns, table.n_rows)
        return self.intercept + self.terms.values(columns, codes) @ self.coefficients

    def n_unseen(self, table: Table) -> int:
        """Count the rows with a category that the training data did not have."""
        return int((self.encoder.codes(self.encoder.find(table), table.n_rows) == UNSEEN).any(axis=1).sum())

    @property
    def term_names(self) -> list[str]:
        """Return what every coefficient belongs to: a column, or one of its values."""
        return names_of_terms(self.encoder, self.terms)

    @property
    def columns_used(self) -> list[str]:
        """Return the columns that have a coefficient."""
        used = set(self.terms.columns[self.coefficients != 0].tolist())
        return [name for j, name in enumerate(self.encoder.names) if j in used]

    def export_text(self) -> str:
        """Return the function, a term a line, the intercept first."""
        lines = [(self.intercept, "(intercept)"), *zip(self.coefficients.tolist(), self.term_names, strict=True)]
        return "\n".join(f"{value:12.6g}  {name}" for value, name in lines)

    # ------------------------------------------------------------------ files

    def save(self, path: str | Path) -> None:
        """Write the model into one file, which `load_model` and ``fewest predict`` read."""
        document = {
            "kind": KIND,
            "target": self.target,
            "columns": [vars(column) for column in self.encoder.columns],
            "intercept": self.intercept,
            "penalty": self.penalty,
        }
        save_file(path, document, {"coefficients": self.coefficients, **vars(self.terms)})

    @classmethod
    def from_file(cls, document: dict[str, Any], arrays: dict[str, np.ndarray]) -> LinearModel:
        """Return the model that a file holds; raise ValueError, KeyError or TypeError when it holds none."""
        columns = tuple(KnownColumn.from_record(record) for record in document["columns"])
        _check_numbers(arrays, "coefficients", "f")
        terms = terms_from_file(columns, arrays)
        intercept, penalty = float(document["intercept"]), float(document["penalty"])
        if len(arrays["coefficients"]) != len(terms.columns) or not np.isfinite([intercept, penalty]).all():
            raise ValueError("its coefficients do not fit its terms")
        return cls(Encoder(columns), terms, arrays["coefficients"], intercept, penalty, document["target"])


def learn_linear(features: Table, target: Column) -> LinearModel:
    """Learn a ridge regression over typed columns, with the penalty of the least error when rows are left out.

    Parameters
    ----------
    features : Table
        What is infinite counts as missing, and what is missing as the mean of the column.
    target : Column
        A numeric one.

    Examples
    --------
    >>> from fewest.table import from_array, split_regression_target
    >>> x = np.arange(20.0)
    >>> table = from_array(np.column_stack([x, x % 3, 2 * x + 1]), ["x", "other", "y"])
    >>> model = learn_linear(*split_regression_target(table, "y"))
    >>> model.predict(table)[:3].round(2).tolist()
    [1.0, 3.0, 5.0]
    """
    y = target.values.astype(np.float64)
    refuse_far_values(target.name, y)
    encoder, terms, values = encoded_terms(features)
    centre, scale = centre_and_scale(values)
    slopes, penalty, left_out = _ridge((values - centre) / scale, y)
    coefficients = slopes / scale
    intercept = float(y.mean() - centre @ coefficients)
    return LinearModel(encoder, terms, coefficients, intercept, penalty, target.name, left_out)


def encoded_terms(features: Table) -> tuple[Encoder, Terms, np.ndarray]:
    """Return the encoder of a table, what a linear function of its columns has coefficients for, and their values."""
    columns = [_finite(column) for column in features]
    # Without a cut, every number is in one interval: an encoder need not know the numbers of training.
    uncut = {column.name: np.empty(0) for column in columns if column.kind is Kind.NUMERIC}
    encoder, codes = Encoder.fit(replace(features, columns=tuple(columns)), uncut)
    terms = Terms.of(columns, codes)
    return encoder, terms, terms.values(columns, codes)


def centre_and_scale(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the standard deviation of every term; infinity where no coefficient can be told.

    That is where there is one value only, or where values are so close that a coefficient would be more than a float
    holds.
    """
    scale = values.std(axis=0)
    return values.mean(axis=0), np.where(scale < 1 / LARGEST, np.inf, scale)


def names_of_terms(encoder: Encoder, terms: Terms) -> list[str]:
    """Return what every coefficient belongs to: a column, or one of its values."""
    known = encoder.columns
    pairs = zip(terms.columns.tolist(), terms.codes.tolist(), strict=True)
    return [known[j].name if code == NUMBER else f"{known[j].name}={known[j].values[code]}" for j, code in pairs]


def terms_from_file(columns: Sequence[KnownColumn], arrays: dict[str, np.ndarray]) -> Terms:
    """Return the terms that a file of a linear model holds; raise ValueError or KeyError when it holds none."""
    for name, kinds in {"means": "f", "columns": "iu", "codes": "iu"}.items():
        _check_numbers(arrays, name, kinds)
    terms = Terms(arrays["columns"], arrays["codes"], arrays["means"])
    terms.check(columns)
    return terms


def _check_numbers(arrays: dict[str, np.ndarray], name: str, kinds: str) -> None:
    if arrays[name].ndim != 1 or arrays[name].dtype.kind not in kinds or not np.isfinite(arrays[name]).all():
        raise ValueError(f"its {name} are not numbers")


def _ridge(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float, np.ndarray]:
    """Return slopes of scaled terms, the penalty, and what is predicted for each row by the others.

    Without row i its residual is r_i / (1 - h_i), where h_i is the row's leverage in the penalised fit, so that no fit
    is repeated.
    """
    n_rows, mean = len(y), y.mean()
    u, s, vt = Budget().wait_for(lambda: np.linalg.svd(X, full_matrices=False))  # which Ctrl-C ends
    projected = u.T @ (y - mean)
    best: tuple[float, float, np.ndarray, np.ndarray] | None = None
    for penalty in PENALTIES.tolist():
        shrunk = s**2 / (s**2 + penalty * n_rows)
        residuals = (y - mean) - u @ (shrunk * projected)
        leverage = 1 / n_rows + (u**2) @ shrunk
        without = residuals / np.maximum(1 - leverage, 1e-10)
        error = float(without @ without)
        if best is None or error < best[0]:
            best = (error, penalty, shrunk, without)
    assert best is not None, "there are penalties"
    _, penalty, shrunk, without = best
    slopes = vt.T @ (np.divide(shrunk, s, out=np.zeros_like(s), where=s > 1e-12 * s.max(initial=0)) * projected)
    return slopes, penalty, y - without


def _finite(column: Column) -> Column:
    """Return a numeric column with what is infinite, or has an infinite square, missing; no line goes through it."""
    if column.kind is not Kind.NUMERIC:
        return column
    return Column(column.name, column.kind, np.where(np.abs(column.values) <= LARGEST, column.values, np.nan))


def _mean(column: Column) -> float:
    if column.kind is not Kind.NUMERIC:
        return 0.0
    known = column.values[~column.is_missing]
    return float(known.mean()) if len(known) else 0.0
