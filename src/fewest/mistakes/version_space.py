"""Learners over an explicit concept class: halving (algorithm 1) and the standard optimal algorithm (section 3).

Both keep CONSIST, the concepts that agree with all examples so far, as a set
of bits. Where no concept would be left, the target is outside the class; the
example is then not learned, and counted.
"""

from __future__ import annotations

import numpy as np

from fewest.mistakes.concepts import ConceptClass
from fewest.mistakes.mistake_trees import MistakeTrees


class HalvingSpace:
    """Predict as the majority of the concepts that are left; a tie predicts 0.

    Examples
    --------
    >>> from fewest.mistakes import ConceptClass
    >>> from fewest.mistakes.version_space import HalvingSpace
    >>> learner = HalvingSpace(ConceptClass.monotone_disjunctions(3))
    >>> learner.learn_one([0, 0, 1], 0), learner.learn_one([1, 0, 1], 1), learner.n_left
    (False, False, 2)
    """

    def __init__(self, concepts: ConceptClass) -> None:
        self.concepts = concepts
        self.consistent = concepts.everything
        self.n_contradictions = 0

    @property
    def n_left(self) -> int:
        """Return how many concepts are left."""
        return self.consistent.bit_count()

    def predict_one(self, instance: object) -> bool:
        """Predict for one instance, given as a number or as a Boolean vector."""
        ones = self.consistent & self.concepts.ones[self.concepts.place_of(instance)]
        return self._prefers_ones(ones, self.consistent ^ ones)

    def _prefers_ones(self, ones: int, zeros: int) -> bool:
        return ones.bit_count() > zeros.bit_count()

    def learn_one(self, instance: object, label: object) -> bool:
        """Predict, then keep the concepts that agree with the label; return what was predicted."""
        predicted = self.predict_one(instance)
        ones = self.concepts.ones[self.concepts.place_of(instance)]
        left = self.consistent & (ones if label else ~ones)
        if left:
            self.consistent = left
        else:
            self.n_contradictions += 1
        return predicted

    def predict(self, instances: np.ndarray) -> np.ndarray:
        """Predict for many instances, learning nothing."""
        known: dict[int, bool] = {}
        places = [self.concepts.place_of(instance) for instance in instances]
        for place in set(places):
            known[place] = self.predict_one(place)
        return np.array([known[place] for place in places], dtype=bool)


class OptimalSpace(HalvingSpace):
    """Predict what leaves the smaller largest mistake tree if it turns out wrong; a tie predicts 0."""

    def __init__(self, concepts: ConceptClass) -> None:
        super().__init__(concepts)
        self.trees = MistakeTrees(concepts)

    def _prefers_ones(self, ones: int, zeros: int) -> bool:
        return self.trees.height(ones) > self.trees.height(zeros)
