import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris

from fewest import CFPClassifier, GACFPClassifier, load_model
from fewest.datasets import load_votes
from fewest.exceptions import ColumnsMismatchError, ModelFileError, ParameterError, UnknownColumnError
from fewest.models.files import load_file, save_file

VOTES, PARTY = load_votes(return_X_y=True)
IRIS = load_iris()
ORDER = np.random.default_rng(0).permutation(150)
X, Y = IRIS.data[ORDER], IRIS.target[ORDER]
# The letters of Figure 1, in the order of the lines: f1 has + before -, f2 has - before +.
X11, X12, X13, X14 = 1, 2, 3, 4
X21, X22, X23, X24 = 5, 6, 7, 8
FIGURE_1 = pd.DataFrame({"f1": [X11, X12, X13, X14], "f2": [X23, X24, X21, X22]}), ["+", "+", "-", "-"]


def test_figure_1_has_the_printed_concept_description():
    classifier = CFPClassifier(limit=2).fit(*FIGURE_1)
    printed = (
        f"class +: ({X11} ≤ f1 & f1 ≤ {X12} & f2 < {X21}) or ({X11} ≤ f1 & f1 ≤ {X12} & f2 > {X22}) or "
        f"({X23} ≤ f2 & f2 ≤ {X24} & f1 < {X13}) or ({X23} ≤ f2 & f2 ≤ {X24} & f1 > {X14})"
    )
    assert " ".join(classifier.export_rules().partition("class -")[0].split()) == printed


def test_figure_1_s_first_partition():
    """Section 2: a point, then a range, once a second example of the class is near."""
    classifier = CFPClassifier(limit=2).fit([[1.0]], ["C1"])
    assert classifier.partitions(0) == [(1, 1, "C1", 1)]
    classifier.partial_fit([[2.0]], ["C1"])
    assert classifier.partitions("x0") == [(1, 2, "C1", 2)]


def test_a_class_announced_later_and_one_never_announced():
    classifier = CFPClassifier(limit=2).partial_fit([[1.0]], ["a"], classes=["a", "b"])
    classifier.partial_fit([[5.0]], ["b"])
    assert classifier.predict([[1.0], [5.0]]).tolist() == ["a", "b"]
    with pytest.raises(ParameterError, match="labels 'c' are none of the classes"):
        classifier.partial_fit([[5.0]], ["c"])
    with pytest.raises(ValueError, match="not the same as on the first call"):
        classifier.partial_fit([[5.0]], ["b"], classes=["b", "c"])


@pytest.mark.parametrize("step", [1, 7, 150])
def test_batches_say_the_same_as_all_at_once(step):
    limits = np.ptp(X, axis=0) / 50
    whole = CFPClassifier(limits).fit(X, Y)
    parts = CFPClassifier(limits)
    for start in range(0, 150, step):
        rows = slice(start, start + step)
        parts.partial_fit(X[rows], Y[rows], classes=[0, 1, 2])
    assert parts.export_text() == whole.export_text()
    assert (parts.predict(X) == whole.predict(X)).all()


def test_limits_in_every_form():
    in_units = CFPClassifier("10%").fit(X, Y).limits_
    np.testing.assert_allclose(in_units, np.ptp(X, axis=0) / 10)
    np.testing.assert_allclose(CFPClassifier("1 sd").fit(X, Y).limits_, X.std(axis=0))
    assert CFPClassifier([0.1, "10%", 0, 1]).fit(X, Y).limits_.tolist() == [0.1, in_units[1], 0, 1]
    with pytest.raises(ParameterError, match="limit has 2 values for 4 features"):
        CFPClassifier([1, 2]).fit(X, Y)
    for none in (-1, "much", np.nan, None):
        with pytest.raises(ParameterError, match=r"generalisation limit of .* is no distance"):
            CFPClassifier(none).fit(X, Y)


def test_numbers_that_are_names():
    rows = [[1], [2], [3]]
    as_numbers = CFPClassifier(limit=5).fit(rows, [0, 0, 0])
    as_names = CFPClassifier(limit=5, categorical_features=[0]).fit(rows, [0, 0, 0])
    assert (as_numbers.n_partitions_, as_names.n_partitions_) == (1, 3)
    as_names.partial_fit([[9], [1]], [0, 0])
    assert as_names.export_text() == "x0 (weight 1)\n  [1]  0  (2)\n  [2]  0  (1)\n  [3]  0  (1)\n  [9]  0  (1)"
    assert as_names.predict([[9], [8]], abstain=-1).tolist() == [0, -1]


def test_missing_values_in_training_and_prediction():
    frame = pd.DataFrame({"a": [1.0, None, 3.0], "b": ["x", "y", None]})
    classifier = CFPClassifier(limit=0.5).fit(frame, ["p", "q", "q"])
    assert [len(classifier.partitions(name)) for name in "ab"] == [2, 2]
    new = pd.DataFrame({"a": [None, 3.0, None], "b": ["x", None, None]})
    assert classifier.predict(new, abstain="none").tolist() == ["p", "q", "none"]
    assert classifier.predict(new).tolist() == ["p", "q", "q"]
    assert classifier.predict_proba(new)[2].tolist() == [1 / 3, 2 / 3]
    np.testing.assert_allclose(classifier.decision_function(new), [-1, 1, 1 / 3])  # as the shares rank them


@pytest.mark.parametrize(
    ("labels", "abstain"), [([0, 1], "?"), (["a", "b"], 0), (["a", "b"], "undecided"), ([0, 1], -1)]
)
def test_whatever_stands_for_no_answer_is_answered(labels, abstain):
    classifier = CFPClassifier(limit=1, abstain=abstain).fit([[1], [5]], labels)
    assert classifier.predict([[1], [3]]).tolist() == [labels[0], abstain]


def test_frames_of_any_library_and_arrays_say_the_same():
    frame = VOTES.to_pandas()
    classifier = CFPClassifier().fit(frame, PARTY)
    expected = classifier.predict_proba(frame)
    for other in (VOTES, pl.from_arrow(VOTES)):
        assert (clone(classifier).fit(other, PARTY).predict_proba(other) == expected).all()
    assert classifier.score(frame, PARTY) > 0.94
    sparse = csr_array(np.round(X))
    dense = CFPClassifier().fit(np.round(X), Y)
    assert (CFPClassifier().fit(sparse, Y).predict(sparse) == dense.predict(np.round(X))).all()


def test_infinite_values_in_a_frame_are_very_large_ones():
    frame = pd.DataFrame({"a": [1.0, np.inf, -np.inf, 2.0]})
    classifier = CFPClassifier(limit=3.0).fit(frame, ["p", "q", "q", "p"])
    assert classifier.predict(frame).tolist() == ["p", "q", "q", "p"]


def test_what_is_asked_for_by_a_wrong_name():
    classifier = CFPClassifier().fit(X, Y)
    with pytest.raises(UnknownColumnError, match="no column 'x9'"):
        classifier.partitions("x9")
    with pytest.raises(ParameterError, match="There is no feature 9"):
        classifier.partitions(9)


def test_a_column_that_becomes_something_else():
    classifier = CFPClassifier().fit(pd.DataFrame({"a": [1.0, 2.0]}), [0, 1])
    with pytest.raises(ColumnsMismatchError, match="was numeric when the model was trained and is nominal"):
        classifier.partial_fit(pd.DataFrame({"a": ["x", "z"]}), [0, 1])


def test_too_many_ways_to_vote_are_no_rules():
    with pytest.raises(ParameterError, match="can vote in 19,131,876 ways"):
        CFPClassifier().fit(VOTES, PARTY).export_rules()


def test_divided_votes_are_no_rules():
    classifier = CFPClassifier(vote="shares").fit(*FIGURE_1)
    with pytest.raises(ParameterError, match="Learn with vote='winner'"):
        classifier.export_rules()


def test_a_class_that_is_frequent_nowhere_is_heard_when_votes_are_divided(tmp_path):
    """Of every value, most examples are of class 0, but nearly all of class 1 have the value b, and of class 2 c."""
    values = ["a"] * 60 + ["b"] * 30 + ["c"] * 30 + ["b"] * 9 + ["a"] + ["c"] * 9 + ["a"]
    data = pd.DataFrame({"letter": values})
    labels = [0] * 120 + [1] * 10 + [2] * 10
    asked = pd.DataFrame({"letter": ["a", "b", "c"]})
    assert CFPClassifier().fit(data, labels).predict(asked).tolist() == [0, 0, 0]
    divided = CFPClassifier(vote="shares").fit(data, labels)
    assert divided.predict(asked).tolist() == [0, 1, 2]
    np.testing.assert_allclose(divided.predict_proba(asked[:1]), [[0.5 / 0.7, 0.1 / 0.7, 0.1 / 0.7]])
    divided.save(tmp_path / "model.npz")
    assert load_model(tmp_path / "model.npz").predict(asked).tolist() == [0, 1, 2]


def test_rules_of_names():
    classifier = CFPClassifier().fit([["red", "a"], ["blue", "b"]], ["yes", "no"])
    assert classifier.export_rules().splitlines()[0] == "class no: (x0 = blue & x1 ≠ a) or"


@pytest.mark.parametrize("learner", [CFPClassifier(), GACFPClassifier(5, 2, random_state=0)])
@pytest.mark.parametrize("data", [(VOTES, PARTY), (X, Y)])
def test_a_model_comes_back_as_it_was(learner, data, tmp_path):
    fitted = clone(learner).fit(*data)
    fitted.save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    assert model.export_text() == fitted.export_text()
    assert (model.predict(data[0]) == fitted.predict(data[0])).all()
    assert (model.predict_proba(data[0]) == fitted.predict_proba(data[0])).all()
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()
    assert (pickle.loads(pickle.dumps(fitted)).predict(data[0]) == fitted.predict(data[0])).all()


@pytest.mark.parametrize("name", ["place", "after_class", "n_place", "limits", "point_place", "class_counts"])
def test_a_model_that_makes_no_sense_is_refused(name, tmp_path):
    CFPClassifier().fit(X, Y).save(tmp_path / "model")
    document, arrays = load_file(tmp_path / "model")
    arrays[name] = arrays[name][::-1][:-1]
    save_file(tmp_path / "broken", document, arrays)
    with pytest.raises(ModelFileError, match="damaged"):
        load_model(tmp_path / "broken")


def test_evolved_parameters_are_seeded_and_told(capsys):
    one, two = (GACFPClassifier(6, 3, random_state=1, verbose=k).fit(X, Y) for k in (True, False))
    assert (one.delta_, one.limits_.tolist()) == (two.delta_, two.limits_.tolist())
    assert one.export_text() == two.export_text()
    told = capsys.readouterr().out.splitlines()
    assert len(told) == one.n_iter_ == len(one.history_)
    assert told[0].startswith("generation 1: accuracy 0.9")
    chosen = CFPClassifier(one.limits_, one.delta_).fit(X, Y)
    assert chosen.export_text() == one.export_text()


def test_evolution_of_names_alone():
    classifier = GACFPClassifier(5, 2, random_state=0).fit(VOTES, PARTY)
    assert classifier.limits_.tolist() == [0] * 16
    assert classifier.score(VOTES, PARTY) > 0.94


@pytest.mark.parametrize("option", [{"population_size": 2}, {"n_generations": 0}, {"patience": 0}, {"cv": 1}])
def test_evolutions_that_are_none(option):
    with pytest.raises(ValueError, match=next(iter(option))):
        GACFPClassifier(**option).fit(X, Y)


@pytest.mark.parametrize("vote", ["winner", "shares"])
def test_compiled_or_not_the_answers_are_the_same(vote, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)).round(2), rng.integers(0, 3, 400)
    X[::11, 1] = np.nan
    found = {}
    for choice in ("always", "never"):
        monkeypatch.setenv("FEWEST_COMPILE", choice)
        classifier = CFPClassifier(vote=vote).fit(X, y)
        found[choice] = classifier.export_text(), classifier.predict(X).tolist(), classifier.predict_proba(X)
    assert found["always"][:2] == found["never"][:2]
    np.testing.assert_array_equal(found["always"][2], found["never"][2])


def test_compiled_or_not_the_evolution_is_the_same(monkeypatch):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(90, 3)).round(1), rng.integers(0, 2, 90)
    X[::7, 2] = np.nan
    found = []
    for choice in ("always", "never"):
        monkeypatch.setenv("FEWEST_COMPILE", choice)
        classifier = GACFPClassifier(6, 3, random_state=0).fit(X, y)
        history = [(each.accuracy, each.limits.tolist(), each.delta) for each in classifier.history_]
        found.append((classifier.limits_.tolist(), history, classifier.predict(X).tolist()))
    assert found[0] == found[1]


def test_votes_and_shares_rank_alike():
    rng = np.random.default_rng(0)
    rows, y = rng.normal(size=(200, 4)), rng.integers(0, 2, 200)
    rows[rng.random(rows.shape) < 0.2] = np.nan
    for vote in ("winner", "shares"):
        classifier = CFPClassifier(vote=vote).fit(rows, y)
        decided, shares = classifier.decision_function(rows), classifier.predict_proba(rows)
        assert (np.argsort(decided, kind="stable") == np.argsort(shares[:, 1], kind="stable")).all()
    three = CFPClassifier().fit(rows, rng.integers(0, 3, 200))
    assert (three.decision_function(rows) == three.predict_proba(rows)).all()


def test_importances_are_weights_of_those_that_vote():
    rows = np.column_stack([np.arange(20) % 2, np.full(20, np.nan), np.arange(20) // 4])
    classifier = CFPClassifier().fit(rows, np.arange(20) % 2)
    assert classifier.feature_importances_.sum() == pytest.approx(1)
    assert classifier.feature_importances_[1] == 0
    assert classifier.feature_importances_.argmax() == 0
