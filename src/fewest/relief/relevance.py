"""Relevance: sums over sampled rows become scores, standard errors, and the threshold that decides what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.relief import bounds
from fewest.relief.options import AUTO, FDR, INTERVAL, PERMUTATION, RelevanceOptions

if TYPE_CHECKING:
    from fewest.relief.left_out import LeftOut

# The least relevance that is one, beyond rounding.
LEAST = float(np.finfo(np.float32).eps)
# Features whose spread tells something of that of others, and the degrees of freedom that it can be worth at most.
FEWEST_TO_BORROW, MOST_BORROWED = 5, 1000.0


@dataclass(frozen=True)
class Relevance:
    """The relevance of every feature, and how certain it is.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        The relevance, in [-1, 1].
    standard_errors : ndarray of shape (n_features,)
        How uncertain it is, judged by how the updates of the sampled rows differ; NaN for a single row.
    n_sampled : int
    n_effective : int
        The rows that this rests upon: those sampled, less those that were sampled again when all had been.
    by_chance : ndarray of shape (n_permutations, n_features)
        The relevance of every feature to permuted targets.
    left_out : LeftOut
        The relevance of every feature by neighbors that are sought without it.
    """

    scores: np.ndarray
    standard_errors: np.ndarray
    n_sampled: int
    n_effective: int
    by_chance: np.ndarray | None = None
    left_out: LeftOut | None = None

    def limited_to(self, n_rows: int) -> Relevance:
        """Return it with errors no smaller than this many rows allow, however often they were sampled."""
        n_effective = min(n_rows, self.n_sampled)
        if n_effective == self.n_sampled:
            return replace(self, n_effective=n_effective)
        wider = np.sqrt((self.n_sampled - 1) / (n_effective - 1)) if n_effective > 1 else np.nan
        return replace(self, n_effective=n_effective, standard_errors=self.standard_errors * wider)

    def threshold(self, options: RelevanceOptions) -> float | np.ndarray:
        """Return the number, or one number a feature, that the relevance of a kept feature reaches."""
        if options.n_features_to_select is not None:
            return float(self.scores[self.order[options.n_features_to_select - 1]])
        if options.threshold == AUTO:
            return bounds.threshold(options.alpha, max(1, self.n_effective))
        if options.threshold in (INTERVAL, PERMUTATION):
            return self._test(options).threshold(self._level(options))
        return float(options.threshold)

    def pvalues(self, options: RelevanceOptions) -> np.ndarray | None:
        """Return the probability that an irrelevant feature scores as much, by the test; None where there is none."""
        if options.n_features_to_select is not None or options.threshold not in (INTERVAL, PERMUTATION):
            return None
        return self._test(options).pvalues(self.scores)

    def null_scores(self, options: RelevanceOptions) -> np.ndarray | None:
        """Return what chance alone would give every feature, by the permutations; None where there are none.

        Beside a rare class all features differ more between the classes than within the large one, those of few values
        most, so that scores of different features compare only by what they are beyond this.
        """
        if options.n_features_to_select is not None or options.threshold != PERMUTATION or self.by_chance is None:
            return None
        return np.broadcast_to(self._test(options).expected, self.scores.shape).copy()

    def _test(self, options: RelevanceOptions) -> Test:
        if options.threshold == INTERVAL:
            # A mean is normal by the central limit theorem, with the updates' own spread.
            errors = np.nan_to_num(self.standard_errors, nan=np.inf)
            return ChanceTest(np.zeros(len(errors)), errors, np.inf)
        if options.step is not None:
            return PooledTest.from_permutations(self.by_chance)
        targets = ChanceTest.from_permutations(self.by_chance, self.standard_errors)
        if self.left_out is None:
            return targets
        # What a feature scores more by having taken part in choosing the neighbors is no sign of relevance.
        chosen = self.scores - self.left_out.scores
        features = ChanceTest.from_permutations(self.left_out.by_chance, self.standard_errors).shifted(chosen)
        # A regression has no classes whose rows are rare and therefore far apart, which the other test is for.
        return features if options.is_regression else EveryTest((targets, features))

    def _level(self, options: RelevanceOptions) -> float:
        """Return the largest p-value of a kept feature."""
        n_features = max(1, len(self.scores))
        if options.correction is None:
            return options.alpha
        if options.correction == FDR:
            # Benjamini and Hochberg (1995): the largest p-value that is at most its share of alpha.
            ordered = np.sort(self._test(options).pvalues(self.scores))
            most = options.alpha * np.arange(1, len(ordered) + 1) / n_features
            if (ordered <= most).any():
                return float(most[np.flatnonzero(ordered <= most)[-1]])
        return options.alpha / n_features

    def support(self, options: RelevanceOptions) -> np.ndarray:
        """Return the mask of the kept features: those that reach the threshold, or as many of the best as asked for."""
        support, least = np.zeros(len(self.scores), dtype=bool), options.n_features_to_select
        if least is None:
            support, least = self.scores >= self.threshold(options), options.min_features_to_select
        null_scores = self.null_scores(options)
        order = self.order if null_scores is None else np.argsort(null_scores - self.scores, kind="stable")
        others = order[~support[order]]
        support[others[: max(0, least - int(support.sum()))]] = True
        return support

    @property
    def order(self) -> np.ndarray:
        """Return all features, the most relevant first."""
        return np.argsort(-self.scores, kind="stable")


@dataclass(frozen=True)
class ChanceTest:
    """What irrelevant features score by chance: a mean and a spread for each, t distributed or with a longer tail.

    Attributes
    ----------
    means, spreads : ndarray of shape (n_features,)
    n_degrees : float
        Degrees of freedom; infinite for the normal distribution.
    pool : ndarray
        How far from their means all features' rankings by chance lie, in spreads, the farthest first.
    least : float or ndarray of shape (n_features,)
        The least score that is any relevance at all.
    """

    means: np.ndarray
    spreads: np.ndarray
    n_degrees: float
    pool: np.ndarray = field(default_factory=lambda: np.empty(0))
    least: float | np.ndarray = LEAST

    @classmethod
    def from_permutations(cls, by_chance: np.ndarray | None, standard_errors: np.ndarray) -> ChanceTest:
        """Predict one more ranking by a permuted target; few of them leave their mean and spread uncertain, too.

        The spread of each feature is known from as many rankings as there are. Measured in standard errors, features
        spread much alike, so that each borrows from all as much as their differences allow: moderated t statistics.
        """
        n_features = len(standard_errors)
        if by_chance is None or len(by_chance) < 2:  # nothing is known of chance
            return cls(np.zeros(n_features), np.full(n_features, np.inf), 1.0)
        n, means, variances = len(by_chance), by_chance.mean(axis=0), by_chance.var(axis=0, ddof=1)
        units = np.square(np.nan_to_num(standard_errors))
        usual = (units > 0) & (variances > 0)
        n_degrees = float(n - 1)
        if usual.sum() >= FEWEST_TO_BORROW:
            ratios = variances[usual] / units[usual]
            prior, borrowed = prior_of_variances(ratios, n_degrees)
            variances[usual] = units[usual] * (borrowed * prior + n_degrees * ratios) / (borrowed + n_degrees)
            n_degrees += borrowed
        # Around their own mean, rankings spread less than the next one will, by as much as it is put below here.
        apart = (by_chance - means)[:, usual] / np.sqrt(variances[usual] * (1 - 1 / n))
        return cls(means, np.sqrt(variances * (1 + 1 / n)), n_degrees, np.sort(apart, axis=None)[::-1])

    @property
    def expected(self) -> np.ndarray:
        """Return the mean score of every feature by chance."""
        return self.means

    def shifted(self, by: np.ndarray) -> ChanceTest:
        """Return the test of scores that are higher by so much, for every feature."""
        return replace(self, means=self.means + by, least=self.least + by)

    def pvalues(self, scores: np.ndarray) -> np.ndarray:
        """Return the probability of a relevance as high; 1 for a relevance of 0 or less.

        Of few rows of a class, chance has a longer tail than Student's t. So no p-value is below the share of all
        features' rankings by chance that lie as far out; beyond the farthest of them, t goes on from there.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.nan_to_num((scores - self.means) / self.spreads, posinf=np.inf, neginf=-np.inf)
        found = self._tail(far)
        if len(self.pool):
            n_beyond = np.searchsorted(-self.pool, -far, side="right")
            found = np.where(
                n_beyond > 0, np.maximum(found, (1 + n_beyond) / (1 + len(self.pool))), self._excess * found
            )
        return np.where((scores < self.least) | np.isinf(self.spreads), 1.0, np.minimum(found, 1.0))

    def threshold(self, level: float) -> np.ndarray:
        """Return the relevance of this p-value, for every feature."""
        far = self._far(level)
        if len(self.pool):
            n_allowed = int(level * (1 + len(self.pool)) * (1 + 1e-12)) - 1
            if n_allowed < 1:
                far = max(self._far(level / self._excess), np.nextafter(self.pool[0], np.inf))
            elif n_allowed < len(self.pool):
                far = max(far, np.nextafter(self.pool[n_allowed], np.inf))
        return np.maximum(self.means + far * self.spreads, self.least)

    @property
    def _excess(self) -> float:
        """Return how many times as probable as by t the farthest ranking by chance is."""
        return max(1.0, 1 / (1 + len(self.pool)) / max(float(self._tail(self.pool[0])), 1e-300))

    def _tail(self, far: np.ndarray | float) -> np.ndarray:
        from scipy.special import ndtr, stdtr

        return ndtr(-far) if np.isinf(self.n_degrees) else stdtr(self.n_degrees, -far)

    def _far(self, level: float) -> float:
        from scipy.special import ndtri, stdtrit

        return float(-ndtri(level) if np.isinf(self.n_degrees) else -stdtrit(self.n_degrees, level))


@dataclass(frozen=True)
class EveryTest:
    """Several tests, all of which a relevant feature has to pass."""

    tests: tuple[ChanceTest, ...]

    @property
    def expected(self) -> np.ndarray:
        """Return the mean score of every feature by chance, of the test that expects most."""
        return np.max([test.expected for test in self.tests], axis=0)

    def pvalues(self, scores: np.ndarray) -> np.ndarray:
        """Return the largest p-value of every feature: where one test holds its level, so does this."""
        return np.max([test.pvalues(scores) for test in self.tests], axis=0)

    def threshold(self, level: float) -> np.ndarray:
        """Return the relevance of this p-value, for every feature."""
        return np.max([test.threshold(level) for test in self.tests], axis=0)


@dataclass(frozen=True)
class PooledTest:
    """What irrelevant features score by chance, all features together.

    For iterated rankings: a feature's score depends on the round in which it is dropped, so that a few rankings by
    permuted targets, each of them iterated as well, say little of one feature alone.
    """

    pool: np.ndarray  # descending

    @classmethod
    def from_permutations(cls, by_chance: np.ndarray | None) -> PooledTest:
        """Sort all scores by permuted targets."""
        return cls(np.empty(0) if by_chance is None else np.sort(by_chance, axis=None)[::-1])

    @property
    def expected(self) -> float:
        """Return the mean score by chance, the same for all features."""
        return float(self.pool.mean()) if len(self.pool) else 0.0

    def pvalues(self, scores: np.ndarray) -> np.ndarray:
        """Return the share of scores by chance that are as high; 1 for a relevance of 0 or less."""
        n_beyond = np.searchsorted(-self.pool, -scores, side="right")
        return np.where(scores < LEAST, 1.0, (1 + n_beyond) / (1 + len(self.pool)))

    def threshold(self, level: float) -> float:
        """Return the least relevance of a p-value at most this; infinite where so few rankings cannot show it."""
        n_allowed = int(level * (1 + len(self.pool)) * (1 + 1e-12)) - 1
        if n_allowed < 0:
            return np.inf
        least = np.nextafter(self.pool[n_allowed], np.inf) if n_allowed < len(self.pool) else LEAST
        return float(max(least, LEAST))


Test = ChanceTest | EveryTest | PooledTest


def relevance_records(
    names: Sequence[str],
    scores: np.ndarray,
    standard_errors: np.ndarray,
    support: np.ndarray,
    pvalues: np.ndarray | None = None,
    null_scores: np.ndarray | None = None,
) -> list[dict[str, Any]]:
    """Return what is known of every feature as plain data: those kept first, each part by relevance beyond chance."""
    beyond = scores if null_scores is None else scores - null_scores
    return [
        {
            "feature": str(names[j]),
            "relevance": float(scores[j]),
            "standard_error": float(standard_errors[j]),
            "by_chance": None if null_scores is None else float(null_scores[j]),
            "p_value": None if pvalues is None else float(pvalues[j]),
            "is_selected": bool(support[j]),
        }
        for j in np.lexsort((-beyond, ~support)).tolist()
    ]


def beyond_chance(record: dict[str, Any]) -> float:
    """Return how much of the relevance in a record chance does not explain; all of it where that was not asked."""
    return record["relevance"] - (record.get("by_chance") or 0.0)


def prior_of_variances(variances: np.ndarray, n_degrees: float) -> tuple[float, float]:
    """Return the variance that is usual among these, and how many degrees of freedom that is worth for each.

    Smyth (2004), section 6.2: the logarithms of estimated variances vary by trigamma(d / 2) if the variances themselves
    are all alike, and by more if they are not.
    """
    from scipy.special import digamma, polygamma

    half = n_degrees / 2
    logs = np.log(variances) - digamma(half) + np.log(half)
    excess = max(float(logs.var(ddof=1) - polygamma(1, half)), 2 / MOST_BORROWED)
    low, high = 1e-2, MOST_BORROWED
    for _ in range(60):  # trigamma falls: halve the interval in which it is the excess
        middle = np.sqrt(low * high)
        low, high = (middle, high) if polygamma(1, middle) > excess else (low, middle)
    return float(np.exp(logs.mean() + digamma(low) - np.log(low))), 2 * low


class MeanSums:
    """The sums of Relief and ReliefF, whose relevance is the mean of the sampled rows' updates."""

    def __init__(self, n_features: int):
        self.n_sampled, self._weight = 0, 0.0
        self._sum, self._squares = np.zeros(n_features), np.zeros(n_features)

    def add(self, weights: np.ndarray, updates: np.ndarray) -> None:
        """Add rows of updates."""
        self.n_sampled += len(weights)
        self._weight += weights.sum()
        single = weights.astype(np.float32)
        self._sum += single @ updates
        self._squares += single @ np.square(updates)

    def scores(self) -> np.ndarray:
        """Return the means so far."""
        return self._sum / self._weight if self._weight else self._sum.copy()

    def relevance(self) -> Relevance:
        """Return the means so far, and their errors."""
        mean = self.scores()
        if self._weight == 0:
            return Relevance(mean, np.full(len(mean), np.nan), self.n_sampled, self.n_sampled)
        return Relevance(
            mean, _error(self._squares / self._weight - mean**2, self._weight), self.n_sampled, self.n_sampled
        )


class RegressionSums:
    """The sums of RReliefF, whose relevance is a ratio of three means; its error follows from theirs (delta method).

    For each sampled row, c is the mean difference of the target between it and
    its neighbors, b that of a feature, and a that of the product of both.
    """

    def __init__(self, n_features: int):
        self.n_sampled, self._weight = 0, 0.0
        self._c, self._cc = 0.0, 0.0
        self._a, self._b, self._aa, self._ab, self._bb, self._ac, self._bc = np.zeros((7, n_features))

    def add(self, weights: np.ndarray, c: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        """Add the differences of sampled rows."""
        a, b = a.astype(np.float64), b.astype(np.float64)
        self.n_sampled += len(weights)
        self._weight += weights.sum()
        self._c, self._cc = self._c + weights @ c, self._cc + weights @ c**2
        self._a, self._b = self._a + weights @ a, self._b + weights @ b
        self._aa, self._ab, self._bb = (
            self._aa + weights @ a**2,
            self._ab + weights @ (a * b),
            self._bb + weights @ b**2,
        )
        self._ac, self._bc = self._ac + (weights * c) @ a, self._bc + (weights * c) @ b

    def scores(self) -> np.ndarray:
        """Return the relevance so far."""
        return self.relevance().scores

    def relevance(self) -> Relevance:
        """Return P(feature differs | target differs) less P(feature differs | target does not)."""
        n = self._weight
        if n == 0 or self._c <= 0:  # nothing is relevant to a target that never differs
            return Relevance(np.zeros(len(self._a)), np.full(len(self._a), np.nan), self.n_sampled, self.n_sampled)
        a, b, c = self._a / n, self._b / n, self._c / n
        rest = 1 - c
        inverse = 1 / rest if rest > 0 else 0.0
        scores = a / c - (b - a) * inverse
        by_a, by_b, by_c = 1 / c + inverse, -inverse, -(a / c**2) - (b - a) * inverse**2
        variance = (
            by_a**2 * (self._aa / n - a**2)
            + by_b**2 * (self._bb / n - b**2)
            + by_c**2 * (self._cc / n - c**2)
            + 2 * by_a * by_b * (self._ab / n - a * b)
            + 2 * by_a * by_c * (self._ac / n - a * c)
            + 2 * by_b * by_c * (self._bc / n - b * c)
        )
        return Relevance(np.clip(scores, -1, 1), _error(variance, n), self.n_sampled, self.n_sampled)


def _error(variance: np.ndarray, n: float) -> np.ndarray:
    """Return the standard error of a mean of n values with this variance."""
    if n <= 1:
        return np.full(len(variance), np.nan)
    return np.sqrt(np.maximum(variance, 0) / (n - 1))


Sums = MeanSums | RegressionSums


def history_step(sums: Sums) -> dict[str, Any]:
    """Return one record of a history: the relevance after this many sampled rows."""
    return {"n_sampled": sums.n_sampled, "scores": sums.scores()}


@dataclass
class Evidence:
    """How many rows have been seen: those that are sampled again add no certainty about other data.

    It keeps the rows of every data set that was sampled from, and how often these were sampled.
    """

    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    current: str | None = None
    since: int = 0

    def turn_to(self, data: str, n_rows: int, n_sampled: int) -> None:
        """Count rows for the data of that name from now on, when this many rows have been sampled in all."""
        self._settle(n_sampled)
        self.known.setdefault(data, (n_rows, 0))
        self.current = data

    def n_rows(self, n_sampled: int) -> int:
        """Return how many distinct rows can be among the sampled ones, when these are this many in all."""
        self._settle(n_sampled)
        return sum(min(pair) for pair in self.known.values())

    def _settle(self, n_sampled: int) -> None:
        """Count what was sampled from the current data."""
        if self.current is not None:
            n_rows, before = self.known[self.current]
            self.known[self.current] = n_rows, before + n_sampled - self.since
        self.since = n_sampled
