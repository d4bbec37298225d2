"""Every learner of the batch against the oracles, sample by sample."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import naive
from fewest.cover.focus1 import focus1
from fewest.cover.greedy import mutual_information_greedy, simple_greedy
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy
from fewest.papers.focus.small_samples import Samples
from fewest.trees.fringe import grow_fringe
from fewest.trees.id3 import grow_id3

TWINS = {
    "mig": (naive.mutual_information_greedy, mutual_information_greedy),
    "sg": (naive.simple_greedy, simple_greedy),
    "wg": (naive.weighted_greedy, weighted_greedy),
    "focus": (naive.focus1, focus1),
}
PARITY = [i.bit_count() % 2 for i in range(8)]


@st.composite
def boolean_samples(draw, max_features=7, max_examples=40):
    """Samples of random concepts; many of these are constant or do not depend on all their features."""
    n_relevant = draw(st.integers(0, 4))
    concept = draw(st.lists(st.integers(0, 1), min_size=2**n_relevant, max_size=2**n_relevant))
    n_features = draw(st.integers(max(1, n_relevant), max_features))
    replacement = draw(st.booleans())
    most = max_examples if replacement else min(max_examples, 2**n_features)
    n_examples = draw(st.integers(0, most))
    return Samples(concept, n_features, n_examples, draw(st.integers(0, 10**6)), replacement, draw(st.booleans()))


def instances_of(n_features):
    return [tuple(i >> x & 1 for x in range(n_features)) for i in range(2**n_features)]


def bits_of(features):
    return sum(1 << x for x in features)


def n_wrong(tree, instances, truth):
    return sum(naive.boolean_prediction(tree, row) != c for row, c in zip(instances, truth.tolist(), strict=True))


def drawn(samples, number):
    rows, classes, truth = samples.draw(number)
    return [tuple(row) for row in rows.tolist()], classes.tolist(), truth


@pytest.mark.parametrize("learner", sorted(TWINS))
@given(samples=boolean_samples(), number=st.integers(0, 2**40))
def test_selectors_and_the_tree_over_what_they_select(learner, samples, number):
    twin, method = TWINS[learner]
    rows, classes, truth = drawn(samples, number)
    (wrong,), (selected,) = samples.run(learner, 1, first=number)
    features = sorted(twin(rows, classes, samples.n_features)[0])
    assert selected == bits_of(features)
    if rows:
        codes = np.array(rows, dtype=np.int8).reshape(len(rows), samples.n_features)
        assert method(Sample(codes, np.array(classes))).subset == tuple(features)
    tree = naive.boolean_id3(rows, classes, features)
    assert wrong == n_wrong(tree, instances_of(samples.n_features), truth)


@given(samples=boolean_samples(), number=st.integers(0, 2**40))
def test_id3(samples, number):
    rows, classes, truth = drawn(samples, number)
    (wrong,), (selected,) = samples.run("id3", 1, first=number)
    assert selected == 2**samples.n_features - 1
    tree = naive.boolean_id3(rows, classes, range(samples.n_features))
    assert wrong == n_wrong(tree, instances_of(samples.n_features), truth)


@given(samples=boolean_samples(), number=st.integers(0, 2**40))
@example(samples=Samples(PARITY, 7, 60, seed=5), number=3)
def test_fringe(samples, number):
    rows, classes, truth = drawn(samples, number)
    ((wrong,), _) = samples.run("fringe", 1, first=number)
    assert wrong == n_wrong(*naive.boolean_fringe(rows, classes, instances_of(samples.n_features)), truth)


@given(samples=boolean_samples(), number=st.integers(0, 2**40))
@example(samples=Samples(PARITY, 7, 60, seed=5), number=3)
def test_the_same_trees_as_the_learners_of_any_data(samples, number):
    rows, classes, truth = samples.draw(number)
    if len(rows):
        instances = np.array(instances_of(samples.n_features), dtype=np.int8)
        id3 = grow_id3(rows, classes, 2).predict(instances)
        fringe = grow_fringe(rows, classes, 2)
        predicted = fringe.tree.predict(fringe.features.matrix(instances))
        assert samples.run("id3", 1, first=number).misclassified == (id3 != truth).sum()
        assert samples.run("fringe", 1, first=number).misclassified == (predicted != truth).sum()


@pytest.mark.parametrize("learner", ["id3", "fringe", *TWINS])
@pytest.mark.parametrize("concept", [PARITY, [0, 0, 0, 1, 1, 1, 0, 1]])
@pytest.mark.parametrize(
    ("n_features", "n_examples", "replacement"), [(9, 90, False), (10, 150, True), (9, 300, False)]
)
def test_samples_of_more_than_one_word(learner, concept, n_features, n_examples, replacement):
    samples = Samples(concept, n_features, n_examples, 7, replacement)
    instances = instances_of(n_features)
    for number in range(2):
        rows, classes, truth = drawn(samples, number)
        (wrong,), (selected,) = samples.run(learner, 1, first=number)
        features = range(n_features)
        if learner == "fringe":
            assert wrong == n_wrong(*naive.boolean_fringe(rows, classes, instances), truth)
            continue
        if learner in TWINS:
            features = TWINS[learner][1](Sample(np.array(rows, dtype=np.int8), np.array(classes))).subset
        assert selected == bits_of(features)
        assert wrong == n_wrong(naive.boolean_id3(rows, classes, features), instances, truth)


@pytest.mark.parametrize("learner", ["id3", "mig", "wg", "focus"])
def test_sixteen_features_of_which_six_are_relevant(learner):
    concept = np.random.default_rng(0).integers(0, 2, 64).tolist()
    samples = Samples(concept, 16, 70, seed=1)
    for number in range(3):
        rows, classes, truth = drawn(samples, number)
        (wrong,), (selected,) = samples.run(learner, 1, first=number)
        features = range(16)
        if learner in TWINS:
            features = TWINS[learner][1](Sample(np.array(rows, dtype=np.int8), np.array(classes))).subset
        assert selected == bits_of(features)
        assert wrong == n_wrong(naive.boolean_id3(rows, classes, features), instances_of(16), truth)


@pytest.mark.parametrize("learner", ["id3", "fringe", *TWINS])
def test_who_has_seen_everything_is_never_wrong(learner):
    for concept in (PARITY, [0], [1], [0, 1]):
        samples = Samples(concept, 6, 64, seed=2, replacement=False)
        assert not samples.run(learner, 20).misclassified.any()


@pytest.mark.parametrize("learner", ["id3", "fringe", *TWINS])
def test_no_example_means_negative(learner):
    runs = Samples([0, 1], 3, 0).run(learner, 5)
    assert runs.misclassified.tolist() == [4] * 5


@pytest.mark.parametrize("learner", list(TWINS))
def test_one_class_needs_no_feature(learner):
    runs = Samples([1], 5, 12).run(learner, 20)
    assert not runs.selected.any()
    assert not runs.misclassified.any()
