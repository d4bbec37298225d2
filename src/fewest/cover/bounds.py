"""How many examples the MIN-FEATURES bias needs: section 4 of Almuallim and Dietterich (1994).

The paper writes its bounds in the complexity s = n + 2^p of a concept with p of n features relevant; here they are in
p.

The proof of lemma 2 is made and checked: sets of instances that the concepts of few relevant features shatter. A set of
instances is a matrix, a row an instance and a column a feature. It is shattered by the concepts of at most p relevant
features if every labelling of its rows is a function of some p columns.
"""

from __future__ import annotations

from itertools import combinations
from math import ceil, floor, log, log2

import numpy as np

from fewest.bounds.counting import choose, choose_up_to, two_to
from fewest.bounds.relation import (
    DELTA,
    DIMENSION,
    EPSILON,
    EXAMPLES,
    Bound,
    Quantity,
    check_share,
    features,
    require,
    share,
)
from fewest.exceptions import ParameterError, TooLargeError


def complexity(n_features: int, n_relevant: int) -> int:
    """Return s(c) = n + 2^p, the bits that name the relevant features and the truth table over these.

    >>> complexity(5, 2)  # x1 or x3 of five: 10100 and 0111
    9
    """
    _check(n_features, n_relevant)
    return n_features + two_to(n_relevant)


def sample_size(n_features: int, n_relevant: int, epsilon: float, delta: float) -> int:
    """Return theorem 1's sample size, rounded up: (1/ε)(ln(1/δ) + p ln n + 2^p ln 2).

    After so many examples, under any distribution, every learner of the
    MIN-FEATURES bias has an error of at most ε with probability 1 - δ, if the
    concept has at most p relevant features.

    >>> sample_size(100, 3, epsilon=0.1, delta=0.05)
    224
    """
    _check(n_features, n_relevant)
    _check_shares(epsilon, delta)
    return ceil((log(1 / delta) + n_relevant * log(n_features) + two_to(n_relevant) * log(2)) / epsilon)


def sample_size_by_counting(n_features: int, n_relevant: int, epsilon: float, delta: float) -> int:
    """Return the smaller size of the same proof with the number of subsets, comb(n, p), instead of n^p.

    >>> sample_size_by_counting(100, 3, epsilon=0.1, delta=0.05)
    206
    """
    _check(n_features, n_relevant)
    _check_shares(epsilon, delta)
    return ceil((log(1 / delta) + log(choose(n_features, n_relevant)) + two_to(n_relevant) * log(2)) / epsilon)


def vc_at_least(n_features: int, n_relevant: int) -> int:
    """Return what the VC dimension of the concepts of at most p relevant features is at least (lemma 2).

    That is the larger of (1/8) p log2 n and 2^p, rounded up, since a dimension
    is whole. `fewest.cover.bounds` builds the sets of its proof.

    >>> vc_at_least(5, 2), vc_at_least(2**60, 2)
    (4, 15)
    """
    _check(n_features, n_relevant)
    return max(ceil(n_relevant * log2(n_features) / 8), two_to(n_relevant))


def examples_needed_order(n_features: int, n_relevant: int, epsilon: float, delta: float) -> float:
    """Return (1/ε)(ln(1/δ) + ln(2^p) ln n + 2^p), of whose order any learner needs examples (theorem 3).

    The theorem leaves the constant open, so this is how the number grows,
    not what it is; `examples_at_least` is.

    >>> round(examples_needed_order(100, 3, epsilon=0.1, delta=0.05), 1)
    205.7
    """
    _check(n_features, n_relevant)
    _check_shares(epsilon, delta)
    return (log(1 / delta) + n_relevant * log(2) * log(n_features) + two_to(n_relevant)) / epsilon


def examples_at_least(n_features: int, n_relevant: int, epsilon: float, delta: float) -> float:
    """Return a number of examples that no learner can do with, under the worst distribution.

    Theorem 3 with the constant of Ehrenfeucht, Haussler, Kearns and Valiant
    (1989), (VCdim - 1) / (32 ε) for ε <= 1/8 and δ <= 1/100, and lemma 2's dimension.

    >>> examples_at_least(100, 5, epsilon=0.01, delta=0.01)
    96.875
    """
    _check(n_features, n_relevant)
    _check_shares(epsilon, delta)
    require(
        epsilon <= 1 / 8 and delta <= 1 / 100,
        f"epsilon = {epsilon}, delta = {delta}",
        "epsilon <= 1/8 and delta <= 1/100",
    )
    return (vc_at_least(n_features, n_relevant) - 1) / (32 * epsilon)


def focus1_tests(n_features: int, n_relevant: int) -> int:
    """Return how many sufficiency tests FOCUS-1 makes at most: all subsets of at most p features (section 5.3).

    >>> focus1_tests(6, 2)  # "the 22 subsets of size 0, 1 and 2"
    22
    """
    _check(n_features, n_relevant)
    return choose_up_to(n_features, n_relevant)


def _check(n_features: int, n_relevant: int) -> None:
    if n_features < 1 or not 0 <= n_relevant <= n_features:
        raise ParameterError(
            f"{n_relevant} of {n_features} features cannot be relevant, so the bound says nothing. "
            "Let n be 1 or more, and p from 0 to n."
        )


def _check_shares(epsilon: float, delta: float) -> None:
    check_share("epsilon", epsilon)
    check_share("delta", delta)


SOURCE = "Almuallim and Dietterich (1994)"
RELEVANT = Quantity("p", "relevant features at most", low=0, effect=1)

BOUNDS = (
    Bound(
        "min-features",
        "With {n} features, at most {p} of them relevant, {m} examples are enough for any learner of the MIN-FEATURES "
        "bias to have an error of at most {epsilon} with probability 1 - {delta}, under any distribution.",
        f"{SOURCE}, theorem 1",
        EXAMPLES,
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: sample_size(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-counted",
        "With {n} features, at most {p} of them relevant, {m} examples are enough for any learner of the MIN-FEATURES "
        "bias to have an error of at most {epsilon} with probability 1 - {delta}: theorem 1, but with the subsets "
        "counted exactly.",
        f"{SOURCE}, proof of theorem 1",
        EXAMPLES,
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: sample_size_by_counting(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-vc",
        "The concepts of at most {p} relevant features out of {n} have a VC dimension of at least {d}.",
        f"{SOURCE}, lemma 2",
        DIMENSION,
        (features(), RELEVANT),
        lambda n, p: vc_at_least(n, p),
    ),
    Bound(
        "min-features-needed",
        "With {n} features, at most {p} of them relevant, no learner can promise an error of at most {epsilon} with "
        "probability 1 - {delta} after fewer than {m} examples.",
        f"{SOURCE}, theorem 3, with the constant of Ehrenfeucht et al. (1989)",
        Quantity("m", "examples", is_whole=False),
        (features(), RELEVANT, share("epsilon", EPSILON.meaning, high=1 / 8), share("delta", DELTA.meaning, effect=0)),
        lambda n, p, epsilon, delta: examples_at_least(n, p, epsilon, delta),
    ),
    Bound(
        "min-features-order",
        "With {n} features, at most {p} of them relevant, an error of {epsilon} with probability 1 - {delta} takes "
        "examples of the order of {m}; the constant is not known.",
        f"{SOURCE}, theorem 3",
        Quantity("m", "examples, up to a constant", is_whole=False),
        (features(), RELEVANT, EPSILON, DELTA),
        lambda n, p, epsilon, delta: examples_needed_order(n, p, epsilon, delta),
    ),
    Bound(
        "focus1-tests",
        "FOCUS-1 makes at most {tests} sufficiency tests when {p} of {n} features are enough.",
        f"{SOURCE}, section 5.3",
        Quantity("tests", "sufficiency tests"),
        (features(), RELEVANT),
        lambda n, p: focus1_tests(n, p),
    ),
)


# Labellings are tried one by one.
MOST_ROWS = 16
# All subsets of p columns are tried by `is_shattered`.
MOST_SUBSETS = 1_000_000


class Shattered:
    """The larger of the two matrices of lemma 2's proof, for n features and p relevant ones.

    Part 1 writes the truth table of p variables into p columns: 2^p rows. Part
    2 takes r variables, of which d are *unfolded*: its columns are all
    functions of the other r - d, one of every two that are complements, and the d
    variables themselves; 2^r rows. The columns that are left are 0.

    Parameters
    ----------
    n_features, n_relevant : int
    part : {1, 2}, optional
        The part of the proof; by default the one that gives more rows. Part 2 needs p >= 2 and n >= 4.

    Attributes
    ----------
    matrix : ndarray of bool of shape (n_rows, n_features)
    part : int

    Examples
    --------
    With 2^16 features and two relevant ones, eight instances are shattered instead of four:

    >>> shattered = Shattered(2**16, 2)
    >>> shattered.matrix.shape, shattered.part
    ((8, 65536), 2)
    >>> shattered.features_for([1, 0, 0, 1, 1, 0, 1, 0]), shattered.n_verified()
    ((89,), 256)
    """

    def __init__(self, n_features: int, n_relevant: int, part: int | None = None) -> None:
        n, p = n_features, n_relevant
        can_fold = p >= 2 and n >= 4
        if not 1 <= p <= n or part not in (None, 1, 2) or (part == 2 and not can_fold):
            raise ParameterError(
                f"p = {p}, n = {n}, but part 1 of the proof holds for 1 <= p <= n, part 2 for p >= 2 and n >= 4 only."
            )
        # The logarithm of a logarithm is rounded; a whole number must not fall below itself.
        r = floor(log2(p) + log2(log2(n)) + 1e-12) - 2 if can_fold else 0
        self.n_relevant, self.part = p, part or (2 if r > p else 1)
        self.n_variables, self.n_unfolded = (p, p) if self.part == 1 else (r, p.bit_length() - 2)
        if self.n_variables > MOST_ROWS:
            raise TooLargeError(f"The matrix has 2^{self.n_variables} rows, too many to be listed. Choose smaller p.")
        self.matrix = np.zeros((1 << self.n_variables, n), dtype=bool)
        columns = self._columns()
        self.matrix[:, : len(columns)] = np.array(columns).T

    def _columns(self) -> list[np.ndarray]:
        """Return the columns that are not arbitrary: in part 2, the functions that come before the variables."""
        rows = np.arange(1 << self.n_variables)
        variables = [(rows >> b & 1).astype(bool) for b in range(self.n_variables)]
        if self.part == 1:
            return variables
        inner = 1 << (self.n_variables - self.n_unfolded)
        cells = rows & (inner - 1)
        # A function and its complement are expressed alike; the one that is 0 in the last cell stays.
        functions = [(code >> cells & 1).astype(bool) for code in range(1 << (inner - 1))]
        return functions + variables[self.n_variables - self.n_unfolded :]

    def features_for(self, labels) -> tuple[int, ...]:
        """Return the columns, at most p, that lemma 3 names for a labelling: its unfoldings, and what was unfolded."""
        wanted = np.asarray(labels).astype(bool)
        if self.part == 1:
            return tuple(range(self.n_relevant))
        inner = 1 << (self.n_variables - self.n_unfolded)
        parts = wanted.reshape(-1, inner)  # one function of the inner variables for every value of the unfolded ones
        codes = {int((part ^ part[-1]) @ (1 << np.arange(inner))) for part in parts}
        first = 1 << (inner - 1)
        return tuple(sorted(codes)) + tuple(range(first, first + self.n_unfolded))

    def expresses(self, labels) -> bool:
        """Return whether a labelling is a function of at most p columns, those that lemma 3 names."""
        features = self.features_for(labels)
        seen: dict[bytes, bool] = {}
        agreed = (
            seen.setdefault(row.tobytes(), bool(label)) == bool(label)
            for row, label in zip(self.matrix[:, features], labels, strict=True)
        )
        return len(features) <= self.n_relevant and all(agreed)

    def n_verified(self) -> int:
        """Express every labelling of the rows, and return how many there are."""
        n_rows = len(self.matrix)
        if n_rows > MOST_ROWS:
            raise TooLargeError(f"{n_rows} rows have 2^{n_rows} labellings, too many to try. Choose smaller p.")
        for code in range(1 << n_rows):
            if not self.expresses([code >> i & 1 for i in range(n_rows)]):
                raise AssertionError(f"The labelling {code:b} is not a function of {self.n_relevant} columns.")
        return 1 << n_rows


def is_shattered(matrix: object, n_relevant: int) -> bool:
    """Return whether every labelling of the rows is a function of some p columns, by trying all.

    >>> bool(is_shattered(Shattered(5, 2).matrix, 2)), bool(is_shattered([[0, 1], [0, 1]], 1))
    (True, False)
    """
    rows = np.asarray(matrix).astype(bool)
    n_rows, n_features = rows.shape
    distinct = np.unique(rows, axis=1)  # equal columns express alike
    subsets = [*combinations(range(distinct.shape[1]), min(n_relevant, distinct.shape[1]))]
    if n_rows > MOST_ROWS or len(subsets) > MOST_SUBSETS:
        raise TooLargeError(
            f"{n_rows} rows and {n_features} columns have too many labellings and subsets to try them all."
        )
    reached = np.zeros(1 << n_rows, dtype=bool)
    for subset in subsets:
        groups = np.unique(distinct[:, subset], axis=0, return_inverse=True)[1].ravel()
        words = [sum(1 << int(i) for i in np.flatnonzero(groups == g)) for g in range(groups.max() + 1)]
        labellings = np.zeros(1, dtype=np.int64)
        for word in words:
            labellings = np.concatenate([labellings, labellings | word])
        reached[labellings] = True
    return bool(reached.all())
