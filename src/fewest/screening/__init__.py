"""Look at a table before any method runs: which columns say nothing, which say too much.

`screen` returns a `Screening` of findings. Identifiers, constants and copies of other columns are left out of a
selection by default; columns that give the class away are kept and shouted about. What there is: one file a kind of
finding (`identifiers`, `copies`, `leaks`, `values_as_text`), the `profile` of a column that they share, `finding` with
its sentences for people, `screen`, which puts them together, also for data in blocks, and the warning of estimators
about `distinct_values`.
"""

from __future__ import annotations

from fewest.screening.finding import Finding, FindingKind
from fewest.screening.screen import Screening, screen

__all__ = ["Finding", "FindingKind", "Screening", "screen"]
