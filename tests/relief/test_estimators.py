"""The Relief family as scikit-learn users meet it."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from fewest import MinFeatures, MutualInformationGreedy, Relief, ReliefF, ReliefThenCover, RReliefF
from fewest.datasets import make_parity
from fewest.exceptions import FewSelectedWarning, IdentifierWarning, ParameterError, TargetError


@pytest.fixture
def exclusive_or():
    X = np.random.default_rng(0).integers(0, 2, (200, 6))
    return X, X[:, 1] ^ X[:, 4]


@pytest.mark.parametrize("choice", ["never", "always"])
@pytest.mark.parametrize("as_what", [np.asarray, sp.csr_matrix, sp.csc_array, pd.DataFrame, lambda X: X.astype(bool)])
def test_the_same_data_in_any_form_has_the_same_relevance(exclusive_or, as_what, choice, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", choice)
    X, y = exclusive_or
    expected = ReliefF(n_features_to_select=2).fit(X.astype(float), y)
    found = ReliefF(n_features_to_select=2).fit(as_what(X), y)
    np.testing.assert_allclose(found.scores_, expected.scores_, atol=1e-6)
    assert found.get_support(indices=True).tolist() == [1, 4]


@settings(max_examples=40)
@given(st.integers(0, 100), st.sampled_from([Relief(ties="average"), ReliefF(n_neighbors=3)]))
def test_the_order_of_columns_and_rows_does_not_matter(seed, selector):
    selector.set_params(threshold=0.0)
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (25, 5)).astype(float), rng.integers(0, 3, 25)
    X[rng.random(X.shape) < 0.1] = np.nan
    columns, rows = rng.permutation(5), rng.permutation(25)
    scores = selector.fit(X, y).scores_
    permuted = selector.fit(X[rows][:, columns], y[rows]).scores_
    np.testing.assert_allclose(permuted, scores[columns], atol=2e-5)
    assert (np.abs(scores) <= 1).all()


def test_neither_scale_nor_offset_of_a_numeric_feature_matters():
    rng = np.random.default_rng(0)
    X, y = rng.random((80, 4)), rng.integers(0, 2, 80)
    moved = ReliefF().fit(X * [1, 1e6, 1e-6, 10] + [0, 1e9, 0, -5], y).scores_
    np.testing.assert_allclose(moved, ReliefF().fit(X, y).scores_, atol=1e-5)


def test_names_are_kept_and_output_is_a_frame(exclusive_or):
    X, y = exclusive_or
    frame = pl.DataFrame({f"f{j}": X[:, j] for j in range(6)})
    kept = ReliefF(n_features_to_select=2).set_output(transform="polars").fit_transform(frame, y)
    assert kept.columns == ["f1", "f4"]


def test_text_and_categories_are_nominal():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 120)
    frame = pd.DataFrame({"age": rng.random(120), "colour": colour, "code": rng.integers(0, 9, 120)})
    y = colour == "red"
    assert ReliefF(n_features_to_select=1).fit(frame, y).get_feature_names_out().tolist() == ["colour"]
    nominal = ReliefF(categorical_features=["code"]).fit(frame, y).scores_
    mask = ReliefF(categorical_features=[False, False, True]).fit(frame, y).scores_
    np.testing.assert_allclose(nominal, mask)
    assert nominal[2] != pytest.approx(ReliefF().fit(frame, y).scores_[2], abs=1e-3)


def test_with_missing_values_the_relevant_features_stay_on_top():
    X, y, relevant = make_parity(1000, 2, 48, random_state=0)
    gaps = np.random.default_rng(0).random(X.shape) < 0.1
    selector = ReliefF().fit(np.where(gaps, np.nan, X), y)
    assert set(selector.selection_order_[:2].tolist()) == set(relevant)


def test_partial_fit_goes_on_sampling(exclusive_or):
    X, y = exclusive_or
    once = Relief(max_samples=60, random_state=3).fit(X, y)
    steps = Relief(max_samples=20, random_state=3)
    for _ in range(3):
        steps.partial_fit(X, y)
    np.testing.assert_allclose(steps.scores_, once.scores_, atol=1e-6)
    assert steps.n_sampled_ == 60
    assert [step["n_sampled"] for step in once.history_] == [1, 2, 4, 8, 16, 32, 60]
    assert steps.fit(X, y).n_sampled_ == 20


def test_a_selector_goes_into_pipelines_and_grids():
    X, y = make_classification(200, 20, n_informative=3, n_redundant=0, random_state=0)
    search = GridSearchCV(
        make_pipeline(ReliefF(), DecisionTreeClassifier(random_state=0)),
        {"relieff__n_features_to_select": [2, 5]},
        cv=3,
    )
    assert search.fit(X, y).best_score_ > 0.6


def test_regression_sees_interacting_features():
    rng = np.random.default_rng(0)
    X = rng.random((400, 8))
    y = np.abs(X[:, 2] - X[:, 5])
    assert set(RReliefF().fit(X, y).selection_order_[:2].tolist()) == {2, 5}
    with pytest.raises(ParameterError, match="is not numeric"):
        RReliefF().fit(X, np.where(y > 0.5, "high", "low"))
    with pytest.raises(TargetError, match="whose square is more than a float holds"):
        RReliefF().fit(X, y * 1e300)


def test_a_constant_target_or_a_single_class_makes_nothing_relevant(exclusive_or):
    X, _ = exclusive_or
    for kind in (Relief, ReliefF, RReliefF):
        fitted = kind(min_features_to_select=0).fit(X, np.zeros(200))
        assert not fitted.scores_.any()
        assert not fitted.support_.any()


@pytest.mark.parametrize("kind", [Relief, ReliefF, RReliefF, ReliefThenCover])
def test_an_empty_selection_is_filled_up_with_a_warning(kind, exclusive_or):
    X, _ = exclusive_or
    with pytest.warns(FewSelectedWarning, match="No feature is relevant enough.*min_features_to_select=0"):
        fitted = kind().fit(X, np.zeros(200))
    assert fitted.support_.sum() == 1
    with pytest.warns(FewSelectedWarning, match="the 3 most relevant ones are kept"):
        assert kind(min_features_to_select=3).fit(X, np.zeros(200)).transform(X).shape == (200, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewSelectedWarning)
        assert not kind(min_features_to_select=0).fit(X, np.zeros(200)).support_.any()
    with pytest.raises(ParameterError, match="more than the data's 6"):
        kind(min_features_to_select=7).fit(X, np.zeros(200))


def test_the_most_relevant_fill_up_and_what_is_relevant_stays(exclusive_or):
    X, y = exclusive_or
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewSelectedWarning)
        enough = ReliefF(threshold=0.1, min_features_to_select=2).fit(X, y)
    assert enough.get_support(indices=True).tolist() == [1, 4]
    with pytest.warns(FewSelectedWarning, match="Only 2 features are relevant"):
        more = ReliefF(threshold=0.1, min_features_to_select=3).fit(X, y)
    assert set(more.get_support(indices=True).tolist()) == set(more.selection_order_[:3].tolist()) > {1, 4}


def test_a_batch_of_one_class_does_not_shrink_the_classes(exclusive_or):
    X, y = exclusive_or
    selector = ReliefF().partial_fit(X[:150], y[:150])
    selector.partial_fit(X[y == 1], y[y == 1])
    assert selector.classes_.tolist() == [0, 1]
    late = ReliefF(min_features_to_select=0).partial_fit(X[y == 1], y[y == 1], classes=[0, 1, 2])
    assert late.classes_.tolist() == [0, 1, 2]
    assert late.partial_fit(X, y).classes_.tolist() == [0, 1, 2]
    with pytest.raises(ParameterError, match=r"does not list: \[3\]"):
        late.partial_fit(X, np.where(y, 3, 0))
    with pytest.raises(ParameterError, match="differ from those of the first call"):
        late.partial_fit(X, y, classes=[0, 1])
    assert late.fit(X, y).classes_.tolist() == [0, 1]


def test_what_relevance_is_measured_by_cannot_change_between_calls(exclusive_or):
    X, y = exclusive_or
    selector = ReliefF(max_samples=20, random_state=0).partial_fit(X, y)
    for change in ({"n_neighbors": 3}, {"metric": "euclidean"}, {"ties": "random"}, {"categorical_features": [0]}):
        before = {name: getattr(selector, name) for name in change}
        selector.set_params(**change)
        with pytest.raises(ParameterError, match=f"{next(iter(change))} changed since.*call fit to start over"):
            selector.partial_fit(X, y)
        selector.set_params(**before)
    selector.set_params(max_samples=0.5, n_features_to_select=2, n_jobs=1).partial_fit(X, y)
    assert (selector.n_sampled_, selector.support_.sum()) == (120, 2)


def test_weights_reach_the_steps_or_are_refused(exclusive_or):
    X, y = exclusive_or
    weights = np.where(np.arange(200) < 150, 1.0, 0.0)
    with pytest.raises(ParameterError, match="MinFeatures takes no sample_weight"):
        ReliefThenCover().fit(X, y, sample_weight=weights)
    with config_context(enable_metadata_routing=True):
        both = ReliefThenCover(ReliefF(threshold=0.1).set_fit_request(sample_weight=True))
        found = both.fit(X, y, sample_weight=weights).ranker_.scores_
        ignored = ReliefThenCover(ReliefF(threshold=0.1).set_fit_request(sample_weight=False))
        with pytest.raises(TypeError, match="sample_weight"):
            ignored.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(found, ReliefF().fit(X[:150], y[:150]).scores_, atol=1e-6)
    twice = ReliefThenCover(ReliefF(threshold=0.1), ReliefF(n_features_to_select=1))
    weighed = twice.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(weighed.ranker_.scores_, found, atol=1e-6)
    assert weighed.selector_.n_sampled_ == 150


def test_a_greedy_cover_after_relief_drops_copies(exclusive_or):
    X, y = exclusive_or
    selector = ReliefThenCover(ReliefF(threshold=0.1), MutualInformationGreedy()).fit(np.hstack([X, X]), y)
    assert selector.relevant_.tolist() == [1, 4, 7, 10]
    assert selector.support_.sum() == 2
    assert selector.transform(np.hstack([X, X])).shape == (200, 2)


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (Relief(ties="first"), "ties='first' is not known"),
        (Relief(identical="maybe"), "identical='maybe' is not known"),
        (Relief(threshold="automatic"), "threshold='automatic' is not known"),
        (RReliefF(threshold="auto"), "threshold='auto' is not known"),
        (ReliefF(threshold=float("nan")), "threshold is NaN"),
        (ReliefF(categorical_features=[True, False]), "has 2 entries for 6 columns"),
        (ReliefF(n_features_to_select=7), "more than the data's 6"),
        (ReliefF(n_neighbors=0), "n_neighbors"),
        (ReliefF(alpha=1.5), "alpha"),
    ],
)
def test_mistakes_are_explained(selector, message, exclusive_or):
    X, y = exclusive_or
    for data in (X, pd.DataFrame(X, columns=list("abcdef"))):
        with pytest.raises(ValueError, match=message):
            selector.fit(data, y)


def test_weights_and_random_choices_do_not_mix(exclusive_or):
    X, y = exclusive_or
    with pytest.raises(ParameterError, match="cannot be chosen at random"):
        ReliefF(ties="random").fit(X, y, np.ones(200))
    with pytest.raises(ValueError, match="ample weights"):
        ReliefF().fit(X, y, np.zeros(200))


@pytest.mark.parametrize("as_given", [np.asarray, lambda X: pd.DataFrame(X, columns=list("abcde"))])
def test_measurements_are_cut_before_the_fewest_are_sought(as_given, recwarn):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = (X[:, 0] > 0) & (X[:, 3] > 0)  # every value differs from every other, so that any column separates all rows
    ranker = ReliefF(n_features_to_select=3)
    selector = ReliefThenCover(ranker).fit(as_given(X), y)
    assert selector.get_support(indices=True).tolist() == [0, 3]
    assert len(recwarn) == 0
    with pytest.warns(IdentifierWarning):
        assert ReliefThenCover(ranker, MinFeatures()).fit(as_given(X), y).support_.sum() == 1
    assert ReliefThenCover(ranker).fit(np.round(as_given(X)), y).support_.any()
