"""Winnow: a weight for every feature, multiplied or divided in mistakes only (Littlestone, 1988).

`Winnow` is the algorithm of the paper, for two classes; `Committee` has one for each class where there are more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewest.kernels.compile_or_not import Work, compiles_faster
from fewest.mistakes.exact_scores import are_doubtful, first_largest
from fewest.mistakes.examples import Dense, Examples
from fewest.mistakes.kernels.layout import (
    BALANCED,
    DEMOTION,
    ELIMINATED,
    ELIMINATION,
    FAR,
    UpdateRule,
    WeightState,
    codes_of,
    table_of_weights,
    weights_of,
)
from fewest.mistakes.options import MAX_ITER, Rule

UPDATES = {"winnow1": ELIMINATION, "winnow2": DEMOTION, "balanced": BALANCED}
# Examples of two classes that are learned at a time.
BLOCK = 1 << 18
# Examples of more classes that are learned at a time; where a class hangs on rounding, they are learned again.
MANY = 1 << 12
# Exponents beyond this are of no weight that learning comes to.
FURTHEST = 1 << 24
# The plain loop takes about ten nanoseconds for every value of an example, and for its calls as long as for a thousand.
NANOSECONDS, CALLS = 10, 1000
# Compiled code takes about this long for every value of rows whose active features are listed, mistakes included. It
# compiles in seconds; the code for rows as they are takes a tenth of that time, but compiles five times as long.
NANOSECONDS_LISTED = 3
KERNELS = "fewest.mistakes.kernels.winnow"


def are_learned(exponents: np.ndarray) -> bool:
    """Return whether exponents from a file are some that learning comes to."""
    return bool(((np.abs(exponents.astype(np.int64)) <= FURTHEST) | (exponents == ELIMINATED)).all())


class BlockWork(Work):
    """The work of a learner, and whether compiled code should do it.

    A fit goes over its block up to `MAX_ITER` times, and who learns block by block has more of them: a block is taken
    to stand for `MAX_ITER` more of its size. What was learned before adds up, so that many small blocks count, too.
    """

    def __init__(self, n_learners: int = 1) -> None:
        super().__init__(KERNELS)
        self.n_learners, self.largest, self.n_listed = n_learners, 0, 0
        self.is_compiled = self.is_long = False

    def compiles_block(self, examples: Examples) -> bool:
        """Add a block of examples that one of the learners learns; return whether compiled code should do it."""
        if not self.is_compiled:  # work only grows, so it is not asked again: that would take a tenth of a block's time
            n_steps = CALLS * len(examples) + examples.n_values
            n_more = max(0, n_steps - self.largest)
            self.largest += n_more
            self.is_compiled = self.compiles(n_steps + MAX_ITER * self.n_learners * n_more, NANOSECONDS)
        return self.is_compiled

    def laid_out(self, examples: Examples) -> Examples:
        """Return a block that compiled code learns in the shape for which this takes least, compiling included."""
        if not isinstance(examples, Dense) or self.is_long:
            return examples
        self.n_listed += examples.n_values
        seconds = (self.n_listed + MAX_ITER * self.n_learners * examples.n_values) * NANOSECONDS_LISTED * 1e-9
        self.is_long = compiles_faster(seconds, f"{KERNELS}:winnow_dense")
        return examples if self.is_long else examples.lists


class Winnow:
    """Predict 1 when the weights of the active features sum up to more than a threshold.

    The state is one integer a feature, the exponent of its weight, so that
    the same mistakes in any order leave the same weights, whatever computed
    them. Balanced Winnow has two weights a feature, ``f ** e`` and
    ``f ** -e`` with the update factor f, which count for and against, and a feature that is always
    active, so that there can be a reason to predict 1 where none is.

    Parameters
    ----------
    rule : Rule
    n_features : int
    work : BlockWork, optional
        What it shares with others of its committee.

    Examples
    --------
    >>> from fewest.mistakes.options import Rule
    >>> from fewest.mistakes.winnow import Winnow
    >>> winnow = Winnow(Rule("winnow1", update_factor=2, theta=2), n_features=4)
    >>> winnow.learn_one([0, 1], True), winnow.learn_one([0, 1], True)  # the label is seen after predicting
    (False, True)
    >>> winnow.weights.tolist()
    [2.0, 2.0, 1.0, 1.0]
    """

    def __init__(self, rule: Rule, n_features: int, work: BlockWork | None = None) -> None:
        self.rule = rule
        self._update, self._threshold = UPDATES[rule.kind], rule.threshold
        self._table = table_of_weights(rule.update_factor, self._update)
        self.exponents = np.zeros(n_features + 1, dtype=np.int32)
        if rule.kind != "balanced":
            self.exponents[-1] = ELIMINATED
        ends = codes_of(self.exponents[[0, -1]])  # all features are alike at first
        self._codes = np.full(n_features + 1, ends[0])
        self._weights = np.full(n_features + 1, self._table[ends[0]])
        self._codes[-1], self._weights[-1] = ends[1], self._table[ends[1]]
        self._work = work or BlockWork()

    def restore(self, exponents: np.ndarray) -> None:
        """Go on from the exponents of another Winnow with the same rule."""
        self.exponents = np.array(exponents, dtype=np.int32)
        self._codes = codes_of(self.exponents)
        self._weights = self._weighed(self.exponents, self._codes)

    def _weighed(self, exponents: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """Return the weights of exponents: looked up, and for those that are far, computed."""
        weights = self._table[codes]
        far = codes == FAR
        if far.any():
            weights[far] = weights_of(exponents[far], self.rule.update_factor, self._update)
        return weights

    @property
    def n_features(self) -> int:
        """Return how many features there are weights for."""
        return len(self.exponents) - 1

    @property
    def weights(self) -> np.ndarray:
        """Return the weights of the features; for balanced Winnow, those for minus those against."""
        return self._weights[:-1].copy()

    @property
    def bias(self) -> float:
        """Return the weight of the feature that is always active."""
        return float(self._weights[-1])

    @property
    def largest_weight(self) -> float:
        """Return the largest weight by size."""
        return float(np.abs(self._weights).max())

    def exponents_of(self, active: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the exponents of the weights that a score adds up."""
        return self.exponents[np.append(np.asarray(active, dtype=np.intp), self.n_features)]

    def grow(self, n_features: int) -> None:
        """Add features: not having been active, they have the weights of the beginning."""
        more = np.zeros(n_features - self.n_features, dtype=np.int32)
        self.restore(np.concatenate([self.exponents[:-1], more, self.exponents[-1:]]))

    # ------------------------------------------------------------------ one example

    def score_one(self, active: Sequence[int] | np.ndarray) -> float:
        """Return the sum of the weights of the active features."""
        return float(self._weights[active].sum() if len(active) else 0.0) + float(self._weights[-1])

    def predict_one(self, active: Sequence[int] | np.ndarray) -> bool:
        """Predict from the features that are active."""
        return self.score_one(active) > self._threshold

    def learn_one(self, active: Sequence[int] | np.ndarray, label: bool) -> bool:
        """Predict, then learn the label; return what was predicted."""
        predicted = self.predict_one(active)
        if predicted != label:
            self._correct(np.append(np.asarray(active, dtype=np.intp), self.n_features), label)
        return predicted

    def _correct(self, active: np.ndarray, label: bool) -> None:
        """Learn from a mistake: a promotion step if the label is 1, else an elimination or a demotion step.

        The weights of the active features change, and no others. Weights that were eliminated stay 0.
        """
        changed = active[self.exponents[active] != ELIMINATED]
        if label:
            self._promote(changed)
        elif self._update == ELIMINATION:
            self._eliminate(changed)
        else:
            self._demote(changed)
        exponents = self.exponents[changed]
        self._codes[changed] = codes = codes_of(exponents)
        self._weights[changed] = self._weighed(exponents, codes)

    def _promote(self, active: np.ndarray) -> None:
        """Multiply weights by the update factor; balanced Winnow divides those against by it, too."""
        self.exponents[active] += 1

    def _demote(self, active: np.ndarray) -> None:
        """Divide weights by the update factor (Winnow2); balanced Winnow multiplies those against by it, too."""
        self.exponents[active] -= 1

    def _eliminate(self, active: np.ndarray) -> None:
        """Set weights to 0 (Winnow1)."""
        self.exponents[active] = ELIMINATED

    # ------------------------------------------------------------------ many examples

    def scores(self, examples: Examples) -> np.ndarray:
        """Return the sum of the weights of the active features of every example."""
        return examples.scores(self._weights)

    def predict(self, examples: Examples) -> np.ndarray:
        """Predict for every example, learning nothing."""
        return self.scores(examples) > self._threshold

    def learn(self, examples: Examples, labels: np.ndarray, is_exact: bool = True) -> np.ndarray:
        """Predict and learn one example after the other; return the score that each had before it was learned.

        Unless ``is_exact``, it may be another one on the same side of the threshold.
        """
        scores = np.empty(len(examples))
        if self._work.compiles_block(examples):
            state = WeightState(self.exponents, self._weights, self._table, self._codes)
            rule = UpdateRule(self._threshold, float(self.rule.update_factor), self._update, is_exact)
            self._work.laid_out(examples).learn_compiled(labels, state, rule, scores)
            return scores
        for t, label in enumerate(labels.tolist()):
            active = examples.active(t)
            scores[t] = score = self.score_one(active)
            if (score > self._threshold) != label:
                self._correct(np.append(active, self.n_features), label)
        return scores


class Committee:
    """One `Winnow` for two classes; for more, one for each class against the rest, and the highest score wins.

    Parameters
    ----------
    rule : Rule
    n_features, n_classes : int
    positive : int, default=1
        Which of two classes is the one that sums above the threshold predict.
    """

    def __init__(self, rule: Rule, n_features: int, n_classes: int, positive: int = 1) -> None:
        self.rule, self.threshold, self.positive = rule, rule.threshold, positive
        n_members = n_classes if n_classes > 2 else n_classes - 1
        work = BlockWork(n_members)
        self.members = [Winnow(rule, n_features, work) for _ in range(n_members)]

    @property
    def exponents(self) -> np.ndarray:
        """Return the state: a row of exponents a member."""
        return np.array([member.exponents for member in self.members], dtype=np.int32)

    def learn(self, examples: Examples, codes: np.ndarray) -> np.ndarray:
        """Predict and learn one example after the other; return the classes predicted beforehand."""
        if len(examples) == 1:
            return np.array([self._learn_one(examples.active(0), int(codes[0]))])
        if len(self.members) == 1:
            return self._learn_two(examples, codes)
        blocks = [slice(k, min(k + MANY, len(examples))) for k in range(0, len(examples), MANY)]
        parts = [self._learn_many(examples.part(some), codes[some]) for some in blocks]
        return np.concatenate([np.empty(0, dtype=np.intp), *parts])

    def _learn_many(self, examples: Examples, codes: np.ndarray) -> np.ndarray:
        """Learn a block of several classes, in which all members learn from every example."""
        before = [member.exponents.copy() for member in self.members]
        largest = self._largest_weight()
        scores = np.array([member.learn(examples, codes == c) for c, member in enumerate(self.members)])
        predicted = scores.argmax(axis=0) if len(scores) else np.zeros(len(examples), dtype=np.intp)
        if largest is not None:  # between the two, weights may have been a little larger
            largest = max(largest, self._largest_weight() or 0.0) * self.rule.update_factor**4
        doubtful = np.flatnonzero(self._are_doubtful(scores, largest))
        if len(doubtful):
            after = [member.exponents for member in self.members]
            self._restore(before)
            self._decide_again(examples, codes, doubtful, predicted)
            self._restore(after)
        return predicted

    def _decide_again(self, examples: Examples, codes: np.ndarray, doubtful: np.ndarray, predicted: np.ndarray) -> None:
        """Predict examples exactly, by the weights that there were when their turn came."""
        learned = 0
        for t in doubtful.tolist():
            some = slice(learned, t)
            if t > learned:
                for c, member in enumerate(self.members):
                    member.learn(examples.part(some), codes[some] == c)
            learned = t
            predicted[t] = self._first_largest(examples.active(t))

    def _restore(self, exponents: Sequence[np.ndarray]) -> None:
        for member, own in zip(self.members, exponents, strict=True):
            member.restore(own)

    def _largest_weight(self) -> float | None:
        """Return the largest weight by size; None where none is negative."""
        if self.rule.kind != "balanced":
            return None
        return max((member.largest_weight for member in self.members), default=0.0)

    def _are_doubtful(self, scores: np.ndarray, largest: float | None) -> np.ndarray:
        if len(scores) < 2:
            return np.zeros(scores.shape[1:], dtype=bool)
        return are_doubtful(scores, self.members[0].n_features + 1, largest)

    def _first_largest(self, active: np.ndarray) -> int:
        """Return the class of an example without rounding."""
        exponents = [member.exponents_of(active) for member in self.members]
        return first_largest(exponents, float(self.rule.update_factor), UPDATES[self.rule.kind])

    def _learn_two(self, examples: Examples, codes: np.ndarray) -> np.ndarray:
        """Learn two classes: of a score only its side of the threshold is needed, so it need not leave the cache."""
        if len(examples) <= BLOCK:
            scores = self.members[0].learn(examples, codes == self.positive, is_exact=False)
            return self._decide([scores], len(scores))
        predicted = np.empty(len(examples), dtype=np.int8)
        for start in range(0, len(examples), BLOCK):
            some = slice(start, min(start + BLOCK, len(examples)))
            scores = self.members[0].learn(examples.part(some), codes[some] == self.positive, is_exact=False)
            predicted[some] = self._decide([scores], len(scores))
        return predicted

    def _learn_one(self, active: np.ndarray, code: int) -> int:
        """Learn one example, for which preparing for many would take most of the time."""
        if len(self.members) == 1:
            is_positive = self.members[0].learn_one(active, code == self.positive)
            return self.positive if is_positive else 1 - self.positive
        if not self.members:
            return 0
        scores = np.array([[member.score_one(active)] for member in self.members])
        is_doubtful = bool(self._are_doubtful(scores, self._largest_weight())[0])
        predicted = self._first_largest(active) if is_doubtful else int(scores.argmax())
        for c, member in enumerate(self.members):
            member.learn_one(active, code == c)
        return predicted

    def predict(self, examples: Examples) -> np.ndarray:
        """Return the class of every example."""
        scores = [member.scores(examples) for member in self.members]
        return self._decide(scores, len(examples)) if len(scores) < 2 else self._largest(np.array(scores), examples)

    def margins(self, examples: Examples) -> np.ndarray:
        """Return how far the scores of every member are above the threshold; of several, the class predicted leads.

        Where rounding, or the threshold taken away from small scores, hides which one is the largest, it is made so by
        the least amount that there is.
        """
        scores = np.array([member.scores(examples) for member in self.members])
        margins = scores - self.threshold
        if len(scores) > 1:
            predicted, rows = self._largest(scores, examples), np.arange(scores.shape[1])
            hidden = np.flatnonzero(margins.argmax(axis=0) != predicted)
            margins[predicted[hidden], rows[hidden]] = np.nextafter(margins[:, hidden].max(axis=0), np.inf)
        return margins

    def _largest(self, scores: np.ndarray, examples: Examples) -> np.ndarray:
        """Return the first of the largest scores of every example, exactly where rounding might decide."""
        predicted = scores.argmax(axis=0)
        for t in np.flatnonzero(self._are_doubtful(scores, self._largest_weight())).tolist():
            predicted[t] = self._first_largest(examples.active(t))
        return predicted

    def _decide(self, scores: list[np.ndarray], n_rows: int) -> np.ndarray:
        """Return the classes of examples where there are at most two."""
        if not scores:
            return np.zeros(n_rows, dtype=np.intp)
        above = scores[0] > self.threshold
        return (above if self.positive == 1 else ~above).view(np.int8)
