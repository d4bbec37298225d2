"""``fewest train``: learn to tell the classes apart, and keep what was learned."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from fewest.cli import options as opt
from fewest.cli.comparing import Comparing
from fewest.cli.output import print_json, print_jsonl
from fewest.cli.relevance import RelevanceRequest
from fewest.cli.talk import collected_notes, progress
from fewest.exceptions import ParameterError
from fewest.search.methods import RELEVANCE, Method

if TYPE_CHECKING:
    from fewest.models.learn import Cuts
    from fewest.models.tree_model import TreeModel
    from fewest.table import Column, Table

STOPPED_EARLY = 3
MOST_LISTED = 20


class Learner(StrEnum):
    """What ``--learner`` may say."""

    ID3 = "id3"
    FRINGE = "fringe"


def train(
    data: opt.Data,
    target: opt.Target,
    learner: Annotated[Learner, typer.Option("--learner", "-l", help="The learner.")] = Learner.ID3,
    method: Annotated[
        Method | None, typer.Option("--select", "-s", help="Select features first, and learn on these alone.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="MODEL", help="Write the model, for fewest predict.")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the tree, too.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the tree (.svg, .png, .pdf).")] = None,
    drop: opt.Drop = None,
    bins: opt.Bins = False,
    tolerance: opt.Tolerance = "0",
    time_limit: opt.TimeLimit = "30s",
    output_format: opt.OutputFormat = opt.Format.TABLE,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
    drop_unlabelled: opt.DropUnlabelled = False,
) -> None:
    """Learn a decision tree by information gain (id3), or with tests that combine others (fringe).

    With --select, the features are selected first: --select wg --learner id3 is WG+ID3. The tolerance and the time
    limit are those of the selection. A missing value is a value of its own. With --bins, a number is an interval, as
    the training data cut it.

    \b
    fewest train fewest:votes --target party --select wg -o votes.model
    fewest train zoo.csv -t type --drop animal --learner fringe --show
    fewest train iris.csv -t species --bins --select wg --tolerance 0.01
    fewest predict votes.model fewest:votes
    """
    seconds = opt.parse_seconds(time_limit)
    comparing = Comparing.parse("value", None, tolerance)
    if comparing.tolerance and method is None:
        raise ParameterError("--tolerance is for the selection, and there is none. Name one with --select.")
    if method is Method.RRELIEFF:
        raise ParameterError("rrelieff selects for a quantity, and a tree predicts classes. Use --select relieff.")
    if method in RELEVANCE:
        RelevanceRequest().check(method, comparing)
    opt.refuse_unwritable(output, plot)
    if plot is not None:
        from fewest.report.tree_drawing import check_drawable

        check_drawable(plot)
    reading = opt.Reading(data, target, drop, kind, null, delimiter, no_header, encoding, drop_unlabelled)
    started = time.monotonic()
    with collected_notes() as notes:
        features, classes = reading.load()
        cuts = _cuts(features, classes) if bins else {}
        selection = None if method is None else _selected(method, features, classes, cuts, comparing, seconds)
        chosen = range(len(features.columns)) if selection is None else selection.subset
        model, n_trees = _learned(learner, features, chosen, classes, cuts)
        result: dict[str, Any] = {
            "command": "train",
            "data": data,
            "learner": learner.value,
            "select": method and method.value,
        }
        result |= _described(model, features, classes, selection, n_trees)
    result |= {"model": output and str(output), "notes": notes, "seconds": round(time.monotonic() - started, 3)}
    if output is not None:
        model.save(output)
    if plot is not None:
        from fewest.report.decision_tree import write_tree

        write_tree(model, plot)
    _print(result, output_format, model.export_text() if show else None)
    if selection is not None and selection.stopped_by is not None:
        raise typer.Exit(STOPPED_EARLY)


def _cuts(features: Table, classes: Column) -> Cuts:
    from fewest.search.intervals import interval_cuts

    return interval_cuts(features, classes.values)


class Selection(NamedTuple):
    """The features to learn on."""

    subset: Sequence[int]
    stopped_by: str | None


def _selected(
    method: Method, features: Table, classes: Column, cuts: Cuts, comparing: Comparing, seconds: float | None
) -> Selection:
    if method in RELEVANCE:
        found = RelevanceRequest().fulfil(method, features, classes, seconds)
        return Selection([features.position(name) for name in found["features"]], found["stopped_by"])
    from fewest.search.findings import report_contradictions, report_stop
    from fewest.search.intervals import cut_columns
    from fewest.search.methods import search_by
    from fewest.solvers.budget import Budget

    sample = comparing.sample(cut_columns(features, cuts), classes)
    with progress() as on_progress:
        budget = Budget(seconds, on_progress)
        sample = comparing.tolerating(sample, method, budget)
        report_contradictions(sample, classes.labels, row_number=features.row_number)
        answer = search_by(method, sample, budget)
    report_stop(answer)
    return Selection(answer.subset, answer.stopped_by)


def _learned(learner: Learner, features: Table, chosen: Any, classes: Column, cuts: Cuts) -> tuple[TreeModel, int]:
    """Grow the tree; return the model and the number of trees that it took."""
    from dataclasses import replace

    from fewest.models.learn import learn_fringe, learn_id3
    from fewest.search.findings import TREE_OF_IDENTIFIERS, report_identifiers

    kept = replace(features, columns=tuple(features.columns[j] for j in chosen))
    report_identifiers(kept.drop([name for name in cuts if name in kept.names]), TREE_OF_IDENTIFIERS)
    if learner is Learner.ID3:
        return learn_id3(kept, classes, cuts), 1
    return learn_fringe(kept, classes, cuts)


def _described(
    model: TreeModel, features: Table, classes: Column, selection: Selection | None, n_trees: int
) -> dict[str, Any]:
    """Turn a model into plain data."""
    n_right = int((model.tree.prediction[model.apply(model.codes(features))] == classes.values).sum())
    return {
        "target": classes.name,
        "classes": list(classes.labels),
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "selected": None if selection is None else [features.names[j] for j in selection.subset],
        "stopped_by": None if selection is None else selection.stopped_by,
        "features_used": model.columns_used,
        "n_correct": n_right,
        "accuracy": n_right / features.n_rows,
        "n_nodes": len(model.tree),
        "n_leaves": model.tree.n_leaves,
        "depth": model.tree.depth,
        "n_trees": n_trees,
        "n_constructed": 0 if model.features is None else model.features.n_constructed,
    }


def _print(result: dict[str, Any], output_format: opt.Format, tree: str | None) -> None:
    if output_format is opt.Format.TABLE:
        typer.echo("\n\n".join([*_paragraphs(result), *([tree] if tree is not None else [])]))
        return
    if tree is not None:
        result["tree"] = tree.splitlines()
    if output_format is opt.Format.JSON:
        print_json(result)
    else:
        print_jsonl([result])


def _paragraphs(result: dict[str, Any]) -> list[str]:
    n_leaves, n_rows, right = result["n_leaves"], result["n_rows"], result["n_correct"]
    name = f"{result['select']} + {result['learner']}" if result["select"] else result["learner"]
    used, n_features = result["features_used"], result["n_features"]
    grown = f", {result['n_trees']} trees, {result['n_constructed']:,} constructed features"
    effort = f"{name}{grown if result['n_constructed'] else ''}, {result['seconds']:.1f} s"
    paragraphs = [
        f"A tree of {n_leaves:,} lea{'f' if n_leaves == 1 else 'ves'} and depth {result['depth']} predicts "
        f"{result['target']} right for {right:,} of {n_rows:,} training rows, {right / n_rows:.1%} ({effort})."
    ]
    if used:
        shown = [f"  {feature}" for feature in used[:MOST_LISTED]]
        hidden = [f"  and {len(used) - MOST_LISTED:,} more"] if len(used) > MOST_LISTED else []
        paragraphs.append("\n".join([f"It tests {len(used)} of {n_features} features:\n", *shown, *hidden]))
    else:
        paragraphs.append(f"It tests none of {n_features} features: every row gets the most frequent class.")
    return paragraphs
