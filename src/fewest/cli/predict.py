"""``fewest predict``: what a model says about new data."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import options as opt
from fewest.cli.talk import collected_notes, complain

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from fewest.models.tree_model import TreeModel

# Rows written at a time.
BLOCK_ROWS = 10_000


def predict(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="What train -o wrote.")],
    data: opt.Data,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the CSV there, not to standard output.")
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")] = False,
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COL", help="The true classes, to tell the accuracy.")
    ] = None,
    kind: opt.Kinds = None,
    null: opt.Nulls = None,
    delimiter: opt.Delimiter = None,
    no_header: opt.NoHeader = False,
    encoding: opt.Encoding = "utf-8",
) -> None:
    """Predict the class of every row, as CSV: the row's number, counted from 0, and the class.

    Columns are found by name; their order does not matter, and columns that the model does not ask for are ignored.

    \b
    fewest predict votes.model fewest:votes --target party > predicted.csv
    zcat new.csv.gz | fewest predict votes.model - --proba
    """
    from fewest.models.load import load_model

    opt.refuse_unwritable(output)
    learned = load_model(model)
    reading = opt.Reading(data, target, None, kind, null, delimiter, no_header, encoding)
    with collected_notes():
        table = reading.table()
        truth = None if target is None else table[target]
        codes = learned.codes(table)
    nodes = learned.apply(codes)
    _report_unseen(learned, codes)
    if truth is not None:
        _report_accuracy([learned.class_names[c] for c in learned.tree.prediction[nodes].tolist()], truth.to_list())
    _write(_blocks(learned, nodes, proba), output)


def _report_unseen(model: TreeModel, codes: np.ndarray) -> None:
    n_unseen = model.n_unseen(codes)
    if n_unseen:
        rows = "1 row has" if n_unseen == 1 else f"{n_unseen:,} rows have"
        complain("note", f"{rows} values that the training data did not have; these say nothing about the class.")


def _report_accuracy(predicted: list[str], truth: list[object]) -> None:
    """Compare with the true classes, as far as they are known."""
    known = [(guess, str(label)) for guess, label in zip(predicted, truth, strict=True) if label is not None]
    if not known:
        complain("note", "No row has a true class, so there is no accuracy to tell.")
        return
    n_right = sum(guess == label for guess, label in known)
    unlabelled = f", {len(truth) - len(known):,} without a class not counted" if len(known) < len(truth) else ""
    complain(
        "note", f"{n_right:,} of {len(known):,} rows are predicted right ({n_right / len(known):.1%}){unlabelled}."
    )


def _blocks(model: TreeModel, nodes: np.ndarray, proba: bool) -> Iterator[str]:
    """Yield the lines of the CSV, many at a time."""
    names = model.class_names
    yield _csv([["row", "predicted", *(f"p({name})" for name in names if proba)]])
    answers = [
        [names[c], *(f"{share:.6g}" for share in model.tree.shares[node] if proba)]
        for node, c in enumerate(model.tree.prediction.tolist())
    ]
    for start in range(0, len(nodes), BLOCK_ROWS):
        block = nodes[start : start + BLOCK_ROWS].tolist()
        yield _csv([[row, *answers[node]] for row, node in enumerate(block, start=start)])


def _csv(rows: list[list]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _write(blocks: Iterator[str], output: Path | None) -> None:
    if output is None:
        for block in blocks:
            typer.echo(block, nl=False)
        return
    from fewest.writing import written_beside

    with written_beside(output) as file:
        for block in blocks:
            file.write(block.encode())
