import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import naive
from fewest import FringeClassifier, ID3Classifier, make_learner
from fewest.datasets import load_votes
from fewest.exceptions import ColumnsMismatchError, IdentifierWarning, ParameterError
from fewest.pipelines import LEARNERS, SELECTORS
from fewest.preprocessing import FringeFeatures
from problems import samples, with_missing_as_value

X, Y = load_votes(return_X_y=True)
CLASSIFIERS = [ID3Classifier(), FringeClassifier()]


@given(samples(missing=True))
def test_missing_values_are_a_value(problem):
    rows, classes, _ = problem
    frame = pd.DataFrame(rows, dtype=object)
    learned = ID3Classifier().fit(frame, classes)
    tree = naive.id3(with_missing_as_value(rows), classes)
    expected = [naive.id3_predict(tree, row) for row in with_missing_as_value(rows)]
    assert learned.predict(frame).tolist() == expected


@pytest.mark.parametrize("learner", CLASSIFIERS)
def test_frames_of_any_library_and_arrays_say_the_same(learner):
    frame = X.to_pandas()
    expected = learner.fit(frame, Y).predict_proba(frame)
    text = learner.export_text()
    for other in (X, pl.from_arrow(X)):
        fitted = clone(learner).fit(other, Y)
        assert fitted.export_text() == text
        assert (fitted.predict_proba(other) == expected).all()
        assert fitted.feature_names_in_.tolist() == frame.columns.tolist()
    array = frame.astype(object).to_numpy()
    assert (clone(learner).fit(array, Y).predict_proba(array) == expected).all()


def test_sparse_and_dense_say_the_same():
    rng = np.random.default_rng(0)
    dense = rng.integers(0, 2, (60, 9))
    y = dense[:, 1] & dense[:, 4]
    sparse = csr_array(dense)
    assert ID3Classifier().fit(sparse, y).export_text() == ID3Classifier().fit(dense, y).export_text()
    assert (ID3Classifier().fit(dense, y).predict(sparse) == y).all()


@pytest.mark.parametrize("learner", CLASSIFIERS)
def test_unseen_values_are_answered(learner):
    frame = pd.DataFrame({"a": ["x", "y", "z", "x"], "b": [1, 1, 2, 2]})
    learner.fit(frame, ["p", "p", "q", "p"])
    new = pd.DataFrame({"a": ["w", None], "b": [7, 7]})
    assert learner.predict(new).tolist() == ["p", "p"]
    assert learner.predict_proba(new).sum(axis=1).tolist() == [1, 1]


@pytest.mark.parametrize("learner", CLASSIFIERS)
@pytest.mark.parametrize("empty", [np.empty((4, 0)), pd.DataFrame(index=range(4))])
def test_no_columns_and_one_class(learner, empty):
    learner.fit(empty, ["a", "b", "b", "c"])
    assert learner.predict(empty).tolist() == ["b"] * 4
    assert learner.predict_proba(empty)[0].tolist() == [0.25, 0.5, 0.25]
    assert learner.export_text() == "b (1 a, 2 b, 1 c)"
    learner.fit([[1, 2], [3, 4]], ["only", "only"])
    assert learner.predict([[9, 9]]).tolist() == ["only"]
    assert (learner.tree_.depth, learner.predict_proba([[1, 2]]).tolist()) == (0, [[1.0]])


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, FringeFeatures()])
@pytest.mark.parametrize("rows", [np.empty((0, 3)), pd.DataFrame({"a": []})])
def test_no_rows_are_refused(estimator, rows):
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        clone(estimator).fit(rows, [])


def test_weights():
    features = [["a"], ["a"], ["b"]]
    learned = ID3Classifier().fit(features, ["x", "y", "y"], sample_weight=[3, 1, 0])
    assert learned.predict(features).tolist() == ["x", "x", "x"]
    assert learned.predict_proba([["a"]]).tolist() == [[0.75, 0.25]]
    for wrong in ([1, -1, 1], [0, 0, 0]):
        with pytest.raises(ValueError, match="negative, or all zero"):
            ID3Classifier().fit(features, ["x", "y", "y"], sample_weight=wrong)
    with pytest.raises(ValueError, match="2 dimensions"):
        ID3Classifier().fit(features, ["x", "y", "y"], sample_weight=[[1, 1, 1]])


def test_a_column_of_another_kind_is_refused_by_name():
    learned = ID3Classifier().fit(pd.DataFrame({"größe": ["s", "m", "l"]}), [0, 1, 0])
    with pytest.raises(ColumnsMismatchError, match=r"'größe' was nominal .* is numeric now"):
        learned.predict(pd.DataFrame({"größe": [1.5]}))


def test_identifiers_are_warned_of():
    with pytest.warns(IdentifierWarning, match="memorise every training row"):
        ID3Classifier().fit(np.arange(40)[:, None], np.arange(40) % 2)


def test_pickles_predict_alike():
    learned = FringeClassifier().fit(X, Y)
    assert (pickle.loads(pickle.dumps(learned)).predict_proba(X) == learned.predict_proba(X)).all()


# ---------------------------------------------------------------------- FRINGE's features


def test_fringe_counts_its_trees():
    rng = np.random.default_rng(0)
    features = rng.integers(0, 2, (200, 6))
    y = (features[:, 0] & features[:, 1]) | (features[:, 2] & features[:, 3])
    assert FringeClassifier(max_iter=1).fit(features, y).n_iter_ == 1
    assert FringeClassifier().fit(features, y).n_iter_ > 1
    assert (FringeClassifier(max_iter=1).fit(features, y).predict(features) == y).all()
    with pytest.raises(ValueError, match="max_iter == 0"):
        FringeClassifier(max_iter=0).fit(features, y)


def test_fringe_features_feed_any_learner():
    frame = pd.DataFrame({"colour": ["red", "blue", "red", "green"] * 3, "wet": [True, True, False, False] * 3})
    y = [1, 0, 0, 0] * 3
    fringe = FringeFeatures().fit(frame, y)
    names = fringe.get_feature_names_out().tolist()
    assert names == ["colour = blue", "colour = green", "colour = red", "wet", "colour = red & wet"]
    features_out = fringe.set_output(transform="pandas").transform(frame)
    assert features_out.columns.tolist() == names
    assert features_out["colour = red & wet"].tolist() == y
    only = FringeFeatures(only_constructed=True).fit(frame, y)
    assert only.get_feature_names_out().tolist() == names[4:]
    assert only.transform(frame).ravel().tolist() == y


def test_missing_values_are_tests_of_their_own():
    frame = pd.DataFrame({"wet": [True, False, None, None], "old": ["y", "n", "y", "n"]})
    fringe = FringeFeatures().fit(frame, [0, 0, 1, 0])
    assert fringe.get_feature_names_out().tolist()[:4] == ["wet = False", "wet = True", "wet is missing", "old"]


# ---------------------------------------------------------------------- pipelines


@pytest.mark.parametrize("selector", [None, *SELECTORS])
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_pipeline_learns_what_needs_a_feature_or_none(selector, learner):
    name = learner if selector is None else f"{selector}+{learner}"
    rng = np.random.default_rng(0)
    features = rng.integers(0, 2, (120, 6))
    y = features[:, 1] & features[:, 3]
    pipeline = make_learner(name).fit(features, y)
    assert pipeline.score(features, y) == 1
    assert [*pipeline.named_steps] == (["learn"] if selector is None else ["select", "learn"])
    assert make_learner(name).fit(features, ["a"] * 120).predict(features).tolist() == ["a"] * 120


@pytest.mark.filterwarnings("ignore::fewest.exceptions.ConflictingRowsWarning")
@pytest.mark.parametrize("name", ["FOCUS+ID3", "MIG+ID3", "SG+ID3", "WG+ID3", "MIN-FEATURES+FRINGE"])
def test_rows_that_nothing_separates_leave_the_majority(name):
    assert make_learner(name).fit([[1], [1], [1]], ["a", "b", "b"]).predict([[1], [2]]).tolist() == ["b", "b"]


def test_pipelines_take_missing_values_and_are_validated():
    assert make_learner("wg+id3").fit(X.to_pandas(), Y).score(X.to_pandas(), Y) == 1
    assert cross_val_score(make_learner("MIG+ID3"), X.to_pandas(), Y, cv=3).mean() > 0.8


@pytest.mark.parametrize("name", ["wg+id3", "Focus2 + fringe", "min_features+ID3", "FOCUS-1+ID3"])
def test_spelling_does_not_matter(name):
    assert len(make_learner(name).steps) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("C4.5", r"no learner 'C4.5'.*ID3, FRINGE.*FOCUS, FOCUS-1, FOCUS-2, MIN-FEATURES, MIG, SG, WG"),
        ("BORUTA+ID3", "no selector 'BORUTA'"),
        ("WG", "no learner 'WG'"),
        ("", "no learner ''"),
        ("WG+SG+ID3", "more than one selector"),
    ],
)
def test_unknown_names_list_what_there_is(name, message):
    with pytest.raises(ParameterError, match=message):
        make_learner(name)
