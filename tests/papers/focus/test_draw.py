"""What is drawn has the right distribution, and depends on the seed and the number alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from fewest.exceptions import ParameterError
from fewest.papers.focus.small_samples import Samples, misclassified

MAJORITY = [0, 0, 0, 1, 0, 1, 1, 1]
# One relevant feature out of five: its place and its sign can be read off the truth.
LITERAL = [0, 1]


def numbers(rows):
    return (rows.astype(np.int64) << np.arange(rows.shape[1])).sum(axis=1)


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("shuffled", [True, False])
def test_classes_agree_with_the_truth_about_all_instances(replacement, shuffled):
    samples = Samples(MAJORITY, 7, 90, 3, replacement, shuffled)
    for number in range(20):
        rows, classes, truth = samples.draw(number)
        assert rows.shape == (90, 7)
        assert classes.tolist() == truth[numbers(rows)].tolist()


def test_unshuffled_features_are_the_first_ones():
    _, _, truth = Samples(MAJORITY, 5, 4, shuffled=False).draw(0)
    assert truth.tolist() == [MAJORITY[i & 7] for i in range(32)]


@given(
    n_features=st.integers(1, 8), share=st.floats(0, 1), seed=st.integers(0, 2**64 - 1), number=st.integers(0, 2**62)
)
def test_without_replacement_no_instance_comes_twice(n_features, share, seed, number):
    n_examples = round(share * 2**n_features)
    rows, _, _ = Samples([0, 1], n_features, n_examples, seed, replacement=False).draw(number)
    assert len(rows) == n_examples == len(set(numbers(rows).tolist()))


@pytest.mark.parametrize("n_examples", [3, 16, 20])
@pytest.mark.parametrize("replacement", [True, False])
def test_every_instance_is_as_likely(n_examples, replacement):
    samples = Samples(MAJORITY, 5, n_examples, 11, replacement)
    drawn = np.concatenate([numbers(samples.draw(number)[0]) for number in range(2000)])
    assert chisquare(np.bincount(drawn, minlength=32)).pvalue > 0.001


def test_places_and_signs_are_as_likely():
    signs_by_place = np.zeros((5, 2))
    for number in range(5000):
        truth = Samples(LITERAL, 5, 0, 12).draw(number)[2]
        instances = np.arange(32)
        for place in range(5):
            column = instances >> place & 1
            if (truth == column).all() or (truth != column).all():
                signs_by_place[place, truth[0]] += 1
    assert signs_by_place.sum() == 5000
    assert chisquare(signs_by_place.ravel()).pvalue > 0.001


def test_pairs_of_places_are_as_likely():
    # Implication: the place of its premise and of its conclusion can be told apart when nothing is negated.
    pairs = np.zeros((4, 4))
    for number in range(6000):
        truth = Samples([0, 0, 0, 1], 4, 0, 13).draw(number)[2]
        relevant = [x for x in range(4) if any(truth[i] != truth[i ^ 1 << x] for i in range(16))]
        pairs[tuple(relevant)] += 1
    assert chisquare(pairs[np.triu_indices(4, 1)]).pvalue > 0.001


@pytest.mark.parametrize("learner", ["id3", "fringe", "wg", "focus", "mig", "sg"])
@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("n_examples", [20, 100])
def test_a_batch_is_its_parts(learner, replacement, n_examples):
    samples = Samples(MAJORITY, 7, n_examples, 4, replacement)
    whole = misclassified(learner, samples, 60)
    parts = [misclassified(learner, samples, 25, first=0), misclassified(learner, samples, 35, first=25)]
    assert whole.tolist() == np.concatenate(parts).tolist()


def test_seeds_differ():
    assert misclassified("id3", Samples(MAJORITY, 7, 20, 0), 50).tolist() != (
        misclassified("id3", Samples(MAJORITY, 7, 20, 1), 50).tolist()
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"concept": [0, 1, 1], "n_features": 4, "n_examples": 5}, "has 3 entries"),
        ({"concept": [0] * 128, "n_features": 8, "n_examples": 5}, "has 128 entries"),
        ({"concept": MAJORITY, "n_features": 2, "n_examples": 5}, "n_features=2 does not fit"),
        ({"concept": MAJORITY, "n_features": 17, "n_examples": 5}, "n_features=17 does not fit"),
        ({"concept": MAJORITY, "n_features": 4, "n_examples": -1}, "is negative"),
        ({"concept": MAJORITY, "n_features": 4, "n_examples": 17, "replacement": False}, "17 examples cannot be drawn"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        Samples(**arguments)


def test_unknown_learners_are_refused():
    with pytest.raises(ParameterError, match="learner='id4' is not known"):
        Samples(MAJORITY, 4, 5).run("id4", 1)
