"""Winnow: a weight for every feature, multiplied or divided in mistakes only (Littlestone, 1988)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from fewest.exceptions import ParameterError
from fewest.mistakes.examples import Examples
from fewest.mistakes.kernels.layout import (
    BALANCED,
    DEMOTION,
    ELIMINATED,
    ELIMINATION,
    FAR,
    codes_of,
    table_of_weights,
    weights_of,
)

KINDS = {"winnow1": ELIMINATION, "winnow2": DEMOTION, "balanced": BALANCED}
# After so many examples in a process, loading compiled code has paid for itself.
PLAIN_EXAMPLES = 5_000
# Examples of two classes that are learned at a time.
BLOCK = 1 << 18
# A sum that exceeds the threshold by less than this part of it exceeds it by rounding.
ROUNDING = 1e-10

_n_learned_plainly = 0


@dataclass(frozen=True)
class Rule:
    """How a machine predicts and learns.

    Parameters
    ----------
    kind : {"winnow1", "winnow2", "balanced"}
    alpha : float
        What weights are multiplied and divided by; more than 1.
    theta : float
        The threshold. A sum of weights that is strictly larger predicts 1.
    """

    kind: str
    alpha: float
    theta: float

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ParameterError.from_choice("kind", self.kind, KINDS)
        if not 1 < self.alpha < float("inf"):
            raise ParameterError(f"alpha={self.alpha} leaves weights as they are. Choose more than 1, such as 2.")
        if not isfinite(self.theta) or (self.theta <= 0 and self.kind != "balanced"):
            raise ParameterError(f"theta={self.theta} is no threshold. Choose a number above 0, such as n / 2.")

    @property
    def bar(self) -> float:
        """Return what a sum must exceed, so that one that equals theta but for rounding does not."""
        return self.theta + ROUNDING * max(1.0, abs(self.theta))

    def for_kernels(self, is_exact: bool) -> np.ndarray:
        """Return the rule as the numbers that kernels take."""
        return np.array([self.bar, self.alpha, KINDS[self.kind], is_exact])


class Winnow:
    """One machine: predicts 1 when the weights of the active features sum up to more than a threshold.

    The state is one integer a feature, the exponent of its weight, so that
    the same mistakes in any order leave the same weights, whatever computed
    them. A balanced machine has two weights a feature, ``alpha ** e`` and
    ``alpha ** -e``, which count for and against, and a feature that is always
    active, so that there can be a reason to predict 1 where none is.

    Parameters
    ----------
    rule : Rule
    n_features : int

    Examples
    --------
    >>> from fewest.mistakes.winnow import Rule, Winnow
    >>> machine = Winnow(Rule("winnow1", alpha=2, theta=2), n_features=4)
    >>> machine.learn_one([0, 1], True), machine.learn_one([0, 1], True)  # told after predicting
    (False, True)
    >>> machine.weights.tolist()
    [2.0, 2.0, 1.0, 1.0]
    """

    def __init__(self, rule: Rule, n_features: int) -> None:
        self.rule = rule
        self._kind, self._bar = KINDS[rule.kind], rule.bar
        self._for_kernels = [rule.for_kernels(is_exact) for is_exact in (False, True)]
        self._table = table_of_weights(rule.alpha, self._kind)
        self.exponents = np.zeros(n_features + 1, dtype=np.int32)
        if rule.kind != "balanced":
            self.exponents[-1] = ELIMINATED
        ends = codes_of(self.exponents[[0, -1]])  # all features are alike at first
        self._codes = np.full(n_features + 1, ends[0])
        self._weights = np.full(n_features + 1, self._table[ends[0]])
        self._codes[-1], self._weights[-1] = ends[1], self._table[ends[1]]

    def restore(self, exponents: np.ndarray) -> None:
        """Go on from the exponents of another machine of the same rule."""
        self.exponents = np.array(exponents, dtype=np.int32)
        self._codes = codes_of(self.exponents)
        self._weights = self._weighed(self.exponents, self._codes)

    def _weighed(self, exponents: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the weights of exponents: looked up, and for those that are far, computed."""
        weights = self._table[codes]
        far = codes == FAR
        if far.any():
            weights[far] = weights_of(exponents[far], self.rule.alpha, self._kind)
        return weights

    @property
    def n_features(self) -> int:
        """Return how many features the machine knows."""
        return len(self.exponents) - 1

    @property
    def weights(self) -> np.ndarray:
        """Return the weights of the features; for and against, taken together."""
        return self._weights[:-1].copy()

    @property
    def bias(self) -> float:
        """Return the weight of the feature that is always active."""
        return float(self._weights[-1])

    def grow(self, n_features: int) -> None:
        """Make room for more features: not having been active, they have the weights of the beginning."""
        more = np.zeros(n_features - self.n_features, dtype=np.int32)
        self.restore(np.concatenate([self.exponents[:-1], more, self.exponents[-1:]]))

    # ------------------------------------------------------------------ one example

    def score_one(self, active: Sequence[int] | np.ndarray) -> float:
        """Return the sum of the weights of the active features."""
        return float(self._weights[active].sum() if len(active) else 0.0) + float(self._weights[-1])

    def predict_one(self, active: Sequence[int] | np.ndarray) -> bool:
        """Predict from the features that are active."""
        return self.score_one(active) > self._bar

    def learn_one(self, active: Sequence[int] | np.ndarray, truth: bool) -> bool:
        """Predict, then learn the truth; return what was predicted."""
        predicted = self.predict_one(active)
        if predicted != truth:
            self._correct(np.append(np.asarray(active, dtype=np.intp), self.n_features), truth)
        return predicted

    def _correct(self, active: np.ndarray, truth: bool) -> None:
        """Promote after a miss; eliminate or demote after a false alarm."""
        changed = active[self.exponents[active] != ELIMINATED]
        if not truth and self._kind == ELIMINATION:
            self.exponents[changed] = ELIMINATED
        else:
            self.exponents[changed] += 1 if truth else -1
        exponents = self.exponents[changed]
        self._codes[changed] = codes = codes_of(exponents)
        self._weights[changed] = self._weighed(exponents, codes)

    # ------------------------------------------------------------------ many examples

    def scores(self, examples: Examples) -> np.ndarray:
        """Return the sum of the weights of the active features of every example."""
        return examples.scores(self._weights)

    def predict(self, examples: Examples) -> np.ndarray:
        """Predict for every example, learning nothing."""
        return self.scores(examples) > self._bar

    def learn(self, examples: Examples, truths: np.ndarray, is_exact: bool = True) -> np.ndarray:
        """Predict and learn one example after the other; return the score that each had before it was learned.

        Unless ``is_exact``, it may be another one on the same side of the bar.
        """
        global _n_learned_plainly
        n_examples = len(examples)
        scores = np.empty(n_examples)
        if n_examples > 1 and _n_learned_plainly + n_examples > PLAIN_EXAMPLES:
            machine = (self.exponents, self._weights, self._table, self._codes)
            examples.compiled_pass()(truths, machine, self._for_kernels[is_exact], scores)
            return scores
        _n_learned_plainly += n_examples
        for t, truth in enumerate(truths.tolist()):
            active = examples.active(t)
            scores[t] = score = self.score_one(active)
            if (score > self._bar) != truth:
                self._correct(np.append(active, self.n_features), truth)
        return scores


class Committee:
    """One machine for two classes; for more, one that tells each class from the rest, and the highest score wins.

    Parameters
    ----------
    rule : Rule
    n_features, n_classes : int
    positive : int, default=1
        Which of two classes is the one that sums above the threshold predict.
    """

    def __init__(self, rule: Rule, n_features: int, n_classes: int, positive: int = 1) -> None:
        self.rule, self.bar, self.positive = rule, rule.bar, positive
        self.machines = [Winnow(rule, n_features) for _ in range(n_classes if n_classes > 2 else n_classes - 1)]

    @property
    def exponents(self) -> np.ndarray:
        """Return the state: a row of exponents a machine."""
        return np.array([machine.exponents for machine in self.machines], dtype=np.int32)

    def learn(self, examples: Examples, codes: np.ndarray) -> np.ndarray:
        """Predict and learn one example after the other; return the classes predicted beforehand."""
        if len(examples) == 1:
            return np.array([self._learn_one(examples.active(0), int(codes[0]))])
        if len(self.machines) == 1:
            return self._learn_two(examples, codes)
        scores = [machine.learn(examples, codes == c) for c, machine in enumerate(self.machines)]
        return self._decide(scores, len(examples))

    def _learn_two(self, examples: Examples, codes: np.ndarray) -> np.ndarray:
        """Do the same for two classes, where a score tells no more than its class: it is forgotten in the cache."""
        if len(examples) <= BLOCK:
            scores = self.machines[0].learn(examples, codes == self.positive, is_exact=False)
            return self._decide([scores], len(scores))
        predicted = np.empty(len(examples), dtype=np.int8)
        for start in range(0, len(examples), BLOCK):
            some = slice(start, min(start + BLOCK, len(examples)))
            truths = codes[some] == self.positive
            scores = self.machines[0].learn(examples.part(some), truths, is_exact=False)
            predicted[some] = self._decide([scores], len(scores))
        return predicted

    def _learn_one(self, active: np.ndarray, code: int) -> int:
        """Do the same for one example, where the machinery for many would take most of the time."""
        if len(self.machines) == 1:
            predicted = self.machines[0].learn_one(active, code == self.positive)
            return self.positive if predicted else 1 - self.positive
        scores = [machine.score_one(active) for machine in self.machines]
        for c, machine in enumerate(self.machines):
            machine.learn_one(active, code == c)
        return scores.index(max(scores, default=0)) if scores else 0

    def predict(self, examples: Examples) -> np.ndarray:
        """Return the class of every example."""
        return self._decide([machine.scores(examples) for machine in self.machines], len(examples))

    def _decide(self, scores: list[np.ndarray], n_rows: int) -> np.ndarray:
        if not scores:
            return np.zeros(n_rows, dtype=np.intp)
        if len(scores) > 1:
            return np.argmax(scores, axis=0)
        above = scores[0] > self.bar
        return (above if self.positive == 1 else ~above).view(np.int8)


def rule_from(record: dict[str, Any]) -> Rule:
    """Make a rule of what a file says of it."""
    return Rule(str(record["kind"]), float(record["alpha"]), float(record["theta"]))
