"""Which numeric columns are compared by interval: the options, and where the columns are cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import options as opt
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from fewest.table import Table
    from fewest.table.discretize import Cuts

Bins = Annotated[
    bool,
    typer.Option(
        "--bins",
        help="Cut numeric columns into intervals, where that carries enough information about the class.",
        rich_help_panel=opt.COMPARING,
    ),
]
ExactValues = Annotated[
    bool,
    typer.Option(
        "--exact-values",
        help="Compare numeric values for equality, not by interval.",
        rich_help_panel=opt.COMPARING,
    ),
]


@dataclass(frozen=True)
class Intervals:
    """Which numeric columns are compared by interval: none, those of many values, or all."""

    which: str

    @classmethod
    def parse(cls, bins: bool, exact_values: bool, comparing: opt.Comparing) -> Intervals:
        """Return what the options ask for: by default those of many values, which equality would make identifiers."""
        if bins and exact_values:
            raise ParameterError("--bins cuts numeric columns, and --exact-values does not. Choose one.")
        if bins:
            return cls("all")
        return cls("none" if exact_values or comparing.margin is not None else "many")

    def cuts(self, features: Table, classes: np.ndarray, is_over: Callable[[], bool] | None = None) -> Cuts:
        """Return where numeric columns are cut, as some rows and their classes show, unless the time is over before."""
        if self.which == "none":
            return {}
        from fewest.table.discretize import interval_cuts, sensible_cuts

        return (interval_cuts if self.which == "all" else sensible_cuts)(features, classes, is_over)

    @staticmethod
    def applied(features: Table, cuts: Cuts) -> Table:
        """Return the features with intervals in place of numbers."""
        from fewest.table.discretize import cut_columns

        return cut_columns(features, cuts) if cuts else features
