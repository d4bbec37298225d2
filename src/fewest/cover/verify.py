"""Checking a certificate, for a sceptic: this file shares no code with the searches, and is short enough to read.

Rows are compared value by value, and subsets are tried one after the other.
"""

from __future__ import annotations

import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from fewest.exceptions import CertificateError
from fewest.table import Column, Kind, Table
from fewest.table.column import MISSING

# A cost, a margin or a bound is no larger, or it is none.
LARGEST = sys.float_info.max
# Reads the data once more: tables of features, and the numbers of their rows' classes.
Batches = Callable[[], Iterable[tuple[Table, np.ndarray]]]


class OutOfTimeError(Exception):
    """Ends a check that cannot be finished in time."""


@dataclass(frozen=True)
class Finding:
    """One claim, and whether it is true, false, or not known for lack of time."""

    claim: str
    holds: bool | None


def verify(
    certificate: dict[str, Any], features: Table, target: Column, time_limit: float | None = None
) -> list[Finding]:
    """Check that the pairs are in the data, that the subset is sufficient, and that the pairs force the bound."""
    return verify_batches(certificate, lambda: [(features, target.values)], time_limit)


def verify_batches(certificate: dict[str, Any], batches: Batches, time_limit: float | None = None) -> list[Finding]:
    """Check the same of rows that come in batches, of which one is in memory at a time."""
    claims = _Claims(certificate, batches, time_limit)
    pairs = f"Each of the {len(claims.pairs):,} pairs of rows differs in class and in some feature."
    subset = f"The {len(claims.chosen)} features separate every two rows of different class that can be separated."
    bound, price = float(claims.bound), float(claims.cost)
    enough = f"No subset that costs less than {bound:g} has, for each pair, a feature in which it differs."
    cost = f"The features cost {price:g}."
    return [
        Finding(pairs, claims.pairs_are_in_the_data()),
        Finding(subset, claims.in_time(claims.subset_is_sufficient)),
        Finding(cost, claims.cost_of(claims.chosen) == claims.cost),
        Finding(enough, claims.in_time(claims.bound_holds)),
    ]


def needs_all_pairs(certificate: dict[str, Any]) -> bool:
    """Return whether every two rows have to be compared, so that all must be in memory."""
    return certificate.get("missing") == "cautious" or bool(certificate.get("margins"))


class _Row(NamedTuple):
    """A row: its class, and its values by name, None where missing."""

    label: int
    values: dict[str, Any]


@dataclass(frozen=True)
class _Batch:
    """Some rows."""

    columns: dict[str, Column]
    labels: list[int]

    def row(self, number: int) -> _Row:
        """Return one of them."""
        return _Row(self.labels[number], {name: _value(column, number) for name, column in self.columns.items()})

    def keys(self, names: list[str]) -> Iterator[tuple]:
        """Return the values of some features in every row; all rows agree on none."""
        columns = [_comparable(self.columns[name]) for name in names]
        return zip(*columns, strict=True) if columns else repeat(())


class _Claims:
    """A certificate beside the data that it speaks of."""

    def __init__(self, certificate: dict[str, Any], batches: Batches, time_limit: float | None):
        self.deadline = float("inf") if time_limit is None else time.monotonic() + time_limit
        self.batches = batches
        self.names = _names(certificate, "columns")
        if "exclude" not in certificate and "forbid" in certificate:  # as it was called at first
            certificate = {**certificate, "exclude": certificate["forbid"]}
        self.usable = set(self.names) - set(_names(certificate, "exclude", self.names))
        self.chosen = _names(certificate, "features", self.names)
        self.included = set(_names(certificate, "include", self.names))
        if certificate.get("missing") not in ("value", "cautious"):
            raise CertificateError(
                f"The certificate's missing is {certificate.get('missing')!r}, neither 'value' nor 'cautious'. It is "
                "damaged."
            )
        self.is_cautious = certificate["missing"] == "cautious"
        self.compares_all = needs_all_pairs(certificate)
        # Up to rounding: 0.3 - 0.2 is meant to reach 0.1.
        self.margins = {name: float(m) * (1 - 1e-9) for name, m in _prices(certificate, "margins", {}).items()}
        self.cuts = _cuts(certificate, self.names)
        self.costs = _prices(certificate, "costs", dict.fromkeys(self.names, Fraction(1)))
        strangers = {*self.margins, *self.costs} - set(self.names)
        if strangers:
            raise CertificateError(
                f"The certificate has a cost or a margin for {min(strangers)!r}, which is none of its columns. It is "
                "damaged."
            )
        self.bound = _number(certificate.get("lower_bound"), "lower_bound")
        self.cost = _number(certificate.get("cost"), "cost")
        self.pairs = _pairs(certificate)
        unpriced = set(self.names) - set(self.costs)
        if unpriced:
            raise CertificateError(f"The certificate has no cost for {sorted(unpriced)[0]!r}. It is damaged.")
        self.rows = self._rows_of_pairs(certificate.get("n_rows"))

    def _rows_of_pairs(self, n_expected: object) -> dict[int, _Row]:
        """Return the rows that are in some pair."""
        wanted = sorted({row for pair in self.pairs for row in pair})
        found: dict[int, _Row] = {}
        n_rows = 0
        for batch in self._batches():
            own = wanted[bisect_left(wanted, n_rows) : bisect_left(wanted, n_rows + len(batch.labels))]
            found |= {row: batch.row(row - n_rows) for row in own}
            n_rows += len(batch.labels)
        if n_expected != n_rows:
            raise CertificateError(
                f"The certificate speaks of {n_expected} rows, the data has {n_rows}. It belongs to other data."
            )
        return found

    def _batches(self) -> Iterator[_Batch]:
        """Read the data once more."""
        for table, classes in self.batches():
            known = dict(zip(table.names, table.columns, strict=True))
            columns = {name: known[name] if name in known else table[name] for name in self.names}
            for name in self.margins:
                if columns[name].kind is not Kind.NUMERIC:
                    raise CertificateError(
                        f"The certificate has a margin for {name!r}, which is {columns[name].kind} in the data, so "
                        "that its values cannot lie a margin apart. It is damaged, or belongs to other data."
                    )
            columns |= {name: _interval_column(columns[name], cuts) for name, cuts in self.cuts.items()}
            yield _Batch(columns, classes.tolist())

    def in_time(self, check: Callable[[], bool | None]) -> bool | None:
        try:
            return check()
        except (OutOfTimeError, RecursionError):
            return None

    def tick(self) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTimeError

    def differ(self, name: str, one: _Row, other: _Row) -> bool:
        a, b = one.values[name], other.values[name]
        if a is None or b is None:
            return not self.is_cautious and (a is None) != (b is None)
        if name in self.margins:
            return bool(abs(a - b) >= self.margins[name])
        return bool(a != b)

    def differences(self, one: _Row, other: _Row) -> set[str]:
        return {name for name in self.usable if self.differ(name, one, other)}

    def pairs_are_in_the_data(self) -> bool:
        return all(
            i in self.rows
            and j in self.rows
            and self.rows[i].label != self.rows[j].label
            and self.differences(self.rows[i], self.rows[j])
            for i, j in self.pairs
        )

    def subset_is_sufficient(self) -> bool:
        if not set(self.chosen) <= self.usable or not self.included <= set(self.chosen):
            return False
        return self._separates_all_pairs() if self.compares_all else self._separates_all_groups()

    def _separates_all_groups(self) -> bool:
        """Rows that agree on the chosen features must be of one class, or agree on every feature."""
        labels: dict[tuple, int] = {}
        mixed: set[tuple] = set()
        for batch in self._batches():
            self.tick()
            for key, label in zip(batch.keys(self.chosen), batch.labels, strict=False):
                if labels.setdefault(key, label) != label:
                    mixed.add(key)
        firsts: dict[tuple, _Row] = {}
        for batch in self._batches() if mixed else ():
            for number, (key, _) in enumerate(zip(batch.keys(self.chosen), batch.labels, strict=False)):
                if key in mixed:
                    self.tick()
                    row = batch.row(number)
                    if self.differences(firsts.setdefault(key, row), row):
                        return False
        return True

    def _separates_all_pairs(self) -> bool:
        """Agreeing is not transitive where missing values agree with everything, or near numbers do: compare all."""
        rows = [batch.row(i) for batch in self._batches() for i in range(len(batch.labels))]
        for i, one in enumerate(rows):
            self.tick()
            for other in rows[:i]:
                if (
                    one.label != other.label
                    and not any(self.differ(name, one, other) for name in self.chosen)
                    and self.differences(one, other)
                ):
                    return False
        return True

    def cost_of(self, names: Iterable[str]) -> Fraction:
        return sum((self.costs[name] for name in names), Fraction(0))

    def bound_holds(self) -> bool | None:
        """Try to cover all pairs for less than the bound, branching on the smallest open set of differences."""
        if not self.pairs_are_in_the_data():
            return None
        sets = [self.differences(self.rows[i], self.rows[j]) for i, j in self.pairs]
        left = self.bound - self.cost_of(self.included)
        return not self._coverable([s for s in sets if not s & self.included], left)

    def _coverable(self, sets: list[set[str]], left: Fraction) -> bool:
        """Return whether features that cost less than ``left`` meet all sets."""
        self.tick()
        if left <= 0:
            return False
        if not sets:
            return True
        cheapest = min(self.costs[name] for name in self.usable)
        if left <= 2 * cheapest:  # one feature at most: it must be in every set
            return any(self.costs[name] < left for name in set.intersection(*sets))
        sets = sorted(sets, key=len)
        for name in sorted(sets[0]):
            if self._coverable([s for s in sets if name not in s], left - self.costs[name]):
                return True
            # No cover has this feature: from here on, it is not to be used.
            sets = [s - {name} for s in sets]
        return False


def _names(certificate: dict[str, Any], key: str, known: list[str] | None = None) -> list[str]:
    """Return distinct names, of those known."""
    names = certificate.get(key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CertificateError(f"The certificate lists no {key}. It is damaged.")
    if len(set(names)) < len(names):
        raise CertificateError(f"The certificate lists some of its {key} twice. It is damaged.")
    strangers = set(names) - set(names if known is None else known)
    if strangers:
        raise CertificateError(f"The certificate's {key} has {min(strangers)!r}, none of its columns. It is damaged.")
    return names


def _cuts(certificate: dict[str, Any], names: list[str]) -> dict[str, list[float]]:
    """Return where columns are cut into intervals."""
    cuts = certificate.get("cuts") or {}
    if not isinstance(cuts, dict) or not set(cuts) <= set(names):
        raise CertificateError("The certificate's cuts are not those of its columns. It is damaged.")
    for name, of_column in cuts.items():
        if not isinstance(of_column, list):
            raise CertificateError(f"The certificate's cuts of {name!r} are no list. It is damaged.")
        for cut in of_column:
            _number(cut, f"cuts of {name}")
    return {name: sorted(map(float, of_column)) for name, of_column in cuts.items()}


def _interval_column(column: Column, cuts: list[float]) -> Column:
    """Return the number of the interval of every value: how many cuts are below it."""
    if column.kind is not Kind.NUMERIC:
        raise CertificateError(f"Column {column.name!r} is cut into intervals, but its values are no numbers.")
    values = column.values
    numbers = np.array([np.nan if value != value else bisect_left(cuts, value) for value in values.tolist()])
    return Column(column.name, Kind.NUMERIC, numbers)


def _value(column: Column, row: int) -> Any:
    """Return a number, or the code of a name; None where missing."""
    value = column.values[row].item()
    is_missing = value != value if column.kind is Kind.NUMERIC else value == MISSING
    return None if is_missing else value


def _comparable(column: Column) -> list:
    """Return the values of a column with None for missing ones, which equal each other as NaN would not."""
    values = column.values.tolist()
    for row in column.is_missing.nonzero()[0].tolist():
        values[row] = None
    return values


def _number(value: object, key: str) -> Fraction:
    """Return a number exactly as it is written."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise CertificateError(f"The certificate's {key} is {value!r}, which is no number. It is damaged.")
    return Fraction(str(value))


def _prices(certificate: dict[str, Any], key: str, default: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return positive numbers by name."""
    given = certificate.get(key)
    if given is None:
        return default
    if not isinstance(given, dict):
        raise CertificateError(f"The certificate's {key} are {given!r}, not numbers by name. It is damaged.")
    numbers = {name: _number(value, f"{key} of {name!r}") for name, value in given.items()}
    for name, number in numbers.items():
        if number <= 0:
            raise CertificateError(f"The certificate's {key} has {given[name]!r} for {name!r}; all are positive.")
    return numbers


def _pairs(certificate: dict[str, Any]) -> list[tuple[int, int]]:
    """Return pairs of row numbers."""
    pairs = certificate.get("pairs")
    if isinstance(pairs, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        rows = [row for pair in pairs for row in pair]
        if all(isinstance(row, int) and not isinstance(row, bool) for row in rows):
            return [(i, j) for i, j in pairs]
    raise CertificateError("The certificate lists no pairs of rows. It is damaged.")
