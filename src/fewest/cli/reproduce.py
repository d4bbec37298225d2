"""``fewest reproduce``: run the papers' experiments again."""

from __future__ import annotations

from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.output import aligned, collected_notes, complain, print_result, progress, say
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fewest.papers.claims import Claim
    from fewest.papers.experiment import Outcome
    from fewest.papers.runner import Pool, Progress
    from fewest.papers.verdict import Verdict

ALL = "all"
MARKS = {"holds": "true ", "does not hold": "FALSE", "not decided": "?    "}


class Scale(StrEnum):
    """The scales of an experiment: how much is measured."""

    SMALL = "small"
    PAPER = "paper"
    FULL = "full"
    DECIDE = "decide"


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...",
            help="Experiments, papers, or all; without, they are listed.",
            show_default=False,
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    scale: Annotated[
        Scale,
        typer.Option(
            "--scale",
            "-s",
            help="Seconds each; as many runs as the paper made; far more; as many as decide.",
            rich_help_panel=opt.FINDING,
        ),
    ] = Scale.SMALL,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Where results go, a folder an experiment.",
            rich_help_panel=opt.OUTPUT,
        ),
    ] = Path("reproduction"),
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", help="Processes; -1 is one a core.", rich_help_panel=opt.RUNNING)
    ] = -1,
    scheduler: engines.Scheduler = None,
    workers: engines.Workers = None,
    again: Annotated[
        bool, typer.Option("--again", help="Forget what was measured before.", rich_help_panel=opt.RUNNING)
    ] = False,
    output_format: opt.OutputFormat = opt.Format.TABLE,
) -> None:
    """Run the papers' experiments again: do their claims hold?

    Each writes a folder: numbers (results.json, results.csv), the figure (figure.svg, figure.png), and a page
    (index.html) with published numbers beside ours. What is measured is kept: a run that was stopped goes on.
    A claim holds, does not hold, or is not decided, where the measurements are too uncertain; larger scales are
    surer, and decide goes on until it is sure, or the runs are too many. Words of a paper, such as "quite close",
    have a verdict of their own, by a threshold of ours. The exit code is 1 if a number or an ordering that a paper
    states does not hold.

    \b
    fewest reproduce
    fewest reproduce focus-figure-3
    fewest reproduce focus relief --scale paper
    fewest reproduce relief-figure-2 --scale decide
    fewest reproduce all --output results
    fewest reproduce all --scale full --scheduler tcp://cluster:8786
    """
    from fewest.papers.claims import CLAIMS

    if not names:
        _list(CLAIMS, output, output_format)
        return
    where = engines.Where(engines.EngineName.AUTO, scheduler, workers)
    outcomes = _run_all(_chosen(CLAIMS, names), scale, output, where, jobs, again)
    _print(outcomes, output, output_format)
    if any(outcome.verdict == "does not hold" for outcome in outcomes):
        raise typer.Exit(ExitCode.NEGATIVE_FINDING)


def _chosen(claims: dict[str, Claim], names: list[str]) -> list[str]:
    papers = {claim.paper for claim in claims.values()}
    for name in names:
        if name != ALL and name not in papers and name not in claims:
            raise ParameterError.from_choice("The experiment", name, [ALL, *sorted(papers), *claims])
    return [c.name for c in claims.values() if ALL in names or c.name in names or c.paper in names]


@contextmanager
def _pool(where: engines.Where, jobs: int) -> Iterator[tuple[Pool | None, int]]:
    """Yield the pool that measures units, and how many at a time: a cluster, processes, or None for this process."""
    from fewest.blocks.threads import n_workers
    from fewest.papers.runner import workers

    with where.crew() as crew:
        if crew is not None:
            yield crew, len(crew)
            return
        n_jobs = n_workers(jobs)
        with workers(n_jobs) as pool:
            yield pool, n_jobs


def _run_all(
    chosen: list[str], scale: Scale, output: Path, where: engines.Where, jobs: int, again: bool
) -> list[Outcome]:
    from fewest.drawing import check_drawable
    from fewest.papers.claims import EXPERIMENTS
    from fewest.papers.results import folder_of, write
    from fewest.papers.runner import JOURNAL, run

    check_drawable(Path("figure.svg"))
    outcomes = []
    with collected_notes(), _pool(where, jobs) as (pool, n_jobs), progress() as shown:
        for k, name in enumerate(chosen):
            experiment, folder = EXPERIMENTS[name], folder_of(output, name, scale)
            if again:
                (folder / JOURNAL).unlink(missing_ok=True)
            listener = _listener(f"{name} ({k + 1} of {len(chosen)})", shown)
            try:
                outcome = run(experiment, scale, folder, pool, n_jobs, listener)
            except KeyboardInterrupt:
                complain("note", f"{name} was interrupted. The same command will go on where it was.")
                raise
            write(outcome, folder)
            words = f" Its words, by our thresholds: {outcome.words}." if outcome.words else ""
            complain("note", f"{name}: {outcome.verdict}.{words}")
            outcomes.append(outcome)
    return outcomes


def _listener(title: str, shown: Callable[[str], None] | None) -> Callable[[Progress], None] | None:
    if shown is None:
        return None

    def listen(state: Progress) -> None:
        left = "" if state.seconds_left is None else f", about {_duration(state.seconds_left)} left"
        shown(f"{title}: {state.n_done:,} of {state.n_units:,}{left}")

    return listen


def _duration(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )


def _list(claims: dict[str, Claim], output: Path, output_format: opt.Format) -> None:
    from fewest.papers.results import last_verdict, recorded_verdicts

    recorded = recorded_verdicts()
    records = [
        {
            "name": c.name,
            "source": c.source,
            "claim": c.sentence,
            "recorded": recorded.get(c.name),
            "last_verdict": last_verdict(output, c.name),
        }
        for c in claims.values()
    ]

    def show() -> None:
        for record in records:
            verdicts = f"recorded: {record['recorded'] or '-'}   here: {record['last_verdict']}"
            say(f"{record['name']:<24}{verdicts}\n    {record['claim']} ({record['source']})")

    print_result(output_format, {"experiments": records}, records, show)


def _print(outcomes: list[Outcome], output: Path, output_format: opt.Format) -> None:
    from fewest.papers.results import as_results

    records = [as_results(outcome) for outcome in outcomes]

    def show() -> None:
        for outcome, results in zip(outcomes, records, strict=True):
            _print_outcome(outcome, results, output)

    print_result(output_format, {"outcomes": records}, records, show)


def _print_outcome(outcome: Outcome, results: dict[str, Any], output: Path) -> None:
    from fewest.papers.results import by_threshold, folder_of, more_runs, needed

    claim = outcome.experiment.claim
    say(f"{claim.name}: {claim.sentence}")
    say(f"{_verdict(outcome.verdict)} ({claim.source}, scale {outcome.scale})")
    if outcome.words:
        say(f"Its words, by our thresholds: {_verdict(outcome.words)}")
    for check in sorted(results["checks"], key=lambda check: (not check["counts"], bool(check["reading"]))):
        numbers = f" ({check['measured']})" if check["measured"] else ""
        beside = "" if check["counts"] else "beside it: "
        say(f"  {MARKS[check['verdict']]}  {beside}{check['statement']}{numbers}")
        if check["counts"] and check["reading"]:
            say(f"         {by_threshold(check['reading'])}")
        if check["counts"] and check["reason"]:
            say(f"         {check['reason']}{more_runs(check)}")
    for line in needed(results["looks"]):
        say(f"  {line}")
    if outcome.comparisons:
        rows: list[tuple[object, ...]] = [("", "published", "ours", "+-", "")]
        rows += [
            (c.quantity, f"{c.published:,.6g}", f"{c.ours:,.6g}", f"{c.error:.2g}", c.sentence())
            for c in outcome.comparisons
        ]
        say(aligned(rows))
    say(f"  {folder_of(output, claim.name, outcome.scale)}\n")


def _verdict(verdict: Verdict) -> str:
    return {"does not hold": "DOES NOT HOLD", "not decided": "NOT DECIDED at this scale"}.get(verdict, verdict)
