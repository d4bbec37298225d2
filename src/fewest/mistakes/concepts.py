"""Finite concept classes, every concept a Boolean row over the same instances, and their exact VC dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from math import comb

import numpy as np

from fewest.exceptions import ParameterError, TooLargeError, UnknownInstanceError

# Concepts times instances, a byte each while a class is built; no class of more features or points has so few.
MOST_VALUES = 1 << 28
MOST_FEATURES, MOST_POINTS = 28, 800


class ConceptClass:
    """A finite set of functions from instances to 0 and 1, given by its Boolean matrix.

    Concepts that agree on every instance are one. Sets of concepts are whole
    numbers: concept c is bit c, so that "all concepts of S that are 1 on x" is
    one AND of two numbers.

    Parameters
    ----------
    values : array-like of bool of shape (n_concepts, n_instances)
        The value of every concept on every instance.
    instances : array-like of shape (n_instances, n_features), optional
        The instances as Boolean vectors, for learners that are given such; numbers 0, 1, ... without.
    names : sequence of str, optional
        What the concepts are called; c0, c1, ... without.

    Attributes
    ----------
    values : ndarray of bool of shape (n_concepts, n_instances)
        The value of every concept on every instance; of equal concepts the first is kept.
    instances : ndarray of bool of shape (n_instances, n_features), or None
        The instances as Boolean vectors, where they are such.
    names : list of str
        What the concepts are called.
    ones : list of int
        For every instance, the set of the concepts that are 1 on it.

    See Also
    --------
    opt : The best mistake bound of a class.
    vc_dimension : Its Vapnik-Chervonenkis dimension.
    Halving : A classifier that follows the majority of a class.
    StandardOptimal : A classifier that makes no more mistakes than the best bound.

    References
    ----------
    Littlestone, N. (1988). Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm.
    Machine Learning 2, 285-318.

    Examples
    --------
    >>> from fewest.mistakes import ConceptClass, opt, vc_dimension
    >>> thresholds = ConceptClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> len(thresholds), vc_dimension(thresholds), opt(thresholds)
    (4, 1, 2)
    >>> len(ConceptClass.monotone_disjunctions(6))
    64
    """

    def __init__(self, values: object, instances: object | None = None, names: Sequence[str] | None = None) -> None:
        try:
            matrix = np.asarray(values)
        except ValueError:  # rows of different lengths
            matrix = np.empty(0)
        if matrix.ndim != 2 or not ((matrix == 0) | (matrix == 1)).all():
            raise ParameterError(
                "A concept class is a matrix of zeros and ones, a row a concept and a column an instance; this is not."
            )
        matrix = matrix.astype(bool)
        first = sorted(np.unique(matrix, axis=0, return_index=True)[1].tolist()) if matrix.size else [0][: len(matrix)]
        self.values = matrix[first]
        if names is not None and len(names) != len(matrix):
            raise ParameterError(f"There are {len(names)} names for {len(matrix)} concepts. Give one a concept.")
        self.names = [f"c{c}" for c in range(len(first))] if names is None else [names[c] for c in first]
        self.instances = None if instances is None else np.asarray(instances).astype(bool)
        if self.instances is not None and len(self.instances) != matrix.shape[1]:
            raise ParameterError(
                f"There are {len(self.instances)} instances for {matrix.shape[1]} columns of values. Give one a column."
            )
        self.ones = [_as_number(column) for column in self.values.T]
        self._places = None if self.instances is None else {x.tobytes(): i for i, x in enumerate(self.instances)}

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<ConceptClass: {len(self):,} concepts over {self.n_instances:,} instances>"

    @property
    def n_instances(self) -> int:
        """Return the number of instances."""
        return self.values.shape[1]

    @property
    def everything(self) -> int:
        """Return the set of all concepts."""
        return (1 << len(self)) - 1

    def members(self, concepts: int) -> list[int]:
        """Return the numbers of the concepts of a set.

        Parameters
        ----------
        concepts : int
            A set of concepts: concept c is bit c.

        Returns
        -------
        list of int
            The numbers of its concepts, in order.

        Examples
        --------
        >>> ConceptClass.intervals(3).members(0b1101)
        [0, 2, 3]
        """
        return [c for c in range(concepts.bit_length()) if concepts >> c & 1]

    def place_of(self, instance: object) -> int:
        """Return the number of an instance, given as a number or as a Boolean vector.

        Parameters
        ----------
        instance : int or array-like of shape (n_features,)
            Its number, or its zeros and ones.

        Returns
        -------
        int
            Its number.

        Raises
        ------
        UnknownInstanceError
            If the class is not defined on it.

        Examples
        --------
        >>> ConceptClass.monotone_disjunctions(3).place_of([0, 1, 1])
        3
        """
        if isinstance(instance, int | np.integer):
            if not 0 <= instance < self.n_instances:
                raise UnknownInstanceError(f"There is no instance {instance}: they are 0 to {self.n_instances - 1}.")
            return int(instance)
        if self._places is None:
            raise UnknownInstanceError("The instances of this class are numbers, not vectors. Name one by its number.")
        place = self._places.get(np.asarray(instance).astype(bool).tobytes())
        if place is None:
            raise UnknownInstanceError(
                f"The class is not defined on the instance {np.asarray(instance).tolist()}. Give one of its "
                f"{self.n_instances:,} instances."
            )
        return place

    def instance_name(self, place: int) -> str:
        """Return an instance as text: its bits, or its number.

        Parameters
        ----------
        place : int
            Its number.

        Returns
        -------
        str
            Zeros and ones where instances are Boolean vectors, the number otherwise.

        Examples
        --------
        >>> ConceptClass.monotone_disjunctions(3).instance_name(3)
        '011'
        """
        if self.instances is None:
            return str(place)
        return "".join("01"[bit] for bit in self.instances[place].astype(int))

    # ------------------------------------------------------------------ named classes

    @classmethod
    def from_functions(
        cls,
        functions: Sequence[Callable[[tuple[int, ...]], object]],
        n_features: int,
        names: Sequence[str] | None = None,
    ) -> ConceptClass:
        """Return the class of some functions of tuples of n zeros and ones.

        Parameters
        ----------
        functions : sequence of callable
            Each takes a tuple of ``n_features`` zeros and ones and returns what counts as true or false.
        n_features : int
            The number of features, n in the paper; 28 at the most.
        names : sequence of str, optional
            What the concepts are called; c0, c1, ... without.

        Returns
        -------
        ConceptClass
            The functions, over all instances of this many features.

        Examples
        --------
        >>> ConceptClass.from_functions([all, any], 3, names=["and", "or"])
        <ConceptClass: 2 concepts over 8 instances>
        """
        _check_features(n_features)
        _refuse_large(len(functions), n_features)
        points = [*product((0, 1), repeat=n_features)]
        values = [[bool(function(point)) for point in points] for function in functions]
        return cls(np.array(values, dtype=bool).reshape(-1, len(points)), _all_instances(n_features), names)

    @classmethod
    def monotone_disjunctions(
        cls, n_features: int, at_most: int | None = None, *, exactly: bool = False
    ) -> ConceptClass:
        """Return the disjunctions of a number of features, none of them negated.

        Parameters
        ----------
        n_features : int
            The number of features, n in the paper; 28 at the most.
        at_most : int, optional
            How many features a disjunction has at the most, k in the paper; all of them without.
        exactly : bool, default=False
            Whether each has this many features, none fewer.

        Returns
        -------
        ConceptClass
            The disjunctions, over all instances of this many features; that of no feature is the constant 0.

        Examples
        --------
        >>> ConceptClass.monotone_disjunctions(3, at_most=1).names
        ['0', 'x0', 'x1', 'x2']
        """
        return cls._of_sets(n_features, at_most, exactly, "|", "0", np.logical_or)

    @classmethod
    def monotone_conjunctions(
        cls, n_features: int, at_most: int | None = None, *, exactly: bool = False
    ) -> ConceptClass:
        """Return the conjunctions of a number of features, none of them negated.

        Parameters
        ----------
        n_features : int
            The number of features, n in the paper; 28 at the most.
        at_most : int, optional
            How many features a conjunction has at the most, k in the paper; all of them without.
        exactly : bool, default=False
            Whether each has this many features, none fewer.

        Returns
        -------
        ConceptClass
            The conjunctions, over all instances of this many features; that of no feature is the constant 1.

        Examples
        --------
        >>> ConceptClass.monotone_conjunctions(3, at_most=1).names
        ['1', 'x0', 'x1', 'x2']
        """
        return cls._of_sets(n_features, at_most, exactly, "&", "1", np.logical_and)

    @classmethod
    def conjunctions(cls, n_features: int, at_most: int | None = None) -> ConceptClass:
        """Return the conjunctions of literals, features that are negated or not.

        Parameters
        ----------
        n_features : int
            The number of features, n in the paper; 28 at the most.
        at_most : int, optional
            How many literals a conjunction has at the most, k in the paper; one of every feature without.

        Returns
        -------
        ConceptClass
            The conjunctions, over all instances of this many features; that of no literal is the constant 1.

        Examples
        --------
        >>> ConceptClass.conjunctions(2, at_most=1).names
        ['1', '~x0', 'x0', '~x1', 'x1']
        """
        _check_features(n_features)
        most = n_features if at_most is None else at_most
        _refuse_large(sum(comb(n_features, size) << size for size in range(most + 1)), n_features)
        instances, values, names = _all_instances(n_features), [], []
        for size in range(most + 1):
            for features in combinations(range(n_features), size):
                for signs in product((False, True), repeat=size):
                    values.append((instances[:, features] == signs).all(axis=1))
                    literals = (f"{'' if sign else '~'}x{i}" for i, sign in zip(features, signs, strict=True))
                    names.append(" & ".join(literals) or "1")
        return cls(np.array(values), instances, names)

    @classmethod
    def monotone_dnf(cls, n_features: int, n_terms: int, term_size: int) -> ConceptClass:
        """Return the disjunctions of exactly l conjunctions of exactly k features (l-term monotone k-DNF).

        Parameters
        ----------
        n_features : int
            The number of features, n in the paper; 28 at the most.
        n_terms : int
            How many conjunctions each formula has, l in the paper.
        term_size : int
            How many features each conjunction has, k in the paper.

        Returns
        -------
        ConceptClass
            The formulas, over all instances of this many features.

        Examples
        --------
        >>> ConceptClass.monotone_dnf(3, n_terms=2, term_size=2).names
        ['x0&x1 | x0&x2', 'x0&x1 | x1&x2', 'x0&x2 | x1&x2']
        """
        _check_features(n_features)
        _refuse_large(comb(comb(n_features, term_size), n_terms), n_features)
        instances = _all_instances(n_features)
        terms = [*combinations(range(n_features), term_size)]
        of_terms = [instances[:, term].all(axis=1) for term in terms]
        formulas = [*combinations(range(len(terms)), n_terms)]
        values = [np.any([of_terms[t] for t in formula], axis=0) for formula in formulas]
        names = [" | ".join("&".join(f"x{i}" for i in terms[t]) for t in formula) for formula in formulas]
        return cls(np.array(values, dtype=bool).reshape(-1, len(instances)), instances, names)

    @classmethod
    def all_functions(cls, n_features: int) -> ConceptClass:
        """Return all functions of ``n_features`` variables.

        Parameters
        ----------
        n_features : int
            The number of variables, 4 at the most.

        Returns
        -------
        ConceptClass
            All 2^(2^n) functions.

        Examples
        --------
        >>> ConceptClass.all_functions(2)
        <ConceptClass: 16 concepts over 4 instances>
        """
        _check_features(n_features)
        if n_features > 4:
            raise TooLargeError(
                f"There are 2^{1 << n_features} functions of {n_features} variables, so they cannot be listed. "
                "Choose at most 4 variables."
            )
        n_instances = 1 << n_features
        codes = np.arange(1 << n_instances)
        return cls(codes[:, None] >> np.arange(n_instances) & 1, _all_instances(n_features))

    @classmethod
    def intervals(cls, n_points: int) -> ConceptClass:
        """Return the intervals of the points 0, 1, ..., the empty one among them.

        Parameters
        ----------
        n_points : int
            The number of points, which are the instances; 800 at the most.

        Returns
        -------
        ConceptClass
            A concept for every interval: 1 inside, 0 outside.

        Examples
        --------
        >>> ConceptClass.intervals(2).names
        ['empty', '0..0', '0..1', '1..1']
        """
        _check_number(n_points, "points", MOST_POINTS)
        points = np.arange(n_points)
        ends = [(0, 0), *((a, b) for a in range(n_points) for b in range(a + 1, n_points + 1))]
        names = ["empty", *(f"{a}..{b - 1}" for a, b in ends[1:])]
        return cls(np.array([(a <= points) & (points < b) for a, b in ends]), names=names)

    @classmethod
    def _of_sets(
        cls,
        n: int,
        at_most: int | None,
        exactly: bool,
        sign: str,
        nothing: str,
        joined: np.ufunc,
    ) -> ConceptClass:
        _check_features(n)
        most = n if at_most is None else at_most
        sizes = range(most if exactly else 0, most + 1)
        _refuse_large(sum(comb(n, size) for size in sizes), n)
        instances = _all_instances(n)
        sets = [chosen for size in sizes for chosen in combinations(range(n), size)]
        values = np.array([joined.reduce(instances[:, chosen], axis=1) for chosen in sets], dtype=bool).reshape(
            len(sets), -1
        )
        return cls(values, instances, [f" {sign} ".join(f"x{i}" for i in chosen) or nothing for chosen in sets])


def _all_instances(n_features: int) -> np.ndarray:
    """Return {0, 1}^n, counting up with the last feature running fastest."""
    return (np.arange(1 << n_features)[:, None] >> np.arange(n_features)[::-1] & 1).astype(bool)


def _check_features(n_features: int) -> None:
    _check_number(n_features, "features", MOST_FEATURES)


def _check_number(number: int, what: str, most: int) -> None:
    if number < 0:
        raise ParameterError(f"There are no {number} {what}. Give 0 or more.")
    if number > most:
        raise TooLargeError(f"A class over {number:,} {what} cannot be listed. Choose at most {most}.")


def _refuse_large(n_concepts: int, n_features: int) -> None:
    size = n_concepts << n_features
    if size > MOST_VALUES:
        raise TooLargeError.from_size(
            f"The values of {n_concepts:,} concepts on all instances of {n_features} features",
            size,
            MOST_VALUES,
            "Choose fewer features or smaller formulas.",
        )


def _as_number(bits: Iterable[bool] | np.ndarray) -> int:
    return int.from_bytes(np.packbits(np.asarray(bits), bitorder="little").tobytes(), "little")


def vc_dimension(concepts: ConceptClass) -> int:
    """Return the size of the largest set of instances on which the class takes all patterns; -1 for the empty class.

    Every subset of a shattered set is shattered, so sets grow by one instance
    at a time, and a set is the partition of the concepts that it makes: 2^d parts, none empty.

    Parameters
    ----------
    concepts : ConceptClass
        All concepts that may be true.

    Returns
    -------
    int
        The Vapnik-Chervonenkis dimension.

    See Also
    --------
    opt : The best mistake bound, which is at least as large.

    Examples
    --------
    >>> from fewest.mistakes import ConceptClass, vc_dimension
    >>> vc_dimension(ConceptClass.intervals(10)), vc_dimension(ConceptClass.all_functions(3))
    (2, 8)
    """
    if not len(concepts):
        return -1
    everything = concepts.everything
    columns = [*{min(ones, everything ^ ones): ones for ones in concepts.ones}.values()]
    best = 0

    def grow(parts: list[int], candidates: list[int], size: int) -> None:
        nonlocal best
        best = max(best, size)
        # To do better than the best, each side of every split needs 2^(best - size) concepts.
        enough = 1 << (best - size)
        if min(part.bit_count() for part in parts) < 2 * enough or size + len(candidates) <= best:
            return
        useful = candidates
        for part in parts:
            most = part.bit_count() - enough
            useful = [ones for ones in useful if enough <= (part & ones).bit_count() <= most]
        for k, ones in enumerate(useful):
            if size + len(useful) - k <= best:
                return
            grow([side for part in parts for side in (part & ones, part & ~ones)], useful[k + 1 :], size + 1)

    grow([everything], columns, 0)
    return best
