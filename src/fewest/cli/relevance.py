"""How ``fewest select`` runs the methods that give every feature a relevance, and shows them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fewest.cli import colour
from fewest.cli import options as opt
from fewest.cli.colour import strong
from fewest.cli.comparing import Comparing
from fewest.cli.engines import Where
from fewest.cli.output import aligned, print_json, print_jsonl
from fewest.cli.pages import write_relevance_page
from fewest.cli.talk import collected_notes, progress
from fewest.cover.methods import RELEVANCE, Method
from fewest.exceptions import ParameterError
from fewest.report.sentences import relevance_sentence

if TYPE_CHECKING:
    from fewest.blocks.store import Store
    from fewest.budget import Budget
    from fewest.relief.relief import RelevanceSearch
    from fewest.relief.tally import Relevance
    from fewest.table import Column, Table

STOPPED_EARLY = 3
WIDEST_BAR, MOST_BARS = 30, 40

Threshold = Annotated[
    str | None,
    typer.Option(
        metavar="TAU",
        help="relief: keep features of this relevance or more; interval (the default) and auto derive it from --alpha.",
    ),
]
NumberOfFeatures = Annotated[
    int | None, typer.Option("--n-features", metavar="N", min=1, help="relief: keep the N most relevant features.")
]
Alpha = Annotated[
    float | None, typer.Option(help="relief: how often an irrelevant feature may be kept (0.05 if not given).")
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw the relevance of all, or a wrapper's errors by size."),
]
Samples = Annotated[
    int | None, typer.Option("--samples", metavar="M", min=1, help="relief: draw M rows instead of taking all.")
]
Neighbours = Annotated[
    int | None,
    typer.Option("--neighbours", metavar="K", min=1, help="relieff, rrelieff: nearest rows of each class (10)."),
]
Ties = Annotated[
    str | None, typer.Option(metavar="RULE", help="relief: random or average among rows at the same distance.")
]
Seed = Annotated[
    int | None, typer.Option(metavar="N", min=0, help="relief, wrappers: what random choices depend on (0).")
]


@dataclass(frozen=True)
class RelevanceRequest:
    """The options of ``select`` that belong to relief, relieff and rrelieff."""

    threshold: str | None = None
    n_features: int | None = None
    alpha: float | None = None
    samples: int | None = None
    neighbours: int | None = None
    ties: str | None = None
    seed: int | None = None
    plot: Path | None = None

    def refuse_for(self, method: Method) -> None:
        """Refuse every option that was given, since another method was asked for."""
        opt.refuse_given(self, RELEVANCE, method)

    def check(self, method: Method, comparing: Comparing) -> None:
        """Refuse what cannot be fulfilled, before the data is read."""
        if self.plot is not None:
            from fewest.drawing import check_drawable

            check_drawable(self.plot)
        if comparing.tolerance or comparing.margin is not None:
            raise ParameterError(f"--tolerance and --margin are not for {method}, which weighs differences.")
        if comparing.missing != opt.Missing.VALUE:
            raise ParameterError(
                f"--missing is not for {method}: a missing value differs as much as is to be expected."
            )
        if method is Method.RELIEF and self.neighbours is not None:
            raise ParameterError("relief has one neighbour of each class. Use relieff for --neighbours.")
        if self.ties not in (None, "random", "average"):
            raise ParameterError.from_choice("--ties", self.ties, ("random", "average"))
        if self.n_features is not None and (self.threshold is not None or self.alpha is not None):
            raise ParameterError("--n-features keeps that many, whatever --threshold and --alpha say. Leave one out.")
        if isinstance(self._threshold, float) and self.alpha is not None:
            raise ParameterError("--alpha makes a threshold, and --threshold is one. Leave one of them out.")
        if not 0 < self._alpha < 1:
            raise ParameterError(f"--alpha {self.alpha} is no probability. Give a number between 0 and 1.")
        if method is Method.RRELIEFF and self._threshold == "auto":
            raise ParameterError("--threshold auto is for classes only. Use --threshold interval with rrelieff.")
        _ = self._threshold

    @property
    def _alpha(self) -> float:
        return 0.05 if self.alpha is None else self.alpha

    @property
    def _threshold(self) -> float | str:
        if self.threshold in (None, "interval", "auto"):
            return self.threshold or "interval"
        try:
            return float(self.threshold)
        except ValueError:
            raise ParameterError.from_choice("--threshold", self.threshold, ("interval", "auto", "a number")) from None

    def _search(self, method: Method) -> RelevanceSearch:
        from fewest.relief.relief import Drawing, Neighbourhood, RelevanceSearch

        drawing = Drawing(self.samples, method is Method.RELIEF, self.seed or 0)
        if method is Method.RELIEF:
            return RelevanceSearch(drawing, Neighbourhood(1, self.ties or "random", "skip", True, True))
        return RelevanceSearch(drawing, Neighbourhood(self.neighbours or 10, self.ties or "average"))

    def fulfil(
        self, method: Method, features: Table, target: Column, seconds: float | None, store: Store | None = None
    ) -> dict[str, Any]:
        """Draw rows, of a table or of blocks, for so many seconds at the most, and describe what came out."""
        from fewest.budget import INTERRUPT, TIME_LIMIT, Budget, OutOfBudgetError
        from fewest.relief.threshold import chosen, thresholds

        if not features.columns:
            raise ParameterError(f"There is no feature: the data has no column but {target.name}.")
        search, stopped_by = self._search(method), None
        try:
            with progress() as on_progress:
                relevance = _run(search, method, features, target, store, Budget(seconds, on_progress))
        except (OutOfBudgetError, KeyboardInterrupt) as reason:
            if search.tally is None or not search.tally.n_drawn:
                raise KeyboardInterrupt from None  # nothing is known yet
            relevance = search.recorded()
            stopped_by = INTERRUPT if isinstance(reason, KeyboardInterrupt) else TIME_LIMIT
        n_features = None if self.n_features is None else min(self.n_features, len(features.columns))
        limit = None if n_features else thresholds(self._threshold, self._alpha, relevance)
        kept = chosen(relevance, limit, n_features)
        return {
            "target": target.name,
            "n_rows": features.n_rows,
            "n_features": len(features.columns),
            "n_samples": relevance.n_drawn,
            "threshold": limit if limit is None or isinstance(limit, float) else self._threshold,
            "stopped_by": stopped_by,
            "features": [name for name, is_kept in zip(features.names, kept, strict=True) if is_kept],
            "relevance": _records(features, relevance, kept),
            "history": [{"n_samples": step["n_samples"], "scores": step["scores"].tolist()} for step in search.history],
        }


def _run(
    search: RelevanceSearch, method: Method, features: Table, target: Column, store: Store | None, budget: Budget
) -> Relevance:
    if store is not None:
        from fewest.relief.blocks.relief import relief_over_blocks

        return relief_over_blocks(search, store, budget)
    from fewest.relief.source import TableSource

    run = search.regress if method is Method.RRELIEFF else search.classify
    return run(TableSource(features), target.values, None, budget)


def _records(features: Table, relevance: Relevance, kept) -> list[dict[str, Any]]:
    """Return what is known of every feature, the most relevant first."""
    order = (-relevance.scores).argsort(kind="stable").tolist()
    return [
        {
            "feature": features.names[j],
            "relevance": round(float(relevance.scores[j]), 6),
            "standard_error": round(float(relevance.standard_errors[j]), 6),
            "is_selected": bool(kept[j]),
        }
        for j in order
    ]


def select_by_relevance(
    method: Method,
    request: RelevanceRequest,
    reading: opt.Reading,
    where: Where,
    time_limit: str,
    output_format: opt.Format,
    report: Path | None = None,
) -> None:
    """Run one of the Relief family, print its answer, and draw it or make a page of it if so asked."""
    seconds = opt.parse_seconds(time_limit)
    started = time.monotonic()
    is_quantity = method is Method.RRELIEFF
    with collected_notes() as notes, where.scanned(reading, "--report" if report else None) as scanned:
        if scanned is None:
            table, target = reading.load(is_quantity=is_quantity)
            described = request.fulfil(method, table, target, seconds)
        else:
            from fewest.cli.scanned import shown_parts

            store = scanned.regression if is_quantity else scanned.quantities
            table, target = shown_parts(scanned, store)
            described = request.fulfil(method, table, target, seconds, store)
    result = {"command": "select", "data": reading.data, "method": method.value, **described, "notes": notes}
    result["seconds"] = round(time.monotonic() - started, 3)
    if output_format is opt.Format.JSON:
        print_json(result)
    elif output_format is opt.Format.JSONL:
        print_jsonl(result["relevance"])
    else:
        typer.echo(f"{strong(relevance_sentence(result))}\n\n{chart(result['relevance'])}")
    if request.plot is not None:
        from fewest.relief.plots import write_relevance

        write_relevance(result["relevance"], request.plot)
    if report is not None:
        write_relevance_page(report, result, table, target)
    if result["stopped_by"] is not None:
        raise typer.Exit(STOPPED_EARLY)


def chart(records: list[dict[str, Any]], most: int = MOST_BARS) -> str:
    """Draw relevance as bars around zero: ``#`` for what is selected, ``=`` and, below zero, ``-`` for the rest."""
    shown = records[:most]
    largest = max((abs(record["relevance"]) for record in shown), default=0) or 1.0
    sizes = [round(WIDEST_BAR * record["relevance"] / largest) for record in shown]
    left = max([-size for size in sizes if size < 0], default=0)
    rows: list[tuple[object, ...]] = [("feature", "relevance", "error", "")]
    for record, size in zip(shown, sizes, strict=True):
        mark = "#" if record["is_selected"] else "="
        bar = ("-" * max(0, -size)).rjust(left) + "|" + mark * max(0, size)
        figures = (f"{record['relevance']:9.3f}", f"{record['standard_error']:5.3f}")
        rows.append((record["feature"], *figures, colour.blocks(bar)))
    heading, *lines = aligned(rows).split("\n")
    told = [colour.chosen(line) if record["is_selected"] else line for line, record in zip(lines, shown, strict=True)]
    hidden = len(records) - len(shown)
    return "\n".join([colour.faint(heading), *told]) + (f"\n  ... and {hidden:,} less relevant ones" if hidden else "")
