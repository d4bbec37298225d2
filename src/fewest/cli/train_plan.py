"""What ``fewest train`` does with the rows, in memory or in blocks: cut numbers, select features, learn, validate."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from fewest.budget import TIME_LIMIT, Budget, OutOfBudgetError, raise_interrupt
from fewest.cli import engines, rank, wrap
from fewest.cli import options as opt
from fewest.cli.intervals import Intervals
from fewest.cli.output import progress
from fewest.cli.train_output import (
    Trained,
    TrainedLinear,
    TrainedLogistic,
    TrainedPartitions,
    TrainedTree,
    TrainedWinnow,
)
from fewest.cover.options import OPTIONS, Method
from fewest.exceptions import StoppedEarlyWarning

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.blocks.store import Store
    from fewest.cli.train_choice import Choice
    from fewest.cli.train_validation import Predictor, Validation
    from fewest.comparison.folds import Splitting
    from fewest.table import Column, Table
    from fewest.table.discretize import Cuts


class TrainLearner(StrEnum):
    """The learners that ``--learner`` names."""

    ID3 = "id3"
    FRINGE = "fringe"
    CFP = "cfp"
    WINNOW1 = "winnow1"
    WINNOW2 = "winnow2"
    BALANCED = "balanced"
    LINEAR = "linear"
    LOGISTIC = "logistic"


class Selector(StrEnum):
    """The selectors that ``--select`` names: the methods of ``select``, ``rank`` and ``wrap``."""

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
    """The metrics that ``--scoring`` names, as scikit-learn does."""

    ACCURACY = "accuracy"
    BALANCED_ACCURACY = "balanced_accuracy"
    ROC_AUC = "roc_auc"
    AVERAGE_PRECISION = "average_precision"
    NEG_LOG_LOSS = "neg_log_loss"
    R2 = "r2"
    RMSE = "neg_root_mean_squared_error"
    MAE = "neg_mean_absolute_error"


TREES = (TrainLearner.ID3, TrainLearner.FRINGE)
WINNOWS = (TrainLearner.WINNOW1, TrainLearner.WINNOW2, TrainLearner.BALANCED)
FUNCTIONS = (TrainLearner.LINEAR, TrainLearner.LOGISTIC)


LEARNED_BY_THEN = "the model is what was learned by then"


class Selection(NamedTuple):
    """The features to learn on, and what ended their selection early."""

    subset: Sequence[int]
    stopped_by: str | None

    @classmethod
    def ended(cls, subset: Sequence[int], stopped_by: str | None) -> Selection:
        """Return a selection, unless an interrupt ended it: nobody then waits for a model."""
        raise_interrupt(stopped_by)
        return cls(subset, stopped_by)


class Found(NamedTuple):
    """A model, the selection before it, how well it predicts the training rows, and how well it predicts others."""

    trained: Trained
    selection: Selection | None
    fit: dict[str, Any]
    validation: Validation | str  # or the reason why there is none
    choice: Choice
    is_cut: bool  # whether the time limit ended the intervals or the learning

    @property
    def stopped_by(self) -> str | None:
        """Return what ended the selection or the learning early."""
        stopped_by = None if self.selection is None else self.selection.stopped_by
        return stopped_by or (TIME_LIMIT if self.is_cut else None)


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
    intervals : Intervals
        Which numeric columns are cut.
    of_cfp : dict
        Parameters of CFP.
    scoring : Scoring, optional
        What is measured.
    is_open : bool
        Whether measurements may show another learner to be better.
    learning : float or None
        Seconds that cutting and learning may take, each.
    """

    learner: TrainLearner
    method: Selector | None
    comparing: opt.Comparing
    intervals: Intervals
    of_cfp: dict[str, Any]
    scoring: Scoring | None = None
    is_open: bool = False
    learning: float | None = None

    def train(self, features: Table, classes: Column, splitting: Splitting, seconds: float | None) -> Found:
        """Train on all rows, and validate by training on most of them.

        The time limit holds for the selection and for the validation, each; `learning` for the intervals and the rest.
        """
        choice = self.choice(features, classes, splitting, seconds)
        plan = self.by(choice)
        cutting = Budget(self.learning)
        cuts, selection = plan.selected(features, classes, splitting, seconds, cutting)
        budget = Budget(self.learning)
        trained = plan.learned(features, classes, cuts, selection, budget)
        found = partial(Found, trained, selection, _fit(trained, features, classes), choice=choice)
        if cutting.is_cut:
            warn_of_the_clock("the search for intervals", "the columns that were left are cut at their quartiles")
        if budget.is_cut:
            warn_of_the_clock(plan.learner, LEARNED_BY_THEN)
        if cutting.is_cut or budget.is_cut:
            return found("the time limit ended the training; raise --time-limit", is_cut=True)
        if not splitting.n_splits:
            return found("--cv 0 asks for none", is_cut=False)
        from fewest.cli.train_validation import cross_validated

        def learn(rows: Table, labels: Column, apart: Splitting, left: float | None) -> Predictor:
            return self.by(self.choice(rows, labels, apart, left)).whole_model(rows, labels, apart, left)

        validation = cross_validated(learn, trained.model, (features, classes), self.scoring, splitting, seconds)
        return found(validation, is_cut=False)

    def choice(self, features: Table, classes: Column, splitting: Splitting, seconds: float | None) -> Choice:
        """Return the learner, by cross-validation where it is open."""
        from fewest.cli.train_choice import Choice, chosen_learner
        from fewest.table.discretize import has_many_values

        if not self.is_open or not any(has_many_values(column) for column in features):
            return Choice(self.learner.value)

        def learn(
            learner: TrainLearner, rows: Table, labels: Column, apart: Splitting, left: float | None
        ) -> Predictor:
            return self.by(Choice(learner.value)).whole_model(rows, labels, apart, left)

        learners = {one.value: partial(learn, one) for one in (self.learner, TrainLearner.LOGISTIC)}
        return chosen_learner(learners, (features, classes, splitting), self.scoring, seconds)

    def by(self, choice: Choice) -> Plan:
        """Return the plan with a certain learner."""
        learner = TrainLearner(choice.learner)
        return replace(self, learner=learner, intervals=Intervals("none") if learner in FUNCTIONS else self.intervals)

    def selected(
        self,
        features: Table,
        classes: Column,
        splitting: Splitting,
        seconds: float | None,
        cutting: Budget,
    ) -> tuple[Cuts, Selection | None]:
        """Cut numeric columns into intervals, as far as a budget goes, and select features."""
        cuts = self.intervals.cuts(features, classes.values, partial(cutting.is_over, lambda: "intervals"))
        if self.method is None:
            return cuts, None
        return cuts, _selected(self.method, (features, classes, splitting), cuts, self.comparing, seconds)

    def learned(
        self, features: Table, classes: Column, cuts: Cuts, selection: Selection | None, budget: Budget
    ) -> Trained:
        """Learn on the features that were selected, as far as the budget goes."""
        chosen = range(len(features.columns)) if selection is None else selection.subset
        kept = replace(features, columns=tuple(features.columns[j] for j in chosen))
        return _learned(self.learner, kept, classes, cuts, self.of_cfp, budget)

    def whole_model(self, features: Table, classes: Column, splitting: Splitting, seconds: float | None) -> Predictor:
        """Select features and learn on them; raise `OutOfBudgetError` when the time is over before all is learned."""
        budget = Budget(seconds)
        cuts, selection = self.selected(features, classes, splitting, seconds, budget)
        trained = self.learned(features, classes, cuts, selection, budget)
        if budget.is_cut:
            raise OutOfBudgetError
        return trained.model


def warn_of_the_clock(what: str, so: str) -> None:
    """Warn that the time limit ended something, and say what follows."""
    warnings.warn(
        f"The time limit ended {what}, and {so}. {StoppedEarlyWarning.BY_CLOCK}",
        StoppedEarlyWarning,
        stacklevel=3,
    )


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
    method: Selector,
    rows: tuple[Table, Column, Splitting],
    cuts: Cuts,
    comparing: opt.Comparing,
    seconds: float | None,
) -> Selection:
    from fewest.table.discretize import cut_columns

    features, classes, splitting = rows

    if method in tuple(wrap.Method):
        asked = wrap.WrapLearner.ID3 if classes.labels else wrap.WrapLearner.LINEAR
        wrapping = wrap.wrapper_options(wrap.Method(method), asked, time_limit=seconds)
        wrapped = wrap.run_wrapper(asked, cut_columns(features, cuts), classes, wrapping, splitting)
        return Selection.ended(wrapped.features, wrapped.stopped_by)
    if method in tuple(rank.Method):
        ranking = rank.run_ranking(features, classes, rank.relevance_options(rank.Method(method)), seconds)
        return Selection.ended(ranking.support.nonzero()[0].tolist(), ranking.stopped_by)
    from fewest.cover.select import select_features

    options = OPTIONS[Method(method)](**comparing.options(), time_limit=seconds)
    chosen = select_features(cut_columns(features, cuts), classes, options, progress())
    return Selection.ended(chosen.subset, chosen.answer.stopped_by)


def _learned(
    learner: TrainLearner, kept: Table, classes: Column, cuts: Cuts, of_cfp: dict[str, Any], budget: Budget
) -> Trained:
    from fewest.screening.distinct_values import TREE_OF_IDENTIFIERS, warn_of_distinct_values

    if learner is TrainLearner.LINEAR:
        from fewest.wrapper.model import learn_linear

        return TrainedLinear(learn_linear(kept, classes))
    if learner is TrainLearner.LOGISTIC:
        from fewest.wrapper.logistic_model import learn_logistic

        return TrainedLogistic(learn_logistic(kept, classes, budget))
    if learner is TrainLearner.CFP:
        from fewest.cfp.model import learn_cfp
        from fewest.cfp.options import CFPOptions

        return TrainedPartitions(learn_cfp(kept, classes, CFPOptions(**of_cfp)))
    if learner in WINNOWS:
        from fewest.mistakes.model import learn_winnow

        return TrainedWinnow(*learn_winnow(kept, classes, learner.value, cuts, budget))
    from fewest.trees.model import learn_fringe, learn_id3

    warn_of_distinct_values(kept.drop([name for name in cuts if name in kept.names]), TREE_OF_IDENTIFIERS)
    if learner is TrainLearner.ID3:
        return TrainedTree(learn_id3(kept, classes, cuts, budget), 1)
    return TrainedTree(*learn_fringe(kept, classes, cuts, budget))


# ---------------------------------------------------------------------- the same, rows in blocks


def train_in_blocks(plan: Plan, scanned: Scan, seconds: float | None) -> tuple[Table, Column, Found]:
    """Select features and learn on them; return the columns as well."""
    from fewest.blocks.lazy_table import lazy_table
    from fewest.models.model import count_right

    store = scanned.numeric_store if plan.learner is TrainLearner.CFP else scanned.store
    features, classes = lazy_table(scanned, store)
    if plan.intervals.which == "many":
        engines.refuse_many_values(store)
    selection = None if plan.method is None else _selected_in_blocks(plan.method, scanned, seconds)
    chosen = list(range(store.n_features)) if selection is None else list(selection.subset)
    budget = Budget(plan.learning)
    trained = _learned_in_blocks(plan.learner, store, chosen, plan.of_cfp, budget)
    if budget.is_cut:
        warn_of_the_clock(plan.learner, LEARNED_BY_THEN)
    n_right = store.engine.fold(count_right, add, store.stacks, trained.model, store.features, chosen)
    fit = _right(n_right, features.n_rows)
    from fewest.cli.train_choice import Choice

    choice = Choice(plan.learner.value)
    return features, classes, Found(trained, selection, fit, "the rows are read in blocks", choice, budget.is_cut)


def _selected_in_blocks(method: Selector, scanned: Scan, seconds: float | None) -> Selection:
    if method in tuple(rank.Method):
        from fewest.blocks.lazy_table import lazy_table

        options, store = rank.relevance_options(rank.Method(method)), scanned.numeric_store
        ranking = rank.run_ranking(*lazy_table(scanned, store), options, seconds, store=store)
        return Selection.ended(ranking.support.nonzero()[0].tolist(), ranking.stopped_by)
    from fewest.cover.select import select_features

    chosen = select_features(scanned, None, OPTIONS[Method(method)](time_limit=seconds), progress())
    return Selection.ended(chosen.subset, chosen.answer.stopped_by)


def _learned_in_blocks(
    learner: TrainLearner, store: Store, chosen: Sequence[int], of_cfp: dict[str, Any], budget: Budget
) -> Trained:
    import numpy as np

    labels = np.array(store.labels)
    numbers = np.arange(len(labels))
    if learner is TrainLearner.CFP:
        from fewest.cfp.blocks import learn_cfp_in_blocks
        from fewest.cfp.options import CFPOptions

        return TrainedPartitions(learn_cfp_in_blocks(store, chosen, labels, numbers, CFPOptions(**of_cfp)))
    if learner in WINNOWS:
        from fewest.mistakes.blocks import learn_winnow_in_blocks

        return TrainedWinnow(*learn_winnow_in_blocks(store, chosen, learner.value, budget))
    from fewest.screening.distinct_values import TREE_OF_IDENTIFIERS, warn_of_distinct_values
    from fewest.trees.blocks import learn_id3_in_blocks

    warn_of_distinct_values([store.features[f] for f in chosen], TREE_OF_IDENTIFIERS)
    return TrainedTree(learn_id3_in_blocks(store, chosen, labels, numbers, budget), 1)
