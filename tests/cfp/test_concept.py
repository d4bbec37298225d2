"""The vote, the rules that describe it, and the evolution of its parameters."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cfp.concept import Concept
from fewest.cfp.evolution import Evolution, stratified_folds
from fewest.cfp.options import GACFPOptions, Settings
from fewest.cfp.rules import intervals, n_combinations, terms
from fewest.exceptions import ParameterError, StoppedEarlyWarning

CHOICES = st.builds(
    Settings,
    delta=st.sampled_from([0.0, 1.0, 10.0, 50.0]),
    inclusive=st.booleans(),
    between=st.sampled_from(["merge", "nearer"]),
    end_points=st.sampled_from(["all", "points"]),
    silence=st.sampled_from(["neutral", "wrong"]),
)
VALUE = st.one_of(st.integers(0, 8), st.integers(0, 8), st.none())


@st.composite
def problems(draw, max_features=4, max_rows=15):
    """Rows with None among them, classes, and a limit for every feature."""
    n_features = draw(st.integers(1, max_features))
    rows = draw(st.lists(st.tuples(*[VALUE] * n_features), min_size=1, max_size=max_rows))
    classes = draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    limits = draw(st.lists(st.sampled_from([0.0, 1.5, 3.0]), min_size=n_features, max_size=n_features))
    new = draw(st.lists(st.tuples(*[VALUE] * n_features), max_size=5))
    return rows, classes, limits, rows + new


def columns_of(rows, n_features):
    values = [[np.nan if v is None else v for v in row] for row in rows]
    return [*np.array(values, dtype=float).reshape(len(rows), n_features).T.copy()]


def learned(rows, classes, limits, choices):
    concept = Concept.empty(limits, 3, choices)
    return concept.learned(columns_of(rows, len(limits)), np.array(classes), compiled=False)


def decided(concept, rows, **options):
    columns = columns_of(rows, len(concept.features))
    return concept.decide(columns, concept.votes(columns, len(rows), **options))


@pytest.mark.parametrize("compiled", [False, True])
@given(problems(), CHOICES)
def test_the_vote_is_the_paper_s(compiled, problem, choices):
    rows, classes, limits, probes = problem
    concept = learned(rows, classes, limits, choices)
    twin = naive.cfp(rows, classes, limits, choices.inclusive, choices.between, choices.end_points, choices.silence)
    votes = [naive.cfp_votes(twin, row, choices.delta, choices.end_points) for row in probes]
    expected = [naive.cfp_predict(vote) for vote in votes]
    assert decided(concept, probes, compiled=compiled).tolist() == [-1 if c is None else c for c in expected]
    assert concept.n_partitions == sum(len(partitions) for partitions, _ in twin)
    assert concept.class_counts.tolist() == [classes.count(c) for c in range(3)]


@pytest.mark.parametrize("compiled", [False, True])
@given(problems(), CHOICES)
def test_features_divide_their_votes(compiled, problem, choices):
    rows, classes, limits, probes = problem
    concept = learned(rows, classes, limits, replace(choices, vote="shares"))
    twin = naive.cfp(rows, classes, limits, choices.inclusive, choices.between, choices.end_points, choices.silence)
    counts = [classes.count(c) for c in range(3)]
    expected = [naive.cfp_shares(twin, row, counts, choices.delta, choices.end_points) for row in probes]
    votes = concept.votes(columns_of(probes, len(limits)), len(probes), compiled=compiled)
    weights = [(1 + choices.delta / 100) ** right * (1 - choices.delta / 100) ** wrong for _, (right, wrong) in twin]
    in_units = [[vote.get(c, 0) / max(weights) for c in range(3)] for vote in expected]
    np.testing.assert_allclose(votes, in_units, rtol=1e-9, atol=1e-12)


@given(problems(), CHOICES)
def test_a_missing_value_leaves_the_feature_out_of_the_vote(problem, choices):
    rows, classes, limits, probes = problem
    concept = learned(rows, classes, limits, choices)
    columns = columns_of(probes, len(limits))
    columns[0][:] = np.nan
    without = Concept(concept.features[1:], concept.limits[1:], concept.class_counts, choices)
    votes = without.votes(columns[1:], len(probes))
    scale = concept.weights[1:].max() / without.weights.max() if len(limits) > 1 else 1
    np.testing.assert_allclose(concept.votes(columns, len(probes)), votes * scale)


def test_nothing_decides_where_nothing_is_determined_or_votes_are_tied():
    concept = learned([(1, 5), (5, 1)], [0, 1], [0.0, 0.0], Settings())
    assert decided(concept, [(3, 3), (None, None), (1, 1), (1, 5), (1, None)]).tolist() == [-1, -1, -1, 0, 0]


def test_a_tie_of_sums_goes_to_the_feature_of_the_highest_weight():
    """Feature 0 was right once and has weight 2; features 1 and 2, which are new, have 1 each."""
    rows = [(1, None, None), (1, None, None), (None, 5, 5)]
    concept = learned(rows, [0, 0, 1], [0.0] * 3, Settings(delta=99.99999999999999))
    np.testing.assert_allclose(concept.weights, [1, 0.5, 0.5])
    assert decided(concept, [(1, 5, 5)]).tolist() == [0]
    assert decided(concept, [(None, 5, 5)]).tolist() == [1]


def test_weights_survive_any_number_of_examples():
    values = np.zeros(200_000)
    classes = np.zeros(200_000, dtype=int)
    noise = np.arange(200_000) % 2
    concept = Concept.empty([0.0, 0.0], 2, Settings(delta=50.0)).learned([values, noise * 1.0], classes)
    assert concept.weights.tolist() == pytest.approx([1, 1 / 1.5])
    worse = Concept.empty([0.0, 0.0], 2, Settings(delta=50.0)).learned([values, noise * 1.0], noise)
    assert 0 < worse.weights[0] < 1e-300
    assert worse.weights[1] == 1
    assert worse.decide([values[:1], np.array([np.nan])], worse.votes([values[:1], np.array([np.nan])], 1)) != 5


@given(problems(max_features=3, max_rows=10), CHOICES)
def test_rules_say_exactly_when_a_class_wins(problem, choices):
    rows, classes, limits, _ = problem
    concept = learned(rows, classes, limits, choices)
    probes = [tuple(row) for row in np.random.default_rng(0).integers(-1, 19, (60, len(limits))) / 2]
    won = decided(concept, probes)
    for label in range(3):
        described = [any(_meets(concept, row, term) for term in terms(concept, label)) for row in probes]
        assert described == (won == label).tolist()


def _meets(concept, row, conditions):
    return all(
        any(
            i.lower < row[j] < i.upper or (i.has_lower and row[j] == i.lower) or (i.has_upper and row[j] == i.upper)
            for i in intervals(concept.features[j], allowed, concept.settings.end_points)
        )
        for j, allowed in conditions
    )


def test_combinations_are_counted():
    concept = learned([(1, 5), (5, 1)], [0, 1], [0.0, 0.0], Settings())
    assert n_combinations(concept) == 9


@pytest.mark.parametrize("delta", [-1, 100, float("nan"), "2", True, None])
def test_rates_that_are_none(delta):
    with pytest.raises(ParameterError, match="is no percentage"):
        Settings(delta=delta)


@pytest.mark.parametrize("option", ["between", "end_points", "silence", "vote"])
def test_choices_that_are_none(option):
    with pytest.raises(ParameterError, match=f"{option}='none' is not known. Choose one of"):
        Settings(**{option: "none"})


def evolution(rng):
    x = rng.random(200)
    classes = (np.floor(x * 5) % 2).astype(np.int32)
    noise = rng.random(200)
    return Evolution([x, noise], classes, 2, np.array([1.0, 1.0]), Settings(), stratified_folds(classes, 3, rng))


def test_evolution_is_seeded_never_gets_worse_and_stops_early():
    def run():
        return evolution(np.random.default_rng(0)).run(GACFPOptions(6, 12, 3), np.random.default_rng(1))[0]

    one, two = run(), run()
    assert [g.accuracy for g in one] == [g.accuracy for g in two]
    assert all(earlier.accuracy <= later.accuracy for earlier, later in pairwise(one))
    assert one[-1].limits.tolist() == two[-1].limits.tolist()
    assert len(one) <= 12
    flat = Evolution([np.zeros(20)], np.arange(20, dtype=np.int32) % 2, 2, np.zeros(1), Settings(), np.arange(20) % 2)
    assert len(flat.run(GACFPOptions(5, 50, 3), np.random.default_rng(0))[0]) == 4


def test_fitness_is_the_error_of_concepts_that_learn_every_fold_by_itself():
    evolving, rng = evolution(np.random.default_rng(0)), np.random.default_rng(2)
    columns, classes, folds = evolving.columns, evolving.classes, evolving.folds
    for genes in (np.full(3, 0.5), *rng.random((8, 3)), np.full(3, 0.5)):  # the last one is known by then
        limits, delta = evolving.decoded(genes)
        n_wrong = 0
        for fold in range(3):
            train, test = folds != fold, folds == fold
            empty = Concept.empty(limits, 2, Settings(delta=delta))
            concept = empty.learned([column[train] for column in columns], classes[train])
            values = [column[test] for column in columns]
            decided = concept.decide(values, concept.votes(values, int(test.sum())))
            n_wrong += int((np.where(decided < 0, concept.majority, decided) != classes[test]).sum())
        assert evolving.error(genes) == n_wrong / len(classes)
    assert evolving.decoded(np.full(3, 0.5))[0] == pytest.approx([0.02, 0.02])


def test_an_interrupted_evolution_answers_with_the_best_so_far():
    def interrupt(generation):
        if generation.number == 2:
            raise KeyboardInterrupt

    with pytest.warns(StoppedEarlyWarning, match="interrupted after 2 generations"):
        found = evolution(np.random.default_rng(0)).run(GACFPOptions(6, 12, 9), np.random.default_rng(1), interrupt)
    history, stopped_by = found
    assert len(history) == 2
    assert stopped_by == "interrupt"


def test_folds_hold_every_class_alike():
    classes = np.repeat([0, 1, 2], [9, 6, 3])
    folds = stratified_folds(classes, 3, np.random.default_rng(0))
    for fold in range(3):
        assert np.bincount(classes[folds == fold]).tolist() == [3, 2, 1]
