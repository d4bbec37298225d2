"""Selectors side by side on the same data, judged on rows that they have not seen."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, TIME_LIMIT, work_clock
from fewest.comparison.all_rows import choose_on_all_rows
from fewest.comparison.categories import without_rare_categories
from fewest.comparison.folds import Fold, Splitting, group_codes
from fewest.comparison.learners import learners
from fewest.comparison.metrics import Task, metrics_for, others_that_count, why
from fewest.comparison.selectors import (
    FOR_CLASSES,
    MOST_SAMPLED,
    SAMPLING,
    USUAL,
    selectors,
    usual_methods,
)
from fewest.comparison.summary import Summary
from fewest.comparison.training import Problem, Training
from fewest.comparison.validation import Record, Validation
from fewest.estimators.options import RAISE, check_on_interrupt, unless_interrupted
from fewest.exceptions import ParameterError, StoppedEarlyWarning
from fewest.screening import screen as screen_table
from fewest.table import Column, Kind, Table, from_array, split_by_task
from fewest.table.discretize import has_many_values
from fewest.table.frames import table_from

# What is compared on a sample of the rows, so that learners stay quick.
MOST_ROWS, MOST_CELLS = 10_000, 20_000_000


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result of `compare`: ``result`` is plain data, and the methods show it.

    Parameters
    ----------
    result : dict
        ``methods`` with their score, all metrics, number of features, stability and time; ``metrics``, the one that
        decides first, each with its baseline; ``agreement`` between methods; ``frequency`` of every feature in the
        folds; ``curves`` of score against number of features; ``recommendation`` with its rule and reasons; and
        ``unseen``, what the recommended method predicted for rows that were left out.
    features : Table
        The columns that were compared on.
    target : Column
        The target.

    See Also
    --------
    fewest.compare : Make one.
    fewest.plot.plot_comparison : Draw the scores of the methods.

    Examples
    --------
    >>> from fewest import compare
    >>> from fewest.datasets import make_parity
    >>> X, y, relevant = make_parity(100, relevant=2, irrelevant=3, random_state=0)
    >>> comparison = compare(X, y, methods=["min-features"], n_repeats=1)
    >>> [method["method"] for method in comparison.result["methods"]]
    ['all', 'min-features']
    """

    result: dict[str, Any]
    features: Table
    target: Column

    @property
    def recommended(self) -> str | None:
        """Return the name of the method to use, None if none is any good."""
        return self.result["recommendation"]["method"]

    @property
    def selected(self) -> list[str]:
        """Return the features that it chooses on all rows."""
        return self.result["recommendation"]["features"]

    def page(self, command: str | None = None, further: Sequence[Any] = ()) -> dict[str, Any]:
        """Return the page that shows it, as plain data, with further sections.

        Parameters
        ----------
        command : str, default=None
            The command that the page names as its origin.
        further : sequence of dict, default=()
            Sections to put after those of the comparison.

        Returns
        -------
        dict
            The page, ready to be rendered.
        """
        from fewest.report.comparison_page import comparison_page
        from fewest.report.render import origin

        made = origin(command, self.result["seconds"])
        return comparison_page(self.result, self.features, self.target, origin=made, further=further)

    def save(self, path: Any) -> None:
        """Write the page into one HTML file.

        Parameters
        ----------
        path : str or Path
            The file to write.
        """
        from fewest.report.render import write_page

        write_page(self.page(), path)

    def _repr_html_(self) -> str:
        from fewest.report.render import render_fragment

        return render_fragment(self.page())

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.result['methods'])} methods: {self.result['recommendation']['sentence']}>"


def compare(
    X: Any,
    y: Any,
    *,
    methods: Sequence[str] | Mapping[str, Any] | None = None,
    learners: Sequence[str] | Mapping[str, Any] | None = None,
    scoring: Any = None,
    task: str | None = None,
    n_splits: int = 5,
    n_repeats: int = 2,
    cv: Any = None,
    groups: Any = None,
    screen: bool = True,
    time_limit: float | None = None,
    random_state: int = 0,
    on_interrupt: str = RAISE,
) -> Comparison:
    """Run selectors side by side in nested cross-validation, and recommend one.

    In every fold each method selects on the training rows, learners learn
    from the chosen features of these rows, and the rows left out show how well
    they predict. Which learner counts in a fold is decided by the other folds. The same
    folds serve all methods, *all features* among them.

    Parameters
    ----------
    X : dataframe, array-like, sparse matrix or `Table`
        The features to choose from.
    y : array-like of shape (n_samples,), or a `Column`
        Classes, or a numeric target.
    methods : sequence of str, or mapping of names to selectors, optional
        By default "min-features", "tolerant" (min-features with a tolerance found by cross-validation), "wg",
        "relieff", "ordered-fs" (`OrderedFS` around naive Bayes or ridge regression) and rankings whose
        number of features is found by cross-validation: "relief+cv", "univariate" (F statistics), "information"
        (mutual information), "mrmr", "l1" (the lasso's path) and "forest" (importances). On small tables, and on
        demand, "min-description" (`MinDescription`); on demand "sg", "mig", "relief", "relief+fewest", "rfe"
        (recursive elimination with forests), "boruta" (shuffled copies), "focus1" and "focus2". A mapping brings
        selectors of other libraries, which get floats; its values may be None for the names above.
    learners : sequence of str, or mapping of names to estimators, optional
        By default "tree", "neighbors" and "logistic" ("ridge" for numeric targets); "forest" on demand.
    scoring : str or callable, optional
        What decides, by scikit-learn's name, also in choices within the training rows. By default "accuracy" where
        classes are balanced, "roc_auc" where one of two is rare, "balanced_accuracy" where one of several is,
        and "r2" for a numeric target.
    task : {"classification", "regression"}, optional
        By default a target of fractions, or of many different numbers, is numeric.
    n_splits : int, default=5
        How many parts the rows are divided into.
    n_repeats : int, default=2
        How often they are divided.
    cv : int, splitter of scikit-learn or iterable of folds, optional
        Takes the place of ``n_splits`` and ``n_repeats``. With `TimeSeriesSplit`, whose rows are in the order of
        time, training rows are divided that way again within.
    groups : array-like of shape (n_samples,), optional
        The rows of one group are never on both sides.
    screen : bool, default=True
        Look at the columns first: identifiers, constants and copies are left out, and possible leaks stand above the
        answer; ``result["screening"]`` has it all.
    time_limit : float, optional
        Seconds. Fewer folds are run when there is no time for all.
    random_state : int, default=0
        What folds and random choices of the methods depend on.
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a `KeyboardInterrupt` and has the comparison
        of the folds done so far as ``found``; or return that comparison.

    Returns
    -------
    Comparison
        A notebook shows it as a page; ``save("page.html")`` writes it.

    See Also
    --------
    make_report : A page of one fitted selector.
    fewest.plot.plot_comparison : Draw the scores of the methods.
    fewest.plot.plot_agreement : Draw how much the methods agree.

    Examples
    --------
    The class is the parity of three features, none of which predicts anything alone:

    >>> from fewest import compare
    >>> from fewest.datasets import make_parity
    >>> X, y, relevant = make_parity(150, relevant=3, irrelevant=7, random_state=0)
    >>> comparison = compare(X, y, methods=["mig", "min-features", "relieff"], n_repeats=1)
    >>> comparison.recommended, comparison.selected
    ('min-features', ['x0', 'x1', 'x2'])
    """
    check_on_interrupt(on_interrupt)
    table = table_from(X)
    target = y if isinstance(y, Column) else _target(y, table.n_rows, task)
    screening = screen_table(table, target) if screen else None
    table = table if screening is None else screening.applied_to(table)
    codes = None if groups is None else group_codes(groups, table.n_rows)
    splitting = Splitting(n_splits, n_repeats, codes, _is_ordered(cv), cv)
    found = compare_table(
        table,
        target,
        methods,
        learners,
        splitting,
        scoring=scoring,
        time_limit=time_limit,
        seed=random_state,
    )
    if screening is not None:
        found.result.update(screening=screening.to_dict(), notes=screening.notes)
    return unless_interrupted(found, found.result["stopped_by"], on_interrupt)


def compare_table(
    table: Table,
    target: Column,
    methods: Sequence[str] | Mapping[str, Any] | None = None,
    judges: Sequence[str] | Mapping[str, Any] | None = None,
    splitting: Splitting | None = None,
    *,
    scoring: Any = None,
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Compare methods on typed columns; a numeric target is regressed on."""
    started, begun = time.monotonic(), work_clock()
    splitting = splitting or Splitting()
    _refuse(table, target, splitting)
    values = target.values.astype(np.float64 if target.kind is Kind.NUMERIC else np.int64)
    task = Task.of(values, len(target.labels))
    metrics = metrics_for(task, scoring)
    named = usual_methods(table.n_rows * len(table.columns), task.n_classes) if methods is None else methods
    chosen = selectors(named, is_regression=task.is_regression)
    rows = _sampled_rows(table, values, task, seed)
    features = table
    if rows is not None:
        features, values, splitting = table.take(rows), values[rows], splitting.take(rows)
    features = without_rare_categories(features, values, task)
    judged_by = learners(judges, task, features.n_rows, seed)
    parts = splitting.outer(values, task, seed)
    others = others_that_count(metrics, scoring)
    problem = Problem(task, metrics[0], splitting, others)
    validation = Validation(features, values, chosen, judged_by, parts, seed, problem)
    records, stopped_by = validation.run(time_limit, on_progress)
    run = [record for record in records if len(record)]
    if not run:
        if stopped_by == INTERRUPT:
            raise KeyboardInterrupt
        raise ParameterError(f"A time limit of {time_limit:g} s leaves no time for any method on any fold. Allow more.")
    if stopped_by == TIME_LIMIT or (time_limit is not None and len(run) < len(records)):
        warnings.warn(
            "The time limit ended the comparison before all methods had run on all folds. "
            f"{StoppedEarlyWarning.BY_CLOCK}",
            StoppedEarlyWarning,
            stacklevel=3,
        )
    summary = Summary(run, parts[: len(run[0])], values, task, metrics, others)
    result = summary.result(features, target)
    left = None if time_limit is None else max(0.5, time_limit - (work_clock() - begun))
    whole = Training(features, values, seed, problem, encoded=validation.matrix)
    already = None
    if stopped_by == INTERRUPT:
        already = {record.selector.name: record.masks[-1] for record in run}
        warnings.warn(
            "The comparison was interrupted: the features that it names were chosen in the last of its folds, not on "
            "all rows.",
            StoppedEarlyWarning,
            stacklevel=3,
        )
    by_clock = validation.by_clock + choose_on_all_rows(result, summary, chosen, whole, left, on_progress, already)
    by_clock = [record.selector.name for record in run if record.selector.name in by_clock]
    if by_clock:
        warnings.warn(
            f"The time limit cut {', '.join(by_clock)} short, which answered with what was found until then. "
            f"{StoppedEarlyWarning.BY_CLOCK}",
            StoppedEarlyWarning,
            stacklevel=3,
        )
    summary.add_unseen(result)
    result |= {
        "data": "the data",
        "notes": [],
        "has_measurements": any(has_many_values(column) for column in table),
        "target": target.name,
        "task": task.name,
        "scoring": metrics[0].name,
        "why_scoring": why(metrics[0], scoring, task),
        "classes": [str(label) for label in target.labels],
        "positive": None if task.positive is None else str(target.labels[task.positive]),
        "n_rows": table.n_rows,
        "n_rows_used": features.n_rows,
        "n_features": len(table.columns),
        "learners": list(judged_by),
        "n_folds": len(run[0]),
        "n_splits": len(parts) // (1 if splitting.cv is not None or splitting.is_ordered else splitting.n_repeats),
        "folds": splitting.described(),
        "skipped": [record.selector.name for record in records if not len(record)],
        "not_run": [name for name in USUAL if task.is_regression and methods is None and name in FOR_CLASSES],
        "sampled": _sampled(run, parts),
        "stopped_by": stopped_by,
        "by_clock": by_clock,
        "seconds": round(time.monotonic() - started, 3),
    }
    return Comparison(result, table, target)


def _sampled(records: list[Record], parts: list[Fold]) -> dict[str, Any] | None:
    """Return which methods looked for the neighbors of a sample of the training rows, and of how many; None if none."""
    names = [record.selector.name for record in records if record.selector.name in SAMPLING]
    n_training = max(len(training) for training, _ in parts)
    return {"methods": names, "n_rows": MOST_SAMPLED} if names and n_training > MOST_SAMPLED else None


def _is_ordered(cv: Any) -> bool:
    return type(cv).__name__ == "TimeSeriesSplit"


def _target(y: Any, n_rows: int, task: str | None) -> Column:
    labels = np.asarray(y) if hasattr(y, "shape") else np.array([*y], dtype=object)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or len(labels) != n_rows:
        raise ParameterError(f"There are {n_rows} rows but classes of shape {labels.shape}. Give one class a row.")
    name = str(getattr(y, "name", None) or "the class")
    return split_by_task(from_array(labels[:, None], [name]), name, task)[1]


def _refuse(table: Table, target: Column, splitting: Splitting) -> None:
    if not table.columns:
        raise ParameterError(
            f"There is no feature: the data has no column but {target.name}. There is nothing to compare."
        )
    if len(np.unique(target.values)) < 2:
        raise ParameterError(f"Every row has the same {target.name}, so that there are no classes to separate.")
    n_splits, n_repeats = splitting.n_splits, splitting.n_repeats
    if table.n_rows < 10 or n_repeats < 1 or n_splits < 2:
        raise ParameterError(
            f"{table.n_rows} rows in {n_splits} folds, {n_repeats} times, are too few. Ten rows, two folds and one "
            "time are the least."
        )


def _sampled_rows(table: Table, target: np.ndarray, task: Task, seed: int) -> np.ndarray | None:
    """Sample as many rows as learners take quickly, in their order; None for all."""
    most = max(100, min(MOST_ROWS, MOST_CELLS // len(table.columns)))
    if table.n_rows <= most:
        return None
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(table.n_rows)
    by_class = shuffled if task.is_regression else shuffled[np.argsort(target[shuffled], kind="stable")]
    return np.sort(by_class[np.linspace(0, table.n_rows - 1, most).astype(np.intp)])  # each class with its share
