"""One page for an experiment: the claim, the verdict, the picture, published numbers beside ours, and every number."""

from __future__ import annotations

from typing import Any

from fewest.papers.verdict import Verdict
from fewest.report.render import render
from fewest.report.sections import Section, figure_section, listed_section, records_section
from fewest.report.summarize import FOUND, NOTHING, STOPPED

STATUS = {Verdict.HOLDS: FOUND, Verdict.FAILS: NOTHING, Verdict.UNDECIDED: STOPPED}
TOLD = {
    Verdict.HOLDS: "The claim holds.",
    Verdict.FAILS: "The claim does not hold.",
    Verdict.UNDECIDED: "The claim is not decided at this scale.",
}
WORDS = {Verdict.HOLDS: "true", Verdict.FAILS: "NOT TRUE", Verdict.UNDECIDED: "not decided"}


def page(document: dict[str, Any], svg: str) -> str:
    """Return a page that needs nothing else; equal documents make equal pages."""
    demands, beside = ([c for c in document["checks"] if c["counts"] is counts] for counts in (True, False))
    n_true = sum(check["verdict"] == Verdict.HOLDS for check in demands)
    sections = [
        figure_section("The figure", svg, document["claim"]),
        listed_section("What the claim demands", [told(check) for check in demands]),
        _compared(document["comparisons"]),
        listed_section("Beside the claim", [told(check) for check in beside]),
        listed_section("What the document does not say", document["assumptions"]),
        records_section("All numbers", document["rows"], is_open=False) if document["rows"] else None,
    ]
    return render(
        {
            "title": document["experiment"],
            "answer": {
                "status": STATUS[document["verdict"]],
                "claim": document["claim"],
                "proof": TOLD[document["verdict"]],
                "reasons": [told(check) for check in demands if check["verdict"] != Verdict.HOLDS],
                "how": document["command"],
                "effort": f"{document['source']}; scale {document['scale']}; fewest {document['version']}",
                "features": [],
                "facts": [
                    {"value": f"{n_true} of {len(demands)}", "label": "demands of the claim are true"},
                    {"value": f"{len(document['rows']):,}", "label": "measurements"},
                ],
            },
            "notes": [],
            "sections": [section for section in sections if section is not None],
        }
    )


def told(check: dict[str, Any]) -> str:
    """Say whether something is so, by what numbers, and if it is not, why that may be."""
    numbers = f" ({check['measured']})" if check["measured"] else ""
    reason = f" {check['reason']}" if check["reason"] else ""
    return f"{WORDS[check['verdict']]}: {check['statement']}{numbers}{reason}"


def _compared(comparisons: list[dict[str, Any]]) -> Section | None:
    if not comparisons:
        return None
    rows = [
        {
            "quantity": compared["quantity"],
            "published": compared["published"],
            "ours": compared["ours"],
            "± standard error": compared["error"],
            "verdict": compared["verdict"] + (f". {compared['note']}" if compared["note"] else ""),
        }
        for compared in comparisons
    ]
    return records_section("Published, and ours", rows)
