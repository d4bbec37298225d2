"""The files that a run writes: numbers, figures, and a page that puts ours beside the paper's."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.papers.experiment import SCALES, Outcome
from fewest.papers.verdict import Verdict
from fewest.reading import parsed_json, read_whole
from fewest.version import __version__
from fewest.writing import written_beside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RESULTS, TABLE, PAGE, SVG, PNG = "results.json", "results.csv", "index.html", "figure.svg", "figure.png"
SENTENCES = {
    Verdict.HOLDS: "The claim holds.",
    Verdict.FAILS: "The claim does not hold.",
    Verdict.UNDECIDED: "The claim is not decided at this scale.",
}
WORDS = {Verdict.HOLDS: "true", Verdict.FAILS: "NOT TRUE", Verdict.UNDECIDED: "not decided"}


def folder_of(output: Path, name: str, scale: str) -> Path:
    """Return where the results of an experiment at a scale go."""
    return output / f"{name}-{scale}"


def write(outcome: Outcome, folder: Path) -> None:
    """Write everything, each file beside what was there and renamed."""
    results = as_results(outcome)
    figure = outcome.experiment.draw(outcome.rows)
    svg = _drawn(figure, "svg")
    _save(folder / RESULTS, json.dumps(results, indent=1, ensure_ascii=False).encode() + b"\n")
    _save(folder / TABLE, _as_csv(outcome.rows))
    _save(folder / SVG, svg)
    _save(folder / PNG, _drawn(figure, "png"))
    _save(folder / PAGE, page(results, svg.decode()).encode())


def as_results(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data, which ``results.json`` keeps; without a clock, so that equal runs are equal."""
    experiment = outcome.experiment
    return {
        "experiment": experiment.name,
        "claim": experiment.claim.sentence,
        "source": experiment.claim.source,
        "scale": outcome.scale,
        "command": f"fewest reproduce {experiment.name} --scale {outcome.scale}",
        "version": __version__,
        "verdict": outcome.verdict.value,
        "checks": [
            {
                "statement": check.statement,
                "verdict": check.verdict.value,
                "measured": check.measured,
                "reason": "" if check.verdict is Verdict.HOLDS else check.reason,
                "counts": check.counts,
            }
            for check in outcome.checks
        ],
        "comparisons": [
            {
                "quantity": compared.quantity,
                "published": compared.published,
                "ours": compared.ours,
                "error": compared.error if isfinite(compared.error) else None,
                "verdict": compared.sentence(),
                "note": "" if compared.agrees else compared.note,
            }
            for compared in outcome.comparisons
        ],
        "assumptions": list(experiment.assumptions),
        "rows": outcome.rows,
    }


def page(results: dict[str, Any], svg: str) -> str:
    """Return the page of an experiment: the claim, its verdict, the figure, published numbers beside ours, all rows.

    Equal results give equal pages.
    """
    from fewest.report.render import render
    from fewest.report.sections import figure_section, listed_section, records_section
    from fewest.report.summarize import FOUND, NOTHING, STOPPED

    status = {Verdict.HOLDS: FOUND, Verdict.FAILS: NOTHING, Verdict.UNDECIDED: STOPPED}[results["verdict"]]
    demands, beside = ([c for c in results["checks"] if c["counts"] is counts] for counts in (True, False))
    n_true = sum(check["verdict"] == Verdict.HOLDS for check in demands)
    sections = [
        figure_section("The figure", svg, results["claim"]),
        listed_section("What the claim demands", [_sentence(check) for check in demands]),
        _compared(results["comparisons"]),
        listed_section("Beside the claim", [_sentence(check) for check in beside]),
        listed_section("What the paper does not say", results["assumptions"]),
        records_section("All numbers", results["rows"], is_open=False) if results["rows"] else None,
    ]
    return render(
        {
            "title": results["experiment"],
            "answer": {
                "status": status,
                "claim": results["claim"],
                "proof": SENTENCES[results["verdict"]],
                "reasons": [_sentence(check) for check in demands if check["verdict"] != Verdict.HOLDS],
                "how": results["command"],
                "effort": f"{results['source']}; scale {results['scale']}; fewest {results['version']}",
                "features": [],
                "facts": [
                    {"value": f"{n_true} of {len(demands)}", "label": "demands of the claim are true"},
                    {"value": f"{len(results['rows']):,}", "label": "measurements"},
                ],
            },
            "notes": [],
            "sections": [section for section in sections if section is not None],
        }
    )


def _sentence(check: dict[str, Any]) -> str:
    """State whether a demand is met, by what numbers, and if it is not, why that may be."""
    numbers = f" ({check['measured']})" if check["measured"] else ""
    reason = f" {check['reason']}" if check["reason"] else ""
    return f"{WORDS[check['verdict']]}: {check['statement']}{numbers}{reason}"


def _compared(comparisons: list[dict[str, Any]]) -> dict[str, Any] | None:
    from fewest.report.sections import records_section

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


def last_verdict(output: Path, name: str) -> str:
    """Return the verdict of the newest results of an experiment with their scale; "-" if there are none."""
    found = [(folder_of(output, name, scale) / RESULTS, scale) for scale in SCALES]
    newest = max((pair for pair in found if pair[0].is_file()), key=lambda pair: pair[0].stat().st_mtime, default=None)
    if newest is None:
        return "-"
    try:
        verdict = Verdict(parsed_json(read_whole(newest[0]))["verdict"])
    except (ValueError, KeyError, TypeError, OSError):
        return "unreadable"
    return f"{verdict} ({newest[1]})"


def _as_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, [*dict.fromkeys(name for row in rows for name in row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue().encode()


def _drawn(figure: Figure, kind: str) -> bytes:
    """Return a figure in a file format, the same bytes whenever it is drawn."""
    import matplotlib as mpl

    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "fewest", "svg.fonttype": "path"}):
        metadata: dict[str, Any] = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
        figure.savefig(file, format=kind, metadata=metadata, dpi=120)
    return file.getvalue()


def _save(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_beside(path) as file:
        file.write(content)
