"""Make, while the documentation is built, what its pages of the papers show of the results kept beside this file.

Every experiment gets a figure, drawn from its rows, and a text that the page of its paper includes: the claim, the
two verdicts, the demands with their numbers, published numbers beside ours, and what the paper leaves open. The
index gets a row each.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from fewest.papers.claims import CLAIMS, EXPERIMENTS
from fewest.papers.plots import COLOURS, new_figure
from fewest.papers.results import by_threshold, drawn, more_runs, needed

sys.path.insert(0, str(Path(__file__).parent))
from collect import HERE, RESULTS, kept

SHOWN = HERE / "_shown"
MARKS = {"holds": "✓ holds", "does not hold": "✗ does not hold", "not decided": "? not decided", None: ""}
WORDS = {"holds": "true", "does not hold": "**not true**", "not decided": "*not decided*"}
PAGES = {
    "focus": "Almuallim and Dietterich: the fewest features",
    "relief": "Kira and Rendell: relevance by neighbors",
    "winnow": "Littlestone: few mistakes",
    "wrapper": "Ng: which features help a learner",
    "cfp": "Güvenir and Şirin: partitions that vote",
    "beyond": "Beyond the papers",
}


def write_all() -> None:
    """Write figures, texts and the index, only what is new, so that a second build is quick."""
    SHOWN.mkdir(exist_ok=True)
    known = [name for name in CLAIMS if (HERE / name / RESULTS).is_file()]
    for name in known:
        results = kept(name)
        newest = max(file.stat().st_mtime for file in (HERE / name).glob("*.json"))
        figure = SHOWN / f"{name}.svg"
        if not figure.exists() or figure.stat().st_mtime < newest:
            figure.write_bytes(drawn(EXPERIMENTS[name].draw(results["rows"]), "svg"))
        _write(SHOWN / f"{name}.md", section(results))
    _write(SHOWN / "index.md", overview([kept(name) for name in known]))
    beyond = [name for name in known if CLAIMS[name].paper == "beyond"]
    asked = [
        f"- **{claim.name}**, asked and not yet run at a scale worth showing: {claim.sentence}"
        for claim in CLAIMS.values()
        if claim.paper == "beyond" and claim.name not in known
    ]
    _write(SHOWN / "beyond.md", "\n".join([*(section(kept(name)) for name in beyond), *asked, ""]))
    _write(SHOWN / "counts.md", counts([kept(name) for name in known if CLAIMS[name].paper != "beyond"]))
    figure = SHOWN / "cfp-counter-example.svg"
    if not figure.exists():
        figure.write_bytes(drawn(counter_example(), "svg"))


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def counts(collected: list[dict]) -> str:
    """Return in a sentence how many claims hold."""

    def how_many(key: str, verdict: str) -> int:
        return sum(results[key] == verdict for results in collected)

    numbers, words = (
        f"{how_many(key, 'holds')} hold, {how_many(key, 'does not hold')} do not, {how_many(key, 'not decided')} are "
        "not decided"
        for key in ("verdict", "words")
    )
    n_words = sum(results["words"] is not None for results in collected)
    return (
        f"Of {len(collected)} claims, by the numbers and orderings that they state, {numbers}. {n_words} also use "
        f"words; of these, by our thresholds, {words}.\n"
    )


def overview(collected: list[dict]) -> str:
    """Return the claims as tables, one a paper, with a thumbnail each."""
    lines = []
    for paper, title in PAGES.items():
        some = [results for results in collected if CLAIMS[results["experiment"]].paper == paper]
        if not some:
            continue
        lines += [f"\n## [{title}]({paper}.md)\n", "| | claim | numbers and orderings | words |", "|---|---|---|---|"]
        for results in some:
            name = results["experiment"]
            picture = f"[![{name}](_shown/{name}.svg){{width=130px}}]({paper}.md#{name})"
            claim = f"**[{name}]({paper}.md#{name})** {cell(results['claim'])}"
            lines.append(f"| {picture} | {claim} | {MARKS[results['verdict']]} | {MARKS[results['words']]} |")
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """Return text for a cell of a table, whose bars must not end it."""
    return text.replace("|", "\\|")


def counter_example() -> Figure:
    """Draw what CFP makes of six examples of one feature: classes apart, and within one interval."""
    from fewest.cfp.bounds import smallest_limit
    from fewest.cfp.concept import Concept
    from fewest.cfp.options import Settings

    epsilon = 0.25
    values = {
        "classes apart": (0.05, 0.15, 0.2, 0.8, 0.9, 0.95),
        "within one interval": (0.28, 0.32, 0.36, 0.40, 0.44, 0.48),
    }
    classes = {"classes apart": (0, 0, 0, 1, 1, 1), "within one interval": (0, 1, 0, 1, 0, 1)}
    figure, panels = new_figure(2, width=5, height=2.2)
    for ax, (title, x) in zip(panels, values.items(), strict=True):
        y = np.array(classes[title])
        settings = Settings(delta=0.0, inclusive=True)
        empty = Concept.empty(np.array([smallest_limit(epsilon)]), 2, settings)
        made = empty.learned([np.array(x)], y, compiled=False).n_partitions
        for c in (0, 1):
            ax.plot(np.array(x)[y == c], [0] * int((y == c).sum()), "os"[c], color=COLOURS[c], markersize=8)
        for edge in np.arange(0, 1.01, epsilon):
            ax.axvline(edge, color="0.8", linewidth=0.8)
        ax.set_yticks([])
        ax.set_xlim(-0.02, 1.02)
        ax.set_title(f"{title}: {made} partitions, the theorem allows {round(1 / epsilon)}", fontsize=10)
    return figure


def line(check: dict) -> str:
    """Return a demand as a line of a list."""
    numbers = f" ({check['measured']})" if check["measured"] else ""
    reason = f" {check['reason']}" if check["reason"] else ""
    reading = f" *{by_threshold(check['reading'])}*" if check["reading"] and check["reading"]["verdicts"] else ""
    return f"- {WORDS[check['verdict']]}: {check['statement']}{numbers}{reading}{reason}{more_runs(check)}"


def folded(title: str, lines: list[str]) -> list[str]:
    """Return lines that a reader opens."""
    return ["", "<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>", ""] if lines else []


def compared(comparisons: list[dict]) -> list[str]:
    """Return published numbers beside ours, as a table."""
    if not comparisons:
        return []
    lines = ["| | published | ours | standard error | |", "|---|---|---|---|---|"]
    for c in comparisons:
        error = "" if c["error"] is None else f"{c['error']:.2g}"
        note = f"{c['verdict']}. {c['note']}" if c["note"] else c["verdict"]
        lines.append(f"| {cell(c['quantity'])} | {c['published']:,.6g} | {c['ours']:,.6g} | {error} | {cell(note)} |")
    return lines


def section(results: dict) -> str:
    """Return an experiment as text."""
    name, checks = results["experiment"], results["checks"]
    stated = [line(check) for check in checks if check["counts"] and not check["reading"]]
    words = [line(check) for check in checks if check["counts"] and check["reading"]]
    beside = [line(check) for check in checks if not check["counts"]]
    verdict = f"**{MARKS[results['verdict']]}**" + (f"; its words: **{MARKS[results['words']]}**" if words else "")
    rows = compared(results["comparisons"])
    return "\n".join(
        [
            f"({name})=\n## {name}\n",
            f"> {results['claim']} ({results['source']})\n",
            f"{verdict}, measured by `{results['command']}`"
            + (f" and `{results['decided_by']}`" if "decided_by" in results else "")
            + ".\n",
            f"![{results['claim']}](_shown/{name}.svg)\n",
            "What it states:\n",
            *stated,
            *(["\nIts words, by thresholds that are ours:\n", *words] if words else []),
            *(["\nPublished, and ours:\n", *rows] if 0 < len(rows) <= 6 else folded("Published, and ours", rows)),
            *folded("How many runs decide it", [*_plan(results), *(f"- {one}" for one in needed(results["looks"]))])
            * bool(results["looks"]),
            *folded("Beside the claim", beside),
            *folded("What the claim leaves open", [f"- {sentence}" for sentence in results["assumptions"]]),
            "",
        ]
    )


def _plan(results: dict) -> list[str]:
    """State the rule by which runs were ended."""
    return [
        f"A demand was decided when {results['standard_errors']:.2f} standard errors spoke for or against it, so many "
        "that to look several times misleads no more often than one look at 2. After each look: how many runs would "
        "decide what is left in 95 of 100 repetitions, were it met, or missed, by as much as measured so far.\n"
    ]


if __name__ == "__main__":
    write_all()
