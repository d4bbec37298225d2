"""Selectors side by side on the same data, judged on rows that they have not seen."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, Budget
from fewest.comparison.learners import folds, learners
from fewest.comparison.recommendation import recommend
from fewest.comparison.selectors import ALL, Selector, Training, is_measured, selectors
from fewest.comparison.stability import mean_agreement, stability
from fewest.comparison.validation import Record, Validation, accuracy_interval
from fewest.estimators.interrupts import RAISE, check_on_interrupt, unless_interrupted
from fewest.exceptions import ParameterError
from fewest.table import Column, Table, from_array, split_target
from fewest.table.frames import table_from

# What is compared on a sample of the rows, so that learners stay quick.
MOST_ROWS, MOST_CELLS = 10_000, 20_000_000
MOST_FREQUENT = 40
# The share of the time that is kept for the last run, on all rows.
LAST_SHARE = 0.15


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result of `compare`: ``result`` is plain data, and the methods show it.

    Attributes
    ----------
    result : dict
        ``methods`` with their accuracy, number of features, stability and time; ``agreement`` between them;
        ``frequency`` of every feature in the folds; ``recommendation`` with its reasons.
    features : Table
    target : Column
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
        """Return the page that shows it, as plain data, with further sections."""
        from fewest.report.comparison_page import comparison_page
        from fewest.report.origin import origin

        made = origin(command, self.result["seconds"])
        return comparison_page(self.result, self.features, self.target, origin=made, further=further)

    def save(self, path: Any) -> None:
        """Write the page into one HTML file."""
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
    n_splits: int = 5,
    n_repeats: int = 2,
    time_limit: float | None = None,
    random_state: int = 0,
    on_interrupt: str = RAISE,
) -> Comparison:
    """Run selectors side by side in nested cross-validation, and recommend one.

    In every fold each method selects on the training rows, learners learn
    from the chosen features of these rows, and the rows left out show how well
    they predict. The learner, too, is chosen on the training rows. The same
    folds serve all methods, *all features* among them.

    Parameters
    ----------
    X : dataframe, array-like, sparse matrix or `Table`
    y : array-like of shape (n_samples,), or a `Column`
        Classes.
    methods : sequence of str, or mapping of names to selectors, optional
        By default all of "mig", "sg", "wg", "min-features", "tolerant" (min-features with a tolerance found by
        cross-validation), "relieff", "relief", "relief+cv" (the most relevant, their number found by cross-validation),
        "relief+fewest" and "ordered-fs" (`OrderedFS` around naive Bayes); "focus1" and "focus2" on demand. A mapping
        brings selectors of other libraries, which get floats; its values may be None for the names above.
    learners : sequence of str, or mapping of names to classifiers, optional
        By default "tree", "neighbours" and "logistic"; "forest" on demand.
    n_splits, n_repeats : int
    time_limit : float, optional
        Seconds. Fewer folds are run when there is no time for all.
    random_state : int
    on_interrupt : {"raise", "return"}, default="raise"
        What to do at Ctrl-C: raise an `InterruptedSearchError`, which is a `KeyboardInterrupt` and has the comparison
        of the folds done so far as ``found``; or return that comparison.

    Returns
    -------
    Comparison
        A notebook shows it as a page; ``save("page.html")`` writes it.

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
    target = y if isinstance(y, Column) else _target(y, table.n_rows)
    found = compare_table(table, target, methods, learners, (n_splits, n_repeats), time_limit, random_state)
    return unless_interrupted(found, found.result["stopped_by"], on_interrupt)


def compare_table(
    table: Table,
    target: Column,
    methods: Sequence[str] | Mapping[str, Any] | None = None,
    judges: Sequence[str] | Mapping[str, Any] | None = None,
    splits: tuple[int, int] = (5, 2),
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Compare methods on typed columns."""
    started = time.monotonic()
    _refuse(table, target, splits)
    chosen, known = selectors(methods), learners(judges, seed)
    rows = _sampled_rows(table, target, seed)
    features, classes = (table, target.values) if rows is None else (table.take(rows), target.values[rows])
    classes = classes.astype(np.int64)
    parts = folds(classes, *splits, seed)
    validation = Validation(features, classes, chosen, known, parts, seed)
    for_folds = None if time_limit is None else (1 - LAST_SHARE) * time_limit
    records, stopped_by = validation.run(for_folds, on_progress)
    run = [record for record in records if len(record)]
    if not run:
        if stopped_by == INTERRUPT:
            raise KeyboardInterrupt
        raise ParameterError(f"A time limit of {time_limit:g} s leaves no time for any method on any fold. Allow more.")
    result = _described(run, parts, classes, features, target)
    left = None if time_limit is None else max(0.5, time_limit - (time.monotonic() - started))
    _finish(result, chosen, Training(features, classes, seed), left, on_progress)
    result |= {
        "data": "the data",
        "notes": [],
        "has_measurements": any(is_measured(column) for column in table),
        "target": target.name,
        "classes": [str(label) for label in target.labels],
        "n_rows": table.n_rows,
        "n_rows_used": features.n_rows,
        "n_features": len(table.columns),
        "learners": list(known),
        "n_folds": len(run[0]),
        "n_splits": len(parts) // splits[1],
        "skipped": [record.selector.name for record in records if not len(record)],
        "stopped_by": stopped_by,
        "seconds": round(time.monotonic() - started, 3),
    }
    return Comparison(result, table, target)


def _target(y: Any, n_rows: int) -> Column:
    labels = np.asarray(y) if hasattr(y, "shape") else np.array([*y], dtype=object)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or len(labels) != n_rows:
        raise ParameterError(f"There are {n_rows} rows but classes of shape {labels.shape}. Give one class a row.")
    name = str(getattr(y, "name", None) or "the class")
    return split_target(from_array(labels[:, None], [name]), name)[1]


def _refuse(table: Table, target: Column, splits: tuple[int, int]) -> None:
    if not table.columns:
        raise ParameterError(
            f"There is no feature: the data has no column but {target.name}. There is nothing to compare."
        )
    if len(target.labels) < 2:
        raise ParameterError(f"Every row has the same {target.name}, so that there are no classes to separate.")
    if table.n_rows < 10 or min(splits) < 1 or splits[0] < 2:
        raise ParameterError(
            f"{table.n_rows} rows in {splits[0]} folds, {splits[1]} times, are too few. Ten rows, two folds and one "
            "time are the least."
        )


def _sampled_rows(table: Table, target: Column, seed: int) -> np.ndarray | None:
    """Sample as many rows as learners take quickly, in their order; None for all."""
    most = max(100, min(MOST_ROWS, MOST_CELLS // len(table.columns)))
    if table.n_rows <= most:
        return None
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(table.n_rows)
    by_class = shuffled[np.argsort(target.values[shuffled], kind="stable")]
    return np.sort(by_class[np.linspace(0, table.n_rows - 1, most).astype(np.intp)])  # each class with its share


def _described(
    records: list[Record],
    parts: list[tuple[np.ndarray, np.ndarray]],
    classes: np.ndarray,
    features: Table,
    target: Column,
) -> dict[str, Any]:
    """Summarise the folds as plain data."""
    done = parts[: len(records[0])]
    n_tested = min(len(classes), sum(len(test) for _, test in done))
    test_share = len(done[0][1]) / len(done[0][0])
    described = [_method(record, test_share, n_tested) for record in records]
    guess = _guess(done, classes, target)
    masks = [np.array(record.masks) for record in records]
    return {
        "methods": described,
        "guess": guess,
        "agreement": {"methods": [m["method"] for m in described], "matrix": mean_agreement(masks)},
        "frequency": _frequency(records, masks, features),
        "recommendation": recommend(described, guess, test_share),
    }


def _method(record: Record, test_share: float, n_tested: int) -> dict[str, Any]:
    masks = np.array(record.masks)
    sizes = masks.sum(axis=1)
    interval = accuracy_interval(np.array(record.accuracies), test_share, n_tested)
    stable = stability(masks)
    return {
        "method": record.selector.name,
        "idea": record.selector.idea,
        "accuracy": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "accuracies": record.accuracies,
        "by_learner": {name: float(np.mean([s[name] for s in record.by_learner])) for name in record.by_learner[0]},
        "learner": Counter(record.favourites).most_common(1)[0][0],
        "n_features": float(sizes.mean()),
        "fewest_features": int(sizes.min()),
        "most_features": int(sizes.max()),
        "stability": None if stable is None else stable.index,
        "stability_low": None if stable is None else stable.low,
        "stability_high": None if stable is None else stable.high,
        "seconds": float(np.mean(record.seconds)),
    }


def _guess(done: list[tuple[np.ndarray, np.ndarray]], classes: np.ndarray, target: Column) -> dict[str, Any]:
    """Return how often the most frequent class is right: what features must improve upon."""
    most = int(np.bincount(classes).argmax())
    tested = np.concatenate([test for _, test in done])
    return {"label": str(target.labels[most]), "accuracy": float((classes[tested] == most).mean())}


def _frequency(records: list[Record], masks: list[np.ndarray], features: Table) -> list[dict[str, Any]]:
    """Return in what share of the folds each method chose each feature, the most chosen first."""
    shares = {
        record.selector.name: mask.mean(axis=0)
        for record, mask in zip(records, masks, strict=True)
        if record.selector.name != ALL
    }
    if not shares:
        return []
    mean = np.mean([*shares.values()], axis=0)
    order = [j for j in np.argsort(-mean, kind="stable").tolist() if mean[j] > 0][:MOST_FREQUENT]
    return [
        {
            "feature": features.names[j],
            "mean": float(mean[j]),
            "by_method": {name: float(share[j]) for name, share in shares.items()},
        }
        for j in order
    ]


def _finish(
    result: dict[str, Any],
    chosen: list[Selector],
    training: Training,
    seconds: float | None,
    on_progress: Callable[[str], None] | None,
) -> None:
    """Let the recommended method choose on all rows."""
    recommendation = result["recommendation"]
    recommendation |= {"features": [], "how": None}
    winner = next((one for one in chosen if one.name == recommendation["method"]), None)
    if winner is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mask, _ = winner.timed(training, Budget(seconds, on_progress))
    recommendation["features"] = [training.table.names[j] for j in np.flatnonzero(mask)]
    recommendation["how"] = None if winner.how is None else winner.how.format(n=int(mask.sum()))
