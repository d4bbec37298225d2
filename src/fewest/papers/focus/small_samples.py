"""Run a learner on many random samples of a Boolean concept, as Almuallim and Dietterich (1994, section 7) do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fewest.exceptions import ParameterError
from fewest.papers.focus.kernels import batch
from fewest.papers.focus.kernels.draw import MOST_RELEVANT, Design, draw_sample, empty_examples

MOST_FEATURES = 16
LEARNERS = {
    "id3": batch.ID3,
    "mig": batch.MIG,
    "sg": batch.SG,
    "wg": batch.WG,
    "focus": batch.FOCUS,
    "fringe": batch.FRINGE,
    "draw": batch.DRAW,
}


class Runs(NamedTuple):
    """What came out, an entry a sample."""

    misclassified: np.ndarray  # how many of the 2**n_features instances
    selected: np.ndarray  # the features selected before the tree was grown, as bits


@dataclass(frozen=True)
class Samples:
    """Random samples of a concept, numbered from 0; a sample depends on the seed and its number alone.

    Parameters
    ----------
    concept : sequence of bool, of length 2**r
        The truth table of the relevant features: entry ``i`` is the class of
        instances whose relevant features spell ``i``, the first one in the
        lowest bit. At most six features.
    n_features : int
        At most 16.
    n_examples : int
    seed : int
    replacement : bool
        Whether an example is put back before the next one is drawn.
    shuffled : bool
        Place the relevant features at random in every sample, and negate them
        at random. Otherwise they are the first ones: learners that break ties
        by position then favour them.

    Examples
    --------
    Exclusive-or among eight features. Weighted-Greedy is right about all 256
    instances in most samples of 20 examples, ID3 alone in few:

    >>> samples = Samples([0, 1, 1, 0], n_features=8, n_examples=20, seed=0)
    >>> float((samples.run("wg", 1000).misclassified == 0).mean())
    0.936
    >>> float((samples.run("id3", 1000).misclassified == 0).mean())
    0.222
    """

    concept: Sequence[bool]
    n_features: int
    n_examples: int
    seed: int = 0
    replacement: bool = True
    shuffled: bool = True

    def __post_init__(self) -> None:
        n_cells = len(self.concept)
        if n_cells not in [2**r for r in range(MOST_RELEVANT + 1)]:
            raise ParameterError(
                f"The concept's truth table has {n_cells} entries. It needs 2**r for r relevant features, "
                f"r at most {MOST_RELEVANT}."
            )
        if not max(1, n_cells.bit_length() - 1) <= self.n_features <= MOST_FEATURES:
            raise ParameterError(
                f"n_features={self.n_features} does not fit: the concept has {n_cells.bit_length() - 1} relevant "
                f"features, and at most {MOST_FEATURES} are possible."
            )
        if self.n_examples < 0:
            raise ParameterError(f"n_examples={self.n_examples} is negative. Use 0 or more.")
        if not self.replacement and self.n_examples > 2**self.n_features:
            raise ParameterError(
                f"{self.n_examples} examples cannot be drawn without replacement: {self.n_features} features make "
                f"only {2**self.n_features} instances. Draw fewer, or with replacement=True."
            )

    def run(self, learner: str, n_samples: int, first: int = 0) -> Runs:
        """Run a learner on the samples ``first`` .. ``first + n_samples - 1``.

        Parameters
        ----------
        learner : {"id3", "mig", "sg", "wg", "focus", "fringe", "draw"}
            The selectors are followed by ID3; "draw" only draws, to see what that costs.
        n_samples : int
        first : int
        """
        if learner not in LEARNERS:
            raise ParameterError.from_choice("learner", learner, LEARNERS)
        code = LEARNERS[learner]
        runs = Runs(np.zeros(n_samples, dtype=np.int64), np.zeros(n_samples, dtype=np.int64))
        batch.run(code, self._design, first, batch.workspaces_for(code, self.n_features, self.n_examples), *runs)
        return runs

    def draw(self, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return one sample as learners meet it: its rows, their classes, and the truth about all instances.

        Instance ``i`` has bit ``b`` of ``i`` as the value of feature ``b``.
        """
        examples = empty_examples(self.n_features, self.n_examples)
        draw_sample(self._design, number, examples)
        n_negative, n_positive = examples.n
        rows = np.concatenate([examples.positives[:n_positive], examples.negatives[:n_negative]])
        classes = np.repeat(np.array([1, 0], dtype=np.int8), [n_positive, n_negative])
        instances = np.arange(2**self.n_features)
        as_drawn = sum(((instances >> place) & 1) << feature for place, feature in enumerate(examples.order))
        truth = (int(examples.truth[0]) >> (as_drawn & 63).astype(object)) & 1
        return ((rows[:, None] >> examples.order) & 1).astype(np.int8), classes, truth.astype(np.int8)

    @property
    def _design(self) -> Design:
        """Return what the kernels take."""
        n_cells = len(self.concept)
        truth = sum(1 << i for i in range(64) if self.concept[i % n_cells])
        return Design(
            n_features=int(self.n_features),
            n_relevant=n_cells.bit_length() - 1,
            truth=np.uint64(truth),
            n_examples=int(self.n_examples),
            seed=np.uint64(int(self.seed) % 2**64),
            is_replaced=bool(self.replacement),
            is_shuffled=bool(self.shuffled),
        )


def misclassified(learner: str, samples: Samples, n_samples: int, first: int = 0) -> np.ndarray:
    """Return, for each of a range of samples, how many of all instances the learner's tree misclassifies."""
    return samples.run(learner, n_samples, first).misclassified
