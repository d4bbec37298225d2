"""Winnow over a stream of named features: new names and new classes may appear at any time."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewest.exceptions import StreamError
from fewest.mistakes import bounds
from fewest.mistakes.exact_scores import are_doubtful, first_largest
from fewest.mistakes.options import Rule, options_for_disjunction
from fewest.mistakes.winnow import UPDATES, Winnow, are_learned

OTHER = "other"
_BOOLEANS = (("0", "1"), ("false", "true"), ("False", "True"), ("FALSE", "TRUE"))


class GrowingFeatures:
    """Every name is a feature, numbered as it appears."""

    n_buckets: int | None = None

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.numbers = {name: number for number, name in enumerate(names)}

    def __len__(self) -> int:
        return len(self.numbers)

    def numbered(self, active: Iterable[str]) -> np.ndarray:
        """Return the numbers of names, giving new ones to new names."""
        numbers = self.numbers
        return np.array([*{numbers.setdefault(name, len(numbers)) for name in active}], dtype=np.intp)

    def names(self) -> list[str]:
        """Return the names in the order of their numbers."""
        return [*self.numbers]


class HashedFeatures:
    """Names fall into a fixed number of buckets; two that fall into the same one are one feature."""

    def __init__(self, n_buckets: int) -> None:
        self.n_buckets = n_buckets

    def __len__(self) -> int:
        return self.n_buckets

    def numbered(self, active: Iterable[str]) -> np.ndarray:
        """Return the buckets of names."""
        return np.array([*{zlib.crc32(name.encode()) % self.n_buckets for name in active}], dtype=np.intp)

    def names(self) -> list[str]:
        """Return nothing: buckets have no names."""
        return []


@dataclass
class Tally:
    """The counts of a stream so far: trials, mistakes, lines without a label and lines skipped."""

    n_trials: int = 0
    n_mistakes: int = 0
    n_unlabelled: int = 0
    n_skipped: int = 0


class StreamLearner:
    """Predict the label of each example of a stream before it is seen.

    Boolean labels (0 and 1, false and true) are learned by one `Winnow`, as is
    one positive class against all others; other labels have one each from when
    they first appear, and the highest score wins.

    Parameters
    ----------
    rule : Rule
    features : GrowingFeatures or HashedFeatures
    positive : str, optional
        The class to learn against all others.
    n_relevant : int, optional
        How many features matter at most, for the bound on the mistakes.

    Examples
    --------
    >>> from fewest.mistakes.options import Rule
    >>> from fewest.mistakes.stream import GrowingFeatures, StreamLearner
        >>> learner = StreamLearner(Rule("winnow2", 1.5, 1.0), GrowingFeatures())
    >>> [learner.learn(active, label) for active, label in [(["wet"], "rain"), ([], "sun"), (["wet"], "rain")]]
    [None, 'rain', 'rain']
    """

    def __init__(
        self,
        rule: Rule,
        features: GrowingFeatures | HashedFeatures,
        positive: str | None = None,
        n_relevant: int | None = None,
    ) -> None:
        self.rule, self.features, self.positive, self.n_relevant = rule, features, positive, n_relevant
        self.negative = OTHER
        self.winnows: dict[str, Winnow] = {}
        self.tally = Tally()
        if positive is not None:
            self._meet(positive)

    # ------------------------------------------------------------------ the protocol

    def predict(self, active: Iterable[str]) -> str | None:
        """Predict a label; None while no class is known."""
        return self._predict(self._numbered(active))

    def learn(self, active: Iterable[str], label: str | None) -> str | None:
        """Predict, then learn the label, if there is one; return what was predicted."""
        numbers = self._numbered(active)
        if label is None:
            self.tally.n_unlabelled += 1
            return self._predict(numbers)
        if not self.winnows:
            self._begin(label)
        if self.negative != OTHER and label not in (self.positive, self.negative):
            raise StreamError(f"the label {label!r} is neither {self.negative!r} nor {self.positive!r}")
        predicted = self._predict(numbers)
        if self.positive is None and label not in self.winnows:
            self._meet(label)
        for name, winnow in self.winnows.items():
            winnow.learn_one(numbers, name == label)
        self.tally.n_trials += 1
        self.tally.n_mistakes += not self._is_right(predicted, label)
        return predicted

    def _numbered(self, active: Iterable[str]) -> np.ndarray:
        numbers = self.features.numbered(active)
        for winnow in self.winnows.values():
            if len(self.features) > winnow.n_features:
                winnow.grow(max(16, 2 * len(self.features)))
        return numbers

    def _begin(self, label: str) -> None:
        """Let the first label decide whether the labels are Boolean."""
        for negative, positive in _BOOLEANS:
            if label in (negative, positive):
                self.positive, self.negative = positive, negative
                self._meet(positive)

    def _meet(self, label: str) -> None:
        self.winnows[label] = Winnow(self.rule, max(16, 2 * len(self.features)))

    def _predict(self, numbers: np.ndarray) -> str | None:
        if self.positive is not None and self.winnows:
            return self.positive if self.winnows[self.positive].predict_one(numbers) else self.negative
        return self._highest(numbers) if self.winnows else None

    def _highest(self, numbers: np.ndarray) -> str:
        """Return the label with the highest score, of equal ones the first that appeared."""
        labels, winnows = [*self.winnows], [*self.winnows.values()]
        scores = np.array([[winnow.score_one(numbers)] for winnow in winnows])
        largest = max(winnow.largest_weight for winnow in winnows) if self.rule.kind == "balanced" else None
        if len(scores) == 1 or not are_doubtful(scores, len(numbers) + 1, largest)[0]:
            return labels[int(scores.argmax())]
        exponents = [winnow.exponents_of(numbers) for winnow in winnows]
        return labels[first_largest(exponents, float(self.rule.update_factor), UPDATES[self.rule.kind])]

    def _is_right(self, predicted: str | None, label: str) -> bool:
        return predicted == label or (predicted == self.negative == OTHER and label != self.positive)

    @property
    def bound(self) -> float | None:
        """Return what the mistakes so far cannot exceed if the labels are a disjunction of ``n_relevant`` features.

        Features that have not appeared have never been active, so the
        theorems hold with the number of those that have.
        """
        if self.n_relevant is None or self.positive is None:
            return None
        options = options_for_disjunction(self.rule.kind, self.n_relevant, self.rule.update_factor, self.rule.theta)
        return bounds.of_winnow(options, max(len(self.features), self.n_relevant))

    # ------------------------------------------------------------------ saving

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Return everything that the future depends on, as plain data and arrays."""
        n = len(self.features)
        header = {
            "rule": self.rule.to_record(),
            "n_buckets": self.features.n_buckets,
            "names": self.features.names(),
            "positive": self.positive,
            "negative": self.negative,
            "n_relevant": self.n_relevant,
            "labels": [*self.winnows],
            "tally": vars(self.tally),
        }
        rows = [np.append(_exactly(winnow.exponents[:-1], n), winnow.exponents[-1]) for winnow in self.winnows.values()]
        return header, {"exponents": np.array(rows, dtype=np.int32).reshape(len(rows), n + 1)}

    @classmethod
    def from_state(cls, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> StreamLearner:
        """Return the learner of a saved state; raise ValueError, KeyError or TypeError when it holds none."""
        n_buckets, names, labels = header["n_buckets"], header["names"], header["labels"]
        _check_names(names)
        _check_names(labels)
        for count in (n_buckets, header["n_relevant"]):
            if count is not None:
                check_counts([count], least=1)
        features = GrowingFeatures(names) if n_buckets is None else HashedFeatures(n_buckets)
        learner = cls(Rule.from_record(header["rule"]), features, None, header["n_relevant"])
        learner.positive, learner.negative = header["positive"], header["negative"]
        if not isinstance(learner.negative, str) or (learner.positive is not None and labels != [learner.positive]):
            raise ValueError("its labels are not those of one class against others")
        if {*header["tally"]} != {*vars(learner.tally)}:
            raise ValueError("its counts are none")
        learner.tally = Tally(**header["tally"])
        check_counts(vars(learner.tally).values())
        exponents = arrays["exponents"]
        if exponents.dtype.kind != "i" or exponents.shape != (len(labels), len(features) + 1):
            raise ValueError("the weights do not fit the features and classes")
        if not are_learned(exponents):
            raise ValueError("its weights are beyond what is ever learned")
        for label, row in zip(labels, exponents, strict=True):
            learner._meet(label)
            learner.winnows[label].restore(row)
        return learner


def _check_names(names: Any) -> None:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len({*names}) < len(names):
        raise ValueError("its features or labels are no different names")


def check_counts(counts: Iterable[Any], least: int = 0) -> None:
    """Raise ValueError if some counts from a file are none."""
    if not all(type(count) is int and least <= count < 1 << 53 for count in counts):
        raise ValueError("its counts are none")


def _exactly(exponents: np.ndarray, n_features: int) -> np.ndarray:
    """Return the exponents of the features that are known: room for more is 0."""
    return np.append(exponents, np.zeros(max(0, n_features - len(exponents)), dtype=np.int32))[:n_features]
