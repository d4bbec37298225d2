"""What scikit-learn's users expect of a selector, of all of ours."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectorMixin
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline

from outside.estimators import SELECTORS
from outside.public import public_estimators

RELEVANT = [1, 4]
NAMES = ["sun", "wind", "rain", "frost", "hail", "fog"]
X = np.random.default_rng(0).integers(0, 2, (60, 6))
Y = X[:, 1] & X[:, 4]
OTHER = np.random.default_rng(1).integers(0, 2, (50, 4))

pytestmark = pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
every_selector = pytest.mark.parametrize("selector", SELECTORS, ids=lambda each: str(each).replace("\n", ""))


@pytest.fixture(scope="module")
def fitted():
    """Return a function that fits a copy of a selector once."""
    done = {}

    def fit(selector):
        if id(selector) not in done:
            done[id(selector)] = clone(selector).fit(X.copy(), Y.copy())
        return done[id(selector)]

    return fit


def test_all_selectors_are_here():
    selectors = {name for name, found in public_estimators().items() if issubclass(found, SelectorMixin)}
    assert {type(selector).__name__ for selector in SELECTORS} == selectors


@every_selector
def test_support_is_a_mask_or_positions(selector, fitted):
    mask, indices = fitted(selector).get_support(), fitted(selector).get_support(indices=True)
    assert mask.dtype == bool
    assert mask.shape == (6,)
    assert indices.tolist() == np.flatnonzero(mask).tolist()
    assert set(RELEVANT) & set(indices.tolist())


@every_selector
def test_transform_keeps_the_columns_of_the_support_and_inverse_transform_puts_zeros_elsewhere(selector, fitted):
    mask = fitted(selector).get_support()
    kept = fitted(selector).transform(X)
    np.testing.assert_array_equal(kept, X[:, mask])
    np.testing.assert_array_equal(clone(selector).fit_transform(X, Y), kept)
    np.testing.assert_array_equal(fitted(selector).inverse_transform(kept), np.where(mask, X, 0))


@every_selector
def test_names_follow_the_support(selector, fitted):
    mask = fitted(selector).get_support()
    assert not hasattr(fitted(selector), "feature_names_in_")
    assert fitted(selector).get_feature_names_out().tolist() == [f"x{j}" for j in np.flatnonzero(mask)]
    assert fitted(selector).get_feature_names_out(NAMES).tolist() == np.array(NAMES)[mask].tolist()
    named = clone(selector).fit(pd.DataFrame(X, columns=NAMES), Y)
    assert named.feature_names_in_.tolist() == NAMES
    assert named.get_feature_names_out().tolist() == np.array(NAMES)[named.get_support()].tolist()
    with pytest.raises(ValueError, match="input_features is not equal to feature_names_in_"):
        named.get_feature_names_out(NAMES[::-1])


@every_selector
@pytest.mark.parametrize(("output", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_set_output_makes_frames(selector, output, frame):
    selector = clone(selector).set_output(transform=output)
    made = selector.fit_transform(pd.DataFrame(X, columns=NAMES), Y)
    assert isinstance(made, frame)
    assert list(made.columns) == selector.get_feature_names_out().tolist()
    np.testing.assert_array_equal(made.to_numpy(), X[:, selector.get_support()])


@every_selector
def test_fit_alters_neither_its_parameters_nor_its_data(selector):
    selector = clone(selector)
    before = {name: repr(value) for name, value in selector.get_params().items()}
    data, target = X.copy(), Y.copy()
    assert selector.fit(data, target) is selector
    assert {name: repr(value) for name, value in selector.get_params().items()} == before
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(target, Y)
    assert not hasattr(clone(selector), "n_features_in_")


@every_selector
def test_a_second_fit_forgets_the_first(selector):
    again = clone(selector).fit(pd.DataFrame(X, columns=NAMES), Y).fit(OTHER, OTHER[:, 2])
    fresh = clone(selector).fit(OTHER, OTHER[:, 2])
    assert again.n_features_in_ == 4
    assert set(vars(again)) == set(vars(fresh))
    assert again.get_support().tolist() == fresh.get_support().tolist()
    with pytest.raises(ValueError, match=r"features"):
        again.transform(X)


@every_selector
def test_what_is_not_fitted_says_so(selector):
    for ask in (
        lambda: clone(selector).get_support(),
        lambda: clone(selector).transform(X),
        lambda: clone(selector).inverse_transform(X),
        lambda: clone(selector).get_feature_names_out(),
    ):
        with pytest.raises(NotFittedError):
            ask()


@every_selector
def test_a_pickle_answers_alike(selector, fitted):
    copy = pickle.loads(pickle.dumps(fitted(selector)))
    assert copy.get_support().tolist() == fitted(selector).get_support().tolist()
    np.testing.assert_array_equal(copy.transform(X), fitted(selector).transform(X))


@every_selector
def test_a_pipeline_runs_on_what_is_kept(selector):
    pipeline = make_pipeline(clone(selector), BernoulliNB()).fit(X, Y)
    assert pipeline[-1].n_features_in_ == pipeline[0].get_support().sum()
    alone = BernoulliNB().fit(X[:, pipeline[0].get_support()], Y)
    assert pipeline.predict(X).tolist() == alone.predict(X[:, pipeline[0].get_support()]).tolist()
    assert pipeline[:-1].get_feature_names_out().tolist() == pipeline[0].get_feature_names_out().tolist()
