"""The parameters of the online learners with their defaults and checks: estimators, commands and streams share them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from numbers import Integral
from typing import Any, ClassVar

from fewest.exceptions import ParameterError
from fewest.mistakes.concepts import ConceptClass
from fewest.mistakes.separation import Separation

ALGORITHMS = ("winnow1", "winnow2", "balanced")
# A sum that exceeds the threshold by less than this part of it exceeds it by rounding.
ROUNDING = 1e-10
MAX_ITER = 100
# A number above this is true to the estimators, as to scikit-learn's BernoulliNB.
BINARIZE = 0.0
# The threshold of Winnow1 and Winnow2 where the features are not counted beforehand.
THETA_OF_STREAMS = 1000.0


@dataclass(frozen=True)
class Rule:
    """How Winnow predicts and learns once the number of features is known.

    Parameters
    ----------
    kind : {"winnow1", "winnow2", "balanced"}
    update_factor : float
        What weights are multiplied and divided by, the paper's alpha; more than 1.
    theta : float
        The threshold. A sum of weights that is strictly larger predicts 1.
    """

    kind: str
    update_factor: float
    theta: float

    def __post_init__(self) -> None:
        if self.kind not in ALGORITHMS:
            raise ParameterError.from_choice("kind", self.kind, ALGORITHMS)
        if not 1 < self.update_factor < inf:
            raise ParameterError(
                f"update_factor={self.update_factor} leaves weights as they are. Choose more than 1, such as 2."
            )
        if not isfinite(self.theta) or (self.theta <= 0 and self.kind != "balanced"):
            raise ParameterError(f"theta={self.theta} is no threshold. Choose a number above 0, such as n / 2.")

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Rule:
        """Return the rule that a file describes."""
        return cls(str(record["kind"]), float(record["alpha"]), float(record["theta"]))

    def to_record(self) -> dict[str, Any]:
        """Return plain data, for a file, which calls the update factor alpha."""
        return {"kind": self.kind, "alpha": float(self.update_factor), "theta": float(self.theta)}

    @property
    def threshold(self) -> float:
        """Return what a sum must exceed, so that one that equals theta but for rounding does not."""
        return self.theta + ROUNDING * max(1.0, abs(self.theta))


@dataclass(frozen=True)
class WinnowOptions:
    """Options that the three variants of Winnow share.

    Parameters
    ----------
    update_factor : float, optional
        What weights are multiplied and divided by, the paper's alpha; above 1.
    theta : float, optional
        The threshold.
    positive_class : label, optional
        Which of two classes is the one to describe; the second by default.
    max_iter : int
        Passes over the examples at the most.
    """

    algorithm: ClassVar[str]

    update_factor: float | None = None
    theta: float | None = None
    positive_class: object = None
    max_iter: int = MAX_ITER

    def __post_init__(self) -> None:
        check_count("max_iter", self.max_iter, "passes")
        self.rule(n_features=1)

    @property
    def factor(self) -> float:
        """Return the update factor, or what it is by default."""
        return 1.5 if self.update_factor is None else self.update_factor

    def threshold(self, n_features: int) -> float:
        """Return theta, or its default for ``n_features`` features; above 0 even for none."""
        return float(n_features or 1) if self.theta is None else self.theta

    def rule(self, n_features: int) -> Rule:
        """Return how to predict and learn with ``n_features`` features."""
        return Rule(self.algorithm, self.factor, self.threshold(n_features))


@dataclass(frozen=True)
class Winnow1Options(WinnowOptions):
    """Options of WINNOW1 (algorithm 3): alpha = 2 and theta = n / 2, for which theorem 7 reads 2 k log2 n + 2.

    Parameters
    ----------
    n_relevant : int, optional
        How many features the disjunction has at most; with it, theorem 7 bounds the mistakes.
    """

    algorithm = "winnow1"

    update_factor: float = 2.0
    n_relevant: int | None = None

    def threshold(self, n_features: int) -> float:
        """Return theta, by default half the number of features."""
        return (n_features or 2) / 2 if self.theta is None else self.theta


@dataclass(frozen=True)
class Winnow2Options(WinnowOptions):
    """Options of WINNOW2: alpha = 1 + delta / 2, as in theorem 9, and theta = n.

    Parameters
    ----------
    separation : Separation, optional
        The class of the target; with it, theorem 9 bounds the mistakes.
    """

    algorithm = "winnow2"

    separation: Separation | None = None

    @property
    def factor(self) -> float:
        """Return the update factor, by default ``1 + delta / 2``, with delta = 1 where no separation is known."""
        if self.separation is not None and not isinstance(self.separation, Separation):
            raise ParameterError(
                f"separation={self.separation!r} is no Separation. Make one, such as Separation.r_of_k(2, 5)."
            )
        delta = 1.0 if self.separation is None else self.separation.delta
        return 1 + delta / 2 if self.update_factor is None else self.update_factor


@dataclass(frozen=True)
class BalancedWinnowOptions(WinnowOptions):
    """Options of balanced Winnow: theta = 0, and the alpha that makes its bound smallest.

    Parameters
    ----------
    n_relevant : int, optional
        How many literals, negated or not, a disjunction or conjunction has at most; with it, its margin bounds the
        mistakes.
    """

    algorithm = "balanced"

    theta: float = 0.0
    n_relevant: int | None = None

    @property
    def margin(self) -> float:
        """Return the margin of a disjunction or conjunction of ``n_relevant`` literals."""
        if self.n_relevant is None or not 1 <= self.n_relevant < inf:
            raise ParameterError(f"n_relevant={self.n_relevant} is no number of literals. Let it be 1 or more.")
        return 1 / (4 * self.n_relevant - 1)

    @property
    def factor(self) -> float:
        """Return the update factor, by default what makes the bound smallest for ``n_relevant``, 1.5 without it."""
        if self.update_factor is None and self.n_relevant is not None:
            return sqrt((1 + self.margin) / (1 - self.margin))
        return super().factor

    def threshold(self, n_features: int) -> float:  # noqa: ARG002 (the threshold does not depend on it)
        """Return theta."""
        return self.theta


OPTIONS: dict[str, type[WinnowOptions]] = {
    kind.algorithm: kind for kind in (Winnow1Options, Winnow2Options, BalancedWinnowOptions)
}


def options_for_disjunction(
    algorithm: str, n_relevant: int | None, update_factor: float | None = None, theta: float | None = None
) -> WinnowOptions:
    """Return the options of a variant that learns a disjunction of at most ``n_relevant`` features, if that is known.

    What is None has its default.
    """
    given: dict[str, Any] = {"update_factor": update_factor, "theta": theta, "n_relevant": n_relevant}
    if algorithm == Winnow2Options.algorithm and given.pop("n_relevant") is not None:
        given["separation"] = Separation.disjunction(n_relevant or 0)
    return OPTIONS[algorithm](**{name: value for name, value in given.items() if value is not None})


@dataclass(frozen=True)
class StreamOptions:
    """Options of a stream, whose features are not counted beforehand: theta is 1000, and 0 for balanced Winnow.

    Parameters
    ----------
    algorithm : {"winnow1", "winnow2", "balanced"}
    update_factor, theta : float, optional
        The paper's alpha and theta.
    n_relevant : int, optional
        How many features matter at most, for the bound on the mistakes.
    """

    algorithm: str = Winnow2Options.algorithm
    update_factor: float | None = None
    theta: float | None = None
    n_relevant: int | None = None

    @property
    def rule(self) -> Rule:
        """Return how to predict and learn."""
        usual = BalancedWinnowOptions.theta if self.algorithm == "balanced" else THETA_OF_STREAMS
        theta = float(usual if self.theta is None else self.theta)
        options = options_for_disjunction(self.algorithm, self.n_relevant, self.update_factor, theta)
        return Rule(self.algorithm, float(options.factor), theta)


@dataclass(frozen=True)
class VersionSpaceOptions:
    """Options of the halving algorithm and of the standard optimal algorithm.

    Parameters
    ----------
    concepts : ConceptClass or callable
        The class, or a function that returns it for a number of features.
    positive_class : label, optional
        Which of two classes is 1 to the concepts; the second by default.
    max_iter : int
        Passes over the examples at the most.
    """

    concepts: ConceptClass | Callable[[int], ConceptClass] = ConceptClass.monotone_disjunctions
    positive_class: object = None
    max_iter: int = MAX_ITER

    def __post_init__(self) -> None:
        check_count("max_iter", self.max_iter, "passes")

    def concept_class(self, n_features: int) -> ConceptClass:
        """Return the class over instances of ``n_features`` features; raise when its instances are others."""
        concepts = self.concepts if isinstance(self.concepts, ConceptClass) else self.concepts(n_features)
        if concepts.instances is None or concepts.instances.shape[1] != n_features:
            raise ParameterError(
                f"The instances of the concept class are no vectors of {n_features} features, as the data's are. Give "
                "the class such instances."
            )
        return concepts


@dataclass(frozen=True)
class MonomialsOptions:
    """Options of the conjunctions that `Monomials` adds as features.

    Parameters
    ----------
    degree : int
        The most literals in a conjunction.
    exactly : bool
        Only conjunctions of exactly ``degree`` literals.
    complemented : bool
        Negated literals as well.
    max_features : int
        The most conjunctions to build.
    """

    degree: int = 2
    exactly: bool = False
    complemented: bool = False
    max_features: int = 10_000_000

    def __post_init__(self) -> None:
        check_count("degree", self.degree, "literals")

    @property
    def sizes(self) -> range:
        """Return the numbers of literals of a conjunction."""
        return range(self.degree if self.exactly else 1, self.degree + 1)


def check_count(name: str, value: object, what: str) -> None:
    """Raise when a parameter is no whole number of 1 or more."""
    if not isinstance(value, Integral) or value < 1:
        raise ParameterError(f"{name} == {value}, must be >= 1. Choose a whole number of {what}.")
