"""Why is this row of its class? The fewest of its values that no row of another class shares.

The conflicts are those of one row with all rows of other classes, and a minimum cover of them is an explanation of the
row. No model is needed: what is explained is the data.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from fewest.budget import INTERRUPT, Budget, OutOfBudgetError
from fewest.cover.kernels.conflicts import first_positions, minimal
from fewest.cover.kernels.differences import separated
from fewest.cover.solver.minimum import MinimumCover
from fewest.cover.solver.problem import CoverProblem, Subset
from fewest.cover.solver.solve import MOST_COMPARED, greedy_cover
from fewest.cover.sufficient import class_column
from fewest.exceptions import ParameterError, StoppedEarlyWarning
from fewest.kernels import bits
from fewest.models.encoder import UNSEEN, Encoder
from fewest.table import Column, Kind, Table
from fewest.table.discretize import sensible_cuts
from fewest.table.frames import column_of_objects, table_from
from fewest.table.requests import Features, costs_by_position, included_and_excluded
from fewest.table.table import MISSING_RULES

# Explanations of the least cost that are compared by how many rows share them.
MOST_LISTED = 1000


@dataclass(frozen=True)
class NearRow:
    """A row of another class, and what one would have to change to make the explained row like it.

    Attributes
    ----------
    row : int
        Its position in the data.
    label : object
        Its class.
    changes : dict
        For every feature in which the two differ: the value of the explained row, and the value of this one.
    """

    row: int
    label: object
    changes: dict[str, tuple[object, object]]


@dataclass(frozen=True)
class RowExplanation:
    """Why a row is of its class, as far as the data tells.

    Attributes
    ----------
    row : int or None
        The position of the explained row; None for a new one.
    label : object
        Its class. Of a new row without one, the class of the rows that are nearest.
    is_label_given : bool
        Whether the class was given, and not taken from the nearest rows.
    features : tuple of str
        The fewest features whose values, in this row, no row of another class shares.
    values : dict
        These values; of a measurement the interval that it falls into.
    n_sharing : int
        How many other rows share all of these values; all are of the same class.
    alternatives : tuple of tuple of str
        Sets of features of the same cost that explain the row, the one above first: those that the most rows share
        before the others.
    n_sharing_alternatives : tuple of int
        How many other rows share the values of each.
    is_complete : bool
        Whether there are no more alternatives than those listed.
    is_optimal : bool
        Whether it is proven that no set of features of less cost would do.
    twins : tuple of int
        Rows of other classes that agree with this one in every feature, so that nothing explains the difference. The
        explanation then sets the row apart from all others.
    nearest : tuple of NearRow
        The rows of other classes that differ in the fewest features, the nearest first.
    unseen : tuple of str
        Features of a new row whose value no row of the data has: they tell nothing.
    """

    row: int | None
    label: object
    is_label_given: bool
    features: tuple[str, ...]
    values: dict[str, str]
    n_sharing: int
    alternatives: tuple[tuple[str, ...], ...]
    n_sharing_alternatives: tuple[int, ...]
    is_complete: bool
    is_optimal: bool
    twins: tuple[int, ...] = ()
    nearest: tuple[NearRow, ...] = ()
    unseen: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the explanation in one sentence."""
        who = "The new row" if self.row is None else f"Row {self.row}"
        if not self.features:
            return f"{who} is {self.label}, and there is no row of another class to tell it from."
        because = " and ".join(f"{name} {_equals(value)}" for name, value in self.values.items())
        return f"{who} is {self.label}: {because}, which no row of another class shares."


def explain_row(
    X: object,
    y: object,
    row: object,
    *,
    label: object = None,
    missing: str = "value",
    exact_values: bool = False,
    costs: Sequence[float] | Mapping[str, float] | None = None,
    include: Features = None,
    exclude: Features = None,
    max_alternatives: int = 10,
    n_nearest: int = 3,
    time_limit: float | None = None,
    progress: AbstractContextManager[Callable[[str], None] | None] | None = None,
) -> RowExplanation:
    """Find the fewest features whose values, in one row, no row of another class shares.

    Parameters
    ----------
    X : dataframe, 2-D array, sparse matrix or Table
        The rows.
    y : array-like or Column
        Their classes.
    row : int, mapping, sequence or frame of one row
        Which row to explain: its position in ``X``; or a new row, as values by name, as one value a feature, or as a
        frame of one row.
    label : object, default=None
        The class of a new row; also another class for a row of the data, to ask what would set it apart if it were
        of that class. By default a new row is taken to be of the class of the rows that are nearest.
    missing : {"value", "cautious"}, default="value"
        Whether a missing value is one more value of its feature, or separates nothing.
    exact_values : bool, default=False
        Compare numbers for equality. By default numeric columns of many values are cut into intervals that tell
        something about the class: compared for equality, one measurement sets every row apart and explains nothing.
    costs : mapping or sequence of float, default=None
        What features cost, by name or one each; the cheapest explanation is sought. By default all cost 1.
    include : str, int, list of these or Boolean mask, default=None
        Features that the explanation must use.
    exclude : str, int, list of these or Boolean mask, default=None
        Features that it must not use.
    max_alternatives : int, default=10
        How many explanations of the same cost to list. The first is the answer: the one that the most rows share.
    n_nearest : int, default=3
        How many of the nearest rows of other classes to list.
    time_limit : float, default=None
        Seconds; the best explanation so far is returned after them. By default there is no limit.
    progress : context manager, default=None
        Entered for the time of the search; it gives what is called with a short text about ten times a second.

    Returns
    -------
    RowExplanation
        The features and values, alternatives, and the nearest rows of other classes.

    See Also
    --------
    MinFeatures : The fewest features that tell all rows apart.
    fewest.cover.sufficiency : Whether some features tell all rows apart.

    References
    ----------
    Almuallim, H. and Dietterich, T. G. (1994). Learning Boolean concepts in the presence of many irrelevant features.
    Artificial Intelligence 69, 279-305.

    Examples
    --------
    >>> from fewest import explain_row
    >>> X = [["sunny", "hot"], ["rain", "hot"], ["rain", "mild"]]
    >>> found = explain_row(X, ["no", "yes", "yes"], 0)
    >>> found.features, found.values, found.is_optimal
    (('x0',), {'x0': 'sunny'}, True)
    >>> found.nearest[0].changes
    {'x0': ('sunny', 'rain')}
    """
    for name, number in {"max_alternatives": max_alternatives, "n_nearest": n_nearest}.items():
        if number < 0:
            raise ParameterError(f"{name} is {number}; it must not be negative.")
    table, classes = table_from(X), class_column(y)
    if len(classes) != table.n_rows:
        raise ParameterError(f"There are {table.n_rows} rows but {len(classes)} classes. Give one class a row.")
    if not table.n_rows:
        raise ParameterError("There are no rows to compare with.")
    rows = _Rows.encoded(table, classes, missing, exact_values)
    asked = rows.asked(row)
    included, excluded = included_and_excluded(table, include, exclude)
    apart = separated(asked.codes, rows.codes)
    apart[:, excluded] = False
    example = asked.example(label, classes, apart.sum(axis=1))
    is_other = classes.values != classes.values[example]
    is_told = apart.any(axis=1)
    problem = CoverProblem(
        _distinct(apart[is_other & is_told]),
        len(table.columns),
        costs=costs_by_position(table, costs),
        include=included,
        exclude=excluded,
    )
    with progress or nullcontext() as on_progress:
        subsets, is_optimal, is_complete = _explanations(problem, Budget(time_limit, on_progress))
    alike = ~apart[~is_other if asked.row is None else ~is_other & (np.arange(len(apart)) != asked.row)]
    n_sharing = [int(alike[:, subset].all(axis=1).sum()) for subset in subsets]
    # What many rows share is less likely to be chance; stable, so that the first found comes first among equals.
    order = sorted(range(len(subsets)), key=lambda k: -n_sharing[k])
    best, listed = subsets[order[0]], order[: max(1, max_alternatives)]
    nearest = np.flatnonzero(is_other & is_told)
    nearest = nearest[np.argsort(apart[nearest].sum(axis=1), kind="stable")][:n_nearest]
    names = table.names
    return RowExplanation(
        row=asked.row,
        label=classes.value_at(example),
        is_label_given=label is not None or asked.row is not None,
        features=tuple(names[j] for j in best),
        values={names[j]: asked.written(j, rows.encoder) for j in best},
        n_sharing=n_sharing[order[0]],
        alternatives=tuple(tuple(names[j] for j in subsets[k]) for k in listed),
        n_sharing_alternatives=tuple(n_sharing[k] for k in listed),
        is_complete=is_complete and len(listed) == len(subsets),
        is_optimal=is_optimal,
        twins=tuple(np.flatnonzero(is_other & ~is_told).tolist()),
        nearest=tuple(_near(table, classes, asked, int(i), apart[i]) for i in nearest),
        unseen=tuple(names[j] for j in np.flatnonzero(asked.is_unseen)),
    )


@dataclass(frozen=True, eq=False)
class _Asked:
    """The row to explain.

    ``codes`` are negative where a value separates nothing: unknown under ``missing="cautious"``, or unseen.
    """

    row: int | None
    codes: np.ndarray
    is_unseen: np.ndarray
    table: Table  # that the row is in, at ``place``
    place: int

    def value(self, j: int) -> object:
        """Return the value of a feature."""
        return self.table.columns[j].value_at(self.place)

    def written(self, j: int, encoder: Encoder) -> str:
        """Return the value of a feature as it is compared: a number of many values by its interval."""
        code = int(self.codes[j])
        return str(self.value(j)) if code < 0 else encoder.columns[j].values[code]

    def example(self, label: object, classes: Column, n_apart: np.ndarray) -> int:
        """Return a row of the class to explain: the class given, its own, or the most frequent among the nearest."""
        if label is not None:
            firsts = np.unique(classes.values, return_index=True)[1].tolist()
            labels = [classes.value_at(i) for i in firsts]
            for i, known in zip(firsts, labels, strict=True):
                if known == label or str(known) == str(label):
                    return i
            raise ParameterError(f"There is no class {label!r}. There are {', '.join(map(repr, map(str, labels)))}.")
        if self.row is not None:
            return self.row
        near = np.flatnonzero(n_apart == n_apart.min())
        _, firsts_of_near, counts = np.unique(classes.values[near], return_index=True, return_counts=True)
        return int(near[firsts_of_near[int(np.argmax(counts))]])


@dataclass(frozen=True, eq=False)
class _Rows:
    """The encoded rows."""

    table: Table
    encoder: Encoder
    codes: np.ndarray
    missing: str

    @classmethod
    def encoded(cls, table: Table, classes: Column, missing: str, exact_values: bool) -> _Rows:
        """Encode a table: numbers of many values by interval, unless ``exact_values``."""
        if missing not in MISSING_RULES:
            raise ParameterError.from_choice("missing", missing, MISSING_RULES)
        numbers = np.unique(classes.values, return_inverse=True)[1]
        encoder, codes = Encoder.fit(table, {} if exact_values else sensible_cuts(table, numbers))
        rows = cls(table, encoder, codes, missing)
        return replace(rows, codes=rows._cautious(codes))

    def _cautious(self, codes: np.ndarray) -> np.ndarray:
        """Return the codes with missing values unknown, if they are to separate nothing."""
        if self.missing == "value":
            return codes
        n_labels = np.array([len(column.labels) for column in self.encoder.columns])
        return np.where(codes == n_labels, UNSEEN, codes)

    def asked(self, row: object) -> _Asked:
        """Return the row to explain: one of these, by its position, or a new one."""
        if isinstance(row, int | np.integer) and not isinstance(row, bool):
            n_rows = self.table.n_rows
            if not -n_rows <= row < n_rows:
                raise ParameterError(f"There is no row {row}: the data has {n_rows} rows, counted from 0.")
            place = int(row) % n_rows
            return _Asked(place, self.codes[place], np.zeros(self.codes.shape[1], dtype=bool), self.table, place)
        table = self._as_table(row)
        if table.n_rows != 1:
            raise ParameterError(f"A new row must be one row, not {table.n_rows}. Explain one after the other.")
        columns = self.encoder.find(table)
        codes = self.encoder.codes(columns, 1)
        is_unseen = codes[0] == UNSEEN
        return _Asked(None, self._cautious(codes)[0], is_unseen, Table(tuple(columns), 1), 0)

    def _as_table(self, row: Any) -> Table:
        """Return a new row as a table: from values by name, from one value a feature, or from a frame."""
        if isinstance(row, Mapping):
            return Table(tuple(_column(str(name), value, self.table) for name, value in row.items()), 1)
        if np.ndim(row) == 1 and not isinstance(row, str) and not hasattr(row, "columns"):
            values, names = list(row), self.table.names
            if len(values) != len(names):
                raise ParameterError(f"The new row has {len(values)} values for {len(names)} features.")
            return Table(tuple(_column(name, value, self.table) for name, value in zip(names, values, strict=True)), 1)
        return table_from(row)


def _column(name: str, value: object, table: Table) -> Column:
    """Return a column of one value, of the kind that the data has under this name."""
    known = next((column for column in table.columns if column.name == name), None)
    is_nominal = known is not None and known.kind is not Kind.NUMERIC
    return column_of_objects(name, [value], Kind.NOMINAL if is_nominal and value is not None else None)


def _distinct(apart: np.ndarray) -> np.ndarray:
    """Return the conflicts as words, each once and, where that is quick to find, none that includes another."""
    words = bits.pack(apart)
    words = np.ascontiguousarray(words[:, np.sort(first_positions(words)[0])])
    if words.shape[1] ** 2 * len(words) > MOST_COMPARED:
        return words
    return np.ascontiguousarray(words[:, minimal(words)])


def _explanations(problem: CoverProblem, budget: Budget) -> tuple[list[Subset], bool, bool]:
    """Return the cheapest covers, whether they are proven to be, and whether these are all."""
    search = MinimumCover(problem, greedy_cover(problem))
    cover = search.run(budget)
    if cover.stopped_by == INTERRUPT:
        raise KeyboardInterrupt
    if not cover.is_optimal:
        _warn_of_the_clock("the explanation was proven to be the cheapest")
        return [search.best], False, False
    found: list[Subset] = []
    try:
        found.extend(islice(search.covers(search.upper, budget), MOST_LISTED + 1))
    except OutOfBudgetError:
        _warn_of_the_clock("all explanations were listed")
        return found or [search.best], True, False
    return found[:MOST_LISTED], True, len(found) <= MOST_LISTED


def _warn_of_the_clock(aim: str) -> None:
    warnings.warn(
        f"The time limit ended the search before {aim}. {StoppedEarlyWarning.BY_CLOCK}",
        StoppedEarlyWarning,
        stacklevel=4,
    )


def _near(table: Table, classes: Column, asked: _Asked, row: int, apart: np.ndarray) -> NearRow:
    changes = {table.names[j]: (asked.value(j), table.columns[j].value_at(row)) for j in np.flatnonzero(apart).tolist()}
    return NearRow(row, classes.value_at(row), changes)


def _equals(value: str) -> str:
    """Return the value with its sign: that of an interval is there already."""
    return value if value.startswith(("<=", ">")) else f"= {value}"
