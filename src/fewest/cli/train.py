"""``fewest train``: learn to tell the classes apart, and keep what was learned."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from fewest.cli import engines, pages, rank, training_blocks, wrap
from fewest.cli import options as opt
from fewest.cli.comparing import Comparing
from fewest.cli.exit_codes import ExitCode
from fewest.cli.files import check_outputs
from fewest.cli.messages import collected_notes, progress
from fewest.cli.output import print_json, print_jsonl, strong
from fewest.cli.trained import Trained, TrainedPartitions, TrainedTree, TrainedWinnow
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.table import Column, Table
    from fewest.table.discretize import Cuts


class Learner(StrEnum):
    """What ``--learner`` may say."""

    ID3 = "id3"
    FRINGE = "fringe"
    CFP = "cfp"
    WINNOW1 = "winnow1"
    WINNOW2 = "winnow2"
    BALANCED = "balanced"


class Selector(StrEnum):
    """What ``--select`` may say: the methods of ``select``, ``rank`` and ``wrap``."""

    MIN_FEATURES = "min-features"
    FOCUS1 = "focus1"
    FOCUS2 = "focus2"
    MIG = "mig"
    SG = "sg"
    WG = "wg"
    RELIEF = "relief"
    RELIEFF = "relieff"
    RRELIEFF = "rrelieff"
    STANDARD_WRAP = "standard-wrap"
    ORDERED_FS = "ordered-fs"
    ORDERED_FS2 = "ordered-fs2"


WINNOWS = (Learner.WINNOW1, Learner.WINNOW2, Learner.BALANCED)


def train(
    data: opt.Data,
    target: opt.Target,
    learner: Annotated[Learner, typer.Option("--learner", "-l", help="The learner.")] = Learner.ID3,
    method: Annotated[
        Selector | None, typer.Option("--select", "-s", help="Select features first, and learn on these alone.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="MODEL", help="Write the model, for fewest predict.")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the tree or the partitions, too.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw them (.svg, .png, .pdf).")] = None,
    report: pages.Report = None,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="D", help="cfp: how near a value extends a partition: 0.5, '0.5 sd' or 2% (of the range)."
        ),
    ] = None,
    delta: Annotated[
        float | None, typer.Option(metavar="PERCENT", help="cfp: by how much a prediction changes a feature's weight.")
    ] = None,
    vote: Annotated[
        str | None,
        typer.Option(metavar="winner|shares", help="cfp: whether a feature votes for one class or for several."),
    ] = None,
    drop: opt.Drop = None,
    bins: opt.Bins = False,
    tolerance: opt.Tolerance = "0",
    time_limit: opt.TimeLimit = "30s",
    engine: engines.EngineChoice = engines.Engine.AUTO,
    scheduler: engines.Scheduler = None,
    workers: engines.Workers = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Learn a tree (id3, fringe), partitions of every feature (cfp), or weights (winnow1, winnow2, balanced).

    Trees tell numbers apart; cfp measures them, reads the rows once and in their order, and lets the features vote.
    Winnow weighs a test for every value, and goes through the rows in their order until it makes no mistake.
    Data that would not fit in memory is read in blocks, and what is learned is the same.

    With --select, the features are selected first: --select wg --learner id3 is WG+ID3. The tolerance and the time
    limit are those of the selection. A missing value is a value of its own to a tree, and left out by cfp. With --bins,
    a number is an interval, as the training data cut it.

    \b
    fewest train fewest:votes --target party --select wg -o votes.model
    fewest train fewest:votes --target party --report votes.html
    fewest train zoo.csv -t type --drop animal --learner fringe --show
    fewest train iris.csv -t species --bins --select wg --tolerance 0.01
    fewest train iris.csv -t species --learner cfp --limit 5% --show
    fewest train 'parts/*.parquet' -t label --learner winnow2 -o label.model
    fewest predict votes.model fewest:votes
    """
    seconds = opt.parse_seconds(time_limit)
    comparing = Comparing.parse("value", None, tolerance)
    if comparing.tolerance and method is None:
        raise ParameterError("--tolerance is for the selection, and there is none. Name one with --select.")
    if method is Selector.RRELIEFF:
        raise ParameterError("rrelieff is for a regression target, and a tree predicts classes. Use --select relieff.")
    if method in tuple(rank.Method) and comparing.tolerance:
        raise ParameterError(f"--tolerance is not for {method}, which weighs differences.")
    if method in tuple(wrap.Method):
        _check_wrapper(method, learner, comparing, bins)
    given = _given(limit=limit, delta=delta, vote=vote)
    _refuse_strangers(learner, bins, given, plot)
    check_outputs(output, plot, report, reads=[data])
    pages.check_report(report)
    if plot is not None:
        from fewest.drawing import check_drawable

        check_drawable(plot)
    reading = opt.Reading(data, target, drop, kind, null, delimiter, no_header, encoding, drop_unlabelled)
    started = time.monotonic()
    obstacle = training_blocks.obstacle(learner, method, comparing.tolerance, bins, report, limit)
    where = engines.Where(engine, scheduler, workers)
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        if scanned is not None:
            found = training_blocks.train_in_blocks(learner, method, scanned, seconds, given)
            trained, told, selection = found
        else:
            features, classes = reading.load()
            cuts = _cuts(features, classes) if bins else {}
            selection = None if method is None else _selected(method, features, classes, cuts, comparing, seconds)
            chosen = range(len(features.columns)) if selection is None else selection.subset
            trained = _learned(learner, features, chosen, classes, cuts, given)
            n_right = int((trained.model.answers(features).settled == classes.values).sum())
            told = described(trained, n_right, features, classes, selection)
    result: dict[str, Any] = {
        "command": "train",
        "data": data,
        "learner": learner.value,
        "select": method and method.value,
        **told,
    }
    result |= {"model": output and str(output), "notes": notes, "seconds": round(time.monotonic() - started, 3)}
    if output is not None:
        trained.model.save(output)
    if plot is not None:
        trained.draw(plot)
    if report is not None:
        pages.write_training_page(report, result, features, classes, trained.shown())
    _print(result, output_format, trained, show)
    if selection is not None and selection.stopped_by is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


def _check_wrapper(method: Selector, learner: Learner, comparing: Comparing, bins: bool) -> None:
    """Refuse what a wrapper, which asks ID3 how well it does with a subset, has nothing to do with."""
    if learner not in (Learner.ID3, Learner.FRINGE):
        raise ParameterError(f"{method} asks a tree with which features it errs least. Use --learner id3 or fringe.")
    if comparing.tolerance or bins:
        raise ParameterError(f"--tolerance and --bins are not for {method}, which counts errors. Leave them out.")


def _cuts(features: Table, classes: Column) -> Cuts:
    from fewest.table.discretize import interval_cuts

    return interval_cuts(features, classes.values)


class Selection(NamedTuple):
    """The features to learn on."""

    subset: Sequence[int]
    stopped_by: str | None


def _selected(
    method: Selector, features: Table, classes: Column, cuts: Cuts, comparing: Comparing, seconds: float | None
) -> Selection:
    if method in tuple(wrap.Method):
        wrapping = wrap.wrapper_options(wrap.Method(method), wrap.Learner.ID3, time_limit=seconds)
        result = wrap.run_wrapper(wrap.Learner.ID3, features, classes, wrapping)
        return Selection(result.features, result.stopped_by)
    if method in tuple(rank.Method):
        found = rank.RelevanceRequest().fulfil(rank.Method(method), features, classes, seconds)
        return Selection([features.position(name) for name in found["features"]], found["stopped_by"])
    from fewest.cover.options import OPTIONS, Method
    from fewest.cover.select import select_features
    from fewest.table.discretize import cut_columns

    options = OPTIONS[Method(method)](**comparing.options(), time_limit=seconds)
    chosen = select_features(cut_columns(features, cuts), classes, options, progress())
    return Selection(chosen.subset, chosen.answer.stopped_by)


def _refuse_strangers(learner: Learner, bins: bool, of_cfp: dict[str, Any], plot: Path | None) -> None:
    """Raise when an option is meant for another learner."""
    if learner is Learner.CFP and bins:
        raise ParameterError("--bins is for learners of names, and cfp measures numbers. Leave it out.")
    if learner is not Learner.CFP and of_cfp:
        raise ParameterError(
            f"--limit, --delta and --vote are for --learner cfp, and this is {learner}. Leave them out."
        )
    if learner in WINNOWS and plot is not None:
        raise ParameterError(f"--plot draws trees and partitions, and {learner} has weights. Use --show.")


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _learned(
    learner: Learner, features: Table, chosen: Any, classes: Column, cuts: Cuts, options: dict[str, Any]
) -> Trained:
    """Learn on the chosen features."""
    from dataclasses import replace

    from fewest.cfp.model import learn_cfp
    from fewest.cfp.options import CFPOptions
    from fewest.mistakes.model import learn_winnow
    from fewest.table.identifiers import TREE_OF_IDENTIFIERS, report_identifiers
    from fewest.trees.model import learn_fringe, learn_id3

    kept = replace(features, columns=tuple(features.columns[j] for j in chosen))
    if learner is Learner.CFP:
        return TrainedPartitions(learn_cfp(kept, classes, CFPOptions(**options)))
    if learner in WINNOWS:
        return TrainedWinnow(*learn_winnow(kept, classes, learner.value, cuts))
    report_identifiers(kept.drop([name for name in cuts if name in kept.names]), TREE_OF_IDENTIFIERS)
    if learner is Learner.ID3:
        return TrainedTree(learn_id3(kept, classes, cuts), 1)
    return TrainedTree(*learn_fringe(kept, classes, cuts))


def described(
    trained: Trained, n_right: int, features: Table, classes: Column, selection: Selection | None
) -> dict[str, Any]:
    """Turn a model into plain data."""
    return {
        "target": classes.name,
        "classes": list(classes.labels),
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "selected": None if selection is None else [features.names[j] for j in selection.subset],
        "stopped_by": None if selection is None else selection.stopped_by,
        "n_correct": n_right,
        "accuracy": n_right / features.n_rows,
        **trained.described(),
    }


def _print(result: dict[str, Any], output_format: opt.Format, trained: Trained, show: bool) -> None:
    shown = trained.shown() if show else {}
    if output_format is opt.Format.TABLE:
        n_right, n_rows = result["n_correct"], result["n_rows"]
        name = f"{result['select']} + {result['learner']}" if result["select"] else result["learner"]
        score = f"{result['target']} right for {n_right:,} of {n_rows:,} training rows, {n_right / n_rows:.1%}"
        first, *others = trained.paragraphs(result, name, score)
        typer.echo("\n\n".join([strong(first), *others, *shown.values()]))
        return
    result |= {name: text.splitlines() for name, text in shown.items()}
    if output_format is opt.Format.JSON:
        print_json(result)
    else:
        print_jsonl([result])
