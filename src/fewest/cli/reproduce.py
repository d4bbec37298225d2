"""``fewest reproduce``: run the documents' experiments again."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import engines
from fewest.cli import options as opt
from fewest.cli.output import aligned, print_json, print_jsonl
from fewest.cli.talk import complain, progress
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fewest.papers.experiment import Experiment, Outcome
    from fewest.papers.runner import Pool, Progress

DOES_NOT_HOLD = 1
ALL = "all"


class Scale(StrEnum):
    """How much is measured."""

    SMALL = "small"
    PAPER = "paper"
    FULL = "full"


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...", help="Experiments, papers, or all; without, they are listed.", show_default=False
        ),
    ] = None,
    scale: Annotated[
        Scale, typer.Option("--scale", "-s", help="Seconds each; as many runs as the document made; or far more.")
    ] = Scale.SMALL,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where results go, a folder an experiment.")
    ] = Path("reproduction"),
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes; -1 is one a core.")] = -1,
    scheduler: engines.Scheduler = None,
    workers: engines.Workers = None,
    again: Annotated[bool, typer.Option("--again", help="Forget what was measured before.")] = False,
    output_format: opt.OutputFormat = opt.Format.TABLE,
) -> None:
    """Run the experiments of the documents again, and say whether their claims hold.

    Each writes a folder: numbers (results.json, results.csv), the figure (figure.svg, figure.png), and a page
    (index.html) with published numbers beside ours. What is measured is kept: a run that was stopped goes on.
    The exit code is 1 if a claim does not hold.

    \b
    fewest reproduce
    fewest reproduce focus-figure-3
    fewest reproduce focus relief --scale paper
    fewest reproduce all --output results
    fewest reproduce all --scale full --scheduler tcp://cluster:8786
    """
    from fewest.papers.catalogue import EXPERIMENTS

    if not names:
        _list(EXPERIMENTS, output, output_format)
        return
    chosen = _chosen(EXPERIMENTS, names)
    where = engines.Where(engines.Engine.AUTO, scheduler, workers)
    outcomes = _run_all(chosen, scale, output, where, jobs, again)
    _print(outcomes, output, output_format)
    if not all(outcome.holds for outcome in outcomes):
        raise typer.Exit(DOES_NOT_HOLD)


def _chosen(experiments: dict[str, Experiment], names: list[str]) -> list[Experiment]:
    papers = {experiment.paper for experiment in experiments.values()}
    for name in names:
        if name != ALL and name not in papers and name not in experiments:
            raise ParameterError.from_choice("The experiment", name, [ALL, *sorted(papers), *experiments])
    return [e for e in experiments.values() if ALL in names or e.name in names or e.paper in names]


@contextmanager
def _pool(where: engines.Where, jobs: int) -> Iterator[tuple[Pool | None, int]]:
    """Yield who measures units, and how many at a time: a cluster, processes, or nobody but this one."""
    from fewest.papers.runner import workers
    from fewest.scale.threads import n_workers

    with where.crew() as crew:
        if crew is not None:
            yield crew, len(crew)
            return
        n_jobs = n_workers(jobs)
        with workers(n_jobs) as pool:
            yield pool, n_jobs


def _run_all(
    chosen: list[Experiment], scale: Scale, output: Path, where: engines.Where, jobs: int, again: bool
) -> list[Outcome]:
    from fewest.papers.folder import folder_of, write
    from fewest.papers.runner import JOURNAL, run
    from fewest.report.tree_drawing import check_drawable

    check_drawable(Path("figure.svg"))
    outcomes = []
    with _pool(where, jobs) as (pool, n_jobs), progress() as told:
        for k, experiment in enumerate(chosen):
            folder = folder_of(output, experiment.name, scale)
            if again:
                (folder / JOURNAL).unlink(missing_ok=True)
            listener = _listener(f"{experiment.name} ({k + 1} of {len(chosen)})", told)
            try:
                outcome = run(experiment, scale, folder, pool, n_jobs, listener)
            except KeyboardInterrupt:
                complain("note", f"{experiment.name} was interrupted. The same command will go on where it was.")
                raise
            write(outcome, folder)
            complain("note", f"{experiment.name}: {'holds' if outcome.holds else 'does not hold'}.")
            outcomes.append(outcome)
    return outcomes


def _listener(title: str, told: Callable[[str], None] | None) -> Callable[[Progress], None] | None:
    if told is None:
        return None

    def listen(state: Progress) -> None:
        left = "" if state.seconds_left is None else f", about {_duration(state.seconds_left)} left"
        told(f"{title}: {state.n_done:,} of {state.n_units:,}{left}")

    return listen


def _duration(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )


def _list(experiments: dict[str, Experiment], output: Path, output_format: opt.Format) -> None:
    from fewest.papers.folder import last_verdict

    records = [
        {"name": e.name, "source": e.source, "claim": e.claim, "last_verdict": last_verdict(output, e.name)}
        for e in experiments.values()
    ]
    if output_format is opt.Format.JSON:
        print_json({"experiments": records})
    elif output_format is opt.Format.JSONL:
        print_jsonl(records)
    else:
        for record in records:
            typer.echo(f"{record['name']:<24}{record['last_verdict']}\n    {record['claim']} ({record['source']})")


def _print(outcomes: list[Outcome], output: Path, output_format: opt.Format) -> None:
    from fewest.papers.folder import as_document, folder_of

    if output_format is opt.Format.JSON:
        print_json({"outcomes": [as_document(outcome) for outcome in outcomes]})
        return
    if output_format is opt.Format.JSONL:
        print_jsonl(as_document(outcome) for outcome in outcomes)
        return
    for outcome in outcomes:
        experiment = outcome.experiment
        verdict = "holds" if outcome.holds else "DOES NOT HOLD"
        typer.echo(f"{experiment.name}: {experiment.claim}\n{verdict} ({experiment.source}, scale {outcome.scale})")
        for check in outcome.checks:
            typer.echo(f"  {'true ' if check.holds else 'FALSE'}  {check.statement}")
        if outcome.comparisons:
            rows: list[tuple[object, ...]] = [("", "published", "ours", "+-", "")]
            rows += [
                (c.quantity, f"{c.published:,.6g}", f"{c.ours:,.6g}", f"{c.error:.2g}", c.told())
                for c in outcome.comparisons
            ]
            typer.echo(aligned(rows))
        typer.echo(f"  {folder_of(output, experiment.name, outcome.scale)}\n")
