"""Keep the results of ``fewest reproduce`` here, for the pages that ``make docs`` makes of them.

    python docs/papers/collect.py reproduction    # take what was run
    python docs/papers/collect.py                 # judge what is kept once more, by the demands as they stand

Of every experiment the largest scale that was run is taken (results.json), and what scale decide found
(decided.json). The verdicts in short go to ``src/fewest/papers/recorded.json``, where the program finds them.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

from fewest.papers import results as written
from fewest.papers.claims import EXPERIMENTS
from fewest.papers.experiment import DECIDE, SCALES, Outcome
from fewest.papers.results import RECORDED, RESULTS, as_results, folder_of, merged
from fewest.papers.sequential import Look

HERE = Path(__file__).parent
DECIDED = "decided.json"
SHORT = ("verdict", "words", "scale", "version")


def main() -> None:
    """Copy, judge and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, nargs="?", help="the folder that fewest reproduce wrote")
    output = parser.parse_args().output
    for name in EXPERIMENTS:
        if output is not None:
            _take(output, name)
        for file in (HERE / name / RESULTS, HERE / name / DECIDED):
            if file.is_file():
                file.write_text(json.dumps(judged_again(read(file)), indent=1, ensure_ascii=False) + "\n", "utf-8")
    known = {name: {key: kept(name)[key] for key in SHORT} for name in EXPERIMENTS if (HERE / name / RESULTS).is_file()}
    text = json.dumps(known, indent=1) + "\n"
    (Path(written.__file__).parent / RECORDED).write_text(text, encoding="utf-8")


def _take(output: Path, name: str) -> None:
    """Copy the results of the largest scale that was run to its end, and of a decision."""
    largest = [folder_of(output, name, scale) / RESULTS for scale in reversed(SCALES)]
    sources = {RESULTS: next((file for file in largest if file.is_file()), None)}
    sources[DECIDED] = folder_of(output, name, DECIDE) / RESULTS
    for kind, source in sources.items():
        if source is not None and source.is_file():
            (HERE / name).mkdir(exist_ok=True)
            shutil.copyfile(source, HERE / name / kind)


def read(file: Path) -> dict:
    """Read results."""
    return json.loads(file.read_text(encoding="utf-8"))


def kept(name: str) -> dict:
    """Return the results of an experiment, with its decision where there was one."""
    results = read(HERE / name / RESULTS)
    decided = HERE / name / DECIDED
    return merged(results, read(decided)) if decided.is_file() else results


def judged_again(results: dict) -> dict:
    """Return results with the verdicts of the present demands on the rows that were measured."""
    experiment = EXPERIMENTS[results["experiment"]]
    rows = results["rows"]
    looks = tuple(
        Look(look["runs"], tuple((one["statement"], one["runs"] or float("inf")) for one in look["undecided"]))
        for look in results.get("looks", [])
    )
    checks = experiment.holds(rows)
    if experiment.plan is not None and looks:
        checks = [check.at(experiment.plan.beyond) for check in checks]
    comparisons = experiment.compare(rows) if experiment.compare else []
    again = as_results(Outcome(experiment, results["scale"], rows, checks, comparisons, looks))
    return {**again, "version": results["version"]}


if __name__ == "__main__":
    main()
