"""The model of a logistic regression that ``fewest train`` keeps: the classes' probabilities over typed columns.

Trees and votes over intervals lose what lies within an interval; where measurements add up, a linear function of them
predicts better. All numbers are scaled to a variance of 1, and every coefficient is drawn towards 0 as if one row
more said so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from fewest.blocks.scan import Scan
from fewest.blocks.threads import serial_products
from fewest.budget import Budget, OutOfBudgetError
from fewest.models.encoder import UNSEEN, Encoder, class_labels, numbered_classes
from fewest.models.files import columns_and_classes, header_of, save_file
from fewest.models.model import Answers, all_batches, batches_for
from fewest.table import Column, Table
from fewest.table.frames import table_from
from fewest.wrapper.model import Terms, centre_and_scale, encoded_terms, names_of_terms, terms_from_file

KIND = "logistic regression"
# Half the square of every coefficient of a scaled term counts this much beside the logarithms of probabilities.
PENALTY = 1.0
MOST_STEPS, LAST_STEP = 2000, 1e-6


@dataclass(frozen=True, eq=False)
class LogisticModel:
    """Probabilities of classes, their logarithms linear in numeric columns and in categories of the others.

    Attributes
    ----------
    encoder : Encoder
        The columns that the model looks at.
    terms : Terms
    coefficients : ndarray of shape (n_terms, n_classes)
    intercepts : ndarray of shape (n_classes,)
    classes_ : ndarray
        The labels of the classes.
    target : str or None
    """

    encoder: Encoder
    terms: Terms
    coefficients: np.ndarray
    intercepts: np.ndarray
    classes_: np.ndarray
    target: str | None = None

    def predict(self, X: object) -> np.ndarray:
        """Return the class of every row of a `Table`, a frame of any library, an array, or of what `scan` returns."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: object) -> np.ndarray:
        """Return the probability of every class."""
        if isinstance(X, Scan):
            batches = batches_for(self.encoder.columns, X)
            return np.concatenate(all_batches(batches, lambda table: self.answers(table).shares, X.n_jobs))
        return self.answers(X).shares

    def answers(self, X: object) -> Answers:
        """Return the class and the probabilities of every row of new data."""
        table = table_from(X)
        columns = self.encoder.find(table)
        codes = self.encoder.codes(columns, table.n_rows)
        shares = _softmax(self.terms.values(columns, codes) @ self.coefficients + self.intercepts)
        n_unseen = int((codes == UNSEEN).any(axis=1).sum())
        return Answers(shares.argmax(axis=1), shares, 0, n_unseen)

    @property
    def class_names(self) -> list[str]:
        """Return the labels as text."""
        return [str(label) for label in self.classes_.tolist()]

    @property
    def term_names(self) -> list[str]:
        """Return what the coefficients belong to: a column, or one of its values."""
        return names_of_terms(self.encoder, self.terms)

    @property
    def columns_used(self) -> list[str]:
        """Return the columns that have a coefficient."""
        used = set(self.terms.columns[(self.coefficients != 0).any(axis=1)].tolist())
        return [name for j, name in enumerate(self.encoder.names) if j in used]

    def export_text(self) -> str:
        """Return the functions, a term a line and a class a column, the intercepts first."""
        lines = [(self.intercepts, "(intercept)"), *zip(self.coefficients, self.term_names, strict=True)]
        heading = "".join(f"{name[:12]:>13}" for name in self.class_names)
        return "\n".join([heading, *("".join(f"{value:13.6g}" for value in row) + f"  {name}" for row, name in lines)])

    def save(self, path: str | Path) -> None:
        """Write the model into one file, which `load_model` and ``fewest predict`` read."""
        arrays = {"coefficients": self.coefficients, "intercepts": self.intercepts, **vars(self.terms)}
        save_file(path, header_of(KIND, self.target, self.classes_, self.encoder), arrays)

    @classmethod
    def from_file(cls, document: dict[str, Any], arrays: dict[str, np.ndarray]) -> LogisticModel:
        """Return the model that a file holds; raise ValueError, KeyError or TypeError when it holds none."""
        columns, classes = columns_and_classes(document)
        terms = terms_from_file(columns, arrays)
        coefficients, intercepts = arrays["coefficients"], arrays["intercepts"]
        shapes = {"coefficients": (len(terms.columns), len(classes)), "intercepts": (len(classes),)}
        for name, shape in shapes.items():
            if arrays[name].dtype.kind != "f" or arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
                raise ValueError(f"its {name} do not fit its terms and classes")
        return cls(Encoder(columns), terms, coefficients, intercepts, classes, document["target"])


def learn_logistic(features: Table, classes: Column, budget: Budget | None = None) -> LogisticModel:
    """Learn a logistic regression of two classes or more over typed columns.

    Parameters
    ----------
    features : Table
        What is infinite counts as missing, and what is missing as the mean of the column.
    classes : Column
    budget : Budget, optional
        Where it ends the steps, the coefficients are those of the last one, and it is cut.

    Examples
    --------
    >>> from fewest.table import from_array, split_target
    >>> x = np.arange(20.0)
    >>> table = from_array(np.column_stack([x, x % 3, x > 8]), ["x", "other", "y"])
    >>> model = learn_logistic(*split_target(table, "y"))
    >>> model.predict(table)[:10].tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    encoder, terms, values = encoded_terms(features)
    codes, n_classes = numbered_classes(classes)
    centre, scale = centre_and_scale(values)
    with serial_products():  # hundreds of products, each too small for two threads
        slopes, intercepts = fit_logistic((values - centre) / scale, np.eye(n_classes)[codes], budget)
    coefficients = slopes / scale[:, None]
    return LogisticModel(
        encoder, terms, coefficients, intercepts - centre @ coefficients, class_labels(classes), classes.name
    )


def fit_logistic(X: np.ndarray, members: np.ndarray, budget: Budget | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return slopes of centred terms, one column a class, and intercepts.

    The Hessian of several classes is nowhere steeper than half of X'X in each of them (Böhning, 1992, *Multinomial
    logistic regression algorithm*): a step with that bound in its place never leads astray, and along the singular
    vectors of X it is a division. Nesterov's momentum makes such steps long; where they turn against the gradient, it
    starts again. Where the budget ends before the first step, there are intercepts alone, which follow the frequencies
    of the classes.
    """
    n_rows, n_classes = members.shape
    budget = budget or Budget()
    try:
        squares, v = budget.wait_for(lambda: _singular(X))  # which Ctrl-C ends, too
        budget.check(lambda: "0 steps")
    except OutOfBudgetError:
        return np.zeros((X.shape[1], n_classes)), np.log(np.maximum(members.sum(axis=0), 0.5) / n_rows)
    steepness = np.append(0.5 * squares + PENALTY, 0.5 * n_rows)[:, None]
    # The last row is the intercepts, which are not penalised.
    with_ones, penalties = np.column_stack([X @ v, np.ones(n_rows)]), np.append(np.full(len(squares), PENALTY), 0)
    penalties = penalties[:, None]
    found = np.zeros((len(squares) + 1, n_classes))
    ahead, momentum = found, 1.0
    for n_steps in range(MOST_STEPS):
        if n_steps and budget.is_over(partial("{:,} steps".format, n_steps)):
            break
        gradient = with_ones.T @ (members - _softmax(with_ones @ ahead)) - penalties * ahead
        after = ahead + gradient / steepness
        step = after - found
        if float(np.sum(gradient * step)) < 0:
            momentum = 1.0
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead, found, momentum = after + (momentum - 1) / following * step, after, following
        if np.abs(step).max(initial=0.0) < LAST_STEP:
            break
    return v @ found[:-1], found[-1]


def _singular(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the squares of the singular values, and the right singular vectors as columns.

    Of many rows X'X is far sooner divided. Its small values lose digits by that, but the steps need no more than the
    penalty has beside them, and turning X by any orthogonal matrix changes nothing else.
    """
    if X.shape[0] < X.shape[1]:
        _, s, vt = np.linalg.svd(X, full_matrices=False)
        return s**2, vt.T
    squares, v = np.linalg.eigh(X.T @ X)
    return np.maximum(squares, 0.0), v


def _softmax(logarithms: np.ndarray) -> np.ndarray:
    shares = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)
