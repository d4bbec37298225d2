"""``fewest predict``: what a model says about new data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import options as opt
from fewest.cli.outputs import check_outputs
from fewest.cli.predicted import Tally, Teller
from fewest.cli.talk import collected_notes, complain
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.table import Table


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
    The data is read in batches and written as it comes, so that it may be larger than memory.

    \b
    fewest predict votes.model fewest:votes --target party > predicted.csv
    zcat new.csv.gz | fewest predict votes.model - --proba
    """
    from fewest.models.load import load_model
    from fewest.models.model import batches_for

    check_outputs(output, reads=[data, model])
    learned = load_model(model)
    reading = opt.Reading(data, None, None, kind, null, delimiter, no_header, encoding)
    with collected_notes():
        scanned = reading.scan()
        header = scanned.header()
        truth = None if target is None else header.names[header.position(target)]
        batches = batches_for(learned.encoder.columns, scanned, [] if truth is None else [truth])
        doubts = _written(batches, Teller(learned, proba, abstain, truth), output)
    if doubts.n_unseen:
        rows = "1 row has" if doubts.n_unseen == 1 else f"{doubts.n_unseen:,} rows have"
        complain("note", f"{rows} values that the training data did not have; these say nothing about the class.")
    if doubts.n_undecided and abstain is None:
        rows = "1 row" if doubts.n_undecided == 1 else f"{doubts.n_undecided:,} rows"
        complain(
            "note", f"Nothing decides about {rows}: the most frequent class is given (--abstain TEXT for another)."
        )
    if truth is not None:
        _report_accuracy(doubts)


def _report_accuracy(found: Tally) -> None:
    """Compare with the true classes, as far as they are known."""
    if not found.n_labelled:
        complain("note", "No row has a true class, so there is no accuracy to tell.")
        return
    n_right, n_labelled, n_rows = found.n_right, found.n_labelled, found.n_rows
    unlabelled = f", {n_rows - n_labelled:,} without a class not counted" if n_labelled < n_rows else ""
    complain(
        "note", f"{n_right:,} of {n_labelled:,} rows are predicted right ({n_right / n_labelled:.1%}){unlabelled}."
    )


def _written(batches: Iterable[Table], teller: Teller, output: Path | None) -> Tally:
    """Write the predictions of all batches as they come; return what is to be said about them."""
    from fewest.models.model import each_batch
    from fewest.table.batches import RetypedError

    while True:
        tally = Tally()
        try:
            with _opened(output) as write:
                for text, own in each_batch(batches, teller.tell):
                    write(text if tally.n_rows else teller.heading + text)
                    tally += own
            return tally
        except RetypedError as changed:
            if output is None and tally.n_rows:
                raise ParameterError(
                    f"Column {changed.column!r} held numbers for {changed.n_rows:,} rows and then a name, so it holds "
                    "names, and the predictions written by now took it for numbers. Write them to a file (-o FILE), "
                    f"which is begun anew, or say what the column is (--kind {changed.column}=nominal)."
                ) from None


@contextmanager
def _opened(output: Path | None) -> Iterator[Callable[[str], object]]:
    """Yield what writes text to the standard output, or to a file that is there once it is whole."""
    if output is None:
        yield lambda text: typer.echo(text, nl=False)
        return
    from fewest.writing import written_beside

    with written_beside(output) as file:
        yield lambda text: file.write(text.encode())
