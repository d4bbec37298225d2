"""What the folds of a comparison show, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewest.comparison.curves import one_error_choice
from fewest.comparison.folds import Fold
from fewest.comparison.learners import usual_answer
from fewest.comparison.metrics import Metric, Task, baseline
from fewest.comparison.recommendation import decide
from fewest.comparison.selectors import ALL
from fewest.comparison.stability import mean_agreement, stability
from fewest.comparison.uncertainty import corrected_error, score_interval
from fewest.comparison.validation import Record, favorites, unseen_predictions
from fewest.table import Column, Table

# Features that are listed with how often they were chosen.
MOST_FREQUENT = 40


@dataclass(frozen=True, eq=False)
class Summary:
    """The folds of all methods as plain data."""

    records: list[Record]
    parts: list[Fold]
    target: np.ndarray
    task: Task
    metrics: tuple[Metric, ...]
    others: tuple[Metric, ...]

    @property
    def test_share(self) -> float:
        """Return n_test / n_train."""
        return float(np.mean([len(test) / len(training) for training, test in self.parts]))

    def result(self, features: Table, target: Column) -> dict[str, Any]:
        """Return everything that the folds show, with a verdict that has no words yet."""
        methods = [self._method(record) for record in self.records]
        baselines = [self._baseline(metric) for metric in self.metrics]
        masks = [np.array(record.masks) for record in self.records]
        return {
            "methods": methods,
            "metrics": [m.described() | {"baseline": b} for m, b in zip(self.metrics, baselines, strict=True)],
            "guess": {"text": self._guess(target), "score": baselines[0]},
            "agreement": {"methods": [m["method"] for m in methods], "matrix": mean_agreement(masks)},
            "frequency": _frequency(self.records, masks, features),
            "curves": self._curves(),
            "recommendation": self.verdict(methods, baselines[0]),
        }

    def verdict(self, methods: list[dict[str, Any]], guess: float, unselective: Sequence[str] = ()) -> dict[str, Any]:
        """Return which method to use, without those that keep nearly all features on all rows."""
        counts, share = self._counts(), self.test_share
        return decide(methods, self.metrics[0], guess, share, counts, self.others, unselective)

    def _method(self, record: Record) -> dict[str, Any]:
        masks = np.array(record.masks)
        sizes, stable = masks.sum(axis=1), stability(masks)
        chosen = record.favorites(self.parts)
        names = list(record.judgements[0])
        values = self._values(record, chosen)
        interval = score_interval(values[0], self.test_share, self.metrics[0], self._counts())
        return {
            "method": record.selector.name,
            "idea": record.selector.idea,
            "score": interval.mean,
            "error": interval.error,
            "low": interval.low,
            "high": interval.high,
            "scores": values[0].tolist(),
            "metrics": {
                metric.name: {"mean": _mean(found), "error": corrected_error(found, self.test_share)}
                for metric, found in zip(self.metrics, values, strict=True)
            },
            "at_best": {metric.name: self._at_best(record, metric) for metric in self.others},
            "by_learner": {name: _mean(np.array([j[name][0] for j in record.judgements])) for name in names},
            "learner": Counter(chosen).most_common(1)[0][0],
            "given_up_within": _given_up_within(record),
            "n_features": float(sizes.mean()),
            "fewest_features": int(sizes.min()),
            "most_features": int(sizes.max()),
            "stability": None if stable is None else stable.index,
            "stability_low": None if stable is None else stable.low,
            "stability_high": None if stable is None else stable.high,
            "seconds": float(np.mean(record.seconds)),
        }

    def _values(self, record: Record, favorites: list[str]) -> list[np.ndarray]:
        """Return every metric in every fold, by the learner that counts there."""
        found = []
        for (training, test), name, judgement in zip(self.parts, favorites, record.judgements, strict=True):
            usual = usual_answer(self.target[training], self.task)
            score, given = judgement[name]
            others = [metric.score(self.target[test], given, usual, self.task) for metric in self.metrics[1:]]
            found.append([score, *others])
        return list(np.array(found).T)

    def _at_best(self, record: Record, metric: Metric) -> list[float]:
        """Return a metric in every fold by the learner that does best by it, which need not be the one that counts.

        Features are not worse because the learner with the best labels has coarse probabilities.
        """
        scores = []
        for (training, test), judgement in zip(self.parts, record.judgements, strict=True):
            actual, usual = self.target[test], usual_answer(self.target[training], self.task)
            scores.append(
                {name: metric.score(actual, given, usual, self.task) for name, (_, given) in judgement.items()}
            )
        return [fold[name] for fold, name in zip(scores, favorites(scores, self.parts), strict=True)]

    def _counts(self) -> np.ndarray:
        """Count the different tested rows of every class."""
        tested = np.unique(np.concatenate([test for _, test in self.parts]))
        if self.task.is_regression:
            return np.array([len(tested)])
        return np.bincount(self.target[tested], minlength=self.task.n_classes)

    def _baseline(self, metric: Metric) -> float:
        guesses = [
            baseline(metric, self.target[test], usual_answer(self.target[training], self.task), self.task)
            for training, test in self.parts
        ]
        return _mean(np.array(guesses))

    def _guess(self, target: Column) -> str:
        if self.task.is_regression:
            return "always answering the mean"
        if self.metrics[0].name == "accuracy":
            return f"always answering {target.labels[int(np.bincount(self.target).argmax())]}"
        return "guessing"

    def _curves(self) -> list[dict[str, Any]]:
        """Return the mean score within training rows against the number of features, of every ranking."""
        found = []
        for record in self.records:
            curves = [curve for curve in record.curves if curve is not None]
            if len(curves) < len(record):
                continue
            scores = np.array([curve.scores for curve in curves])
            guess = self._baseline(self.metrics[0])
            others = [np.array([curve.others[metric.name] for curve in curves]) for metric in self.others]
            chosen = one_error_choice(scores, self.test_share, self.metrics[0], guess, self._counts(), others)
            found.append(
                {
                    "method": record.selector.name,
                    "numbers": curves[0].numbers,
                    "scores": [_mean(column) for column in scores.T],
                    "errors": [_mean(np.array(column)) for column in zip(*(c.errors for c in curves), strict=True)],
                    "chosen": curves[0].numbers[chosen],
                }
            )
        return found

    def add_unseen(self, result: dict[str, Any]) -> None:
        """Add what the recommended method predicted for rows that were left out; None if there is none."""
        wanted = result["recommendation"]["method"]
        record = next((one for one in self.records if one.selector.name == wanted), None)
        result["unseen"] = None
        if record is not None:
            chosen = record.favorites(self.parts)
            result["unseen"] = unseen_predictions(record, chosen, self.parts, self.target, self.task, self.metrics[0])


def _given_up_within(record: Record) -> float:
    """Return what a ranking lost on its curves, on average over the folds, by the number of features that it chose."""
    lost = [curve.given_up for curve in record.curves if curve is not None]
    return float(np.mean(lost)) if lost else 0.0


def _mean(values: np.ndarray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _frequency(records: list[Record], masks: list[np.ndarray], features: Table) -> list[dict[str, Any]]:
    """Return in what share of the folds each method chose each feature, the most chosen first."""
    shares = {
        record.selector.name: mask.mean(axis=0)
        for record, mask in zip(records, masks, strict=True)
        if record.selector.name != ALL
    }
    if not shares:
        return []
    mean = np.mean([*shares.values()], axis=0)
    order = [j for j in np.argsort(-mean, kind="stable").tolist() if mean[j] > 0][:MOST_FREQUENT]
    return [
        {
            "feature": features.names[j],
            "mean": float(mean[j]),
            "by_method": {name: float(share[j]) for name, share in shares.items()},
        }
        for j in order
    ]
