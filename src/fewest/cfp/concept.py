"""A concept: the partitions of all features, and the vote among them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fewest.blocks.threads import in_order, n_workers
from fewest.cfp.feature import KERNELS, SECONDS_A_VALUE, FeaturePartitions, LineMemory
from fewest.cfp.kernels.locate import AHEAD, NONE, add_shares, add_votes, locate
from fewest.cfp.options import Settings
from fewest.kernels.compile_or_not import compiles

# Sums of the same weights in another order differ by less than this part of themselves.
ROUNDING = 1e-12
# Rows voted on at a time, at least, so that their votes stay in the cache; more if tables would have to come and go.
BLOCK_ROWS = 4096


@dataclass(frozen=True, eq=False)
class Concept:
    """What CFP learns: the partitions of all features, and how they vote.

    Parameters
    ----------
    features : tuple of FeaturePartitions
    limits : ndarray of shape (n_features,)
        The generalisation limit of every feature; 0 for a nominal one.
    class_counts : ndarray of shape (n_classes,)
        The training examples of each class.
    settings : Settings
    """

    features: tuple[FeaturePartitions, ...]
    limits: np.ndarray
    class_counts: np.ndarray
    settings: Settings

    @classmethod
    def empty(cls, limits: Sequence[float] | np.ndarray, n_classes: int, settings: Settings) -> Concept:
        """Return a concept that has seen nothing."""
        features = tuple(FeaturePartitions.empty() for _ in limits)
        return cls(features, np.asarray(limits, dtype=np.float64), np.zeros(n_classes, dtype=np.int64), settings)

    @property
    def n_partitions(self) -> int:
        """Count the partitions of all features; undetermined ones are none."""
        return sum(map(len, self.features))

    @property
    def n_classes(self) -> int:
        """Return the number of classes, seen or announced."""
        return len(self.class_counts)

    @property
    def majority(self) -> int:
        """Return the class of most examples, the first of equals."""
        return int(self.class_counts.argmax())

    # ------------------------------------------------------------------ learning

    def learned(
        self,
        columns: Sequence[np.ndarray],
        classes: np.ndarray,
        *,
        compiled: bool | None = None,
        n_jobs: int | None = 1,
    ) -> Concept:
        """Return the concept after more examples, in their order.

        A feature's predictions, which decide its weight, and its partitions
        depend on no other feature, so each learns all examples in one go, and several do at a time.
        """
        classes = classes.astype(np.int32)
        if compiled is None:
            compiled = compiles(len(classes) * len(columns) * SECONDS_A_VALUE, KERNELS)
        rules = self.settings.rules
        of_thread = threading.local()

        def learn(j: int) -> FeaturePartitions:
            memory = of_thread.__dict__.setdefault("memory", LineMemory())
            limit = float(self.limits[j])
            return self.features[j].learned(columns[j], classes, limit, rules, compiled=compiled, memory=memory)

        n_threads = n_workers(n_jobs)
        features = tuple(in_order(learn, range(len(columns)), n_threads if compiled else 1))
        counts = self.class_counts + np.bincount(classes, minlength=self.n_classes)
        return replace(self, features=features, class_counts=counts)

    # ------------------------------------------------------------------ voting

    @cached_property
    def weights(self) -> np.ndarray:
        """Return the weight of every feature, the largest being 1.

        A weight starts at 1 and changes by delta percent with every right or
        wrong prediction. Only ratios matter in a vote, and the numbers
        themselves leave the range of floats after some ten thousand examples.
        """
        rate = self.settings.delta / 100
        logs = np.array([f.right * np.log1p(rate) + f.wrong * np.log1p(-rate) for f in self.features])
        with np.errstate(under="ignore"):
            relative = np.exp(logs - logs.max(initial=-np.inf))
        return np.maximum(relative, np.finfo(float).tiny)  # a feature that is alone still has a vote

    def votes(
        self, columns: Sequence[np.ndarray], n_rows: int, *, compiled: bool | None = None, n_jobs: int | None = 1
    ) -> np.ndarray:
        """Return the sum of the weights, or of their shares, with which features vote for each class, for every row."""
        if compiled is None:
            # NumPy votes faster than it learns; but who votes has mostly learned as many values, and loaded the code.
            compiled = compiles(n_rows * len(columns) * SECONDS_A_VALUE, KERNELS)
        is_shared = self.settings.vote == "shares"
        if not compiled and not is_shared:
            return self.count(self.predictions(columns), n_rows)
        votes = np.zeros((n_rows, self.n_classes))
        if is_shared:
            add = add_shares.compiled if compiled else _add_shares
            tables = [feature.shares(self.settings.end_points, self.class_counts) for feature in self.features]
        else:
            add = add_votes.compiled
            tables = [feature.ballot(self.settings.end_points) for feature in self.features]
        step = max(BLOCK_ROWS, 4 * max((len(boundaries) for boundaries, _ in tables), default=0))
        weights = self.weights.tolist()

        def vote(start: int) -> None:
            block = slice(start, start + step)
            for values, table, weight in zip(columns, tables, weights, strict=True):
                add(values[block], *table, weight, votes[block])

        for _ in in_order(vote, range(0, n_rows, step), n_workers(n_jobs) if compiled else 1):
            pass
        return votes

    def predictions(self, columns: Sequence[np.ndarray]) -> Iterator[np.ndarray]:
        """Yield every feature's own prediction for all rows, -1 for none."""
        for feature, values in zip(self.features, columns, strict=True):
            yield feature.predict(values, self.settings.end_points)

    def count(self, predictions: Iterable[np.ndarray], n_rows: int) -> np.ndarray:
        """Return the votes for each class when the features make these predictions."""
        votes = np.zeros((n_rows, self.n_classes))
        for guesses, weight in zip(predictions, self.weights, strict=True):
            voting = np.flatnonzero(guesses != NONE)
            votes[voting, guesses[voting]] += weight
        return votes

    def decide(self, columns: Sequence[np.ndarray], votes: np.ndarray) -> np.ndarray:
        """Return the class of every row of values with these votes; -1 where nothing decides."""
        return self.decide_by(lambda rows: self.predictions([values[rows] for values in columns]), votes)

    def decide_by(self, predictions: Callable[[np.ndarray], Iterable[np.ndarray]], votes: np.ndarray) -> np.ndarray:
        """Return the class of every row with these votes; ``predictions`` are asked for where there are ties.

        A tie goes to the class for which the feature of the highest weight voted, if there is one.
        """
        most = votes.max(axis=1, initial=0.0)
        is_best = votes >= (most * (1 - ROUNDING))[:, None]
        decided = np.where(most > 0, votes.argmax(axis=1) if self.n_classes else NONE, NONE)
        tied = np.flatnonzero((most > 0) & (is_best.sum(axis=1) > 1))
        if len(tied):
            is_alike = np.ptp(self.weights) == 0  # then no weight is higher than another
            decided[tied] = NONE if is_alike else self._broken(predictions(tied), is_best[tied])
        return decided

    def _broken(self, predictions: Iterable[np.ndarray], is_tied: np.ndarray) -> np.ndarray:
        """Return the tied class with the highest weight behind it, -1 where several have it."""
        highest = np.zeros(is_tied.shape)
        for guesses, weight in zip(predictions, self.weights, strict=True):
            voting = np.flatnonzero(guesses != NONE)
            spot = voting, guesses[voting]
            highest[spot] = np.maximum(highest[spot], weight)
        highest[~is_tied] = -1
        best = highest >= (highest.max(axis=1) * (1 - ROUNDING))[:, None]
        return np.where(best.sum(axis=1) == 1, best.argmax(axis=1), NONE)

    # ------------------------------------------------------------------ keeping

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return all features' arrays, one after the other, by name."""
        parts = [feature.to_arrays() for feature in self.features]
        joined = (
            {name: np.concatenate([np.atleast_1d(part[name]) for part in parts]) for name in _NAMES} if parts else {}
        )
        lengths = {f"n_{name}": np.array([np.size(part[name]) for part in parts]) for name in ("place", "point_place")}
        return {**joined, **lengths, "limits": self.limits, "class_counts": self.class_counts}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], settings: Settings) -> Concept:
        """Return the concept that a file holds; raise ValueError or KeyError when it holds none."""
        limits, counts = arrays["limits"], arrays["class_counts"]
        n_boundaries, n_points = arrays["n_place"], arrays["n_point_place"]
        if any(array.ndim != 1 for array in (limits, counts, n_boundaries, n_points)):
            raise ValueError("its arrays are not flat")
        if limits.dtype.kind != "f" or any(array.dtype.kind != "i" for array in (counts, n_boundaries, n_points)):
            raise ValueError("its arrays are of the wrong type")
        if min(n_boundaries.min(initial=0), n_points.min(initial=0), counts.min(initial=0)) < 0:
            raise ValueError("it counts below zero")
        if not len(limits) == len(n_boundaries) == len(n_points):
            raise ValueError("its arrays do not agree on the number of features")
        features = []
        ends = {"place": np.cumsum(n_boundaries), "point_place": np.cumsum(n_points)}
        for j in range(len(limits)):
            boundaries = slice(ends["place"][j] - n_boundaries[j], ends["place"][j])
            points = slice(ends["point_place"][j] - n_points[j], ends["point_place"][j])
            spans = {name: points if name.startswith("point") else boundaries for name in _NAMES}
            part = {name: arrays[name][spans[name]] for name in _NAMES if name not in ("right", "wrong")}
            part |= {name: arrays[name][j] for name in ("right", "wrong")}
            features.append(FeaturePartitions.from_arrays(part, len(counts)))
        return cls(tuple(features), limits, counts, settings)


def _add_shares(
    values: np.ndarray, boundaries: np.ndarray, shares: np.ndarray, weight: float, votes: np.ndarray
) -> None:
    """Do what `add_shares` does, a column at a time."""
    where = np.empty(len(values), dtype=np.uint32)
    locate(boundaries, len(boundaries) - AHEAD, values, where, None)
    votes += weight * shares[where]


_NAMES = tuple(FeaturePartitions.empty().to_arrays())
