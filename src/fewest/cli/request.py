"""What a user of ``fewest select`` wants beyond a subset: checked before any work, fulfilled after it."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.cli.comparing import Comparing
from fewest.cli.messages import progress
from fewest.cli.options import split_names
from fewest.cover.options import OPTIONS, Method
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.blocks.scan import Scan
    from fewest.cover.answer import Answer
    from fewest.cover.examples import Examples
    from fewest.cover.min_features import MinFeaturesSearch
    from fewest.cover.options import CoverOptions
    from fewest.cover.select import Selection
    from fewest.table import Column, Table


@dataclass(frozen=True)
class Outcome:
    """Everything there is to tell."""

    features: Table
    classes: Column
    selection: Selection
    subsets: list[tuple[int, ...]] | None = None
    core: tuple[int, ...] | None = None

    @property
    def answer(self) -> Answer:
        """Return the answer of the search."""
        return self.selection.answer

    @property
    def sample(self) -> Examples:
        """Return the encoded examples."""
        return self.selection.sample

    @property
    def search(self) -> MinFeaturesSearch | None:
        """Return the search of min-features, which can be asked for more."""
        return self.selection.search


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

    def fulfil(self, features: Table, classes: Column, seconds: float | None, scanned: Scan | None = None) -> Outcome:
        """Search, for so many seconds at the most; the rows of a scan are in blocks."""
        from fewest.budget import Budget
        from fewest.cover.select import select_features

        options = self._options(features, seconds)
        selection = select_features(features if scanned is None else scanned, classes, options, progress())
        search = selection.search
        if search is None or not selection.answer.is_optimal:
            return Outcome(features, classes, selection)
        with progress() as on_progress:
            budget = Budget(selection.budget.seconds_left, on_progress)
            subsets = None if self.most is None else list(islice(search.minimum_subsets(budget), self.most))
            return Outcome(features, classes, selection, subsets, search.core(budget) if self.core else None)

    def fulfil_in_blocks(self, scanned: Scan, seconds: float | None) -> Outcome:
        """Do the same with rows that come in blocks."""
        from fewest.cli.scanned import shown_parts

        features, classes = shown_parts(scanned)
        return self.fulfil(features, classes, seconds, scanned)

    def _options(self, features: Table, seconds: float | None) -> CoverOptions:
        """Return what the search is given; globs stand for positions."""
        own: dict[str, Any] = {}
        if self.method == Method.MIN_FEATURES:
            included, forbidden = _matching(features, self.include), _matching(features, self.forbid)
            if set(included) & set(forbidden):
                raise ParameterError("Some features match both --include and --forbid. Decide for one.")
            costs = None if self.costs is None else read_costs(self.costs)
            own = {"include": included, "forbid": forbidden, "costs": costs}
        if self.method == Method.FOCUS2:
            own = {"keep_trace": self.tree is not None}
        return OPTIONS[self.method](**self.comparing.options(), time_limit=seconds, **own)

    def obstacle(self) -> str | None:
        """Return what of the request needs all rows in memory, if anything does."""
        if not OPTIONS[self.method].takes_blocks:
            return f"--method {self.method}"
        comparing = self.comparing
        if comparing.tolerance == "cv" or comparing.margin is not None or comparing.missing != "value":
            return "a request with --tolerance cv, --margin or --missing cautious"
        return None

    def write(self, outcome: Outcome) -> None:
        """Write the files that were asked for."""
        if self.certificate is not None and outcome.search is not None:
            from fewest.cover.certificate import make_certificate, save_certificate

            names = list(outcome.features.names)
            forbidden = [names[j] for j in outcome.selection.forbidden]
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
