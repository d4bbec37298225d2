import pickle
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE, SelectFromModel

import naive
from fewest import BalancedWinnow, Halving, Winnow1, Winnow2, load_model
from fewest.exceptions import NotBooleanError, ParameterError
from fewest.mistakes import ConceptClass, PackedBits, Separation, trials

LEARNERS = [Winnow1(), Winnow2(), BalancedWinnow()]
RNG = np.random.default_rng(0)
X = RNG.random((600, 130)) < 0.1
Y = X[:, [3, 70, 129]].any(axis=1)


@pytest.mark.parametrize("learner", LEARNERS)
def test_all_shapes_of_input_say_the_same(learner):
    expected = clone(learner).fit(X, Y)
    frame = pd.DataFrame(X).rename(columns=str)
    others = [X.astype(np.uint8), X.astype(float), X.astype(object), X.tolist(), np.asfortranarray(X), frame]
    others += [csr_array(X), csc_array(X.astype(float)), PackedBits.from_dense(X)]
    others += [PackedBits.from_bytes(np.packbits(X, axis=1, bitorder="little"), 130)]
    for other in others:
        fitted = clone(learner).fit(other, Y)
        assert fitted.weights_.tolist() == expected.weights_.tolist()
        assert fitted.mistakes_.tolist() == expected.mistakes_.tolist()
        assert fitted.predict(other).tolist() == expected.predict(X).tolist()
        np.testing.assert_allclose(fitted.decision_function(other), expected.decision_function(X))


def test_sparse_matrices_may_store_zeros_and_copies():
    stored = csr_array((np.array([1, 0, 1]), np.array([0, 1, 2]), np.array([0, 2, 3])), shape=(2, 3))
    assert Winnow1(theta=0.5).fit(stored, [0, 1]).weights_.tolist() == [[0, 1, 1]]
    copies = csr_array((np.array([1, 1]), np.array([0, 0]), np.array([0, 2])), shape=(1, 3))
    with pytest.raises(NotBooleanError, match="holds 2"):
        Winnow1(binarize=None).fit(copies, [1])


def test_sparse_numbers_are_cut_when_copies_are_added_up_and_stay_as_they_were():
    entries, columns, rows = [0.5, 0.5, -2.0, 1.0, 0.0], [0, 0, 1, 2, 1], [0, 3, 5]
    X = csr_matrix((entries, columns, rows), shape=(2, 3))
    dense = X.toarray()
    learner = Winnow2(binarize=0.75).fit(X, [1, 0])
    assert X.data.tolist() == entries
    assert X.indices.tolist() == columns
    assert np.array_equal(learner.weights_, Winnow2(binarize=0.75).fit(dense, [1, 0]).weights_)
    assert learner.predict(X).tolist() == learner.predict(dense).tolist() == [1, 0]


@pytest.mark.parametrize("learner", LEARNERS)
def test_partial_fit_is_one_pass_in_pieces_of_any_size(learner):
    passes = clone(learner).set_params(max_iter=1).fit(X, Y)
    for size in (1, 7, 600):
        pieces = clone(learner)
        for start in range(0, 600, size):
            pieces.partial_fit(X[start : start + size], Y[start : start + size], classes=[False, True])
        assert pieces.weights_.tolist() == passes.weights_.tolist()
        assert pieces.mistakes_.tolist() == passes.mistakes_.tolist()
        assert (pieces.n_trials_, pieces.n_mistakes_) == (600, len(passes.mistakes_))


def test_fit_stops_after_a_pass_without_mistake_and_begins_anew():
    learner = Winnow1().fit(X, Y)
    assert learner.score(X, Y) == 1
    assert learner.n_trials_ == 600 * learner.n_iter_
    assert learner.mistakes_.max() < 600 * (learner.n_iter_ - 1)
    assert learner.fit(X, ~Y).fit(X, Y).n_mistakes_ == Winnow1().fit(X, Y).n_mistakes_
    assert Winnow1(max_iter=1).fit(X, Y).n_iter_ == 1


@pytest.mark.parametrize("shape", [np.asarray, csr_array, csr_matrix])
def test_fitting_anew_forgets_names_and_widths(shape):
    X = np.random.default_rng(0).random((60, 5)) < 0.5
    learner = Winnow2().fit(pd.DataFrame(X, columns=list("abcde")), X[:, 0])
    assert learner.feature_names_in_.tolist() == list("abcde")
    learner.fit(shape(X[:, :3]), X[:, 0])
    assert learner.n_features_in_ == 3
    assert not hasattr(learner, "feature_names_in_")
    fresh = Winnow2().fit(pd.DataFrame(X[:, :3]).astype(int), X[:, 0].astype(int))
    assert (learner.weights_ == fresh.weights_).all()
    with pytest.raises(ValueError, match="5 features, but Winnow2 is expecting 3"):
        learner.partial_fit(shape(X), X[:, 0])


def test_mistakes_are_the_paper_s():
    wrong, weights = naive.winnow(
        [(tuple(map(int, row)), bool(y)) for row, y in zip(X, Y, strict=True)], 130, "winnow1", 2, 65
    )
    learner = Winnow1(max_iter=1).fit(X, Y)
    assert (learner.mistakes_.tolist(), learner.weights_[0].tolist()) == (wrong, weights)


def test_many_classes_one_against_the_rest():
    rows = np.eye(4, dtype=bool)[RNG.integers(0, 4, 200)]
    y = np.array(["d", "c", "b", "a"])[rows.argmax(axis=1)]
    for learner in LEARNERS:
        fitted = clone(learner).fit(rows, y)
        assert fitted.score(rows, y) == 1
        assert fitted.weights_.shape == (*fitted.decision_function(rows).shape[1:], 4)
        assert fitted.mistake_bound_ is None


def test_bounds_appear_where_a_theorem_applies():
    assert Winnow1().fit(X, Y).mistake_bound_ is None
    bounded = Winnow1(n_relevant=3).fit(X, Y)
    assert bounded.n_mistakes_ <= bounded.mistake_bound_ == pytest.approx(6 * np.log2(130) + 2)
    assert Winnow1(theta=0.4, n_relevant=3).fit(X, Y).mistake_bound_ is None
    separation = Separation.r_of_k(1, 3)
    assert Winnow2(separation=separation).fit(X, Y).mistake_bound_ == pytest.approx(8 + 15 + 42 * np.log(130))
    assert Winnow2(update_factor=2, separation=separation).fit(X, Y).mistake_bound_ is None
    assert Winnow2(theta=0.5, separation=separation).fit(X, Y).mistake_bound_ is None
    bounded = BalancedWinnow(n_relevant=3).fit(X, Y)
    assert bounded.n_mistakes_ <= bounded.mistake_bound_
    assert BalancedWinnow(theta=1, n_relevant=3).fit(X, Y).mistake_bound_ is None
    assert BalancedWinnow(update_factor=5, n_relevant=3).fit(X, Y).mistake_bound_ is None


@pytest.mark.parametrize("value", [2, -1, 0.5, "red", None, 255])
def test_what_is_not_boolean_is_refused_with_the_remedy(value):
    rows = np.array([[0, 1], [1, value]], dtype=object if isinstance(value, str | None) else None)
    with pytest.raises(ValueError, match=r"BooleanTests|NaN"):
        Winnow1(binarize=None).fit(rows, [0, 1])
    if isinstance(value, int):
        with pytest.raises(NotBooleanError, match="BooleanTests"):
            Winnow1(binarize=None).fit(csr_array(rows), [0, 1])
        learner = Winnow1(binarize=None).fit([[0, 1], [1, 0]], [0, 1])
        with pytest.raises(NotBooleanError):
            learner.partial_fit(rows.astype(np.int16), [0, 1])


def test_partial_fit_refuses_what_does_not_fit():
    learner = Winnow1()
    with pytest.raises(ValueError, match="classes must be passed"):
        learner.partial_fit(X, Y)
    learner.partial_fit(X, Y, classes=[False, True])
    with pytest.raises(ValueError, match="not the same"):
        learner.partial_fit(X, Y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="none of the classes"):
        learner.partial_fit(X[:1], [2])
    with pytest.raises(ValueError, match="inconsistent numbers"):
        learner.partial_fit(X[:2], np.array([True]))
    with pytest.raises(ValueError, match="5 features"):
        learner.partial_fit(X[:, :5], Y)
    with pytest.raises(ValueError, match="5 features"):
        learner.predict(PackedBits.from_dense(X[:, :5]))
    with pytest.raises(ParameterError, match="do not hold 60 features"):
        learner.fit(PackedBits(PackedBits.from_dense(X).words, 60), Y)
    assert learner.n_trials_ == 600


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Winnow1(update_factor=1), "update_factor=1 leaves"),
        (Winnow1(theta=-1), "theta=-1"),
        (Winnow1(n_relevant=200), "1 <= k <= n"),
        (Winnow1(positive_class="a"), "none of two classes"),
        (Winnow2(separation=3), "no Separation"),
        (BalancedWinnow(n_relevant=0), "1 or more"),
    ],
)
def test_parameters_are_checked_in_fit(learner, message):
    with pytest.raises(ParameterError, match=message):
        learner.fit(X, Y)


def test_the_class_to_describe_can_be_chosen():
    plain, turned = Winnow1().fit(X, Y), Winnow1(positive_class=False).fit(X, ~Y)
    assert plain.weights_.tolist() == turned.weights_.tolist()
    assert (turned.predict(X) == ~Y).all()
    np.testing.assert_allclose(turned.decision_function(X), -plain.decision_function(X))


def test_pickles_go_on_alike():
    learner = Winnow2().partial_fit(X[:300], Y[:300], classes=[False, True])
    copy = pickle.loads(pickle.dumps(learner))
    for each in (learner, copy):
        each.partial_fit(X[300:], Y[300:])
    assert copy.weights_.tolist() == learner.weights_.tolist()
    assert copy.n_mistakes_ == learner.n_mistakes_


@pytest.mark.parametrize("learner", LEARNERS)
def test_numbers_are_cut_at_the_threshold_and_booleans_stay(learner):
    numbers = np.where(X, 0.3, -0.2)
    expected = clone(learner).fit(X, Y)
    fitted = clone(learner).fit(numbers, Y)
    assert fitted.weights_.tolist() == expected.weights_.tolist()
    assert fitted.predict(numbers.astype(object)).tolist() == expected.predict(X).tolist()
    moved = clone(learner).set_params(binarize=5).fit(numbers + 5, Y)
    assert moved.weights_.tolist() == expected.weights_.tolist()
    assert clone(learner).fit(csr_array(X * 7.5), Y).weights_.tolist() == expected.weights_.tolist()
    for text in (np.array([["0", "1"]] * 2), np.array([["0", 1]] * 2, dtype=object)):
        with pytest.raises(NotBooleanError):
            clone(learner).fit(text, [0, 1])
    with pytest.raises(ParameterError, match="makes every zero"):
        clone(learner).set_params(binarize=-1).fit(csr_array(X * 1.0), Y)
    with pytest.raises(ParameterError, match="no number to compare with"):
        clone(learner).set_params(binarize="half").fit(numbers, Y)


@pytest.mark.parametrize("positive_class", [False, True])
@pytest.mark.parametrize("learner", LEARNERS)
def test_weights_are_a_linear_model_of_scikit_learn(learner, positive_class):
    fitted = clone(learner).set_params(positive_class=positive_class).fit(X, Y if positive_class else ~Y)
    decided = X @ fitted.coef_.T + fitted.intercept_
    np.testing.assert_allclose(decided[:, 0], fitted.decision_function(X))
    rows = np.eye(4, dtype=bool)[RNG.integers(0, 4, 200)]
    many = clone(learner).fit(rows, rows.argmax(axis=1))
    assert (many.coef_.shape, many.intercept_.shape) == ((4, 4), (4,))
    np.testing.assert_allclose(rows @ many.coef_.T + many.intercept_, many.decision_function(rows))


def test_scikit_learn_selects_by_the_weights():
    chosen = SelectFromModel(Winnow1(), max_features=3, threshold=-np.inf).fit(X, Y)
    assert chosen.get_support(indices=True).tolist() == [3, 70, 129]
    eliminated = RFE(Winnow2(), n_features_to_select=3, step=0.5).fit(X, Y)
    assert eliminated.get_support(indices=True).tolist() == [3, 70, 129]


def test_passes_that_end_in_mistakes_are_warned_of():
    with pytest.warns(ConvergenceWarning, match="after max_iter=1 passes"):
        Winnow1(max_iter=1).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Winnow1().fit(X, Y)


@pytest.mark.parametrize("learner", [*LEARNERS, Halving(partial(ConceptClass.monotone_disjunctions, at_most=1))])
def test_one_class_is_refused(learner):
    with pytest.raises(ValueError, match="only one class: \\[1\\]"):
        clone(learner).fit(X, np.ones(600, dtype=int))


def test_memory_does_not_grow_with_mistakes(monkeypatch):
    monkeypatch.setattr(trials, "MOST_KEPT", 10)
    learner = Winnow2()
    labels = RNG.random(600) < 0.5
    for k in range(600):
        learner.partial_fit(X[k : k + 1], labels[k : k + 1], classes=[False, True])
        assert learner._trials.n_in_pieces <= 20
    whole = Winnow2().partial_fit(X, labels, classes=[False, True])
    assert learner.n_mistakes_ == whole.n_mistakes_ > 100
    assert learner.mistakes_.tolist() == whole.mistakes_.tolist()
    assert len(learner.mistakes_) == 10


def test_a_saved_learner_cuts_numbers_as_it_did(tmp_path):
    numbers = pd.DataFrame(np.where(X[:, :5], 2.5, 1.0), columns=list("abcde"))
    learner = Winnow2(binarize=2).fit(numbers, X[:, 1])
    learner.save(tmp_path / "m")
    assert load_model(tmp_path / "m").predict(numbers).tolist() == learner.predict(numbers).tolist()
    again = Winnow2.load(tmp_path / "m")
    assert (again.binarize, again.predict(numbers).tolist()) == (2, learner.predict(numbers).tolist())
