"""Copy the results of ``fewest reproduce`` here, and write the page that shows them.

    python docs/papers/collect.py reproduction

Of every experiment the largest scale that was run is taken: its numbers
(results.json, results.csv) and its figure (figure.svg).
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from fewest.papers.claims import EXPERIMENTS
from fewest.papers.experiment import SCALES

HERE = Path(__file__).parent
KEPT = ("results.json", "results.csv", "figure.svg")
HEADING = """# The papers, run again

What `fewest reproduce` measured: the claim of every figure, table and theorem as its paper makes it, whether it
holds, and published numbers beside ours. What would count as holding was decided from the papers alone. A claim is
not decided where what was measured is too uncertain to tell, however it may look; each section says by how much we
differ, and the likeliest reason. It also names the command that made it; its numbers and its figure are beside it.
Written by `python docs/papers/collect.py`.
"""
WORDS = {"holds": "true", "does not hold": "**not true**", "not decided": "*not decided*"}


def largest(output: Path, name: str) -> Path | None:
    """Return the folder of the largest scale at which an experiment was run to its end."""
    folders = [output / f"{name}-{scale}" for scale in reversed(SCALES)]
    return next((folder for folder in folders if (folder / KEPT[0]).is_file()), None)


def overview(collected: list[dict]) -> str:
    """Return the verdicts as a table."""
    lines = ["", "| claim | verdict | scale |", "|---|---|---|"]
    lines += [f"| [{d['experiment']}](#{d['experiment']}) | {d['verdict']} | {d['scale']} |" for d in collected]
    return "\n".join(lines) + "\n"


def line(check: dict) -> str:
    """Return a demand, whether it is met, by what numbers, and if not, why that may be."""
    numbers = f" ({check['measured']})" if check["measured"] else ""
    reason = f" {check['reason']}" if check["reason"] else ""
    return f"- {WORDS[check['verdict']]}: {check['statement']}{numbers}{reason}"


def section(results: dict) -> str:
    """Return an experiment as text."""
    name, verdict = results["experiment"], results["verdict"].capitalize()
    beside = [line(check) for check in results["checks"] if not check["counts"]]
    lines = [
        f"\n## {name}\n",
        f"{results['claim']} ({results['source']})\n",
        f"**{verdict}** at scale {results['scale']}: `{results['command']}`\n",
        f"![{name}]({name}/figure.svg)\n",
        *(line(check) for check in results["checks"] if check["counts"]),
        *(["", "Beside the claim:", "", *beside] if beside else []),
    ]
    if results["comparisons"]:
        lines += ["", "| | published | ours | standard error | |", "|---|---|---|---|---|"]
        for c in results["comparisons"]:
            error = "" if c["error"] is None else f"{c['error']:.2g}"
            note = f"{c['verdict']}. {c['note']}" if c["note"] else c["verdict"]
            lines.append(f"| {c['quantity']} | {c['published']:,.6g} | {c['ours']:,.6g} | {error} | {note} |")
    if results["assumptions"]:
        lines += ["", "What the paper does not say:", "", *(f"- {sentence}" for sentence in results["assumptions"])]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Copy and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, help="the folder that fewest reproduce wrote")
    output = parser.parse_args().output
    for name in EXPERIMENTS:
        folder = largest(output, name)
        if folder is not None:
            (HERE / name).mkdir(exist_ok=True)
            for file in KEPT:
                shutil.copyfile(folder / file, HERE / name / file)
    known = [HERE / name / KEPT[0] for name in EXPERIMENTS if (HERE / name / KEPT[0]).is_file()]
    collected = [json.loads(path.read_text(encoding="utf-8")) for path in known]
    text = HEADING + overview(collected) + "".join(section(results) for results in collected)
    (HERE / "index.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
