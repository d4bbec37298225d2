"""Screening of data in blocks: the first rows are looked at, which cost little to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from fewest.blocks.scan import Scan
from fewest.screening.finding import IDENTIFIERS
from fewest.screening.screen import Screening, screen
from fewest.table import split_regression_target, split_target


def screen_first_rows(
    scanned: Scan, keep: Sequence[str] = (), *, keep_all: bool = False, is_regression: bool = False
) -> Screening:
    """Screen the first batch of rows of a scan.

    Of data that has more rows only identifiers are left out: a column that does not vary, or repeats another, in the
    first rows may do otherwise in later ones.
    """
    batches = list(islice(scanned.batches([*scanned.feature_names, scanned.target_name], lambda *_: False), 2))
    split = split_regression_target if is_regression else split_target
    first = batches[0]
    if first[scanned.target_name].n_missing == first.n_rows:
        return Screening((), scanned.target_name)
    screening = screen(*split(first, scanned.target_name, missing_target="drop"), keep, keep_all=keep_all)
    if len(batches) == 1:
        return screening
    findings = tuple(
        replace(finding, is_left_out=finding.is_left_out and finding.kind in IDENTIFIERS)
        for finding in screening.findings
    )
    remark = (
        f"The rows are read in blocks, and only the first {first.n_rows:,} were looked at for identifiers, copies and "
        "leaks; identifiers alone are left out."
    )
    return replace(screening, findings=findings, remark=remark)
