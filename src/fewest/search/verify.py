"""Checking a certificate, for a sceptic: this file shares no code with the searches, and is short enough to read.

Rows are compared value by value, and subsets are tried one after the other.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fewest.exceptions import CertificateError
from fewest.table import Column, Table


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
    claims = _Claims(certificate, features, target, time_limit)
    bound = certificate["lower_bound"]
    pairs = f"Each of the {len(claims.pairs):,} pairs of rows differs in class and in some feature."
    subset = f"The {len(claims.chosen)} features separate every two rows of different class that can be separated."
    enough = f"No subset that costs less than {bound:g} has, for each pair, a feature in which it differs."
    cost = f"The features cost {certificate['cost']:g}."
    return [
        Finding(pairs, claims.pairs_are_in_the_data()),
        Finding(subset, claims.in_time(claims.subset_is_sufficient)),
        Finding(cost, claims.cost_of(claims.chosen) == Fraction(str(certificate["cost"]))),
        Finding(enough, claims.in_time(claims.bound_holds)),
    ]


class _Claims:
    """A certificate beside the data that it speaks of."""

    def __init__(self, certificate: dict[str, Any], features: Table, target: Column, time_limit: float | None):
        self.deadline = float("inf") if time_limit is None else time.monotonic() + time_limit
        self.names = _names(certificate, "columns")
        self.usable = set(self.names) - set(_names(certificate, "forbid"))
        self.chosen = _names(certificate, "features")
        self.included = set(_names(certificate, "include"))
        self.is_cautious = certificate.get("missing") == "cautious"
        self.margins = certificate.get("margins") or {}
        self.costs = certificate.get("costs") or dict.fromkeys(self.names, 1)
        self.bound = Fraction(str(certificate["lower_bound"]))
        self.pairs = certificate["pairs"]
        self.classes = target.values.tolist()
        if certificate["n_rows"] != len(self.classes):
            raise CertificateError(
                f"The certificate speaks of {certificate['n_rows']} rows, the data has {len(self.classes)}. "
                "It belongs to other data."
            )
        self.values = {name: features[name].values for name in self.names}
        self.missing = {name: features[name].is_missing for name in self.names}

    def in_time(self, check: Callable[[], bool | None]) -> bool | None:
        try:
            return check()
        except OutOfTimeError:
            return None

    def tick(self) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTimeError

    def differ(self, name: str, i: int, j: int) -> bool:
        if self.missing[name][i] or self.missing[name][j]:
            return not self.is_cautious and bool(self.missing[name][i] != self.missing[name][j])
        if name in self.margins:
            # Up to rounding: 0.3 - 0.2 is meant to reach 0.1.
            return bool(abs(self.values[name][i] - self.values[name][j]) >= self.margins[name] * (1 - 1e-9))
        return bool(self.values[name][i] != self.values[name][j])

    def differences(self, i: int, j: int) -> set[str]:
        return {name for name in self.usable if self.differ(name, i, j)}

    def pairs_are_in_the_data(self) -> bool:
        rows = range(len(self.classes))
        return all(
            i in rows and j in rows and self.classes[i] != self.classes[j] and self.differences(i, j)
            for i, j in self.pairs
        )

    def subset_is_sufficient(self) -> bool:
        if not set(self.chosen) <= self.usable or not self.included <= set(self.chosen):
            return False
        return self._separates_all_pairs() if self.is_cautious or self.margins else self._separates_all_groups()

    def _separates_all_groups(self) -> bool:
        """Rows that agree on the chosen features must be of one class, or agree on every feature."""
        groups = defaultdict(list)
        columns = [self._comparable(name) for name in self.chosen]
        for row in range(len(self.classes)):
            groups[tuple(column[row] for column in columns)].append(row)
        for rows in groups.values():
            self.tick()
            if len({self.classes[row] for row in rows}) > 1 and any(self.differences(rows[0], row) for row in rows):
                return False
        return True

    def _comparable(self, name: str) -> list:
        """Return a column with None for missing values, which equal each other as NaN would not."""
        return [None if lost else value for value, lost in zip(self.values[name], self.missing[name], strict=True)]

    def _separates_all_pairs(self) -> bool:
        """Agreeing is not transitive where missing values agree with everything, or near numbers do: compare all."""
        for i in range(len(self.classes)):
            self.tick()
            for j in range(i):
                if (
                    self.classes[i] != self.classes[j]
                    and not any(self.differ(name, i, j) for name in self.chosen)
                    and self.differences(i, j)
                ):
                    return False
        return True

    def cost_of(self, names: Iterable[str]) -> Fraction:
        return sum((self.price(name) for name in names), Fraction(0))

    def bound_holds(self) -> bool | None:
        """Try to cover all pairs for less than the bound, branching on the smallest open set of differences."""
        if not self.pairs_are_in_the_data():
            return None
        sets = [self.differences(i, j) for i, j in self.pairs]
        left = self.bound - self.cost_of(self.included)
        return not self._coverable([s for s in sets if not s & self.included], left)

    def _coverable(self, sets: list[set[str]], left: Fraction) -> bool:
        """Tell whether features that cost less than ``left`` meet all sets."""
        self.tick()
        if left <= 0:
            return False
        if not sets:
            return True
        cheapest = min(self.price(name) for name in self.usable)
        if left <= 2 * cheapest:  # one feature at most: it must be in every set
            return any(self.price(name) < left for name in set.intersection(*sets))
        sets = sorted(sets, key=len)
        for name in sorted(sets[0]):
            if self._coverable([s for s in sets if name not in s], left - self.price(name)):
                return True
            # No cover has this feature: from here on, it is not to be used.
            sets = [s - {name} for s in sets]
        return False

    def price(self, name: str) -> Fraction:
        return Fraction(str(self.costs[name]))


def _names(certificate: dict[str, Any], key: str) -> list[str]:
    names = certificate.get(key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CertificateError(f"The certificate lists no {key}. It is damaged.")
    return names
