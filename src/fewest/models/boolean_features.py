"""Boolean features over nominal columns: tests of one value, and conjunctions made of other such features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from fewest.models.encoder import Encoder


@dataclass(frozen=True, eq=False)
class BooleanFeatures:
    """Boolean features over encoded columns: tests first, then conjunctions, each of two features before it.

    Attributes
    ----------
    column, value : ndarray of shape (n_tests,)
        A test is true where the column has the value.
    first, second : ndarray of shape (n_constructed,)
        The two features that a constructed one conjoins.
    first_holds, second_holds : ndarray of shape (n_constructed,)
        Whether each of them is to be true (1) or false (0).
    """

    column: np.ndarray
    value: np.ndarray
    first: np.ndarray
    first_holds: np.ndarray
    second: np.ndarray
    second_holds: np.ndarray

    @classmethod
    def from_codes(cls, codes: np.ndarray) -> BooleanFeatures:
        """Return the tests for the values of training data."""
        return cls.from_values([np.unique(column).tolist() for column in codes.T], [True] * codes.shape[1])

    @classmethod
    def from_values(cls, values: Sequence[Sequence[int]], is_one_enough: Sequence[bool]) -> BooleanFeatures:
        """Return a test for every value that a column has.

        Of two values, where ``is_one_enough``, only the second is tested: the
        other test would be its opposite. A column of one value needs none.
        """
        tests = []
        for j, (some, is_one) in enumerate(zip(values, is_one_enough, strict=True)):
            if len(some) > 1:
                tests += [(j, value) for value in (some[1:] if is_one and len(some) == 2 else some)]
        column, value = np.array(tests, dtype=np.int64).reshape(-1, 2).T
        nothing = np.empty(0, dtype=np.int64)
        return cls(column, value, nothing, nothing, nothing, nothing)

    def __len__(self) -> int:
        return self.n_tests + self.n_constructed

    @property
    def n_tests(self) -> int:
        """Return the number of features that test a value."""
        return len(self.column)

    @property
    def n_constructed(self) -> int:
        """Return the number of conjunctions."""
        return len(self.first)

    def with_conjunctions(self, pairs: Sequence[tuple[int, int, int, int]]) -> BooleanFeatures:
        """Add conjunctions, given as (first, first_holds, second, second_holds)."""
        added = np.array(pairs, dtype=np.int64).reshape(-1, 4).T
        held = (self.first, self.first_holds, self.second, self.second_holds)
        return BooleanFeatures(self.column, self.value, *map(np.concatenate, zip(held, added, strict=True)))

    def matrix(self, codes: np.ndarray) -> np.ndarray:
        """Return every feature, 0 or 1, for every row: column-major, of shape (n_rows, n_features)."""
        matrix = np.empty((len(codes), len(self)), dtype=np.int8, order="F")
        for k, (column, value) in enumerate(zip(self.column.tolist(), self.value.tolist(), strict=True)):
            matrix[:, k] = codes[:, column] == value
        for k, pair in enumerate(self.conjunctions(), start=self.n_tests):
            matrix[:, k] = conjoined(matrix, *pair)
        return matrix

    def conjunctions(self) -> list[tuple[int, int, int, int]]:
        """Return the constructed features as (first, first_holds, second, second_holds)."""
        held = (self.first, self.first_holds, self.second, self.second_holds)
        return [*zip(*(array.tolist() for array in held), strict=True)]

    def names(self, tests: Sequence[str]) -> list[str]:
        """Write every feature as a conjunction of the tests, whose names are given: ``~(x1 & x3) & x5``."""
        conjuncts: list[tuple[str, ...]] = [(name,) for name in tests]
        for first, first_holds, second, second_holds in self.conjunctions():
            literals = (*_literals(conjuncts[first], first_holds), *_literals(conjuncts[second], second_holds))
            conjuncts.append(tuple(dict.fromkeys(literals)))
        return [" & ".join(parts) for parts in conjuncts]

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], n_columns: int) -> BooleanFeatures:
        """Return the features of stored arrays; raise ValueError or KeyError when they make no sense."""
        features = cls(*(arrays[field.name] for field in fields(cls)))
        tests, held = (features.column, features.value), [*features.to_arrays().values()][2:]
        if any(array.ndim != 1 or array.dtype.kind != "i" for array in (*tests, *held)) or (
            len({len(array) for array in tests}) > 1 or len({len(array) for array in held}) > 1
        ):
            raise ValueError("the arrays of the features do not fit each other")
        own = features.n_tests + np.arange(features.n_constructed)
        ends = ((features.column, n_columns), (features.first, own), (features.second, own))
        if any((array < 0).any() or (array >= end).any() for array, end in ends):
            raise ValueError("the features refer to what is not there")
        return features


def conjoined(matrix: np.ndarray, first: int, first_holds: int, second: int, second_holds: int) -> np.ndarray:
    """Return the rows in which two columns of a 0-1 matrix are as they are to be, as Booleans."""
    return (matrix[:, first] == first_holds) & (matrix[:, second] == second_holds)


def _literals(conjuncts: tuple[str, ...], holds: int) -> tuple[str, ...]:
    """Return what a feature, or its negation, adds to a conjunction."""
    if holds:
        return conjuncts
    whole = " & ".join(conjuncts)
    return (f"~({whole})" if " " in whole else f"~{whole}",)


def names_of_tests(encoder: Encoder, features: BooleanFeatures) -> list[str]:
    """Return the names of the tests of values; a column that is Boolean by itself lends its own."""
    alone = np.bincount(features.column, minlength=len(encoder.columns)) == 1
    names = []
    for j, value in zip(features.column.tolist(), features.value.tolist(), strict=True):
        column = encoder.columns[j]
        if value == len(column.labels):
            names.append(f"{column.name} is missing")
        elif alone[j] and column.is_boolean and value == 1:
            names.append(column.name)
        else:
            names.append(f"{column.name} = {column.values[value]}")
    return names
