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

    from fewest.models.answers import Answers

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
    abstain: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What to write where nothing decides, not the most frequent class."),
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
    from fewest.models.answers import UNDECIDED
    from fewest.models.load import load_model

    opt.refuse_unwritable(output)
    learned = load_model(model)
    reading = opt.Reading(data, target, None, kind, null, delimiter, no_header, encoding)
    with collected_notes():
        table = reading.table()
        truth = None if target is None else table[target]
        answers = learned.answers(table)
    _report_doubts(answers, abstain)
    names = learned.class_names
    told = [abstain or names[answers.otherwise] if c == UNDECIDED else names[c] for c in answers.predicted.tolist()]
    if truth is not None:
        _report_accuracy(told, truth.to_list())
    _write(_blocks(names, told, answers.shares if proba else None), output)


def _report_doubts(answers: Answers, abstain: str | None) -> None:
    """Say what was new to the model, and what it could not decide."""
    if answers.n_unseen:
        rows = "1 row has" if answers.n_unseen == 1 else f"{answers.n_unseen:,} rows have"
        complain("note", f"{rows} values that the training data did not have; these say nothing about the class.")
    if answers.n_undecided and abstain is None:
        rows = "1 row" if answers.n_undecided == 1 else f"{answers.n_undecided:,} rows"
        complain(
            "note", f"Nothing decides about {rows}: the most frequent class is given (--abstain TEXT for another)."
        )


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


def _blocks(names: list[str], told: list[str], shares: np.ndarray | None) -> Iterator[str]:
    """Yield the lines of the CSV, many at a time."""
    yield _csv([["row", "predicted", *(f"p({name})" for name in names if shares is not None)]])
    for start in range(0, len(told), BLOCK_ROWS):
        rows: list[list] = [[row, name] for row, name in enumerate(told[start : start + BLOCK_ROWS], start=start)]
        if shares is not None:
            for row, of_row in zip(rows, shares[start : start + BLOCK_ROWS].tolist(), strict=True):
                row += [f"{share:.6g}" for share in of_row]
        yield _csv(rows)


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
