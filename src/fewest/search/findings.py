"""What a user should hear about the data and the answer, whichever door they came in by."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fewest.exceptions import (
    ConflictingRowsError,
    ConflictingRowsWarning,
    IdentifierWarning,
    ParameterError,
    StoppedEarlyWarning,
    contradiction_fact,
    quoted,
)
from fewest.search.answer import Answer
from fewest.search.margins import Margin, absolute_margins
from fewest.search.streamed.sample import AnySample
from fewest.table import Table
from fewest.table.encode import identifiers

CONTRADICTION_RULES = ("warn", "raise")


SUBSET_OF_IDENTIFIERS = "the smallest subset may be such a column and mean nothing"
TREE_OF_IDENTIFIERS = "a tree may test such a column, know every training row by heart, and say nothing about others"


def report_identifiers(features: Table, danger: str = SUBSET_OF_IDENTIFIERS, margin: Margin | None = None) -> list[str]:
    """Warn of columns with mostly distinct values, and return their names; numbers with a margin may be distinct."""
    apart = {} if margin is None else absolute_margins(features, margin)
    names = identifiers(replace(features, columns=tuple(c for j, c in enumerate(features) if j not in apart)))
    warn_of_identifiers(names, danger)
    return names


def warn_of_identifiers(names: Sequence[str], danger: str = SUBSET_OF_IDENTIFIERS) -> None:
    """Warn of columns with mostly distinct values."""
    if names:
        columns, separate = ("Column", "separates") if len(names) == 1 else ("Columns", "each separate")
        warnings.warn(
            f"{columns} {quoted(names)} with mostly distinct values {separate} nearly all rows, so {danger}. "
            "Drop identifiers; give measurements a margin, or cut them into intervals.",
            IdentifierWarning,
            stacklevel=4,
        )


def report_contradictions(
    sample: AnySample,
    labels: Sequence | np.ndarray,
    rule: str = "warn",
    row_number: Callable[[int], int] = int,
) -> int:
    """Warn of, or refuse, rows that no feature separates though their classes differ; return the number of pairs.

    ``row_number`` tells the number under which the user knows a row.
    """
    if rule not in CONTRADICTION_RULES:
        raise ParameterError.from_choice("on_contradiction", rule, CONTRADICTION_RULES)
    if sample.is_tolerant or sample.contradiction is None:  # within the tolerance, contradictions are noise
        return 0
    i, j = (row_number(row) for row in sample.contradiction)
    told = tuple(str(labels[sample.class_of(row)]) for row in sample.contradiction)
    fact = contradiction_fact(i, j, told, sample.n_contradictions, hides_differences=sample.is_pairwise)
    if rule == "raise":
        raise ConflictingRowsError.from_fact(fact)
    limit = f", more than the {sample.n_tolerated:,} that the tolerance allows" if sample.tolerance else ""
    warnings.warn(
        f"{fact} No subset is sufficient for them{limit}; the answer "
        "separates every other pair. Correct or drop such rows if they are mistakes.",
        ConflictingRowsWarning,
        stacklevel=3,
    )
    return sample.n_contradictions


def report_stop(answer: Answer) -> None:
    """Warn when a search ended before its proof."""
    if answer.stopped_by is None:
        return
    known = (
        "It happens to be a smallest one."
        if answer.is_optimal
        else f"A sufficient subset has at least {answer.lower_bound} features; more time may tell."
    )
    warnings.warn(
        f"Stopped by the {answer.stopped_by} after {answer.n_sufficiency_tests:,} sufficiency tests. The answer of "
        f"{len(answer.subset)} features is sufficient and none of them can be left out. {known}",
        StoppedEarlyWarning,
        stacklevel=3,
    )
