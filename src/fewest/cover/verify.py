"""Checking a certificate, for a sceptic: this file shares no code with the searches, and can be read on its own.

Rows are compared value by value. That no cheaper subset would do is read off the tree that a large certificate has, in
time proportional to its size; without one, subsets are tried one after the other.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import repeat
from math import lcm
from operator import and_
from typing import Any, NamedTuple

import numpy as np

from fewest.cover.digest import digest_of
from fewest.cover.statement import Statement
from fewest.exceptions import CertificateError
from fewest.table import Column, Kind, Table
from fewest.table.column import MISSING

# Reads the data once more: tables of features, and the numbers of their rows' classes.
Batches = Callable[[], Iterable[tuple[Table, np.ndarray]]]
# Pairs of rows, times choices, that are held at once where every pair has to be counted.
MOST_HELD = 2e9


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
    said = Statement.read(certificate)
    claims = _Claims(said, batches, time_limit)
    bound, n_features = float(said.bound), len(said.features)
    what = "features" if n_features != 1 else "feature"
    if said.tolerance:
        subset = (
            f"The {n_features} {what} leave no more pairs of rows of different class alike than the tolerance allows."
        )
        enough = f"No subset that costs less than {bound:g} leaves so few."
    else:
        subset = f"The {n_features} {what} separate every two rows of different class that can be separated."
        enough = f"No subset that costs less than {bound:g} has, for each pair, a feature in which it differs."
    findings = [
        Finding(
            f"Each of the {len(said.pairs):,} pairs of rows differs in class and in some feature.",
            claims.pairs_are_in_the_data(),
        ),
        Finding(subset, claims.in_time(claims.subset_is_sufficient)),
        Finding(f"The features cost {float(said.cost):g}.", claims.cost_is_right()),
        Finding(enough, claims.in_time(claims.bound_holds)),
    ]
    if said.digest is None:
        return findings
    same = "The columns are those that it was written for: the same rows agree in them."
    return [Finding(same, claims.digest() == said.digest), *findings]


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
    """A statement beside the data that it speaks of."""

    def __init__(self, said: Statement, batches: Batches, time_limit: float | None):
        self.deadline = float("inf") if time_limit is None else time.monotonic() + time_limit
        self.said, self.batches = said, batches
        self.usable = set(said.usable)
        self.compares_all = said.is_cautious or bool(said.margins)
        # Choices are the bits of whole numbers; those of features that must be taken have been taken.
        self.choice_of = {name: k for k, choice in enumerate(said.choices) for name in choice}
        self.included = {self.choice_of[name] for name in said.included if name in self.usable}
        # Costs as whole numbers, of which "less than the bound" is "at most one less".
        unit = Fraction(1, lcm(said.bound.denominator, *(price.denominator for price in said.prices)))
        self.prices = [int(price / unit) for price in said.prices]
        self.left = int(said.bound / unit) - 1 - sum(self.prices[k] for k in self.included)
        free = [price for k, price in enumerate(self.prices) if k not in self.included]
        self.cheapest = min(free, default=1)
        self.room = tuple(most - len(self.included.intersection(some)) for most, some in said.at_most)
        self.limited = [_mask(set(some) - self.included) for _, some in said.at_most]
        self.rows = self._rows_of_pairs()

    def _rows_of_pairs(self) -> dict[int, _Row]:
        """Return the rows that are in some pair."""
        wanted = sorted({row for pair in self.said.pairs for row in pair})
        found: dict[int, _Row] = {}
        n_rows = 0
        for batch in self._batches():
            own = wanted[bisect_left(wanted, n_rows) : bisect_left(wanted, n_rows + len(batch.labels))]
            found |= {row: batch.row(row - n_rows) for row in own}
            n_rows += len(batch.labels)
        if self.said.n_rows != n_rows:
            raise CertificateError(
                f"The certificate speaks of {self.said.n_rows} rows, the data has {n_rows}. It belongs to other data."
            )
        return found

    def _batches(self) -> Iterator[_Batch]:
        """Read the data once more."""
        for table, classes in self.batches():
            known = dict(zip(table.names, table.columns, strict=True))
            columns = {name: known[name] if name in known else table[name] for name in self.said.columns}
            for name in self.said.margins:
                if columns[name].kind is not Kind.NUMERIC:
                    raise CertificateError(
                        f"The certificate has a margin for {name!r}, which is {columns[name].kind} in the data, so "
                        "that its values cannot lie a margin apart. It is damaged, or belongs to other data."
                    )
            columns |= {name: _interval_column(columns[name], cuts) for name, cuts in self.said.cuts.items()}
            yield _Batch(columns, classes.tolist())

    def digest(self) -> str:
        """Return the digest of the columns that may be used."""
        names = self.said.usable
        measured = {j for j, name in enumerate(names) if name in self.said.margins}
        batches = (
            ([batch.columns[name].values for name in names], np.array(batch.labels)) for batch in self._batches()
        )
        return digest_of(batches, measured)

    def in_time(self, check: Callable[[], bool | None]) -> bool | None:
        try:
            return check()
        except (OutOfTimeError, RecursionError):
            return None

    def tick(self) -> None:
        if time.monotonic() > self.deadline:
            raise OutOfTimeError

    # ------------------------------------------------------------------ rows

    def differ(self, name: str, one: _Row, other: _Row) -> bool:
        a, b = one.values[name], other.values[name]
        if a is None or b is None:
            return not self.said.is_cautious and (a is None) != (b is None)
        if name in self.said.margins:
            return bool(abs(a - b) >= self.said.margins[name])
        return bool(a != b)

    def differences(self, one: _Row, other: _Row) -> set[int]:
        """Return the choices in which two rows differ."""
        return {self.choice_of[name] for name in self.said.usable if self.differ(name, one, other)}

    def pairs_are_in_the_data(self) -> bool:
        return all(
            i in self.rows
            and j in self.rows
            and self.rows[i].label != self.rows[j].label
            and self.differences(self.rows[i], self.rows[j])
            for i, j in self.said.pairs
        )

    # ------------------------------------------------------------------ the subset

    @cached_property
    def taken(self) -> set[int]:
        return {self.choice_of[name] for name in self.said.features if name in self.usable}

    def cost_is_right(self) -> bool:
        return sum((self.said.prices[k] for k in self.taken), Fraction(0)) == self.said.cost

    def subset_is_sufficient(self) -> bool:
        """Return whether the subset is one that may be chosen, and does what it should."""
        said, chosen = self.said, set(self.said.features)
        is_whole = chosen == {name for k in self.taken for name in said.choices[k]}
        is_allowed = all(len(self.taken.intersection(some)) <= most for most, some in said.at_most)
        has_all = set(said.included) <= chosen and all(self.taken.intersection(some) for some in said.any_of)
        if not (is_whole and is_allowed and has_all):
            return False
        if said.tolerance:
            return self._left_by(self.taken).n_alike <= self.n_allowed
        return self._separates_all_pairs() if self.compares_all else self._separates_all_groups()

    def _separates_all_groups(self) -> bool:
        """Rows that agree on the chosen features must be of one class, or agree on every feature."""
        labels: dict[tuple, int] = {}
        mixed: set[tuple] = set()
        for batch in self._batches():
            self.tick()
            for key, label in zip(batch.keys(self.said.features), batch.labels, strict=False):
                if labels.setdefault(key, label) != label:
                    mixed.add(key)
        firsts: dict[tuple, _Row] = {}
        for batch in self._batches() if mixed else ():
            for number, (key, _) in enumerate(zip(batch.keys(self.said.features), batch.labels, strict=False)):
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
                    and not any(self.differ(name, one, other) for name in self.said.features)
                    and self.differences(one, other)
                ):
                    return False
        return True

    # ------------------------------------------------------------------ the bound

    def bound_holds(self) -> bool | None:
        """Return whether nothing that may be chosen and costs less than the bound does what it should."""
        if not self.pairs_are_in_the_data():
            return None
        if self.left < 0 or min(self.room, default=0) < 0:
            return True
        if self.said.tolerance:
            free = [k for k in range(len(self.prices)) if k not in self.included]
            return not self._few_left(self._left_by(self.included), set(self.included), free, self.left)
        sets = [self.differences(self.rows[i], self.rows[j]) for i, j in self.said.pairs]
        sets += [set(some) for some in self.said.any_of]
        banned = _after(0, self.room, self.limited)[1]
        if self.said.tree is None:
            masks = [_mask(members) for members in sets if not members & self.included]
            return not self._coverable(masks, banned, self.left, self.room)
        return self._tree_holds(sets, banned)

    def _coverable(self, sets: list[int], banned: int, left: int, room: tuple[int, ...]) -> bool:
        """Return whether choices that are not banned, and cost at most ``left``, meet all sets: try them."""
        self.tick()
        if not sets:
            return True
        if left < 2 * self.cheapest:  # one choice at most: it must be in every set
            common = reduce(and_, sets) & ~banned
            return any(self.prices[k] <= left for k in _members(common))
        smallest = min((members & ~banned for members in sets), key=int.bit_count)
        for k in _members(smallest):
            if self.prices[k] <= left:
                further, too_many = _after(1 << k, room, self.limited)
                missed = [members for members in sets if not members >> k & 1]
                if self._coverable(missed, banned | too_many, left - self.prices[k], further):
                    return True
            # Nothing with this choice meets all: from here on, it is not to be taken.
            banned |= 1 << k
        return False

    def _tree_holds(self, sets: list[set[int]], banned: int) -> bool:
        """Walk the tree, whose choices are tried in an order of its own."""
        place = {k: at for at, k in enumerate(self.said.order)}
        if self.included & set(place) or set().union(*sets) - self.included - set(place):
            return False
        # One more place stands for everything included: it is taken from the start, so that no node can name a set
        # that is met already.
        place |= dict.fromkeys(self.included, len(place))
        limited = [_mask(place[k] for k in _members(some) if k in place) for some in self.limited]
        walk = _Walk(self, [_mask(place[k] for k in members) for members in sets], limited)
        start = _mask(place[k] for k in _members(banned) if k in place)
        return walk.closes(1 << len(self.said.order), start, self.left, self.room) and walk.is_at_the_end()

    # ------------------------------------------------------------------ counting, with a tolerance

    @cached_property
    def _nothing_taken(self) -> _Alike:
        """Return all rows, none of which anything separates yet."""
        batches = list(self._batches())
        labels = np.array([label for batch in batches for label in batch.labels], dtype=np.int64)
        if self.compares_all:
            rows = [batch.row(i) for batch in batches for i in range(len(batch.labels))]
            return self._pair_by_pair(rows, labels)
        codes = []
        for choice in self.said.choices:
            values = [key for batch in batches for key, _ in zip(batch.keys(choice), batch.labels, strict=False)]
            numbers: dict[tuple, int] = {}
            codes.append(np.array([numbers.setdefault(key, len(numbers)) for key in values], dtype=np.int64))
        return _AlikeRows(codes, labels, np.zeros(len(labels), dtype=np.int64))

    def _pair_by_pair(self, rows: list[_Row], labels: np.ndarray) -> _AlikePairs:
        """Compare every two rows of different class."""
        n_pairs = (len(rows) ** 2 - int((np.bincount(labels) ** 2).sum())) // 2 if len(rows) else 0
        if n_pairs * len(self.prices) > MOST_HELD:
            raise OutOfTimeError
        apart = np.zeros((n_pairs, len(self.prices)), dtype=bool)
        number = 0
        for i, one in enumerate(rows):
            self.tick()
            for other in rows[:i]:
                if one.label != other.label:
                    apart[number, list(self.differences(one, other))] = True
                    number += 1
        return _AlikePairs(apart, np.ones(n_pairs, dtype=bool))

    def _left_by(self, choices: Iterable[int]) -> _Alike:
        """Return what some choices leave unseparated."""
        left = self._nothing_taken
        for choice in sorted(choices):
            left = left.split(choice)
        return left

    @cached_property
    def n_allowed(self) -> int:
        """Return how many pairs may stay alike: so many of all, or those that nothing separates if these are more."""
        n_tolerated = int(self.said.tolerance * self._nothing_taken.n_alike)
        return max(n_tolerated, self._left_by(range(len(self.prices))).n_alike)

    def _few_left(self, alike: _Alike, taken: set[int], free: list[int], left: int) -> bool:
        """Return whether further choices, for at most ``left``, leave few enough pairs.

        What a choice separates beyond others never grows as these grow. So all further ones together separate no more
        than each by itself does now, added up, the best for their price first.
        """
        self.tick()
        if any(len(taken.intersection(some)) > most for most, some in self.said.at_most):
            return False
        too_many = alike.n_alike - self.n_allowed
        if too_many <= 0 and all(taken.intersection(some) for some in self.said.any_of):
            return True
        after = {k: alike.split(k) for k in free if self.prices[k] <= left}
        gains = {k: alike.n_alike - split.n_alike for k, split in after.items()}
        free = sorted(after, key=lambda k: gains[k] / self.prices[k], reverse=True)
        for place, k in enumerate(free):
            paid, reached = left, 0.0
            for other in free[place:]:
                part = min(1.0, paid / self.prices[other])
                reached += gains[other] * part
                paid -= min(paid, self.prices[other])
            if reached < too_many * (1 - 1e-9):
                return False
            if self._few_left(after[k], taken | {k}, free[place + 1 :], left - self.prices[k]):
                return True
        return False


class _Walk:
    """A walk through the tree, in the order in which it is written.

    A node names a set that no choice taken is in. One of its members must be taken: each that is neither banned nor
    too dear has a child, and is banned for the later ones. Where at most one more choice can be paid for, the node
    names sets until they have none in common.
    """

    def __init__(self, claims: _Claims, sets: list[int], limited: list[int]):
        self.tick, self.sets, self.limited = claims.tick, sets, limited
        self.numbers = iter(claims.said.tree or ())
        self.prices = [claims.prices[k] for k in claims.said.order]
        self.cheapest = min(self.prices, default=1)
        self.affordable: dict[int, int] = {}  # by what is left

    def is_at_the_end(self) -> bool:
        """Return whether there is nothing more to read."""
        return next(self.numbers, None) is None

    def closes(self, taken: int, banned: int, left: int, room: tuple[int, ...]) -> bool:
        """Return whether no choices within ``left`` beside those taken can meet all sets."""
        if left < 2 * self.cheapest:
            return self._nothing_in_common(taken, banned, left)
        self.tick()
        number = next(self.numbers, None)
        if number is None or self.sets[number] & taken:
            return False
        rest = self.sets[number] & ~banned
        while rest:
            bit = rest & -rest
            rest ^= bit
            price = self.prices[bit.bit_length() - 1]
            if price <= left:
                further, too_many = _after(bit, room, self.limited) if room else (room, 0)
                if not self.closes(taken | bit, banned | too_many, left - price, further):
                    return False
                banned |= bit
        return True

    def _nothing_in_common(self, taken: int, banned: int, left: int) -> bool:
        if left not in self.affordable:
            self.affordable[left] = _mask(k for k, price in enumerate(self.prices) if price <= left)
        common = self.affordable[left] & ~banned
        for number in self.numbers:
            named = self.sets[number]
            if named & taken:
                return False
            common &= named
            if not common:
                return True
        return False


class _AlikeRows(NamedTuple):
    """Rows in groups that agree on what is taken."""

    codes: list[np.ndarray]  # of every choice
    labels: np.ndarray
    groups: np.ndarray

    @property
    def n_alike(self) -> int:
        """Count the pairs of rows of different class within the groups."""
        in_group = np.bincount(self.groups)
        of_class = np.unique(np.stack([self.groups, self.labels]), axis=1, return_counts=True)[1]
        return (int((in_group**2).sum()) - int((of_class**2).sum())) // 2

    def split(self, choice: int) -> _AlikeRows:
        """Take one more choice."""
        both = self.groups * (int(self.codes[choice].max(initial=0)) + 1) + self.codes[choice]
        return self._replace(groups=np.unique(both, return_inverse=True)[1])


class _AlikePairs(NamedTuple):
    """Pairs of rows of different class that nothing taken separates."""

    apart: np.ndarray  # Boolean (pairs, choices)
    is_alike: np.ndarray

    @property
    def n_alike(self) -> int:
        """Count them."""
        return int(self.is_alike.sum())

    def split(self, choice: int) -> _AlikePairs:
        """Take one more choice."""
        return self._replace(is_alike=self.is_alike & ~self.apart[:, choice])


_Alike = _AlikeRows | _AlikePairs


def _after(bit: int, room: tuple[int, ...], limited: list[int]) -> tuple[tuple[int, ...], int]:
    """Return how many more each limit allows once a choice is taken, and the choices that are then too many."""
    room = tuple(most - bool(some & bit) for most, some in zip(room, limited, strict=True))
    banned = 0
    for most, some in zip(room, limited, strict=True):
        banned |= some if most == 0 else 0
    return room, banned


def _mask(members: Iterable[int]) -> int:
    """Return a set as the bits of a number."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def _members(mask: int) -> list[int]:
    """Return the members of such a set."""
    return [k for k in range(mask.bit_length()) if mask >> k & 1]


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
