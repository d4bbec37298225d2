"""``fewest wrap``: the features with which a learner errs least."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.apart import Apart
from fewest.cli.feature_options import ExcludedFeatures, IncludedFeatures
from fewest.cli.output import (
    aligned,
    check_drawing,
    check_outputs,
    check_report,
    collected_notes,
    complain,
    print_result,
    progress,
    say,
)
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.exceptions import ParameterError
from fewest.report.sentences import error_text
from fewest.wrapper.options import OPTIONS, BoundOptions, WrapperOptions

if TYPE_CHECKING:
    from fewest.comparison.folds import Splitting
    from fewest.table import Column, Table
    from fewest.wrapper.result import WrapperResult

MOST_SIZES = 25
# Errors of many subsets are found at once, a score needs every one of them fitted: then fewer are extended.
BEAM_BY_SCORE = 5
# The scores that are the errors themselves.
ERRORS = ("accuracy", "neg_mean_squared_error")


class WrapLearner(StrEnum):
    """The learners that ``--estimator`` names."""

    LOGISTIC = "logistic"
    NB = "nb"
    LDA = "lda"
    TREE = "tree"
    KNN = "knn"
    ID3 = "id3"
    LINEAR = "linear"
    RIDGE = "ridge"


REGRESSORS = (WrapLearner.LINEAR, WrapLearner.RIDGE)
"""The learners that take a regression target."""


class Method(StrEnum):
    """The methods that ask a learner how well it does with a subset."""

    STANDARD_WRAP = "standard-wrap"
    ORDERED_FS = "ordered-fs"
    ORDERED_FS2 = "ordered-fs2"


def wrap(
    data: opt.Data,
    target: opt.Target,
    *,
    method: Annotated[
        Method, typer.Option("--method", "-m", help="How subsets are judged.", rich_help_panel=opt.FINDING)
    ] = Method.ORDERED_FS,
    estimator: Annotated[
        WrapLearner,
        typer.Option("--estimator", help="The learner; linear, ridge: for regression.", rich_help_panel=opt.FINDING),
    ] = WrapLearner.LOGISTIC,
    scoring: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A score to maximise instead of the error, by scikit-learn's name; if not given, roc_auc or "
            "balanced_accuracy where a class is rare, since the error rewards ignoring it. accuracy: the error. "
            f"By a score at most {BEAM_BY_SCORE} subsets of each size are extended.",
            rich_help_panel=opt.FINDING,
        ),
    ] = None,
    include: IncludedFeatures = None,
    exclude: ExcludedFeatures = None,
    min_features_to_select: Annotated[
        int,
        typer.Option(
            "--min-features-to-select",
            metavar="N",
            min=0,
            help="The least number of features; 0 allows none.",
            rich_help_panel=opt.FINDING,
        ),
    ] = 0,
    max_features: Annotated[
        int | None,
        typer.Option(
            "--max-features", metavar="N", min=0, help="The largest number of features.", rich_help_panel=opt.FINDING
        ),
    ] = None,
    search: Annotated[
        str,
        typer.Option(
            metavar="WAY", help="auto, forward, backward, floating, exhaustive...", rich_help_panel=opt.SEARCHING
        ),
    ] = WrapperOptions.search,
    beam_width: Annotated[
        int,
        typer.Option(
            "--beam-width", metavar="N", min=1, help="Subsets of each size to extend.", rich_help_panel=opt.SEARCHING
        ),
    ] = WrapperOptions.beam_width,
    patience: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Stop after N sizes that were no better.", rich_help_panel=opt.SEARCHING),
    ] = None,
    validation_fraction: Annotated[
        float | None,
        typer.Option(
            "--validation-fraction",
            metavar="SHARE",
            help="The share of the rows that are held out (0.3).",
            rich_help_panel=opt.SEARCHING,
        ),
    ] = None,
    split_fractions: Annotated[
        str | None,
        typer.Option(
            "--split-fractions",
            metavar="A,B,C",
            help="For ordered-fs2: shares of training rows and of both parts held out (0.5,0.25,0.25).",
            rich_help_panel=opt.SEARCHING,
        ),
    ] = None,
    label_noise: Annotated[
        float,
        typer.Option(
            "--label-noise",
            metavar="SHARE",
            help="The share of labels that may be wrong, for the bound.",
            rich_help_panel=opt.SEARCHING,
        ),
    ] = BoundOptions.eta,
    seed: opt.Seed = 0,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file from which a stopped search goes on.", rich_help_panel=opt.RUNNING),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the errors by number of features (.svg, .png, .pdf).", rich_help_panel=opt.OUTPUT
        ),
    ] = None,
    report: opt.Report = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    time_limit: opt.TimeLimit = "30s",
    where: engines.Where,
    apart: Apart,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Find the features with which a learner errs least.

    It errs on rows that it has not seen: standard-wrap judges every subset on rows held out; ordered-fs finds the best
    subset of each size on the training rows and uses the rows held out to choose the size alone, so that fewer
    hypotheses are compared there; ordered-fs2 chooses within a size on a second part held out. Rows are held out at
    random, unless --groups keeps those of a group together or --time holds out the latest.

    \b
    fewest wrap fewest:votes --target party --estimator nb
    fewest wrap halves.csv --target class --estimator logistic --beam-width 50 --validation-fraction 0.3
    fewest wrap prices.csv -t price --estimator linear --max-features 10 --plot sizes.svg
    """
    check_outputs(plot, report, checkpoint, reads=[data])
    check_report(report)
    check_drawing(plot)
    if not 0 <= label_noise < 0.5:
        raise ParameterError(f"--label-noise {label_noise} leaves nothing to learn. Give a share below 0.5.")
    options = wrapper_options(
        method,
        estimator,
        seed,
        **_shares(method, validation_fraction, split_fractions),
        search=search,
        beam_width=beam_width,
        max_features=max_features,
        min_features_to_select=min_features_to_select,
        patience=patience,
        checkpoint=checkpoint,
        time_limit=opt.parse_seconds(time_limit),
    )
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    started = opt.start_clock("fewest.wrapper.tables")
    with collected_notes() as notes, on_the_cluster(where) as is_elsewhere:
        table, column, splitting = apart.divided(*reading.load(is_regression=estimator in REGRESSORS))
        look = Look(keep, keep_all, opt.split_names(include or ()), opt.split_names(exclude or ()))
        table, screening = look.at(table, column, notes)
        table = look.without_many_categories(table, screening.many_categories)
        scoring = _scoring(column, scoring)
        if scoring is not None:
            column = _with_the_rare_class_last(column)
            beam = min(beam_width, BEAM_BY_SCORE)
            # Rows held out at random may have one class alone, of which no score can be told. A score shares no work
            # on threads, as errors do.
            stratify = bool(column.labels) and apart.option is None
            options = replace(options, scoring=scoring, beam_width=beam, stratify=stratify, n_jobs=None)
        options = replace(options, include=opt.matching(table, include), exclude=opt.matching(table, exclude))
        found = run_wrapper(estimator, table, column, options, splitting)
        if is_elsewhere and found.evaluation != "generic":
            complain("note", f"{estimator} shares the work of many subsets in this process; nothing was sent.")
    described = {"scoring": scoring, **_described(estimator, table, column, found, label_noise)}
    result = {"command": "wrap", "data": data, "screening": screening.to_dict(), "method": method.value, **described}
    result["notes"] = notes
    result["seconds"] = round(time.monotonic() - started, 3)
    print_result(output_format, result, result["history"], lambda: say(_text(result)))
    if plot is not None:
        from fewest.wrapper.plots import write_history

        write_history(result["history"], result["n_selected"], plot, scoring)
    if report is not None:
        from fewest.report.render import command_line, origin, write_page
        from fewest.report.summarize import wrapper_page

        write_page(wrapper_page(result, table, column, origin=origin(command_line(), result["seconds"])), report)
    if result["stopped_by"] is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


def _scoring(target: Column, wanted: str | None) -> str | None:
    """Return the score to maximise: by default what a rare class asks for; None for the error."""
    from fewest.comparison.metrics import Task, metrics_for

    if wanted in ERRORS or (wanted is None and not target.labels):
        return None
    task = Task.of(target.values.astype(int) if target.labels else target.values, len(target.labels))
    name = metrics_for(task, wanted)[0].name  # which refuses a score that there is not
    return "roc_auc_ovr" if name == "roc_auc" and task.n_classes > 2 else None if name in ERRORS else name


def _with_the_rare_class_last(target: Column) -> Column:
    """Return two classes in the order in which scores of one of them look for the rarer."""
    from fewest.comparison.metrics import Task

    if len(target.labels) != 2 or Task.of(target.values.astype(int), 2).positive == 1:
        return target
    return replace(target, values=1 - target.values, labels=target.labels[::-1])


def wrapper_options(method: Method, learner: WrapLearner, seed: int = 0, **options: Any) -> WrapperOptions:
    """Return the options of a method; fits that share their work on threads get all cores.

    Other learners would need processes, which start slowly.
    """
    n_jobs = opt.ALL_CORES if learner in (WrapLearner.LOGISTIC, WrapLearner.NB) else None
    return OPTIONS[method](n_jobs=n_jobs, random_state=seed, **options)


def _shares(method: Method, validation_fraction: float | None, split_fractions: str | None) -> dict[str, Any]:
    """Return the shares of the rows by the name of the method's option; raise where it has the other one."""
    if method is Method.ORDERED_FS2 and validation_fraction is not None:
        raise ParameterError(
            "--validation-fraction is one share, and ordered-fs2 holds two out. Give --split-fractions 0.5,0.25,0.25."
        )
    if method is not Method.ORDERED_FS2 and split_fractions is not None:
        raise ParameterError(
            f"--split-fractions is for ordered-fs2; {method} holds one part out. Give --validation-fraction 0.3."
        )
    if validation_fraction is not None:
        return {"validation_fraction": validation_fraction}
    if split_fractions is None:
        return {}
    try:
        return {"split_fractions": tuple(float(share) for share in split_fractions.split(","))}
    except ValueError:
        raise ParameterError(
            f"--split-fractions {split_fractions} are no numbers. Give three shares such as 0.5,0.25,0.25."
        ) from None


def run_wrapper(
    learner: WrapLearner, table: Table, target: Column, options: WrapperOptions, splitting: Splitting
) -> WrapperResult:
    """Search, showing progress, with rows kept apart; an interrupt before the first answer ends the program."""
    from fewest.budget import OutOfBudgetError
    from fewest.wrapper.evaluators.fast_paths import learner_by_name
    from fewest.wrapper.tables import wrap_table

    estimator = learner_by_name(learner.value, options.random_state)
    with progress() as on_progress:
        options = replace(options, verbose=on_progress or False, shuffle=not splitting.is_ordered)
        is_discrete = learner is WrapLearner.ID3
        try:
            return wrap_table(estimator, table, target, options, splitting.groups, is_discrete=is_discrete)
        except OutOfBudgetError:
            raise KeyboardInterrupt from None  # nothing is known yet


@contextmanager
def on_the_cluster(where: engines.Where) -> Iterator[bool]:
    """Fit on the workers of a cluster, if one was asked for; yield whether it was."""
    with where.crew() as crew:
        if crew is None:
            yield False
            return
        from fewest.wrapper.evaluators.generic import fitted_on

        with fitted_on(crew.client):
            yield True


def _described(
    learner: WrapLearner, table: Table, target: Column, result: WrapperResult, label_noise: float
) -> dict[str, Any]:
    """Turn a result into plain data, in the names of the table's columns."""
    chosen = [table.names[j] for j in result.features]
    history = [{**step, "features": [table.names[j] for j in step["features"]]} for step in result.history]
    return {
        "estimator": learner.value,
        "target": target.name,
        "n_rows": table.n_rows,
        "n_features": len(table.columns),
        "features": chosen,
        "n_selected": len(chosen),
        "training_error": result.training_error,
        "holdout_error": result.holdout_error,
        "n_subsets": result.n_subsets_evaluated,
        "search": result.search,
        "evaluation": result.evaluation,
        "stopped_by": result.stopped_by,
        "bound": _bound(result, label_noise),
        "doubt": _doubt(result),
        "history": history,
    }


def _doubt(result: WrapperResult) -> str | None:
    """Return that the features may be no better than none, unless the rows held out show more than chance does.

    The hold-out errors of two hypotheses on n rows differ by chance with a variance of (e0 + e1) / n at most, and the
    features are those of the best of several sizes.
    """
    without = next((step for step in result.history if not step["n_features"]), None)
    if result.why_no_bound or without is None or not result.features:
        return None
    kind = next(kind for kind in ("second_holdout_error", "holdout_error") if kind in without)
    chosen = next(step for step in result.history if step["n_features"] == len(result.features))
    n_rows = result.bound(BoundOptions()).facts.n_judging
    deviation = NormalDist().inv_cdf(1 - 0.05 / len(result.history)) * ((without[kind] + chosen[kind]) / n_rows) ** 0.5
    if without[kind] - chosen[kind] > deviation:
        return None
    return (
        f"Without any feature the error is {without[kind]:.3f}. On {n_rows} rows that is no more above "
        f"{chosen[kind]:.3f} than chance explains: there may be nothing in these features."
    )


def _bound(result: WrapperResult, label_noise: float) -> dict[str, Any] | None:
    if result.why_no_bound:
        return None
    bound = result.bound(BoundOptions(eta=label_noise))
    return {
        "n_compared": str(bound.facts.n_compared),  # it may have hundreds of digits
        "n_holdout": bound.facts.n_judging,
        "deviation": bound.deviation,
        "error_at_most": bound.error_at_most,
        "delta": bound.delta,
        "eta": bound.eta,
        "in_words": str(bound),
    }


def _text(result: dict[str, Any]) -> str:
    n_chosen, sign = result["n_selected"], -1 if result["scoring"] else 1
    stop = f"; stopped by the {result['stopped_by']}" if result["stopped_by"] else ""
    which = f"{n_chosen or 'None'} of {result['n_features']} features {'is' if n_chosen <= 1 else 'are'} kept"
    effort = f"{result['method']}, {result['estimator']}, {result['search']} search, {result['n_subsets']:,} subsets"
    lines = [
        f"{which} to predict {result['target']}: hold-out {result['scoring'] or 'error'} "
        f"{error_text(sign * result['holdout_error'])} ({effort}, "
        f"{result['seconds']:.1f} s{stop}).",
        *(["", result["doubt"]] if result["doubt"] is not None else []),
        "",
        *(f"  {name}" for name in result["features"]),
        *([""] if n_chosen else []),
        aligned(_sizes(result)),
    ]
    if result["bound"] is not None:
        lines += ["", result["bound"]["in_words"]]
    return "\n".join(lines)


def _sizes(result: dict[str, Any]) -> list[tuple[object, ...]]:
    """Return a table of the sizes, those around the chosen one if there are many."""
    history, n_chosen, sign = result["history"], result["n_selected"], -1 if result["scoring"] else 1
    kinds = ["training_error", "holdout_error", "second_holdout_error"]
    kinds = [kind for kind in kinds if kind in history[0]]
    at = next(i for i, record in enumerate(history) if record["n_features"] == n_chosen)
    first = max(0, min(at - MOST_SIZES // 2, len(history) - MOST_SIZES))
    heading = (
        "features",
        *(kind.replace("_error", "").replace("_", " ").replace("holdout", "hold-out") for kind in kinds),
    )
    rows: list[tuple[object, ...]] = [(*heading, "")]
    for record in history[first : first + MOST_SIZES]:
        mark = "<- chosen" if record["n_features"] == n_chosen else ""
        rows.append((record["n_features"], *(error_text(sign * record[kind]) for kind in kinds), mark))
    return rows
