"""What a run leaves behind: numbers, pictures, and a page that puts ours beside the document's."""

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
from fewest.version import __version__
from fewest.writing import written_beside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RESULTS, TABLE, PAGE, SVG, PNG = "results.json", "results.csv", "index.html", "figure.svg", "figure.png"


def folder_of(output: Path, name: str, scale: str) -> Path:
    """Return where the results of an experiment at a scale go."""
    return output / f"{name}-{scale}"


def write(outcome: Outcome, folder: Path) -> None:
    """Write everything, each file beside what was there and renamed."""
    from fewest.papers.page import page

    document = as_document(outcome)
    figure = outcome.experiment.draw(outcome.rows)
    svg = _drawn(figure, "svg")
    _save(folder / RESULTS, json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n")
    _save(folder / TABLE, _as_csv(outcome.rows))
    _save(folder / SVG, svg)
    _save(folder / PNG, _drawn(figure, "png"))
    _save(folder / PAGE, page(document, svg.decode()).encode())


def as_document(outcome: Outcome) -> dict[str, Any]:
    """Return all there is to know about an outcome as what JSON knows; no clock in it, so that equal runs are equal."""
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
                "verdict": compared.told(),
                "note": "" if compared.agrees else compared.note,
            }
            for compared in outcome.comparisons
        ],
        "assumptions": list(experiment.assumptions),
        "rows": outcome.rows,
    }


def last_verdict(output: Path, name: str) -> str:
    """Return what the newest results of an experiment say; nothing if there are none."""
    found = [(folder_of(output, name, scale) / RESULTS, scale) for scale in SCALES]
    newest = max((pair for pair in found if pair[0].is_file()), key=lambda pair: pair[0].stat().st_mtime, default=None)
    if newest is None:
        return "-"
    try:
        verdict = Verdict(json.loads(newest[0].read_text(encoding="utf-8"))["verdict"])
    except (ValueError, KeyError):
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
    """Return a picture that is the same whenever it is drawn."""
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
