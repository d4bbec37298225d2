"""What a user should hear about the data and the answer, whichever door they came in by."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np

from fewest.cover.answer import Answer
from fewest.cover.blocks.sample import AnySample
from fewest.exceptions import (
    ConflictingRowsError,
    ConflictingRowsWarning,
    ParameterError,
    StoppedEarlyWarning,
    contradiction_fact,
)

CONTRADICTION_RULES = ("warn", "raise")


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
