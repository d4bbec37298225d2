import numpy as np
import pytest
from sklearn.datasets import load_iris

from fewest import Focus1, Focus2, MinFeatures, MutualInformationGreedy, SimpleGreedy, WeightedGreedy
from fewest.cover import count_conflicts, sufficiency
from fewest.cover.verify import verify
from fewest.datasets import load_votes
from fewest.exceptions import ConflictingRowsError, ConflictingRowsWarning, ParameterError, StoppedEarlyWarning
from fewest.table import from_frame
from fewest.table.frames import column_of_objects

SELECTORS = [Focus1, Focus2, MinFeatures, MutualInformationGreedy, SimpleGreedy, WeightedGreedy]
WITH_MARGIN = [Focus1, Focus2, MinFeatures, WeightedGreedy]


@pytest.fixture(scope="module")
def noisy():
    """A conjunction of three of ten features, with one label in thirty wrong."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 10))
    return X, (X[:, 1] & (X[:, 4] | X[:, 8])) ^ (rng.random(300) < 1 / 30)


@pytest.mark.parametrize("selector", SELECTORS)
def test_few_features_do_when_noise_is_tolerated(selector, noisy):
    X, y = noisy
    left_by_concept = sufficiency(X, y, [1, 4, 8]).n_uncovered
    tolerance = left_by_concept / count_conflicts(y) + 1e-6
    strict, tolerant = selector().fit(X, y), selector(tolerance=tolerance).fit(X, y)
    assert tolerant.n_uncovered_ == sufficiency(X, y, tolerant.get_support(indices=True)).n_uncovered
    assert tolerant.n_uncovered_ <= left_by_concept
    assert tolerant.tolerance_ == tolerance
    assert tolerant.support_.sum() < strict.support_.sum()
    if tolerant.is_optimal_:
        assert tolerant.support_.sum() == 3


@pytest.mark.parametrize("selector", SELECTORS)
def test_cross_validation_finds_a_tolerance(selector, noisy):
    X, y = noisy
    fitted = selector(tolerance="cv").fit(X, y)
    tried = {score["tolerance"]: score["balanced_accuracy"] for score in fitted.tolerance_scores_}
    best = max(fitted.tolerance_scores_, key=lambda score: score["balanced_accuracy"])
    assert tried[fitted.tolerance_] >= best["balanced_accuracy"] - best["standard_error"]
    assert not [
        t for t in tried if t > fitted.tolerance_ and tried[t] >= best["balanced_accuracy"] - best["standard_error"]
    ]
    assert fitted.tolerance_ > 0
    assert fitted.support_.sum() < selector().fit(X, y).support_.sum()


def test_cross_validation_without_noise_keeps_the_concept():
    X = np.random.default_rng(0).integers(0, 2, (400, 10))
    fitted = MinFeatures(tolerance="cv").fit(X, X[:, 2] ^ X[:, 5] ^ X[:, 7])
    assert fitted.get_support(indices=True).tolist() == [2, 5, 7]


@pytest.mark.parametrize("selector", SELECTORS)
def test_contradictions_within_the_tolerance_are_noise(selector, recwarn):
    X = [[0, 0], [0, 0], [0, 1], [1, 1], [0, 1], [1, 0]] * 3
    y = [0, 1, 0, 1, 0, 1] * 3
    fitted = selector(tolerance=0.35, on_contradiction="raise").fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [0]
    assert not [warning for warning in recwarn if issubclass(warning.category, ConflictingRowsWarning)]


def test_contradictions_beyond_the_tolerance_are_told():
    X, y = [[0, 0], [0, 0], [1, 0], [1, 1]], [0, 1, 0, 1]
    with pytest.warns(ConflictingRowsWarning, match="more than the 0 that the tolerance allows"):
        fitted = MinFeatures(tolerance=0.1).fit(X, y)
    assert fitted.n_uncovered_ == fitted.n_contradictions_ == 1
    with pytest.raises(ConflictingRowsError, match="tolerance"):
        MinFeatures(on_contradiction="raise").fit(X, y)


@pytest.mark.parametrize("tolerance", [-0.1, 1.5, float("nan"), "lots", None, True, "0.1"])
def test_what_is_no_fraction_is_refused(tolerance):
    with pytest.raises(ParameterError, match="no fraction"):
        SimpleGreedy(tolerance=tolerance).fit([[0], [1]], [0, 1])


def test_everything_may_be_tolerated():
    fitted = MinFeatures(tolerance=1).fit([[0], [1]], [0, 1])
    assert (fitted.support_.tolist(), fitted.cost_, fitted.is_optimal_) == ([False], 0, True)


def test_a_certificate_with_a_tolerance_is_checked_by_counting():
    votes, party = load_votes(return_X_y=True)
    fitted = MinFeatures(tolerance=0.01).fit(votes, party)
    assert fitted.is_optimal_
    assert fitted.support_.sum() == 3
    certificate, target = fitted.certificate(), column_of_objects("party", list(party))
    assert (certificate["tolerance"], certificate["pairs"]) == (0.01, [])
    assert all(finding.holds for finding in verify(certificate, from_frame(votes), target))
    for change in ({"tolerance": 0.005}, {"lower_bound": 4}, {"features": certificate["features"][:2], "cost": 2}):
        assert False in [finding.holds for finding in verify(certificate | change, from_frame(votes), target)]


@pytest.mark.parametrize("selector", WITH_MARGIN)
def test_measurements_with_a_margin(selector, recwarn):
    iris = load_iris(as_frame=True)
    fitted = selector(margin="0.5 sd", tolerance=0.03).fit(iris.data, iris.target)
    chosen = fitted.get_feature_names_out().tolist()
    assert fitted.n_uncovered_ == sufficiency(iris.data, iris.target, chosen, margin="0.5 sd").n_uncovered
    assert fitted.n_uncovered_ <= 0.03 * count_conflicts(iris.target)
    assert fitted.support_.sum() <= 3
    assert len(recwarn) == 0  # distinct values are no concern with a margin


def test_a_margin_by_name():
    X = np.array([[0.0, 0.0], [0.1, 5.0], [0.2, 10.0], [0.3, 15.0]])
    y = [0, 1, 0, 1]
    assert MinFeatures().fit(X, y).support_.sum() == 1
    assert MinFeatures(margin=1).fit(X, y).get_support(indices=True).tolist() == [1]
    assert MinFeatures(margin={0: 1}).fit(X, y).get_support(indices=True).tolist() == [1]


@pytest.mark.parametrize("selector", [MutualInformationGreedy, SimpleGreedy])
def test_margins_are_not_for_methods_of_groups(selector):
    assert "margin" not in selector().get_params()


def test_every_tolerance_has_its_share_of_the_time_and_what_is_cut_short_is_told(ticking):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 40))
    y = X[:, 3] ^ X[:, 9] ^ (rng.random(300) < 0.05)
    with pytest.warns(StoppedEarlyWarning, match="searches by which the tolerance was chosen"):
        fitted = MinFeatures(tolerance="cv", time_limit=60).fit(X, y)
    assert (fitted.stopped_by_, fitted.is_optimal_) == ("time limit", False)
    assert fitted.get_support(indices=True).tolist() == [3, 9]
    stopped = {score["tolerance"]: score["n_stopped"] for score in fitted.tolerance_scores_}
    assert stopped[0.002] == 5  # with too little of it, noise takes all the time there is,
    assert stopped[0.1] == 0  # but none of that of others


def test_every_class_counts_the_same_when_a_tolerance_is_chosen():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (300, 12))
    y = (X[:, 1] & X[:, 4] & X[:, 7] & (rng.random(300) < 0.95)).astype(int)
    fitted = MinFeatures(tolerance="cv").fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [1, 4, 7]
    assert max(score["balanced_accuracy"] for score in fitted.tolerance_scores_) > 0.9
    always = {
        score["tolerance"]: score["balanced_accuracy"] for score in fitted.tolerance_scores_ if not score["n_features"]
    }
    assert all(score == 0.5 for score in always.values())
