"""What a user of ``fewest select`` wants beyond a subset: checked before any work, fulfilled after it."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from fewest.cli.comparing import Comparing
from fewest.cli.messages import progress
from fewest.cli.options import split_names
from fewest.cover.methods import STREAMED, Method
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.budget import Budget
    from fewest.cover.answer import Answer
    from fewest.cover.blocks.sample import AnySample
    from fewest.cover.min_features import MinFeaturesSearch
    from fewest.table import Column, Table


@dataclass(frozen=True)
class Outcome:
    """Everything there is to tell."""

    features: Table
    classes: Column
    sample: AnySample
    answer: Answer
    search: MinFeaturesSearch | None = None
    subsets: list[tuple[int, ...]] | None = None
    core: tuple[int, ...] | None = None

    @property
    def n_uncovered(self) -> int:
        """Count the pairs of rows of different class that the answer leaves unseparated."""
        if self.sample.is_tolerant:
            return self.sample.n_uncovered(self.answer.subset)
        return self.sample.n_contradictions


@dataclass(frozen=True)
class Request:
    """The options of ``select`` that say what to search, how, and what to keep of it."""

    method: Method
    comparing: Comparing
    most: int | None = None
    core: bool = False
    include: Sequence[str] | None = None
    forbid: Sequence[str] | None = None
    costs: Path | None = None
    certificate: Path | None = None
    tree: Path | None = None

    def check(self) -> None:
        """Refuse what cannot be fulfilled, before the data is read."""
        for option in ("all", "core", "include", "forbid", "costs", "certificate"):
            value = self.most if option == "all" else getattr(self, option)
            if value and self.method is not Method.MIN_FEATURES:
                raise ParameterError(f"--{option} is for --method min-features only, not for {self.method}.")
        if self.tree is not None and self.method is not Method.FOCUS2:
            raise ParameterError(f"--tree is for --method focus2 only: {self.method} searches no such tree.")
        if self.certificate is not None and self.comparing.tolerance:
            raise ParameterError(
                "--certificate goes without --tolerance: with one, no few pairs of rows force the bound."
            )
        if self.tree is not None and self.tree.suffix != ".txt":
            from fewest.drawing import check_drawable

            check_drawable(self.tree)

    def fulfil(self, features: Table, classes: Column, seconds: float | None) -> Outcome:
        """Search, for so many seconds at the most."""
        from fewest.budget import Budget
        from fewest.cover.findings import report_contradictions, report_stop
        from fewest.cover.margins import columns_with_margin
        from fewest.table.identifiers import report_identifiers

        report_identifiers(features, apart=columns_with_margin(features, self.comparing.margin))
        sample = self.comparing.sample(features, classes).without(_matching(features, self.forbid))
        with progress() as on_progress:
            budget = Budget(seconds, on_progress)
            sample = self.comparing.tolerating(sample, self.method, budget)
            report_contradictions(sample, classes.labels, row_number=features.row_number)
            outcome = self._searched(features, classes, sample, budget)
        report_stop(outcome.answer)
        return outcome

    def fulfil_in_blocks(self, scanned: Scan, seconds: float | None) -> Outcome:
        """Do the same with rows that come in blocks."""
        from fewest.budget import Budget
        from fewest.cli.scanned import shown_parts
        from fewest.cover.blocks.sample import StreamedSample
        from fewest.cover.findings import report_contradictions, report_stop
        from fewest.table.identifiers import warn_of_identifiers

        features, classes = shown_parts(scanned)
        warn_of_identifiers(scanned.identifiers())
        tolerance = self.comparing.tolerance
        assert isinstance(tolerance, float), "to choose one takes all rows"
        sample = StreamedSample(scanned.store, tuple(_matching(features, self.forbid)), tolerance)
        with progress() as on_progress:
            outcome = self._searched(features, classes, sample, Budget(seconds, on_progress))
        sample.settle(outcome.answer.subset)
        report_contradictions(sample, classes.labels, row_number=features.row_number)
        report_stop(outcome.answer)
        return outcome

    def obstacle(self) -> str | None:
        """Return what of the request needs all rows in memory, if anything does."""
        if self.method not in STREAMED:
            return f"--method {self.method}"
        comparing = self.comparing
        if comparing.tolerance == "cv" or comparing.margin is not None or comparing.missing != "value":
            return "a request with --tolerance cv, --margin or --missing cautious"
        return None

    def _searched(self, features: Table, classes: Column, sample: AnySample, budget: Budget) -> Outcome:
        if self.tree is not None:
            from fewest.cover.focus2 import focus2
            from fewest.cover.sample import Sample

            assert isinstance(sample, Sample), "focus2 takes no blocks"
            return Outcome(features, classes, sample, focus2(sample, budget, keep_tree=True))
        if self.method is not Method.MIN_FEATURES:
            from fewest.cover.methods import search_by

            return Outcome(features, classes, sample, search_by(self.method, sample, budget))
        from fewest.cover.min_features import MinFeaturesSearch
        from fewest.table.requests import costs_by_position

        costs = None if self.costs is None else costs_by_position(features, read_costs(self.costs))
        included = _matching(features, self.include)
        if set(included) & set(_matching(features, self.forbid)):
            raise ParameterError("Some features match both --include and --forbid. Decide for one.")
        search = MinFeaturesSearch(sample, costs, included)
        answer = search.run(budget)
        if not answer.is_optimal:
            return Outcome(features, classes, sample, answer, search)
        subsets = None if self.most is None else list(islice(search.minimum_subsets(budget), self.most))
        return Outcome(features, classes, sample, answer, search, subsets, search.core(budget) if self.core else None)

    def write(self, outcome: Outcome) -> None:
        """Write the files that were asked for."""
        if self.certificate is not None and outcome.search is not None:
            from fewest.cover.certificate import make_certificate, save_certificate

            names = list(outcome.features.names)
            forbidden = [names[j] for j in _matching(outcome.features, self.forbid)]
            facts = make_certificate(
                outcome.search, names, missing=self.comparing.missing, target=outcome.classes.name, forbid=forbidden
            )
            save_certificate(facts, self.certificate)
        if self.tree is not None and outcome.answer.tree is not None:
            from fewest.cover.plots import write_search_tree

            write_search_tree(outcome.answer.tree, self.tree, outcome.features.names)


def read_costs(path: Path) -> dict[str, float]:
    """Read what features cost from a JSON object or from a CSV of two columns, feature and cost."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ParameterError(f"There is no file of costs {str(path)!r}.") from None
    if path.suffix == ".json":
        try:
            costs = json.loads(text)
        except json.JSONDecodeError as error:
            raise ParameterError(f"{str(path)!r} is no JSON: {error}.") from None
        if not isinstance(costs, dict):
            raise ParameterError(f'{str(path)!r} must hold an object such as {{"age": 1, "scan": 250}}.')
        return costs
    rows = [row for row in csv.reader(text.splitlines()) if row]
    if rows and len(rows[0]) == 2 and not _is_number(rows[0][1]):
        rows = rows[1:]  # a header
    for number, row in enumerate(rows, start=1):
        if len(row) != 2 or not _is_number(row[1]):
            raise ParameterError(f"{str(path)!r}, entry {number}: {','.join(row)!r} is no feature,cost.")
    return {name.strip(): float(cost) for name, cost in rows}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _matching(features: Table, patterns: Sequence[str] | None) -> list[int]:
    """Return the positions that names and globs stand for."""
    return sorted({j for name in split_names(patterns or ()) for j in features.matches(name)})
