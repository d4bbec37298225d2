"""The predictions for a batch of rows: their lines, and what is to be said about them."""

from __future__ import annotations

import csv
import io
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from fewest.models.model import Model
    from fewest.table import Column, Table


@dataclass(frozen=True)
class Tally:
    """Numbers of rows: all, those with new values, those without a decision, and how right the rest is."""

    n_rows: int = 0
    n_unseen: int = 0
    n_undecided: int = 0
    n_labelled: int = 0
    n_right: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Teller:
    """Says what a model predicts, as CSV.

    Parameters
    ----------
    model : Model
    proba : bool
        Whether to add the probability of every class.
    abstain : str, optional
        What to say where nothing decides.
    truth : str, optional
        The column with the true classes.
    """

    model: Model
    proba: bool = False
    abstain: str | None = None
    truth: str | None = None

    @property
    def heading(self) -> str:
        """Return the first line."""
        return _csv(["row", "predicted", *(f"p({name})" for name in self.model.class_names if self.proba)])

    def tell(self, table: Table) -> tuple[str, Tally]:
        """Return the lines of a batch, and what is to be said about it."""
        import numpy as np

        from fewest.models.model import UNDECIDED

        answers = self.model.answers(table)
        names = self.model.class_names
        said = [*names, self.abstain or names[answers.otherwise]]
        told = np.where(answers.predicted == UNDECIDED, len(names), answers.predicted)
        n_labelled, n_right = (0, 0) if self.truth is None else _score(said, told, table[self.truth])
        tally = Tally(table.n_rows, answers.n_unseen, answers.n_undecided, n_labelled, n_right)
        written = [_csv([name]).removesuffix("\n") for name in said]
        start = table.row_number(0)
        lines = [f"{row},{written[code]}" for row, code in enumerate(told.tolist(), start=start)]
        if self.proba:
            lines = [
                ",".join([line, *(f"{share:.6g}" for share in shares)])
                for line, shares in zip(lines, answers.shares.tolist(), strict=True)
            ]
        return "\n".join(lines) + "\n", tally


def _score(said: list[str], told: np.ndarray, truth: Column) -> tuple[int, int]:
    """Return how many rows have a true class, and how many of these got it."""
    import numpy as np

    column = truth.by_value()
    labels = np.array([*map(str, column.labels), None], dtype=object)[column.values]  # -1, missing, finds the last
    return len(column) - column.n_missing, int((np.array(said, dtype=object)[told] == labels).sum())


def _csv(fields: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()
