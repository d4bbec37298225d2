"""One page for an experiment: the claim, the verdict, the picture, published numbers beside ours, and every number."""

from __future__ import annotations

from typing import Any

from fewest.report.render import render
from fewest.report.sections import Section, figure_section, listed_section, records_section
from fewest.report.summarize import FOUND, NOTHING


def page(document: dict[str, Any], svg: str) -> str:
    """Return a page that needs nothing else; equal documents make equal pages."""
    n_true = sum(check["holds"] for check in document["checks"])
    sections = [
        figure_section("The figure", svg, document["claim"]),
        listed_section("What the claim demands", [_told(check) for check in document["checks"]]),
        _compared(document["comparisons"]),
        listed_section("What the document does not say", document["assumptions"]),
        records_section("All numbers", document["rows"], is_open=False) if document["rows"] else None,
    ]
    return render(
        {
            "title": document["experiment"],
            "answer": {
                "status": FOUND if document["holds"] else NOTHING,
                "claim": document["claim"],
                "proof": "The claim holds." if document["holds"] else "The claim does not hold.",
                "how": document["command"],
                "effort": f"{document['source']}; scale {document['scale']}; fewest {document['version']}",
                "features": [],
                "facts": [
                    {"value": f"{n_true} of {len(document['checks'])}", "label": "demands of the claim are true"},
                    {"value": f"{len(document['rows']):,}", "label": "measurements"},
                ],
            },
            "notes": [],
            "sections": [section for section in sections if section is not None],
        }
    )


def _told(check: dict[str, Any]) -> str:
    return f"{'true' if check['holds'] else 'NOT TRUE'}: {check['statement']}"


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
