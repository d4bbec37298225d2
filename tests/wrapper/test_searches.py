"""The searches against loops over subsets, on tables of random losses with many ties."""

import contextlib
import threading
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin

from fewest.budget import TIME_LIMIT, Budget, OutOfBudgetError
from fewest.exceptions import CheckpointError, DamagedJournalWarning, ParameterError
from fewest.wrapper.evaluators.generic import GenericEvaluator, Learner, fold_examples
from fewest.wrapper.examples import Examples
from fewest.wrapper.search.checkpoint import MAGIC, Journal, Remembering
from fewest.wrapper.search.searches import (
    beam_search,
    exhaustive_search,
    floating_search,
    n_beam_candidates,
    n_beam_subsets,
    n_subsets,
)
from fewest.wrapper.search.subset_search import Measured, SubsetSearch, has_stalled
from fewest.wrapper.search.subsets import SubsetSpace
from fewest.wrapper.splits import Roles, holdout_fold
from naive import wrappers as naive


class Losses:
    """Losses looked up in a table that has one for every subset."""

    def __init__(self, n_units, seed, n_values=4):
        rng = np.random.default_rng(seed)
        subsets = [subset for size in range(n_units + 1) for subset in combinations(range(n_units), size)]
        self.guide = dict(zip(subsets, rng.integers(0, n_values, len(subsets)) / n_values, strict=True))
        self.judge = dict(zip(subsets, rng.integers(0, n_values, len(subsets)) / n_values, strict=True))
        self.asked, self.recalled = [], []

    def losses(self, candidates):
        subsets = candidates.subsets()
        self.asked += subsets
        return np.array([self.guide[subset] for subset in subsets])

    def measure(self, subset):
        return Measured(self.guide[subset], self.judge[subset], self.guide[subset], self.judge[subset])

    def recall(self, candidates, losses):
        subsets = candidates.subsets()
        assert [self.guide[subset] for subset in subsets] == losses.tolist()
        self.recalled += subsets

    def recall_measured(self, subset, measured):
        assert measured == self.measure(subset)


problems = st.builds(Losses, st.integers(1, 6), st.integers(0, 999))


def n_units(table):
    return max(len(subset) for subset in table.guide)


def search_of(table, **options):
    return SubsetSearch(SubsetSpace.of(n_units(table)), table, **options)


def found(path):
    return {len(step.units): step.units for step in path.steps}


@settings(deadline=None)
@given(problems, st.integers(1, 10), st.integers(1, 5))
def test_beam_search_is_figure_1(table, width, block):
    path = beam_search(search_of(table, block=block), width)
    best, tried = naive.beam(n_units(table), table.guide.get, width)
    assert found(path) == best
    assert {len(step.units): step.n_tried for step in path.steps} == tried
    assert path.n_evaluated == sum(tried.values())
    assert path.best().units == naive.choice(best, table.judge.get)
    assert len(set(table.asked)) == len(table.asked)


@settings(deadline=None)
@given(problems, st.integers(1, 10))
def test_backward_beam_search(table, width):
    assert found(beam_search(search_of(table), width, forward=False)) == naive.backward(
        n_units(table), table.guide.get, width
    )


@settings(deadline=None)
@given(problems, st.integers(1, 5))
def test_exhaustive_search(table, block):
    path = exhaustive_search(search_of(table, block=block))
    assert found(path) == naive.exhaustive(n_units(table), table.guide.get)
    assert path.n_evaluated == n_subsets(SubsetSpace.of(n_units(table))) == 2 ** n_units(table)
    assert all(step.is_exhaustive for step in path.steps)


@settings(deadline=None)
@given(problems)
def test_floating_search(table):
    path = floating_search(search_of(table))
    assert found(path) == naive.floating(n_units(table), table.guide.get)


@settings(deadline=None)
@given(problems)
def test_backward_floating_search_is_never_worse_than_backward(table):
    floating = found(floating_search(search_of(table), forward=False))
    backward = found(beam_search(search_of(table), 1, forward=False))
    assert floating.keys() == backward.keys()
    assert all(table.guide[floating[size]] <= table.guide[backward[size]] for size in floating)


@settings(deadline=None)
@given(problems, st.integers(0, 5))
def test_random_ties_do_not_depend_on_blocks_and_lose_nothing(table, seed):
    one, other = (beam_search(search_of(table, seed=seed, block=block), 2) for block in (1, 100))
    assert one == other
    exact, first = (exhaustive_search(search_of(table, seed=s, block=2)) for s in (seed, None))
    assert exact == exhaustive_search(search_of(table, seed=seed))
    assert [step.loss for step in exact.steps] == [step.loss for step in first.steps]


def test_random_ties_favour_nobody():
    table = Losses(5, 0, n_values=1)
    firsts = [beam_search(search_of(table, seed=seed), 1).steps[1].units[0] for seed in range(500)]
    assert np.bincount(firsts).min() > 60


def test_a_wide_beam_is_exhaustive():
    table = Losses(6, 3)
    assert beam_search(search_of(table, seed=1), 1000) == exhaustive_search(search_of(table, seed=1))
    assert n_beam_subsets(SubsetSpace.of(6), 1000) == 64
    assert n_beam_subsets(SubsetSpace.of(6), 1) == 1 + 6 + 5 + 4 + 3 + 2 + 1


@settings(deadline=None)
@given(problems, st.integers(1, 10), st.booleans())
def test_a_beam_search_proposes_no_more_than_was_counted(table, width, forward):
    path = beam_search(search_of(table), width, forward=forward)
    tried = [step.n_tried for step in (path.steps[1:] if forward else path.steps[-2::-1])]
    counted = n_beam_candidates(n_units(table), n_units(table), width)
    assert len(tried) == len(counted)
    assert all(few <= most for few, most in zip(tried, counted, strict=True))


def test_included_features_groups_and_the_largest_size():
    space = SubsetSpace.of(7, groups=[(4, 1), (5, 6)], included=[5, 0], max_features=4)
    assert space.included == (0, 5, 6)
    assert space.units == ((1, 4), (2,), (3,))
    assert space.features((0, 2)) == (0, 1, 3, 4, 5, 6)
    assert space.most_units == 2
    assert space.has_groups
    table = Losses(3, 0)
    path = beam_search(SubsetSearch(space, table), 10)
    assert {(0, 1, 2)}.isdisjoint(table.asked)
    assert len(path.steps) == 3
    assert exhaustive_search(SubsetSearch(space, table)).steps == path.steps


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": [(0, 1), (1, 2)]}, "Feature 1 is in two"),
        ({"included": [9]}, "no feature 9"),
        ({"groups": [(-1, 0)]}, "no feature -1"),
        ({"included": [0, 1], "max_features": 1}, "2 features are to be included"),
    ],
)
def test_spaces_that_make_no_sense(options, message):
    with pytest.raises(ParameterError, match=message):
        SubsetSpace.of(4, **options)


def test_backward_searches_keep_to_the_largest_size():
    space = SubsetSpace.of(5, max_features=2)
    for run in (lambda search: beam_search(search, 3, forward=False), lambda s: floating_search(s, forward=False)):
        path = run(SubsetSearch(space, Losses(5, 0), patience=1))
        assert max(found(path)) == 2
    with pytest.raises(OutOfBudgetError):
        beam_search(SubsetSearch(space, Losses(5, 0), budget=Budget(0.0)), 3, forward=False)


def test_patience():
    assert not has_stalled([0.5, 0.4, 0.4], 2)
    assert has_stalled([0.5, 0.4, 0.4, 0.6], 2)
    assert not has_stalled([0.5, 0.6, 0.7], None)
    table = Losses(6, 1, n_values=1)
    assert len(beam_search(search_of(table, patience=2), 3).steps) == 3


def test_time_limit_keeps_whole_levels():
    class Slow(Losses):
        def losses(self, candidates):
            if candidates.parents.shape[1] == 2:
                raise OutOfBudgetError
            return super().losses(candidates)

    table = Slow(5, 0)
    path = beam_search(search_of(table), 4)
    assert path.stopped_by == TIME_LIMIT
    assert sorted(found(path)) == [0, 1, 2]
    full = beam_search(search_of(Losses(5, 0)), 4)
    assert path.steps == full.steps[:3]
    assert beam_search(search_of(Losses(5, 0), budget=Budget(0.0)), 4).stopped_by == TIME_LIMIT


class Stop(BaseException):
    pass


class Dying(Losses):
    """An evaluator that dies after so many questions."""

    def __init__(self, n_units, seed, life):
        super().__init__(n_units, seed)
        self.life = life

    def losses(self, candidates):
        self.life -= 1
        if self.life < 0:
            raise Stop
        return super().losses(candidates)


@pytest.mark.parametrize(
    "run",
    [
        lambda search: beam_search(search, 3),
        lambda search: beam_search(search, 3, forward=False),
        exhaustive_search,
        floating_search,
    ],
)
def test_a_journal_makes_any_search_go_on(run, tmp_path):
    path = tmp_path / "journal"
    expected = run(search_of(Losses(6, 7), block=3))
    answered = 0
    for life in range(2, 9):
        journal = Journal(path, {"data": "a"})
        table = Dying(6, 7, life)
        with contextlib.suppress(Stop):
            run(SubsetSearch(SubsetSpace.of(6), Remembering(table, journal), block=3))
        answered += len(table.asked)
        journal.close()
        with path.open("ab") as file:
            file.write(b"\x09\x00\x00\x00cut")  # a block that was cut short
    table = Losses(6, 7)
    result = run(SubsetSearch(SubsetSpace.of(6), Remembering(table, Journal(path, {"data": "a"})), block=100))
    answered += len(table.asked)
    assert len(table.recalled) + len(table.asked) == expected.n_evaluated - 1
    assert result == expected
    assert answered == expected.n_evaluated - 1  # of the start only the measures are asked


def test_what_is_whole_of_a_damaged_journal_is_used(tmp_path):
    path = tmp_path / "journal"
    journal = Journal(path, {"data": "a"})
    journal.add(np.arange(3.0))
    begun = path.stat().st_size
    journal.add(np.arange(4.0))
    journal.add(np.arange(5.0))
    journal.close()
    content = bytearray(path.read_bytes())
    content[begun + 20] ^= 1
    path.write_bytes(content)
    with pytest.warns(DamagedJournalWarning, match="All after the first 3 answers of"):
        journal = Journal(path, {"data": "a"})
    assert journal.known(10).tolist() == [0, 1, 2]
    journal.close()


@pytest.mark.parametrize("line", [b"[1]", b"[" * 100_000, b"3", b"\xff"])
def test_headers_that_are_none_are_refused(tmp_path, line):
    path = tmp_path / "journal"
    path.write_bytes(MAGIC + line + b"\n")
    with pytest.raises(CheckpointError, match="its first lines"):
        Journal(path, {"data": "a"})
    with pytest.raises(CheckpointError, match="is no checkpoint"):
        Journal(tmp_path, {})


def test_journals_of_others_are_refused(tmp_path):
    path = tmp_path / "journal"
    Journal(path, {"data": "a", "beam": 5}).close()
    with pytest.raises(CheckpointError, match=r"another search \(other: beam\)"):
        Journal(path, {"data": "a", "beam": 6})
    path.write_bytes(b"a letter")
    with pytest.raises(CheckpointError, match="is no checkpoint"):
        Journal(path, {})
    assert path.read_bytes() == b"a letter"


class Waiting(ClassifierMixin, BaseEstimator):
    """A classifier whose fit to features lasts until it is let go, as one of a foreign library may last for hours."""

    released = threading.Event()

    def fit(self, X, y):
        self.released.wait()
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


def test_a_fit_is_given_up_when_the_time_is_over():
    X, y = np.eye(20), np.arange(20) % 2
    fold = holdout_fold((0.6, 0.2, 0.2), y, None, np.random.RandomState(0), stratify=False)
    folds, space = fold_examples(Examples(X, y, {}, {}, None), [fold]), SubsetSpace.of(20)
    evaluator = GenericEvaluator(Learner(Waiting(), True), folds, space, Roles("training", "second"), 1, Budget(0.0))
    assert evaluator.measure(()).guiding > 0  # without which there is no answer: no limit ends it
    with evaluator, pytest.raises(OutOfBudgetError):
        evaluator.measure((0,))
    Waiting.released.set()
