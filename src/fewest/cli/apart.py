"""Which rows may not be on both sides of a split: those of one group, or the past and the future."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import options as opt
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    import numpy as np

    from fewest.comparison.folds import Fold, Splitting
    from fewest.table import Column, Table

Groups = Annotated[
    str | None,
    typer.Option(
        metavar="COL",
        help="Rows with the same value here, such as those of a patient, are never on both sides; no feature.",
        rich_help_panel=opt.DATA,
    ),
]
Time = Annotated[
    str | None,
    typer.Option(
        metavar="COL",
        help="The time of a row: earlier rows learn, later ones judge; no feature.",
        rich_help_panel=opt.DATA,
    ),
]


@dataclass(frozen=True)
class Apart:
    """Which rows are kept apart: a group of options, which `app.spread` gives to the verbs that ask for it."""

    groups: Groups = None
    time: Time = None

    def given(self) -> dict[str, str | None]:
        """Return the options by name, None where one was not given."""
        return {"--groups": self.groups, "--time": self.time}

    @property
    def option(self) -> str | None:
        """Return the name of the option that was given, if any was."""
        return next((option for option, column in self.given().items() if column is not None), None)

    def divided(
        self, features: Table, target: Column, n_splits: int = 5, n_repeats: int = 1
    ) -> tuple[Table, Column, Splitting]:
        """Return features and target, in the order of time if there is one, and how the rows are divided."""
        features, splitting, order = self._read(features, n_splits, n_repeats)
        if order is not None:
            features, target = features.take(order), replace(target, values=target.values[order])
        return features, target, splitting

    def folds(self, features: Table, target: Column) -> tuple[Table, list[Fold] | None]:
        """Return the features in the order that they have, and the folds of classes; None for any."""
        from fewest.comparison.metrics import Task

        features, splitting, order = self._read(features)
        if self.option is None:
            return features, None
        values = target.values.astype(int) if order is None else target.values[order].astype(int)
        parts = splitting.outer(values, Task.of(values, len(target.labels)), 0)
        return features, parts if order is None else [(order[seen], order[unseen]) for seen, unseen in parts]

    def _read(
        self, features: Table, n_splits: int = 5, n_repeats: int = 1
    ) -> tuple[Table, Splitting, np.ndarray | None]:
        """Return the features without the column named, how rows are divided, and the rows in the order of time."""
        from fewest.comparison.folds import Splitting

        if self.groups is not None and self.time is not None:
            raise ParameterError("Rows are kept apart by --groups or by --time, not by both. Take one of them.")
        codes = None if self.groups is None else _ranks(features[self.groups], "--groups")
        order = None if self.time is None else _ranks(features[self.time], "--time").argsort(kind="stable")
        named = self.groups or self.time
        features = features if named is None else features.drop([named])
        return features, Splitting(n_splits, n_repeats, codes, order is not None), order


def _ranks(column: Column, option: str) -> np.ndarray:
    """Return the place of every value among the sorted values of a column."""
    import numpy as np

    if column.is_missing.any():
        raise ParameterError(
            f"{option} {column.name}: {int(column.is_missing.sum())} rows have no value there, so that nobody knows "
            "where they belong. Fill the gaps, or drop these rows."
        )
    if not column.labels:
        return np.unique(column.values, return_inverse=True)[1]
    place = np.argsort(np.argsort([str(label) for label in column.labels], kind="stable"))
    return place[column.values.astype(np.intp)]
