"""Ctrl-C during fit: raised unless asked otherwise, and what was found is there either way."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import fewest
from fewest import (
    Focus1,
    Focus2,
    GACFPClassifier,
    MinDescription,
    MinFeatures,
    MutualInformationGreedy,
    OrderedFS,
    OrderedFS2,
    ReliefF,
    ReliefThenCover,
    SimpleGreedy,
    StandardWrap,
    WeightedGreedy,
)
from fewest.budget import Budget
from fewest.cfp import estimators as cfp_estimators
from fewest.comparison.selectors import Selector
from fewest.comparison.validation import Validation
from fewest.exceptions import InterruptedSearchError, ParameterError, StoppedEarlyWarning
from fewest.wrapper.search.subset_search import SubsetSearch

RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (60, 12))
Y = X[:, 1] ^ X[:, 4] ^ X[:, 7]

COVER = [MinFeatures(), Focus1(), Focus2(), MutualInformationGreedy(), SimpleGreedy(), WeightedGreedy()]
WRAPPERS = [wrapper(GaussianNB(), random_state=0) for wrapper in (StandardWrap, OrderedFS, OrderedFS2)]


@pytest.fixture
def interrupted(monkeypatch):
    """Interrupt at the given look at the clock, and at no other."""

    def at(number):
        looks = []

        def check(self, status):
            looks.append(status())
            if len(looks) == number:
                raise KeyboardInterrupt

        monkeypatch.setattr(Budget, "check", check)

    return at


def name_of(estimator):
    return type(estimator).__name__


@pytest.mark.parametrize("selector", COVER, ids=name_of)
def test_cover_raises_with_a_sufficient_subset(selector, interrupted):
    selector = clone(selector)
    interrupted(1)
    with pytest.warns(StoppedEarlyWarning), pytest.raises(KeyboardInterrupt) as raised:
        selector.fit(X, Y)
    assert raised.value.found is selector
    assert selector.stopped_by_ == "interrupt"
    assert fewest.cover.sufficiency(X, Y, selector.get_support(indices=True))


@pytest.mark.parametrize("selector", COVER, ids=name_of)
def test_cover_returns_when_asked_to(selector, interrupted):
    interrupted(1)
    with pytest.warns(StoppedEarlyWarning):
        selector = clone(selector).set_params(on_interrupt="return").fit(X, Y)
    assert selector.stopped_by_ == "interrupt"
    assert fewest.cover.sufficiency(X, Y, selector.get_support(indices=True))


@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_listing_and_core_raise_as_well(tolerance, interrupted):
    selector = MinFeatures(tolerance=tolerance).fit(X, Y)
    interrupted(1)
    with pytest.raises(KeyboardInterrupt):
        list(selector.minimum_subsets())
    interrupted(1)
    with pytest.raises(KeyboardInterrupt):
        selector.core()


def test_an_interrupted_choice_of_tolerance_has_no_answer(interrupted):
    interrupted(2)
    with pytest.raises(KeyboardInterrupt):
        MinFeatures(tolerance="cv", on_interrupt="return").fit(X, Y)


@pytest.mark.parametrize("selector", WRAPPERS, ids=name_of)
def test_wrappers_raise_with_the_best_of_the_sizes_done(selector, monkeypatch):
    def fit(**parameters):
        sizes = []
        keep = SubsetSearch.keep

        def interrupt(self, step):
            keep(self, step)
            sizes.append(step)
            if len(sizes) == 3:
                raise KeyboardInterrupt

        monkeypatch.setattr(SubsetSearch, "keep", interrupt)
        try:
            with pytest.warns(StoppedEarlyWarning):
                return clone(selector).set_params(**parameters).fit(X, Y)
        finally:
            monkeypatch.setattr(SubsetSearch, "keep", keep)

    with pytest.raises(KeyboardInterrupt) as raised:
        fit()
    found = raised.value.found
    returned = fit(on_interrupt="return")
    assert found.stopped_by_ == returned.stopped_by_ == "interrupt"
    assert found.support_.tolist() == returned.support_.tolist()
    assert not hasattr(found, "estimator_")
    assert hasattr(returned, "estimator_")


def test_evolution_raises_with_the_best_generation(monkeypatch):
    def interrupt(generation):
        if generation.number == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(cfp_estimators, "_print", interrupt)
    options = {"population_size": 6, "n_generations": 9, "verbose": True, "random_state": 0}
    noise = RNG.normal(size=(30, 2))
    with pytest.warns(StoppedEarlyWarning), pytest.raises(KeyboardInterrupt) as raised:
        GACFPClassifier(**options).fit(noise, Y[:30])
    with pytest.warns(StoppedEarlyWarning):
        returned = GACFPClassifier(**options, on_interrupt="return").fit(noise, Y[:30])
    assert raised.value.found.n_iter_ == returned.n_iter_ == 2
    assert returned.stopped_by_ == "interrupt"
    assert (raised.value.found.predict(noise) == returned.predict(noise)).all()


def test_relief_raises(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("fewest.relief.estimators.selector.refine_ranking", interrupt)
    with pytest.raises(KeyboardInterrupt):
        ReliefF().fit(X, Y)


def test_a_comparison_raises_with_the_folds_done(monkeypatch):
    fold = Validation._fold

    def interrupt(self, records, number, *rest):
        if number == 2:
            raise KeyboardInterrupt
        return fold(self, records, number, *rest)

    monkeypatch.setattr(Validation, "_fold", interrupt)
    options = {"methods": ["sg"], "learners": ["tree"], "n_splits": 3, "n_repeats": 1}
    with pytest.raises(KeyboardInterrupt) as raised:
        fewest.compare(X, Y, **options)
    returned = fewest.compare(X, Y, **options, on_interrupt="return")
    assert raised.value.found.result["n_folds"] == returned.result["n_folds"] == 2
    assert returned.result["stopped_by"] == "interrupt"


def test_a_comparison_takes_no_interrupted_search_for_a_result(interrupted):
    interrupted(1)
    with pytest.raises(KeyboardInterrupt):
        fewest.compare(X, Y, methods=["min-features"], learners=["tree"], n_splits=2, n_repeats=1)


def test_no_interrupted_fold_counts_as_a_result(interrupted):
    interrupted(1)
    with pytest.warns(StoppedEarlyWarning), pytest.raises(InterruptedSearchError):
        cross_validate(make_pipeline(SimpleGreedy(), GaussianNB()), X, Y, cv=2)


class InterruptedNB(GaussianNB):
    """A learner during whose fit somebody presses Ctrl-C."""

    def fit(self, X, y):
        raise KeyboardInterrupt


@pytest.mark.parametrize("wrapper", [StandardWrap, OrderedFS, OrderedFS2])
def test_ctrl_c_within_a_learner_ends_a_cross_validation(wrapper):
    steps = make_pipeline(wrapper(InterruptedNB(), random_state=0), GaussianNB())
    with pytest.raises(KeyboardInterrupt):
        cross_validate(steps, X, Y, cv=2)


def test_min_description_raises_with_the_shortest_description_so_far(interrupted):
    selector = MinDescription()
    interrupted(1)
    with pytest.warns(StoppedEarlyWarning), pytest.raises(KeyboardInterrupt) as raised:
        selector.fit(X, Y)
    assert raised.value.found is selector
    assert selector.stopped_by_ == "interrupt"
    interrupted(1)
    with pytest.warns(StoppedEarlyWarning):
        returned = MinDescription(on_interrupt="return").fit(X, Y)
    assert returned.support_.tolist() == selector.support_.tolist()


def test_what_stands_behind_a_ranking_raises_as_well(interrupted):
    interrupted(1)
    with pytest.warns(StoppedEarlyWarning), pytest.raises(KeyboardInterrupt):
        ReliefThenCover(ReliefF(n_features_to_select=12)).fit(X, Y)


@pytest.mark.parametrize("estimator", [MinFeatures(), OrderedFS(GaussianNB()), GACFPClassifier()], ids=name_of)
def test_other_words_are_refused(estimator):
    with pytest.raises(ParameterError, match="on_interrupt"):
        clone(estimator).set_params(on_interrupt="ignore").fit(X, Y)
    with pytest.raises(ParameterError, match="on_interrupt"):
        fewest.compare(X, Y, on_interrupt="ignore")


def test_an_interrupted_comparison_chooses_nothing_more(monkeypatch):
    """What a method chooses on all rows may take as long as a fold of all methods."""
    fold, timed, chosen = Validation._fold, Selector.timed, []

    def interrupt(self, records, number, *rest):
        if number == 2:
            chosen.clear()
            raise KeyboardInterrupt
        return fold(self, records, number, *rest)

    def seen(self, training, budget):
        chosen.append(self.name)
        return timed(self, training, budget)

    monkeypatch.setattr(Validation, "_fold", interrupt)
    monkeypatch.setattr(Selector, "timed", seen)
    options = {"methods": ["min-features"], "learners": ["tree"], "n_splits": 3, "n_repeats": 1}
    with pytest.warns(StoppedEarlyWarning, match="in the last of its folds"):
        found = fewest.compare(X, Y, **options, on_interrupt="return")
    assert chosen == []
    assert found.result["recommendation"]["features"] == ["x1", "x4", "x7"]
