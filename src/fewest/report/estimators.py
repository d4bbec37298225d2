"""Pages of fitted estimators, for notebooks and to pass on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewest.cover.options import PAIRS
from fewest.cover.sample import Sample
from fewest.exceptions import ParameterError
from fewest.relief.relevance import relevance_records
from fewest.report.proof import MOST_SUBSETS, alternative_facts, pair_facts, path_facts, reason_facts
from fewest.report.render import origin, render_fragment, write_page
from fewest.report.sections import errors_section
from fewest.report.summarize import chosen_page, relevance_page, selection_page, training_page
from fewest.screening import screen as screen_table
from fewest.table import Column, Table, from_array, split_regression_target, split_target
from fewest.table.frames import table_from

# How long to look for the core, and again for other subsets.
SECONDS_FOR_MORE = 5.0


@dataclass(frozen=True, eq=False)
class Report:
    """A page: a notebook shows it, `save` writes it, and ``page`` has its content as plain data.

    Parameters
    ----------
    page : dict
        The page as plain data: ``answer``, ``notes``, ``sections`` and more.

    See Also
    --------
    fewest.make_report : Make one.

    Examples
    --------
    >>> from fewest import ReliefF, make_report
    >>> from fewest.datasets import make_parity
    >>> X, y, relevant = make_parity(100, relevant=2, irrelevant=3, random_state=0)
    >>> sorted(make_report(ReliefF().fit(X, y), X, y).page)[:3]
    ['alarms', 'answer', 'notes']
    """

    page: dict[str, Any]

    def save(self, path: str | Path) -> None:
        """Write the page into one HTML file that needs nothing but itself.

        Parameters
        ----------
        path : str or Path
            The file to write.
        """
        write_page(self.page, path)

    def _repr_html_(self) -> str:
        return render_fragment(self.page)

    def __repr__(self) -> str:
        return f"<Report: {self.page['answer']['claim']}>"


def make_report(estimator: Any, X: Any, y: Any, *, screen: bool = True) -> Report:
    """Make a page of a fitted selector or learner, and of the data it was fitted to.

    Parameters
    ----------
    estimator : selector or learner, fitted
        Selectors of this package show their reasons, their proof, their path or their relevance; those of
        other libraries what they chose. A pipeline is shown by its last step that selects or learns.
    X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
        The training data.
    y : array-like of shape (n_samples,)
        The target that it was fitted to.
    screen : bool, default=True
        Look for columns that name rows, repeat others or give the target away, and say so on the page.

    Returns
    -------
    Report
        A notebook shows it; ``save("page.html")`` writes it.

    See Also
    --------
    compare : Find out which selector to use.
    fewest.plot : Drawings on axes of one's own.

    Examples
    --------
    >>> from fewest import MinFeatures, make_report
    >>> from fewest.datasets import load_votes
    >>> votes, party = load_votes(return_X_y=True)
    >>> report = make_report(MinFeatures().fit(votes, party), votes, party)
    >>> report
    <Report: 9 of 16 features separate the classes of y.>
    >>> [section["title"] for section in report.page["sections"]][:3]
    ['What the selected features look like', 'Why each feature is there', 'Why no fewer will do']
    """
    estimator = _part_to_show(estimator)
    check_is_fitted(estimator)
    table = _named(table_from(X), estimator)
    method = getattr(estimator, "_options", None)
    target = _target(y, table.n_rows, is_regression=getattr(method, "is_regression", False))
    facts = {
        "data": "X",
        "method": type(estimator).__name__,
        "target": target.name,
        "classes": list(target.labels),
        "n_rows": table.n_rows,
        "n_features": len(table.columns),
        "notes": [],
        "seconds": None,
    }
    if screen:
        found = screen_table(table, target, keep_all=True)  # the estimator did not leave out anything
        facts |= {"screening": found.to_dict(), "notes": found.notes}
    if hasattr(estimator, "witnesses_"):
        return Report(_of_subset(estimator, table, target, facts))
    if hasattr(estimator, "standard_errors_"):
        return Report(_of_relevance(estimator, table, target, facts))
    if hasattr(estimator, "model_"):
        return Report(_of_model(estimator, table, target, facts))
    if hasattr(estimator, "get_support"):
        return Report(_of_any_selector(estimator, table, target, facts))
    raise ParameterError(f"A {type(estimator).__name__} selects no features and is no learner of this package.")


def _part_to_show(estimator: Any) -> Any:
    if not hasattr(estimator, "steps"):
        return estimator
    shown = [step for _, step in estimator.steps if hasattr(step, "get_support") or hasattr(step, "model_")]
    if not shown:
        raise ParameterError("No step of the pipeline selects features or learns as this package does.")
    return shown[0]  # what comes first saw the data as it is passed


def _named(table: Table, estimator: Any) -> Table:
    n_features = getattr(estimator, "n_features_in_", len(table.columns))
    if n_features != len(table.columns):
        raise ParameterError(
            f"X has {len(table.columns)} columns, but the estimator was fitted to {n_features}. Pass its training data."
        )
    return table


def _target(y: Any, n_rows: int, *, is_regression: bool) -> Column:
    labels = np.asarray(y) if hasattr(y, "shape") else np.array([*y], dtype=object)
    if len(labels) != n_rows:
        raise ParameterError(f"There are {n_rows} rows but {len(labels)} targets. Give one a row.")
    name = str(getattr(y, "name", None) or "y")
    split = split_regression_target if is_regression else split_target
    return split(from_array(labels.reshape(-1, 1), [name]), name)[1]


def _of_subset(selector: Any, table: Table, target: Column, facts: dict[str, Any]) -> dict[str, Any]:
    names, subset = table.names, np.flatnonzero(selector.support_).tolist()
    sample = Sample.from_table(
        table, target.values, getattr(selector, "missing", "value"), getattr(selector, "margin", None)
    )
    result = facts | {
        "features": [names[j] for j in subset],
        "cost": getattr(selector, "cost_", len(subset)),
        "lower_bound": selector.lower_bound_,
        "is_minimal": selector.is_optimal_,
        "stopped_by": selector.stopped_by_,
        "n_sufficiency_tests": selector.n_sufficiency_tests_,
        "history": selector.history_,
        "tolerance": selector.tolerance_,
        "criterion": getattr(selector, "criterion", PAIRS),
        "n_pairs": sample.n_pairs,
        "n_uncovered": selector.n_uncovered_,
        "n_contradictions": selector.n_contradictions_,
        "contradiction": selector.contradiction_,
        "explanation": reason_facts(table, target, selector.witnesses_),
    }
    proof = None
    if hasattr(selector, "certificate"):
        result |= _alternatives(selector, names)
        if not sample.is_tolerant and not selector.tolerance_:
            certificate = selector.certificate()
            pairs = [(i, j) for i, j in certificate["pairs"]]
            described = pair_facts(sample, pairs, table, target)
            proof = {"lower_bound": certificate["lower_bound"], "n_pairs": len(pairs), "pairs": described}
    order = [step["feature"] for step in selector.history_ if "feature" in step]
    path = path_facts(sample, order, names) if order else None
    return selection_page(result, table, target, origin=origin(), proof=proof, path=path)


def _alternatives(selector: Any, names: tuple[str, ...]) -> dict[str, Any]:
    if not selector.is_optimal_ or not selector.support_.any():
        return {}
    return alternative_facts(
        names,
        lambda: selector.core(time_limit=SECONDS_FOR_MORE),
        lambda: selector.minimum_subsets(MOST_SUBSETS + 1, time_limit=SECONDS_FOR_MORE),
    )


def _of_relevance(selector: Any, table: Table, target: Column, facts: dict[str, Any]) -> dict[str, Any]:
    records = relevance_records(
        table.names,
        selector.scores_,
        selector.standard_errors_,
        selector.support_,
        selector.pvalues_,
        selector.null_scores_,
    )
    threshold = None if selector.n_features_to_select is not None else selector.threshold_
    result = facts | {
        "n_sampled": selector.n_sampled_,
        "threshold": threshold if threshold is None or isinstance(threshold, float) else selector.threshold,
        "stopped_by": None,
        "features": [name for name, kept in zip(table.names, selector.support_, strict=True) if kept],
        "relevance": records,
    }
    return relevance_page(result, table, target, origin=origin())


def _of_model(learner: Any, table: Table, target: Column, facts: dict[str, Any]) -> dict[str, Any]:
    model = learner.model_
    predicted = learner.classes_[model.answers(table).settled]
    n_right = sum(str(guess) == str(target.value_at(row)) for row, guess in enumerate(predicted.tolist()))
    result = facts | {
        "learner": facts["method"],
        "select": None,
        "stopped_by": None,
        "n_correct": n_right,
        "accuracy": n_right / table.n_rows,
    }
    if hasattr(model, "tree"):
        result |= {"features_used": model.columns_used, "n_leaves": model.tree.n_leaves, "depth": model.tree.depth}
        shown = {"tree": model.export_text()}
    else:
        weights = zip(model.encoder.names, model.concept.weights.tolist(), strict=True)
        used = [name for name, part in zip(model.encoder.names, model.concept.features, strict=True) if len(part)]
        result |= {"features_used": used, "n_partitions": model.concept.n_partitions}
        result["weights"] = dict(sorted(weights, key=lambda pair: -pair[1]))
        shown = {"partitions": model.export_text()}
    return training_page(result, table, target, origin=origin(), shown=shown)


def _of_any_selector(selector: Any, table: Table, target: Column, facts: dict[str, Any]) -> dict[str, Any]:
    support = selector.get_support()
    result = facts | {
        "features": [name for name, kept in zip(table.names, support, strict=True) if kept],
        "columns": {
            name: numbers for name in ("scores", "ranking", "pvalues") if (numbers := _numbers(selector, name))
        },
    }
    history = [
        {**step, "features": [table.names[j] for j in step["features"]]}
        for step in getattr(selector, "history_", ())
        if "holdout_error" in step
    ]
    path = errors_section(history, int(support.sum())) if history else None
    return chosen_page(result, table, target, origin=origin(), path=path)


def _numbers(selector: Any, name: str) -> list[float] | None:
    """Return the numbers that a selector keeps for every feature under some name, if it does."""
    known = np.asarray(getattr(selector, f"{name}_", ()), dtype=float)
    return known.tolist() if known.shape == selector.get_support().shape else None
