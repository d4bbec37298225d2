from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.exceptions import ParameterError
from fewest.mistakes import ConceptClass, as_online_learner, as_query_learner, ask, opt
from fewest.mistakes import bounds as mistakes
from fewest.mistakes.options import Rule
from fewest.mistakes.queries import ExhaustiveOracle
from fewest.mistakes.version_space import HalvingSpace, OptimalSpace
from fewest.mistakes.winnow import Winnow

N = 5
CONCEPTS = ConceptClass.monotone_disjunctions(N, 2)
POINTS = [*product((0, 1), repeat=N)]
TARGETS = st.sets(st.integers(0, N - 1), max_size=2)


class OfPoints:
    """Winnow that takes vectors instead of active features."""

    def __init__(self, winnow):
        self.winnow = winnow

    def predict_one(self, instance):
        return self.winnow.predict_one(np.flatnonzero(instance))

    def learn_one(self, instance, label):
        return self.winnow.learn_one(np.flatnonzero(instance), label)


def learners(k):
    return [
        (OptimalSpace(CONCEPTS), opt(CONCEPTS)),
        (HalvingSpace(CONCEPTS), mistakes.halving(len(CONCEPTS))),
        (OfPoints(Winnow(Rule("winnow1", 2.0, N / 2), N)), mistakes.winnow1(N, max(k, 1))),
    ]


@given(TARGETS, st.permutations(POINTS))
def test_queries_are_at_most_the_mistake_bound_and_one(chosen, order):
    def target(x):
        return any(x[i] for i in chosen)

    for learner, bound in learners(len(chosen)):
        answer = ask(as_query_learner(learner), ExhaustiveOracle(target, order))
        assert answer.n_queries <= mistakes.queries(bound)
        assert all(answer.hypothesis(x) == target(x) for x in POINTS)


@given(TARGETS, st.lists(st.sampled_from(POINTS), max_size=60))
def test_there_and_back_is_the_same_learner(chosen, order):
    for (learner, _), (same, bound) in zip(learners(len(chosen)), learners(len(chosen)), strict=True):
        turned = as_online_learner(as_query_learner(same))
        n_wrong = 0
        for x in order:
            label = any(x[i] for i in chosen)
            assert turned.predict_one(x) == learner.predict_one(x)
            if learner.predict_one(x) != label:
                n_wrong += 1
                learner.learn_one(x, label)  # of right predictions the other is not told
            turned.learn_one(x, label)
        assert turned.n_mistakes == n_wrong <= bound


def test_a_target_outside_the_class_is_not_found():
    with pytest.raises(ParameterError, match="not found by 50 queries"):
        ask(as_query_learner(HalvingSpace(CONCEPTS)), ExhaustiveOracle(lambda x: x[0] ^ x[1], POINTS), max_queries=50)
