"""``fewest train``: learn to predict classes or a numeric target, and keep what was learned."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from fewest.cli import ExitCode, engines, rank, wrap
from fewest.cli import options as opt
from fewest.cli.output import check_drawing, check_outputs, check_report, collected_notes, progress
from fewest.cli.screening import Keep, KeepAll, Look
from fewest.cli.train_output import (
    Trained,
    TrainedLinear,
    TrainedLogistic,
    TrainedPartitions,
    TrainedTree,
    TrainedWinnow,
    print_trained,
)
from fewest.cover.options import OPTIONS, Method
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.blocks.store import Store
    from fewest.cli.train_choice import Choice
    from fewest.cli.train_validation import Predictor, Validation
    from fewest.table import Column, Table
    from fewest.table.discretize import Cuts


class TrainLearner(StrEnum):
    """What ``--learner`` may say."""

    ID3 = "id3"
    FRINGE = "fringe"
    CFP = "cfp"
    WINNOW1 = "winnow1"
    WINNOW2 = "winnow2"
    BALANCED = "balanced"
    LINEAR = "linear"
    LOGISTIC = "logistic"


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


class Scoring(StrEnum):
    """What ``--scoring`` may say, by scikit-learn's names."""

    ACCURACY = "accuracy"
    BALANCED_ACCURACY = "balanced_accuracy"
    ROC_AUC = "roc_auc"
    AVERAGE_PRECISION = "average_precision"
    NEG_LOG_LOSS = "neg_log_loss"
    R2 = "r2"
    RMSE = "neg_root_mean_squared_error"
    MAE = "neg_mean_absolute_error"


CLASSIFICATION, REGRESSION = "classification", "regression"
TREES = (TrainLearner.ID3, TrainLearner.FRINGE)
WINNOWS = (TrainLearner.WINNOW1, TrainLearner.WINNOW2, TrainLearner.BALANCED)
FUNCTIONS = (TrainLearner.LINEAR, TrainLearner.LOGISTIC)


def train(
    data: opt.Data,
    target: opt.Target,
    *,
    learner: Annotated[
        TrainLearner | None,
        typer.Option(
            "--learner",
            "-l",
            help="The learner; if not given, id3 for classes, or logistic where measurements show it to be better, and "
            "linear for a numeric target.",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    method: Annotated[
        Selector | None,
        typer.Option(
            "--select", "-s", help="Select features first, and learn on these alone.", rich_help_panel=opt.LEARNING
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="MODEL", help="Write the model, for fewest predict.", rich_help_panel=opt.OUTPUT
        ),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Print the tree or the partitions, too.", rich_help_panel=opt.OUTPUT)
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw them (.svg, .png, .pdf).", rich_help_panel=opt.OUTPUT)
    ] = None,
    report: opt.Report = None,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="D",
            help="cfp: how near a value extends a partition: 0.5, '0.5 sd' or 2% (of the range).",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="cfp: by how much a prediction changes a feature's weight.",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    vote: Annotated[
        str | None,
        typer.Option(
            metavar="winner|shares",
            help="cfp: whether a feature votes for one class or for several.",
            rich_help_panel=opt.LEARNING,
        ),
    ] = None,
    drop: opt.Drop = None,
    keep: Keep = None,
    keep_all: KeepAll = False,
    bins: opt.Bins = False,
    exact_values: opt.ExactValues = False,
    scoring: Annotated[
        Scoring | None,
        typer.Option(help="What to measure; by default what fits the classes.", rich_help_panel=opt.LEARNING),
    ] = None,
    cv: Annotated[
        int,
        typer.Option(
            metavar="K", min=0, help="Folds of the cross-validation, 0 for none.", rich_help_panel=opt.LEARNING
        ),
    ] = 5,
    tolerance: opt.Tolerance = "0",
    task: opt.Task = None,
    time_limit: opt.TimeLimit = "30s",
    where: engines.Where,
    output_format: opt.OutputFormat = opt.Format.TABLE,
    parsing: opt.Parsing,
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Learn to predict the class or a number, and keep the model.

    A tree (id3, fringe), partitions (cfp) or weights (Winnow, logistic, balanced); for numbers, linear.
    Where no learner is named and columns are measurements, cross-validation chooses between id3 and logistic: the tree,
    unless the logistic regression predicts clearly better.

    Trees cut numeric columns of many values into intervals, which the model keeps, unless --exact-values compares them
    for equality; cfp measures their distance, reads the rows once and in their order, and lets the features vote.
    Winnow weighs a test for every value, and passes over the rows in their order until it makes no mistake. Data that
    would not fit in memory is read in blocks, and the model is the same.

    What to expect of new rows is measured by cross-validation of all that train does, selection included, and printed
    beside the same on the training rows.

    With --select, the features are selected first: --select wg --learner id3 is WG+ID3. The tolerance and the time
    limit are those of the selection. A missing value is a value of its own to a tree, and left out by cfp. With --bins,
    Winnow takes intervals, too.

    A numeric target is predicted by a linear function (ridge regression), of all features or of those that rrelieff or
    a wrapper around least squares selects.

    \b
    fewest train fewest:votes --target party --select wg -o votes.model
    fewest train fewest:votes --target party --report votes.html
    fewest train zoo.csv -t type --drop animal --learner fringe --show
    fewest train iris.csv -t species --select wg --tolerance 0.01 --scoring balanced_accuracy
    fewest train iris.csv -t species --learner cfp --limit 5% --show
    fewest train houses.csv -t price --select rrelieff -o price.model
    fewest train 'parts/*.parquet' -t label --learner winnow2 -o label.model
    fewest predict votes.model fewest:votes
    """
    seconds = opt.parse_seconds(time_limit)
    comparing = opt.Comparing.parse("value", None, tolerance)
    given = {name: value for name, value in {"limit": limit, "delta": delta, "vote": vote}.items() if value is not None}
    if learner is None and (method is Selector.RRELIEFF or task == REGRESSION):
        learner = TrainLearner.LINEAR
    _refuse_selection(method, learner, comparing)
    _refuse_misplaced(learner or TrainLearner.ID3, bins, exact_values, given, plot)
    check_outputs(output, plot, report, reads=[data])
    check_report(report)
    check_drawing(plot)
    reading = opt.Reading(data, target, drop, parsing, drop_unlabelled)
    started = opt.start_clock("fewest.models.model")
    obstacle = _obstacle(
        learner, method, limit, {"--tolerance": comparing.tolerance, "--bins": bins, "--report": report}
    )
    look = Look(keep, keep_all)
    with collected_notes() as notes, where.scanned(reading, obstacle) as scanned:
        if scanned is None:
            features, classes = _load(reading, learner, task)
            is_open = learner is None and method is None and not (bins or exact_values or plot)
            learner = learner or (TrainLearner.ID3 if classes.labels else TrainLearner.LINEAR)
            _refuse_selection(method, learner, comparing)
            _refuse_misplaced(learner, bins, exact_values, given, plot)
            features, screening = look.at(features, classes, notes)
        learner = learner or TrainLearner.ID3
        intervals = "all" if bins else "many" if learner in TREES and not exact_values else "none"
        plan = Plan(learner, method, comparing, intervals, given, scoring)
        if scanned is None:
            found = replace(plan, is_open=is_open and bool(classes.labels)).train(features, classes, seconds, cv)
        else:
            scanned, screening = look.at_first_rows(scanned, notes)
            features, classes, found = _train_in_blocks(plan, scanned, seconds)
    trained, selection, fit, validation, choice = found
    result: dict[str, Any] = {
        "command": "train",
        "data": data,
        "screening": screening.to_dict(),
        "learner": choice.learner,
        "chosen_by": choice.scores,
        "select": method and method.value,
        "target": classes.name,
        "classes": list(classes.labels),
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "selected": None if selection is None else [features.names[j] for j in selection.subset],
        "stopped_by": None if selection is None else selection.stopped_by,
        **fit,
        "cross_validation": None if isinstance(validation, str) else validation.described(),
        **trained.described(),
        "model": output and str(output),
        "notes": notes,
        "seconds": round(time.monotonic() - started, 3),
    }
    if output is not None:
        trained.model.save(output)
    if plot is not None:
        trained.draw(plot)
    if report is not None:
        from fewest.report.render import command_line, origin, write_page
        from fewest.report.summarize import training_page

        made = origin(command_line(), result["seconds"])
        write_page(training_page(result, features, classes, origin=made, shown=trained.shown()), report)
    print_trained(result, output_format, trained, show, validation, choice)
    if selection is not None and selection.stopped_by is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


# ---------------------------------------------------------------------- what does not go together


def _load(reading: opt.Reading, learner: TrainLearner | None, task: str | None) -> tuple[Table, Column]:
    """Read the data; the target is what the learner predicts or, if none was named, what it looks like."""
    if learner is TrainLearner.LINEAR:
        if task == CLASSIFICATION:
            raise ParameterError("--learner linear predicts numbers, and --task says classification. Drop one of them.")
        return reading.load_by_task(REGRESSION)
    return reading.load_by_task(task if learner is None else CLASSIFICATION) if task or not learner else reading.load()


def _refuse_selection(method: Selector | None, learner: TrainLearner | None, comparing: opt.Comparing) -> None:
    """Raise when the selection does not fit the learner or the other options."""
    if comparing.tolerance and method is None:
        raise ParameterError("--tolerance is for the selection, and there is none. Name one with --select.")
    if learner is TrainLearner.LINEAR:
        if method not in (None, Selector.RRELIEFF, *wrap.Method):
            raise ParameterError(
                f"{method} separates classes, and linear predicts numbers. Use --select rrelieff or ordered-fs."
            )
        if comparing.tolerance:
            raise ParameterError("--tolerance is for classes, and linear predicts numbers. Leave it out.")
        return
    if method is Selector.RRELIEFF:
        raise ParameterError("rrelieff is for a regression target, and a tree predicts classes. Use --select relieff.")
    if method in tuple(rank.Method) and comparing.tolerance:
        raise ParameterError(f"--tolerance is not for {method}, which weighs differences. Leave it out.")
    if method not in tuple(wrap.Method):
        return
    if learner not in (None, TrainLearner.ID3, TrainLearner.FRINGE):
        raise ParameterError(f"{method} asks a tree with which features it errs least. Use --learner id3 or fringe.")
    if comparing.tolerance:
        raise ParameterError(f"--tolerance is not for {method}, which counts errors. Leave it out.")


def _refuse_misplaced(
    learner: TrainLearner, bins: bool, exact_values: bool, of_cfp: dict[str, Any], plot: Path | None
) -> None:
    """Raise when an option is meant for another learner."""
    if exact_values and (bins or learner not in TREES):
        other = "--bins cuts numeric columns" if bins else f"{learner} does not cut numeric columns"
        raise ParameterError(f"--exact-values is for trees, whose default are intervals, and {other}. Leave it out.")
    if learner is TrainLearner.CFP and bins:
        raise ParameterError("--bins is for learners of nominal values, and cfp measures numeric ones. Leave it out.")
    if learner is not TrainLearner.CFP and of_cfp:
        raise ParameterError(
            f"--limit, --delta and --vote are for --learner cfp, and this is {learner}. Leave them out."
        )
    if learner in (*WINNOWS, *FUNCTIONS) and plot is not None:
        raise ParameterError(f"--plot draws trees and partitions, and {learner} has weights. Use --show.")
    if learner in FUNCTIONS and bins:
        raise ParameterError(f"--bins is for learners of nominal values, and {learner} takes numbers. Leave it out.")


def _obstacle(
    learner: TrainLearner | None, method: Selector | None, limit: str | None, others: dict[str, object]
) -> str | None:
    """Return the option that needs all rows in memory, if any does."""
    if learner in (TrainLearner.FRINGE, *FUNCTIONS):
        return f"--learner {learner}"
    takes_blocks = {*rank.Method, *(name for name, options in OPTIONS.items() if options.takes_blocks)}
    if method is not None and method not in takes_blocks:
        return f"--select {method}"
    if limit is not None and limit.strip().endswith("sd"):
        return "--limit in standard deviations"
    return next((name for name, value in others.items() if value), None)


# ---------------------------------------------------------------------- select, then learn


class Selection(NamedTuple):
    """The features to learn on, and what ended their selection early."""

    subset: Sequence[int]
    stopped_by: str | None


class Found(NamedTuple):
    """A model, the selection before it, how well it predicts the training rows, and how well it predicts others."""

    trained: Trained
    selection: Selection | None
    fit: dict[str, Any]
    validation: Validation | str  # or the reason why there is none
    choice: Choice


@dataclass(frozen=True)
class Plan:
    """What to do with rows in memory: cut numbers into intervals, select features, learn on these, and validate.

    Parameters
    ----------
    learner : TrainLearner
    method : Selector, optional
        How to select features first.
    comparing : Comparing
        The tolerance of the selection.
    intervals : {"none", "all", "many"}
        Which numeric columns are cut: none, all, or those of many values.
    of_cfp : dict
        Parameters of CFP.
    scoring : Scoring, optional
        What is measured.
    is_open : bool
        Whether measurements may show another learner to be better.
    """

    learner: TrainLearner
    method: Selector | None
    comparing: opt.Comparing
    intervals: str
    of_cfp: dict[str, Any]
    scoring: Scoring | None = None
    is_open: bool = False

    def train(self, features: Table, classes: Column, seconds: float | None, n_folds: int) -> Found:
        """Train on all rows, and validate by training on most of them."""
        choice = self.choice(features, classes, seconds)
        trained, selection = self.by(choice).learned(features, classes, seconds)
        fit = _fit(trained, features, classes)
        if not n_folds:
            return Found(trained, selection, fit, "--cv 0 asks for none", choice)
        from fewest.cli.train_validation import cross_validated

        def learn(rows: Table, labels: Column, left: float | None) -> Predictor:
            return self.by(self.choice(rows, labels, left)).learned(rows, labels, left)[0].model

        validation = cross_validated(learn, trained.model, (features, classes), self.scoring, n_folds, seconds)
        return Found(trained, selection, fit, validation, choice)

    def choice(self, features: Table, classes: Column, seconds: float | None) -> Choice:
        """Return the learner, by cross-validation where it is open."""
        from fewest.cli.train_choice import Choice, chosen_learner
        from fewest.table.discretize import has_many_values

        if not self.is_open or not any(has_many_values(column) for column in features):
            return Choice(self.learner.value)

        def learn(learner: TrainLearner, rows: Table, labels: Column, left: float | None) -> Predictor:
            return self.by(Choice(learner.value)).learned(rows, labels, left)[0].model

        learners = {one.value: partial(learn, one) for one in (self.learner, TrainLearner.LOGISTIC)}
        return chosen_learner(learners, features, classes, self.scoring, seconds)

    def by(self, choice: Choice) -> Plan:
        """Return the plan with a certain learner."""
        learner = TrainLearner(choice.learner)
        return replace(self, learner=learner, intervals="none" if learner in FUNCTIONS else self.intervals)

    def learned(self, features: Table, classes: Column, seconds: float | None) -> tuple[Trained, Selection | None]:
        """Select features and learn on them."""
        cuts, selection = self._cuts(features, classes), None
        chosen: Sequence[int] = range(len(features.columns))
        if self.method is not None:
            selection = _selected(self.method, features, classes, cuts, self.comparing, seconds)
            chosen = selection.subset
        return _learned(self.learner, features, chosen, classes, cuts, self.of_cfp), selection

    def _cuts(self, features: Table, classes: Column) -> Cuts:
        """Return where numeric columns are cut."""
        if self.intervals == "none":
            return {}
        from fewest.table.discretize import interval_cuts, sensible_cuts

        return (interval_cuts if self.intervals == "all" else sensible_cuts)(features, classes.values)


def _fit(trained: Trained, features: Table, target: Column) -> dict[str, Any]:
    """Return how well a model predicts the rows that it learned from."""
    if isinstance(trained, TrainedLinear):
        from fewest.comparison.metrics import FOR_NUMBERS, Task

        values = target.values
        predicted = trained.model.predict(features)
        return {m.name: m.score(values, predicted, values, Task(0)) for m in FOR_NUMBERS}
    return _right(int((trained.model.answers(features).settled == target.values).sum()), features.n_rows)


def _right(n_right: int, n_rows: int) -> dict[str, Any]:
    return {"n_correct": n_right, "accuracy": n_right / n_rows}


def _selected(
    method: Selector, features: Table, classes: Column, cuts: Cuts, comparing: opt.Comparing, seconds: float | None
) -> Selection:
    from fewest.table.discretize import cut_columns

    if method in tuple(wrap.Method):
        asked = wrap.WrapLearner.ID3 if classes.labels else wrap.WrapLearner.LINEAR
        wrapping = wrap.wrapper_options(wrap.Method(method), asked, time_limit=seconds)
        wrapped = wrap.run_wrapper(asked, cut_columns(features, cuts), classes, wrapping)
        return Selection(wrapped.features, wrapped.stopped_by)
    if method in tuple(rank.Method):
        ranking = rank.run_ranking(features, classes, rank.relevance_options(rank.Method(method)), seconds)
        return Selection(ranking.support.nonzero()[0].tolist(), ranking.stopped_by)
    from fewest.cover.select import select_features

    options = OPTIONS[Method(method)](**comparing.options(), time_limit=seconds)
    chosen = select_features(cut_columns(features, cuts), classes, options, progress())
    return Selection(chosen.subset, chosen.answer.stopped_by)


def _learned(
    learner: TrainLearner, features: Table, chosen: Sequence[int], classes: Column, cuts: Cuts, of_cfp: dict[str, Any]
) -> Trained:
    from fewest.screening.distinct_values import TREE_OF_IDENTIFIERS, warn_of_distinct_values

    kept = replace(features, columns=tuple(features.columns[j] for j in chosen))
    if learner is TrainLearner.LINEAR:
        from fewest.wrapper.model import learn_linear

        return TrainedLinear(learn_linear(kept, classes))
    if learner is TrainLearner.LOGISTIC:
        from fewest.wrapper.logistic_model import learn_logistic

        return TrainedLogistic(learn_logistic(kept, classes))
    if learner is TrainLearner.CFP:
        from fewest.cfp.model import learn_cfp
        from fewest.cfp.options import CFPOptions

        return TrainedPartitions(learn_cfp(kept, classes, CFPOptions(**of_cfp)))
    if learner in WINNOWS:
        from fewest.mistakes.model import learn_winnow

        return TrainedWinnow(*learn_winnow(kept, classes, learner.value, cuts))
    from fewest.trees.model import learn_fringe, learn_id3

    warn_of_distinct_values(kept.drop([name for name in cuts if name in kept.names]), TREE_OF_IDENTIFIERS)
    if learner is TrainLearner.ID3:
        return TrainedTree(learn_id3(kept, classes, cuts), 1)
    return TrainedTree(*learn_fringe(kept, classes, cuts))


# ---------------------------------------------------------------------- the same, rows in blocks


def _train_in_blocks(plan: Plan, scanned: Scan, seconds: float | None) -> tuple[Table, Column, Found]:
    """Select features and learn on them; return the columns as well."""
    from fewest.blocks.lazy_table import lazy_table
    from fewest.models.model import count_right

    store = scanned.numeric_store if plan.learner is TrainLearner.CFP else scanned.store
    features, classes = lazy_table(scanned, store)
    if plan.intervals == "many":
        engines.refuse_many_values(store)
    selection = None if plan.method is None else _selected_in_blocks(plan.method, scanned, seconds)
    chosen = list(range(store.n_features)) if selection is None else list(selection.subset)
    trained = _learned_in_blocks(plan.learner, store, chosen, plan.of_cfp)
    n_right = store.engine.fold(count_right, add, store.stacks, trained.model, store.features, chosen)
    fit = _right(n_right, features.n_rows)
    from fewest.cli.train_choice import Choice

    choice = Choice(plan.learner.value)
    return features, classes, Found(trained, selection, fit, "the rows are read in blocks", choice)


def _selected_in_blocks(method: Selector, scanned: Scan, seconds: float | None) -> Selection:
    if method in tuple(rank.Method):
        from fewest.blocks.lazy_table import lazy_table

        options, store = rank.relevance_options(rank.Method(method)), scanned.numeric_store
        ranking = rank.run_ranking(*lazy_table(scanned, store), options, seconds, store=store)
        return Selection(ranking.support.nonzero()[0].tolist(), ranking.stopped_by)
    from fewest.cover.select import select_features

    chosen = select_features(scanned, None, OPTIONS[Method(method)](time_limit=seconds), progress())
    return Selection(chosen.subset, chosen.answer.stopped_by)


def _learned_in_blocks(learner: TrainLearner, store: Store, chosen: Sequence[int], of_cfp: dict[str, Any]) -> Trained:
    import numpy as np

    labels = np.array(store.labels)
    numbers = np.arange(len(labels))
    if learner is TrainLearner.CFP:
        from fewest.cfp.blocks import learn_cfp_in_blocks
        from fewest.cfp.options import CFPOptions

        return TrainedPartitions(learn_cfp_in_blocks(store, chosen, labels, numbers, CFPOptions(**of_cfp)))
    if learner in WINNOWS:
        from fewest.mistakes.blocks import learn_winnow_in_blocks

        return TrainedWinnow(*learn_winnow_in_blocks(store, chosen, learner.value))
    from fewest.screening.distinct_values import TREE_OF_IDENTIFIERS, warn_of_distinct_values
    from fewest.trees.blocks import learn_id3_in_blocks

    warn_of_distinct_values([store.features[f] for f in chosen], TREE_OF_IDENTIFIERS)
    return TrainedTree(learn_id3_in_blocks(store, chosen, labels, numbers), 1)
