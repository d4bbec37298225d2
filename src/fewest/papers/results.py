"""The files that a run writes: numbers, figures, and a page that puts ours beside the paper's."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from math import ceil, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.papers.experiment import DECIDE, SCALES, Outcome
from fewest.papers.verdict import BEYOND_CHANCE, Check, Verdict
from fewest.reading import parsed_json, read_whole
from fewest.version import __version__
from fewest.writing import written_beside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What docs/papers/ shows, in short, so that an installed program knows it.
RECORDED = "recorded.json"
RESULTS, TABLE, PAGE, SVG, PNG = "results.json", "results.csv", "index.html", "figure.svg", "figure.png"
SENTENCES = {
    Verdict.HOLDS: "The claim holds.",
    Verdict.FAILS: "The claim does not hold.",
    Verdict.UNDECIDED: "The claim is not decided at this scale.",
}
OF_WORDS = {
    Verdict.HOLDS: "So do its words, by our thresholds.",
    Verdict.FAILS: "Not all of its words hold by our thresholds, which are not the paper's.",
    Verdict.UNDECIDED: "Its words are not decided by our thresholds.",
}
WORDS = {Verdict.HOLDS: "true", Verdict.FAILS: "NOT TRUE", Verdict.UNDECIDED: "not decided"}


def folder_of(output: Path, name: str, scale: str) -> Path:
    """Return where the results of an experiment at a scale go."""
    return output / f"{name}-{scale}"


def write(outcome: Outcome, folder: Path) -> None:
    """Write everything, each file beside what was there and renamed."""
    results = as_results(outcome)
    figure = outcome.experiment.draw(outcome.rows)
    svg = drawn(figure, "svg")
    _save(folder / RESULTS, json.dumps(results, indent=1, ensure_ascii=False).encode() + b"\n")
    _save(folder / TABLE, _as_csv(outcome.rows))
    _save(folder / SVG, svg)
    _save(folder / PNG, drawn(figure, "png"))
    _save(folder / PAGE, page(results, svg.decode()).encode())


def as_results(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data, which ``results.json`` keeps; without a clock, so that equal runs are equal."""
    experiment = outcome.experiment
    beyond = experiment.plan.beyond if experiment.plan is not None and outcome.looks else BEYOND_CHANCE
    return {
        "experiment": experiment.name,
        "claim": experiment.claim.sentence,
        "source": experiment.claim.source,
        "scale": outcome.scale,
        "command": f"fewest reproduce {experiment.name} --scale {outcome.scale}",
        "version": __version__,
        "verdict": outcome.verdict.value,
        "words": outcome.words and outcome.words.value,
        "checks": [
            {
                "statement": check.statement,
                "verdict": check.verdict.value,
                "measured": check.measured,
                "reason": "" if check.verdict is Verdict.HOLDS else check.reason,
                "counts": check.counts,
                "reading": _reading(check, beyond),
                "times_the_runs": _more_runs(check, beyond),
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
        "looks": [
            {
                "runs": look.runs,
                "undecided": [
                    {"statement": what, "runs": ceil(runs) if isfinite(runs) else None} for what, runs in look.undecided
                ],
            }
            for look in outcome.looks
        ],
        "standard_errors": beyond,
        "assumptions": list(experiment.assumptions),
        "rows": outcome.rows,
    }


def _reading(check: Check, beyond: float) -> dict[str, Any] | None:
    """Return the threshold that a word was given, and the verdict with it and with others; None for numbers."""
    if check.reading is None:
        return None
    verdicts = [{"threshold": t, "verdict": verdict.value} for t, verdict in check.reading.verdicts(beyond)]
    return {"threshold": check.reading.threshold, "unit": check.reading.unit, "verdicts": verdicts}


def _more_runs(check: Check, beyond: float) -> float | None:
    """Return how many times the runs would decide a check in 95 of 100 repetitions; None if it is decided."""
    times = check.times_the_runs(beyond)
    is_open = check.verdict is Verdict.UNDECIDED and check.margins and isfinite(times)
    return float(f"{times:.2g}") if is_open else None


def more_runs(check: dict[str, Any]) -> str:
    """Write how many times the runs would decide what is not decided."""
    times = check.get("times_the_runs")
    return f" {times:,g} times the runs would decide it in 95 of 100 repetitions, were it so." if times else ""


def by_threshold(reading: dict[str, Any]) -> str:
    """Write how the verdict on a word changes with its threshold, neighbours of one verdict together."""
    names = {Verdict.HOLDS: "holds", Verdict.FAILS: "does not", Verdict.UNDECIDED: "not decided"}
    groups: list[tuple[str, list[str]]] = []
    for one in reading["verdicts"]:
        shown = f"{one['threshold']:g}" + (" (ours)" if one["threshold"] == reading["threshold"] else "")
        verdict = names[Verdict(one["verdict"])]
        if not groups or groups[-1][0] != verdict:
            groups.append((verdict, []))
        groups[-1][1].append(shown)
    unit = reading["unit"]
    return f"By threshold, in {unit}: " + "; ".join(f"{verdict} at {', '.join(each)}" for verdict, each in groups) + "."


def needed(looks: list[dict[str, Any]]) -> list[str]:
    """Write what each look saw, and how many runs it said would decide the rest."""
    lines = []
    for look in looks:
        left = [
            f"{'no number' if one['runs'] is None else format(one['runs'], ',')} would decide: {one['statement']}"
            for one in look["undecided"]
        ]
        lines.append(f"After {look['runs']:,} runs: {' '.join(left) if left else 'all is decided.'}")
    return lines


def page(results: dict[str, Any], svg: str) -> str:
    """Return the page of an experiment: the claim, its verdict, the figure, published numbers beside ours, all rows.

    Equal results give equal pages.
    """
    from fewest.report.render import render
    from fewest.report.sections import figure_section, listed_section, records_section
    from fewest.report.summarize import FOUND, NOTHING, STOPPED

    words = results["words"]
    status = {Verdict.HOLDS: FOUND, Verdict.FAILS: NOTHING, Verdict.UNDECIDED: STOPPED}[results["verdict"]]
    demands, beside = ([c for c in results["checks"] if c["counts"] is counts] for counts in (True, False))
    n_true = sum(check["verdict"] == Verdict.HOLDS for check in demands)
    stated, worded = ([c for c in demands if (c["reading"] is not None) is words] for words in (False, True))
    sections = [
        figure_section("The figure", svg, results["claim"]),
        listed_section("What the claim demands", [_sentence(check) for check in stated]),
        listed_section("Its words, by thresholds that are ours", [_sentence(check) for check in worded]),
        listed_section("When it was looked at, and how many runs would decide", needed(results["looks"])),
        _compared(results["comparisons"]),
        listed_section("Beside the claim", [_sentence(check) for check in beside]),
        listed_section("What the claim leaves open", results["assumptions"]),
        records_section("All numbers", results["rows"], is_open=False) if results["rows"] else None,
    ]
    return render(
        {
            "title": results["experiment"],
            "answer": {
                "status": status,
                "claim": results["claim"],
                "proof": " ".join([SENTENCES[results["verdict"]], *([OF_WORDS[words]] if words else [])]),
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
    reading = f" {by_threshold(check['reading'])}" if check["reading"] else ""
    return f"{WORDS[check['verdict']]}: {check['statement']}{numbers}{reading}{reason}{more_runs(check)}"


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
    found = [(folder_of(output, name, scale) / RESULTS, scale) for scale in (*SCALES, DECIDE)]
    newest = max((pair for pair in found if pair[0].is_file()), key=lambda pair: pair[0].stat().st_mtime, default=None)
    if newest is None:
        return "-"
    try:
        return in_short(parsed_json(read_whole(newest[0])))
    except (ValueError, KeyError, TypeError, OSError):
        return "unreadable"


def in_short(results: dict[str, Any]) -> str:
    """Return the verdict of results with that of its words, where it has some and it is another, and the scale."""
    verdict = Verdict(results["verdict"])
    words = Verdict(results["words"]) if results.get("words") else verdict
    beside = "" if words is verdict else f"; its words: {words}"
    return f"{verdict}{beside} ({results['scale']})"


def merged(results: dict[str, Any], decided: dict[str, Any]) -> dict[str, Any]:
    """Return results with the demands of a decision in the place of theirs, and what was looked at for it."""
    known = {check["statement"]: check for check in decided["checks"]}
    checks = [known.pop(check["statement"], check) for check in results["checks"]]
    checks += [check for check in known.values() if not check["counts"]]
    of_kind = [[c for c in checks if c["counts"] and (c["reading"] is not None) is words] for words in (False, True)]
    return {
        **results,
        "checks": checks,
        "verdict": _together(of_kind[0]) or Verdict.HOLDS.value,
        "words": _together(of_kind[1]),
        "looks": decided["looks"],
        "standard_errors": decided["standard_errors"],
        "decided_by": decided["command"],
    }


def _together(checks: list[dict[str, Any]]) -> str | None:
    verdicts = {check["verdict"] for check in checks}
    ranked = (Verdict.FAILS, Verdict.UNDECIDED, Verdict.HOLDS)
    return next((verdict.value for verdict in ranked if verdict.value in verdicts), None)


def recorded_verdicts() -> dict[str, str]:
    """Return the verdict of every experiment that the documentation shows, with its scale, by name."""
    known = json.loads((Path(__file__).parent / RECORDED).read_text(encoding="utf-8"))
    return {name: in_short(results) for name, results in known.items()}


def _as_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, [*dict.fromkeys(name for row in rows for name in row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue().encode()


def drawn(figure: Figure, kind: str) -> bytes:
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
