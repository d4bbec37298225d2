"""What screening found in the data, on a page: alarms above the answer, and all findings column by column."""

from __future__ import annotations

from typing import Any

from fewest.report.sections import MOST_LISTED, Section, make_section


def data_alarms(result: dict[str, Any]) -> list[str]:
    """Return the sentences that a reader must see before the answer: columns that may give the target away."""
    return list((result.get("screening") or {}).get("alarms", ()))


def findings_section(result: dict[str, Any]) -> Section | None:
    """List what each column looks like that is more or less than a feature; nothing if there is none."""
    findings = (result.get("screening") or {}).get("findings")
    if not findings:
        return None
    shown = findings[:MOST_LISTED]
    return make_section("findings", "What the data looks like", findings=shown, n_hidden=len(findings) - len(shown))
