from itertools import product
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.exceptions import ParameterError, TooLargeError, UnknownInstanceError
from fewest.mistakes import ConceptClass, largest_mistake_tree, opt, vc_dimension
from fewest.mistakes import bounds as mistakes
from fewest.mistakes.queries import walked
from fewest.mistakes.version_space import HalvingSpace, OptimalSpace


@st.composite
def classes(draw, max_concepts=9, max_instances=5):
    n_instances = draw(st.integers(1, max_instances))
    concept = st.tuples(*[st.integers(0, 1)] * n_instances)
    return draw(st.lists(concept, min_size=1, max_size=max_concepts, unique=True))


@given(classes())
def test_opt_and_vc_dimension_are_what_their_definitions_say(rows):
    concepts = ConceptClass(rows)
    assert opt(concepts) == naive.largest_tree(rows)
    assert vc_dimension(concepts) == naive.vc_dimension(rows)
    assert vc_dimension(concepts) <= opt(concepts) <= mistakes.optimal_at_most(len(rows)) <= log2(len(rows))


@given(classes(), st.data())
def test_both_algorithms_predict_as_the_paper_s_and_keep_to_their_bounds(rows, data):
    concepts, target = ConceptClass(rows), data.draw(st.sampled_from(rows))
    order = data.draw(st.lists(st.integers(0, len(target) - 1), max_size=20))
    trials = [(x, target[x]) for x in order]
    for learner, oracle, bound in (
        (HalvingSpace(concepts), naive.halving, mistakes.halving(len(concepts))),
        (OptimalSpace(concepts), naive.standard_optimal, opt(concepts)),
    ):
        predictions = [learner.learn_one(x, label) for x, label in trials]
        assert predictions == oracle(rows, trials)
        assert sum(p != label for p, (_, label) in zip(predictions, trials, strict=True)) <= bound
        assert learner.n_contradictions == 0


@given(classes(max_concepts=16, max_instances=6))
def test_the_adversary_of_the_tree_forces_opt_on_every_learner(rows):
    concepts = ConceptClass(rows)
    tree = largest_mistake_tree(concepts)
    assert len(tree) == 2 ** (tree.height + 1) - 1
    for learner in (OptimalSpace(concepts), HalvingSpace(concepts), Stubborn()):
        trials = [*walked(tree, learner)]
        assert len(trials) == opt(concepts)
        assert any(all(row[x] == label for x, label in trials) for row in rows)


class Stubborn:
    """Predicts 0 whatever it is told."""

    def predict_one(self, instance):
        return False

    def learn_one(self, instance, label):
        return False


@given(classes(max_concepts=12, max_instances=5))
def test_no_sequence_forces_more_than_opt_on_the_optimal_algorithm(rows):
    """M_SOA(C) = K(C): the worst over all targets and sequences, by trying all answers at every step."""
    concepts = ConceptClass(rows)

    def worst(consistent):
        learner, most = OptimalSpace(concepts), 0
        learner.consistent = consistent
        for x, ones in enumerate(concepts.ones):
            wrong = consistent & (~ones if learner.predict_one(x) else ones)
            if wrong:
                most = max(most, 1 + worst(wrong))
        return most

    assert worst(concepts.everything) == opt(concepts)


def test_trees_are_mistake_trees_of_their_class():
    concepts = ConceptClass.monotone_disjunctions(5, 2)
    tree = largest_mistake_tree(concepts)
    assert tree.subset[0] == concepts.everything
    for node in range(len(tree)):
        assert tree.subset[node]
        for value, child in enumerate(tree.children(node)):
            ones = concepts.ones[tree.instance[node]]
            assert tree.subset[child] == tree.subset[node] & (ones if value else ~ones)
    text = largest_mistake_tree(ConceptClass([[0, 0], [0, 1], [1, 1]])).to_text()
    assert text == "0?\n├── 0: c0 and 1 more\n└── 1: c2"


# ---------------------------------------------------------------------- named classes


@pytest.mark.parametrize(
    ("concepts", "size", "function"),
    [
        (ConceptClass.monotone_disjunctions(4), 16, lambda x: x[1] | x[3]),
        (ConceptClass.monotone_disjunctions(4, 2), 11, lambda x: x[1] | x[3]),
        (ConceptClass.monotone_disjunctions(4, 2, exactly=True), 6, lambda x: x[1] | x[3]),
        (ConceptClass.monotone_conjunctions(4), 16, lambda x: x[1] & x[3]),
        (ConceptClass.conjunctions(3), 27, lambda x: x[0] & (1 - x[2])),
        (ConceptClass.conjunctions(4, 1), 9, lambda x: 1 - x[2]),
        (ConceptClass.monotone_dnf(4, 2, 2), 15, lambda x: (x[0] & x[1]) | (x[2] & x[3])),
        (ConceptClass.all_functions(2), 16, lambda x: x[0] ^ x[1]),
        (ConceptClass.from_functions([sum, lambda x: 0], 3, ["or", "0"]), 2, lambda x: x[0] | x[1] | x[2]),
    ],
)
def test_named_classes_hold_what_they_say(concepts, size, function):
    assert len(concepts) == size == len({row.tobytes() for row in concepts.values})
    n = concepts.instances.shape[1]
    values = [bool(function(x)) for x in product((0, 1), repeat=n)]
    assert values in concepts.values.tolist()
    assert [concepts.place_of(x) for x in product((0, 1), repeat=n)] == [*range(2**n)]


def test_names_say_what_concepts_are():
    concepts = ConceptClass.monotone_dnf(3, 2, 2)
    assert concepts.names == ["x0&x1 | x0&x2", "x0&x1 | x1&x2", "x0&x2 | x1&x2"]
    assert ConceptClass.conjunctions(1).names == ["1", "~x0", "x0"]
    assert ConceptClass.intervals(2).names == ["empty", "0..0", "0..1", "1..1"]
    assert repr(concepts) == "<ConceptClass: 3 concepts over 8 instances>"
    assert ConceptClass([[0, 1], [0, 1], [1, 1]], names=["a", "b", "c"]).names == ["a", "c"]


def test_known_values():
    assert [opt(ConceptClass.monotone_disjunctions(n)) for n in range(1, 9)] == [*range(1, 9)]
    assert opt(ConceptClass.monotone_disjunctions(8, 8, exactly=True)) == 0
    assert opt(ConceptClass.all_functions(3)) == vc_dimension(ConceptClass.all_functions(3)) == 8
    assert vc_dimension(ConceptClass.intervals(30)) == 2
    for n, k in [(6, 2), (8, 2), (8, 3), (10, 2)]:
        best = opt(ConceptClass.monotone_disjunctions(n, k))
        exact = opt(ConceptClass.monotone_disjunctions(n, k, exactly=True))
        assert best >= exact >= mistakes.disjunctions_at_least(n, k, exactly=True)
        assert mistakes.disjunctions_at_least(n, k) <= best <= mistakes.winnow1(n, k)
    for n, terms, size in [(6, 1, 2), (6, 2, 2), (5, 2, 1)]:
        least = mistakes.monotone_dnf_vc_at_least(n, size, terms)
        assert vc_dimension(ConceptClass.monotone_dnf(n, terms, size)) >= least


def test_the_empty_class():
    nothing = ConceptClass(np.zeros((0, 4)))
    assert (len(nothing), opt(nothing), vc_dimension(nothing)) == (0, -1, -1)
    assert opt(ConceptClass(np.zeros((1, 0)))) == 0


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (lambda: ConceptClass([0, 1]), ParameterError),
        (lambda: ConceptClass([[0, 1], [1]]), ParameterError),
        (lambda: ConceptClass([[0, 1]], names=["a", "b"]), ParameterError),
        (lambda: ConceptClass.all_functions(-1), ParameterError),
        (lambda: ConceptClass.intervals(-1), ParameterError),
        (lambda: ConceptClass.intervals(10**6), TooLargeError),
        (lambda: ConceptClass.monotone_disjunctions(10**6), TooLargeError),
        (lambda: ConceptClass.conjunctions(10**6, 3), TooLargeError),
        (lambda: largest_mistake_tree(ConceptClass(np.empty((0, 2)))), ParameterError),
        (lambda: ConceptClass([[0, 2]]), ParameterError),
        (lambda: ConceptClass([[0, 1]], instances=[[0]]), ParameterError),
        (lambda: ConceptClass.all_functions(5), TooLargeError),
        (lambda: ConceptClass.monotone_disjunctions(30), TooLargeError),
        (lambda: ConceptClass.intervals(3).place_of(3), UnknownInstanceError),
        (lambda: ConceptClass.intervals(3).place_of([1]), UnknownInstanceError),
        (lambda: ConceptClass([[0]], instances=[[1]]).place_of([0]), UnknownInstanceError),
    ],
)
def test_mistakes_are_explained(broken, error):
    with pytest.raises(error):
        broken()
