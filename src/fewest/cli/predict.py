"""``fewest predict``: the classes or values of new rows, by a model that ``train`` wrote."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast

import typer

from fewest.cli import options as opt
from fewest.cli.output import check_outputs, cleaned_for_terminal, collected_notes, complain, echo
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    import numpy as np

    from fewest.models.model import Model
    from fewest.table import Column, Table
    from fewest.wrapper.model import LinearModel


def predict(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="What train -o wrote.", rich_help_panel=opt.DATA)],
    data: opt.Data,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the CSV there, not to standard output.",
            rich_help_panel=opt.OUTPUT,
        ),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of every class.", rich_help_panel=opt.OUTPUT)
    ] = False,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COL",
            help="The true classes or values, to compare.",
            rich_help_panel=opt.DATA,
        ),
    ] = None,
    abstain: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="What to write where nothing decides, not the most frequent class.",
            rich_help_panel=opt.OUTPUT,
        ),
    ] = None,
    parsing: opt.Parsing,
) -> None:
    """Predict the class or value of every row, as CSV.

    A line has the row's number, counted from 0, and the prediction. Columns are found by name; their order does not
    matter, and columns that the model does not ask for are ignored. The data is read in batches and written as it
    comes, so that it may be larger than memory.

    \b
    fewest predict votes.model fewest:votes --target party > predicted.csv
    zcat new.csv.gz | fewest predict votes.model - --proba
    """
    from fewest.models.files import load_model
    from fewest.models.model import batches_for

    check_outputs(output, reads=[data, model])
    learned = load_model(model)
    reading = opt.Reading(data, None, parsing=parsing)
    with collected_notes():
        scanned = reading.scan()
        header = scanned.header()
        true_class = None if target is None else header.names[header.position(target)]
        batches = batches_for(learned.encoder.columns, scanned, [] if true_class is None else [true_class])
        predictor: Predictor | ValuePredictor = Predictor(learned, proba, abstain, true_class)
        if not hasattr(learned, "classes_"):
            _refuse_classes_only(proba, abstain)
            predictor = ValuePredictor(cast("LinearModel", learned), true_class)
        counts = _written(batches, predictor, output)
    if counts.n_unseen:
        rows = "1 row has" if counts.n_unseen == 1 else f"{counts.n_unseen:,} rows have"
        complain("note", f"{rows} values that the training data did not have; these do not count.")
    if counts.n_undecided and abstain is None:
        rows = "1 row" if counts.n_undecided == 1 else f"{counts.n_undecided:,} rows"
        complain(
            "note", f"Nothing decides about {rows}: the most frequent class is given (--abstain TEXT for another)."
        )
    if true_class is not None:
        _report_accuracy(counts) if isinstance(predictor, Predictor) else _report_errors(counts)


def _refuse_classes_only(proba: bool, abstain: str | None) -> None:
    """Raise when an option is about classes, and the model predicts numbers."""
    for option, value in {"--proba": proba, "--abstain": abstain}.items():
        if value:
            raise ParameterError(f"{option} is about classes, and this model predicts numbers. Leave it out.")


def _report_errors(found: Counts) -> None:
    """Compare with the true values, as far as they are known."""
    n = found.n_labelled
    if not n:
        complain("note", "No row has a true value, so there is no error.")
        return
    spread = found.sum_of_squares - found.total**2 / n
    explained = f"R2 {1 - found.squared_error / spread:.3f}, " if spread > 0 else ""
    errors = f"RMSE {(found.squared_error / n) ** 0.5:.4g}, MAE {found.absolute_error / n:.4g}"
    unknown = f", {found.n_rows - n:,} rows without a value not counted" if n < found.n_rows else ""
    complain("note", f"{explained}{errors} on {n:,} rows{unknown}.")


def _report_accuracy(found: Counts) -> None:
    """Compare with the true classes, as far as they are known."""
    if not found.n_labelled:
        complain("note", "No row has a true class, so there is no accuracy.")
        return
    n_right, n_labelled, n_rows = found.n_right, found.n_labelled, found.n_rows
    unlabelled = f", {n_rows - n_labelled:,} without a class not counted" if n_labelled < n_rows else ""
    complain(
        "note", f"{n_right:,} of {n_labelled:,} rows are predicted right ({n_right / n_labelled:.1%}){unlabelled}."
    )


def _written(batches: Iterable[Table], predictor: Predictor | ValuePredictor, output: Path | None) -> Counts:
    """Write the predictions of all batches as they come; return their counts."""
    from fewest.blocks.typed_batches import RetypedError
    from fewest.models.model import each_batch

    while True:
        counts = Counts()
        try:
            with _opened(output) as write:
                for text, own in each_batch(batches, predictor.predict, opt.ALL_CORES):
                    write(text if counts.n_rows else predictor.heading + text)
                    counts += own
            return counts
        except RetypedError as changed:
            if output is None and counts.n_rows:
                raise ParameterError(
                    f"Column {changed.column!r} was numeric for {changed.n_rows:,} rows and then text, so it is "
                    "nominal, and the predictions written so far took it as numeric. Write them to a file (-o FILE), "
                    f"which is restarted, or declare the column (--kind {changed.column}=nominal)."
                ) from None


@contextmanager
def _opened(output: Path | None) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes text to standard output, or to a file that appears once it is complete."""
    if output is None:
        yield lambda text: echo(cleaned_for_terminal(text), nl=False)
        return
    from fewest.writing import written_beside

    with written_beside(output) as file:
        yield lambda text: file.write(text.encode())


@dataclass(frozen=True)
class Counts:
    """Counts of rows: all, with values unknown to the model, undecided, with a true class, predicted right.

    Of numbers, the sums that errors are made of: of the true values, their squares, and of the errors.
    """

    n_rows: int = 0
    n_unseen: int = 0
    n_undecided: int = 0
    n_labelled: int = 0
    n_right: int = 0
    total: float = 0.0
    sum_of_squares: float = 0.0
    squared_error: float = 0.0
    absolute_error: float = 0.0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True)
class Predictor:
    """Predict batches of rows, as lines of CSV.

    Parameters
    ----------
    model : Model
    proba : bool
        Whether to add the probability of every class.
    abstain : str, optional
        What to write where nothing decides.
    true_class : str, optional
        The column with the true classes.
    """

    model: Model
    proba: bool = False
    abstain: str | None = None
    true_class: str | None = None

    @property
    def heading(self) -> str:
        """Return the first line."""
        return _csv(["row", "predicted", *(f"p({name})" for name in self.model.class_names if self.proba)])

    def predict(self, table: Table) -> tuple[str, Counts]:
        """Return the lines of a batch, and its counts."""
        import numpy as np

        from fewest.models.model import UNDECIDED

        answers = self.model.answers(table)
        names = self.model.class_names
        spellings = [*names, self.abstain or names[answers.otherwise]]
        codes = np.where(answers.predicted == UNDECIDED, len(names), answers.predicted)
        n_labelled, n_right = (0, 0) if self.true_class is None else _score(spellings, codes, table[self.true_class])
        counts = Counts(table.n_rows, answers.n_unseen, answers.n_undecided, n_labelled, n_right)
        written = [_csv([name]).removesuffix("\n") for name in spellings]
        start = table.row_number(0)
        lines = [f"{row},{written[code]}" for row, code in enumerate(codes.tolist(), start=start)]
        if self.proba:
            lines = [
                ",".join([line, *(f"{share:.6g}" for share in shares)])
                for line, shares in zip(lines, answers.shares.tolist(), strict=True)
            ]
        return "\n".join(lines) + "\n", counts


@dataclass(frozen=True)
class ValuePredictor:
    """Predict numbers for batches of rows, as lines of CSV, and compare them with the true ones."""

    model: LinearModel
    true_value: str | None = None
    heading: ClassVar[str] = "row,predicted\n"

    def predict(self, table: Table) -> tuple[str, Counts]:
        """Return the lines of a batch, and its counts."""
        values = self.model.predict(table)
        lines = [f"{row},{value:.10g}" for row, value in enumerate(values.tolist(), start=table.row_number(0))]
        counts = Counts(table.n_rows, self.model.n_unseen(table), **self._errors(table, values))
        return "\n".join(lines) + "\n", counts

    def _errors(self, table: Table, values: np.ndarray) -> dict[str, Any]:
        if self.true_value is None:
            return {}
        from fewest.models.encoder import numeric_values

        try:
            true = numeric_values(table[self.true_value])
        except ValueError:
            raise ParameterError(
                f"Column {self.true_value!r} holds text, and this model predicts numbers. Name the column with "
                "the true values, or leave --target out."
            ) from None
        known = ~table[self.true_value].is_missing
        true, off = true[known], (values - true)[known]
        return {
            "n_labelled": int(known.sum()),
            "total": float(true.sum()),
            "sum_of_squares": float(true @ true),
            "squared_error": float(off @ off),
            "absolute_error": float(abs(off).sum()),
        }


def _score(spellings: list[str], codes: np.ndarray, true_class: Column) -> tuple[int, int]:
    """Return how many rows have a true class, and how many of these got it."""
    import numpy as np

    column = true_class.by_value()
    labels = np.array([*map(str, column.labels), None], dtype=object)[column.values]  # -1, missing, finds the last
    return len(column) - column.n_missing, int((np.array(spellings, dtype=object)[codes] == labels).sum())


def _csv(fields: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()
