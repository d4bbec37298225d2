"""Every fast path against fits of clones, subset by subset."""

from contextlib import nullcontext
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from fewest import CFPClassifier, ID3Classifier, StandardWrap
from fewest.exceptions import FailedFitsWarning
from fewest.kernels import compile_or_not
from fewest.wrapper.evaluators import least_squares, logistic
from fewest.wrapper.evaluators.batched import NANOSECONDS, BatchEvaluator, as_moves
from fewest.wrapper.evaluators.fast_paths import fast_path
from fewest.wrapper.evaluators.generic import GenericEvaluator, Learner, fold_examples
from fewest.wrapper.evaluators.logistic import KnownFits, LogisticModel, logistic_model
from fewest.wrapper.examples import Examples
from fewest.wrapper.kernels.layout import Moves, Penalised, Rows
from fewest.wrapper.kernels.logistic import logistic_fits
from fewest.wrapper.search.subsets import SubsetSpace, neighbors
from fewest.wrapper.splits import Roles, holdout_fold

pytestmark = pytest.mark.filterwarnings("ignore::fewest.exceptions.IdentifierWarning")

CLASSIFIERS = [
    ("logistic", LogisticRegression(solver="newton-cholesky", tol=1e-10)),
    ("logistic", LogisticRegression(C=0.01, solver="newton-cholesky", tol=1e-10, fit_intercept=False)),
    ("logistic", LogisticRegression(C=100, solver="newton-cholesky", tol=1e-10, class_weight="balanced")),
    ("gaussian-nb", GaussianNB()),
    ("gaussian-nb", GaussianNB(var_smoothing=0.1)),
    ("bernoulli-nb", BernoulliNB()),
    ("bernoulli-nb", BernoulliNB(alpha=0.5, binarize=0.3, fit_prior=False)),
    ("lda", LinearDiscriminantAnalysis()),
    ("id3", ID3Classifier()),
    ("cfp", CFPClassifier()),
    ("cfp", CFPClassifier(limit=0.3, delta=10.0)),
]
REGRESSORS = [
    ("least-squares", LinearRegression()),
    ("least-squares", LinearRegression(fit_intercept=False)),
    ("ridge", Ridge()),
    ("ridge", Ridge(alpha=20.0, fit_intercept=False)),
]


def evaluators(estimator, X, y, *, weights=None, guide="training", space=None, is_classifier=True, seed=0):
    """Return the fast and the generic evaluator of the same problem."""
    fit_params = {} if weights is None else {"sample_weight": weights}
    examples = Examples(X, y, fit_params, {}, weights)
    fold = holdout_fold((0.6, 0.2, 0.2), y, None, np.random.RandomState(seed), stratify=False)
    learner, folds = Learner(estimator, is_classifier), fold_examples(examples, [fold])
    space = SubsetSpace.of(X.shape[1]) if space is None else space
    path = fast_path(learner, examples)
    assert path is not None
    fast = BatchEvaluator(path, learner, folds, space, Roles(guide, "second"))
    return fast, GenericEvaluator(learner, folds, space, Roles(guide, "second"))


def assert_same(fast, generic, n_units, *, is_rounded=False):
    rounding = {"rtol": 1e-7, "atol": 1e-9} if is_rounded else {"rtol": 0, "atol": 1e-12}
    everything = neighbors(np.arange(n_units)[None, :], n_units, adds=False)
    np.testing.assert_allclose(fast.losses(everything), generic.losses(everything), **rounding)
    for size in range(n_units):
        parents = np.array(list(combinations(range(n_units), size)), dtype=np.int64).reshape(comb(n_units, size), size)
        candidates = neighbors(parents, n_units, adds=True)
        once = candidates.take(candidates.unit > parents.max(axis=1, initial=-1)[candidates.parent])
        np.testing.assert_allclose(fast.losses(once), generic.losses(once), **rounding)
    for subset in [(), (0,), tuple(range(n_units))]:
        np.testing.assert_allclose(fast.measure(subset), generic.measure(subset), **rounding)


def unknown(parents):
    """Return that no parent was fitted before."""
    return np.full((len(parents), parents.shape[1] + 1), np.nan)


def mixed_data(n=70, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.standard_normal((n, 3)), rng.integers(0, 2, (n, 2)), 50 + 20 * rng.standard_normal(n)])
    signal = X[:, 0] + X[:, 3] + (X[:, 5] - 50) / 40 + rng.standard_normal(n)
    return X, np.digitize(signal, np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1]))


@pytest.mark.parametrize(("name", "estimator"), CLASSIFIERS)
@pytest.mark.parametrize("guide", ["training", "holdout"])
def test_classifiers(name, estimator, guide):
    X, y = mixed_data()
    fast, generic = evaluators(estimator, X, y, guide=guide)
    assert fast.name == name
    assert_same(fast, generic, 6)


def test_discriminants_of_a_feature_that_is_the_class():
    """Which scikit-learn cannot fit alone: it is left out, and what contains it is not."""
    X, y = mixed_data()
    X[:, 1] = y
    fitted = StandardWrap(LinearDiscriminantAnalysis(), random_state=0)
    with pytest.warns(FailedFitsWarning, match="failed on 1 subsets .* was feature 1: (IndexError|ValueError):"):
        fitted.fit(X, y)
    assert fitted.n_features_selected_ != 1 or not fitted.support_[1]


@pytest.mark.parametrize("estimator", [GaussianNB(), BernoulliNB(), LinearDiscriminantAnalysis(), ID3Classifier()])
def test_several_classes_of_any_name(estimator):
    X, y = mixed_data(n_classes=3)
    fast, generic = evaluators(estimator, X, np.array(["b", "a", "c"])[y], guide="holdout")
    assert_same(fast, generic, 6)


@pytest.mark.parametrize("is_plain", [True, False])
@pytest.mark.parametrize(
    "options",
    [{}, {"C": 0.01, "fit_intercept": False}, {"C": 100, "class_weight": "balanced"}, {"solver": "lbfgs", "tol": 1e-9}],
)
def test_logistic_regression_of_several_classes(options, is_plain, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "never" if is_plain else "always")
    X, y = mixed_data(n=90, n_classes=4)
    X = (X - X.mean(axis=0)) / X.std(axis=0)  # or else that solver does not get there
    estimator = LogisticRegression(**{"solver": "newton-cholesky", "tol": 1e-10, "max_iter": 10000, **options})
    if "solver" in options:
        X = X[:, [0, 3, 5]]  # or else that solver takes fifteen seconds
    fast, generic = evaluators(estimator, X, np.array(["b", "a", "d", "c"])[y], guide="holdout")
    assert fast.name == "logistic"
    assert_same(fast, generic, X.shape[1])


@pytest.mark.parametrize("weights", [None, np.random.default_rng(3).integers(1, 4, 80).astype(float)])
def test_folds_that_lack_a_class_have_a_model_of_the_others(weights):
    """Of two classes scikit-learn penalises one vector of coefficients, of three it penalises three."""
    X, y = mixed_data(n=80, n_classes=3)
    fold = holdout_fold((0.6, 0.2, 0.2), y, None, np.random.RandomState(0), stratify=False)
    for n_left in (2, 1):
        labels = y.copy()
        labels[fold.training] = labels[fold.training] % n_left
        labels[fold.holdout[:2]] = 2
        estimator = LogisticRegression(solver="newton-cholesky", tol=1e-10)
        fast, generic = evaluators(estimator, X, labels, weights=weights, guide="holdout")
        if n_left == 2:
            assert_same(fast, generic, 6)
        else:
            with pytest.raises(ValueError, match="at least 2 classes"):
                fast.losses(neighbors(np.empty((1, 0), dtype=np.int64), 6, adds=True))


def test_subsets_with_too_many_coefficients_are_fitted_as_by_any_other(monkeypatch):
    monkeypatch.setattr(logistic, "MOST_COEFFICIENTS", 10)
    X, y = mixed_data(n=60, n_classes=3)
    assert_same(*evaluators(LogisticRegression(solver="newton-cholesky", tol=1e-10), X, y, guide="training"), 6)


@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.integers(3, 5),
    strength=st.sampled_from([0.03, 1.0, 100.0]),
    scale=st.sampled_from([0.1, 1.0, 10.0]),
    size=st.integers(0, 4),
)
def test_coefficients_of_several_classes_agree_with_scikit_learn(seed, n_classes, strength, scale, size):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, size + 2)) * scale + rng.integers(-1, 2)
    y = (X @ rng.standard_normal((size + 2, n_classes)) / scale + rng.gumbel(size=(60, n_classes))).argmax(axis=1)
    estimator = LogisticRegression(C=strength, solver="newton-cholesky", tol=1e-12)
    model = logistic_model({"training": Examples(X, y)}, estimator)
    moves = Moves(np.arange(size)[None, :], np.array([0, 2]), np.array([size, size + 1]))
    for child in range(2 if len(model.classes) > 2 else 0):
        chosen = [*range(size), size + child]
        theirs = estimator.fit(X[:, chosen], y)
        expected = np.vstack([theirs.intercept_ - theirs.intercept_.mean(), theirs.coef_.T])
        np.testing.assert_allclose(model.coefficients(moves)[child], expected, atol=1e-6 * max(1, 1 / scale))


@pytest.mark.parametrize(("name", "estimator"), REGRESSORS)
@pytest.mark.parametrize("guide", ["training", "holdout"])
def test_regressors(name, estimator, guide):
    X, _ = mixed_data()
    y = X[:, 0] - X[:, 3] + 0.1 * X[:, 5] + np.random.default_rng(1).standard_normal(len(X))
    fast, generic = evaluators(estimator, X, y, guide=guide, is_classifier=False)
    assert fast.name == name
    assert_same(fast, generic, 6, is_rounded=True)


@pytest.mark.parametrize(
    "estimator", [LogisticRegression(solver="newton-cholesky", tol=1e-10), GaussianNB(), BernoulliNB(), ID3Classifier()]
)
def test_weights(estimator):
    X, y = mixed_data()
    weights = np.random.default_rng(3).integers(0, 4, len(y)).astype(float)
    assert_same(*evaluators(estimator, X, y, weights=weights, guide="holdout"), 6)


@pytest.mark.parametrize("penalty", [0.0, 3.0])
def test_loops_and_linear_algebra_solve_the_same_regressions(penalty, monkeypatch):
    X, y = mixed_data()
    moves = Moves(np.array([[0, 1], [3, 4]]), np.array([0, 3, 5]), np.array([2, 3, 5, 0, 1]))
    model = least_squares.LeastSquaresModel(
        {"training": Examples(X, y.astype(float)), "holdout": Examples(X[::2] + 1, y[::2] * 2.0)}, Ridge(penalty)
    )
    loops = model.losses(moves, "holdout", compiles=True)
    np.testing.assert_allclose(loops, model.losses(moves, "holdout"), rtol=1e-10)
    monkeypatch.setattr(least_squares, "FEW", -1)
    np.testing.assert_array_equal(model.losses(moves, "holdout", compiles=True), model.losses(moves, "holdout"))


def test_weights_of_regressors():
    X, y = mixed_data()
    weights = np.random.default_rng(3).random(len(y))
    fast, generic = evaluators(Ridge(2.0), X, y.astype(float), weights=weights, guide="holdout", is_classifier=False)
    assert_same(fast, generic, 6, is_rounded=True)


@pytest.mark.parametrize(
    "estimator", [LogisticRegression(solver="newton-cholesky", tol=1e-10), GaussianNB(), LinearDiscriminantAnalysis()]
)
def test_groups_and_included_features(estimator):
    X, y = mixed_data()
    space = SubsetSpace.of(6, groups=[(1, 4)], included=[2])
    assert_same(*evaluators(estimator, X, y, space=space), 4)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # scikit-learn's naive Bayes divides by a variance of 0
def test_features_that_depend_on_each_other():
    """A copy, a sum and a constant; for least squares there also are more features than rows."""
    X, y = mixed_data(n=60)
    X = np.column_stack([X[:, :2], X[:, 0], X[:, 0] + X[:, 1], np.ones(60)])
    for estimator in (GaussianNB(), LinearDiscriminantAnalysis(), ID3Classifier(), CFPClassifier()):
        assert_same(*evaluators(estimator, X, y, guide="training"), 5)
    number = X[:, 1] + np.random.default_rng(0).standard_normal(60)
    fast, generic = evaluators(LinearRegression(), X, number, is_classifier=False)
    assert_same(fast, generic, 5, is_rounded=True)
    wide = np.random.default_rng(0).standard_normal((8, 6))
    fast, generic = evaluators(LinearRegression(), wide, wide[:, 0] ** 2, guide="holdout", is_classifier=False)
    assert_same(fast, generic, 6, is_rounded=True)


def test_a_class_that_training_has_not_seen_is_wrong():
    X, y = mixed_data(n=40)
    fold = holdout_fold((0.6, 0.2, 0.2), y, None, np.random.RandomState(0), stratify=False)
    labels = y.copy()
    labels[fold.holdout[:2]] = 7
    for estimator in (GaussianNB(), BernoulliNB(), LinearDiscriminantAnalysis(), ID3Classifier(), CFPClassifier()):
        assert_same(*evaluators(estimator, X, labels, guide="holdout"), 6)


def test_own_learners_take_nominal_and_missing_values():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.choice(["x", "y", "z"], 50), "b": rng.random(50), "c": rng.integers(0, 3, 50)})
    frame.loc[::7, "a"] = None
    frame.loc[::9, "b"] = np.nan
    y = (frame["a"] == "x").to_numpy()
    for estimator in (ID3Classifier(), CFPClassifier(limit="10%")):
        assert_same(*evaluators(estimator, frame, y, guide="holdout"), 3)


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    penalty=st.sampled_from([0.01, 1.0, 30.0]),
    scale=st.sampled_from([0.1, 1.0, 10.0]),
    size=st.integers(0, 4),
    intercept=st.booleans(),
)
def test_logistic_coefficients_are_at_the_maximum(seed, penalty, scale, size, intercept):
    """The gradient vanishes there, and scikit-learn's solver stops there."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, size + 2)) * scale + rng.integers(-1, 2)
    y = (rng.random(40) < 0.5).astype(float)
    weights = rng.integers(1, 4, 40).astype(float)
    coefs, wrong = np.empty((2, size + 2)), np.empty(2)
    parents, added = np.arange(size)[None, :], np.array([size, size + 1])
    rows, moves = Rows(np.ascontiguousarray(X.T), y, weights), Moves(parents, np.array([0, 2]), added)
    logistic_fits(rows, Penalised(penalty, int(intercept)), moves, unknown(parents), coefs, wrong)
    for child in (0, 1):
        chosen = X[:, [*range(size), size + child]]
        residual = weights * (y - 1 / (1 + np.exp(-(chosen @ coefs[child, 1:] + coefs[child, 0]))))
        np.testing.assert_allclose(chosen.T @ residual, penalty * coefs[child, 1:], atol=1e-5 * scale)
        assert abs(residual.sum()) < 1e-5 if intercept else coefs[child, 0] == 0


def test_logistic_coefficients_agree_with_scikit_learn():
    X, y = mixed_data(n=200)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    coefs, wrong = np.empty((4, 4)), np.empty(4)
    parents, added = np.array([[0, 1]]), np.array([2, 3, 4, 5])
    rows = Rows(np.ascontiguousarray(X.T), y.astype(float), np.ones(200))
    logistic_fits(rows, Penalised(1.0, 1), Moves(parents, np.array([0, 4]), added), unknown(parents), coefs, wrong)
    for child, feature in enumerate(added):
        theirs = LogisticRegression(solver="newton-cholesky", tol=1e-12).fit(X[:, [0, 1, feature]], y)
        np.testing.assert_allclose(coefs[child, 1:], theirs.coef_[0], atol=1e-6)
        assert coefs[child, 0] == pytest.approx(theirs.intercept_[0], abs=1e-6)
        assert wrong[child] == (theirs.predict(X[:, [0, 1, feature]]) != y).sum()


@pytest.mark.parametrize("size", [0, 3, 12])
@pytest.mark.parametrize("shape", ["even", "heavy-tailed"])
@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_logistic_coefficients_agree_on_more_rows_than_a_block(size, shape, penalty):
    """Features that matter and ones that do not, whose first steps are long and short."""
    rng = np.random.default_rng(size)
    X = rng.standard_normal((1300, size + 4)) if shape == "even" else rng.standard_t(2, (1300, size + 4))
    signal = X[:, 0] - 0.5 * X[:, -1] + 0.02 * X[:, -2]
    y = (signal + rng.logistic(size=1300) > 0.3).astype(float)
    parents, added = np.arange(size)[None, :], np.arange(size, size + 4)
    coefs, wrong = np.empty((4, size + 2)), np.empty(4)
    rows, moves = Rows(np.ascontiguousarray(X.T), y, np.ones(1300)), Moves(parents, np.array([0, 4]), added)
    logistic_fits(rows, Penalised(penalty, 1), moves, unknown(parents), coefs, wrong)
    strength = {"C": 1 / penalty} if penalty else {"C": np.inf}
    for child, feature in enumerate(added):
        chosen = X[:, [*range(size), feature]]
        theirs = LogisticRegression(**strength, solver="newton-cholesky", tol=1e-12).fit(chosen, y)
        np.testing.assert_allclose(coefs[child], [*theirs.intercept_, *theirs.coef_[0]], atol=1e-6)
        assert wrong[child] == (theirs.predict(chosen) != y).sum()


def test_separable_classes_without_a_penalty_are_separated():
    X = np.random.default_rng(0).standard_normal((30, 3))
    y = (X[:, 0] > 0).astype(float)
    coefs, wrong = np.empty((3, 2)), np.empty(3)
    nothing = np.empty((1, 0), dtype=np.int64)
    rows, moves = Rows(np.ascontiguousarray(X.T), y, np.ones(30)), Moves(nothing, np.array([0, 3]), np.arange(3))
    logistic_fits(rows, Penalised(0.0, 1), moves, unknown(nothing), coefs, wrong)
    assert wrong[0] == 0
    assert np.isfinite(coefs).all()


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(solver="liblinear"),
        LogisticRegression(l1_ratio=0.5, solver="saga"),
        LinearDiscriminantAnalysis(solver="lsqr"),
        CFPClassifier(limit=[1.0] * 6),
        CFPClassifier(vote="shares"),
        type("Other", (GaussianNB,), {})(),
    ],
)
def test_what_no_path_stands_for_is_fitted_as_it_is(estimator):
    X, y = mixed_data()
    assert fast_path(Learner(estimator, True), Examples(X, y)) is None
    assert fast_path(Learner.of(GaussianNB(), "roc_auc"), Examples(X, y)) is None
    three = Examples(X, mixed_data(n_classes=3)[1])
    assert fast_path(Learner(LogisticRegression(C=np.inf), True), three) is None


@settings(deadline=None, max_examples=40)
@given(data=st.data(), size=st.integers(1, 4), most=st.sampled_from([4, 60, 1 << 22]), n_classes=st.integers(1, 3))
def test_fits_that_are_known_are_those_of_the_subsets(data, size, most, n_classes):
    """Coefficients are found by the feature that they belong to, in any order; of too many the oldest are dropped."""

    def coefs(features):
        return np.array([sum(features), *features])[:, None] * 10.0 ** np.arange(n_classes)

    subsets = data.draw(st.permutations(list(combinations(range(6), size))))
    n_added = data.draw(st.integers(0, len(subsets)))
    known = KnownFits(6, n_classes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(logistic, "MOST_KEPT", most)
        for subset in subsets[:n_added]:
            *parent, added = data.draw(st.permutations(subset))
            moves = Moves(np.array([parent], dtype=np.int64).reshape(1, -1), np.array([0, 1]), np.array([added]))
            known.add(moves, coefs([*parent, added])[None])
    n_kept = min(n_added, most // (n_classes * (size + 1)))
    remembered = subsets[n_added - n_kept : n_added]
    asked = [data.draw(st.permutations(subset)) for subset in subsets]
    for wanted, found in zip(asked, known.of(np.array(asked)), strict=True):
        expected = coefs(wanted) if tuple(sorted(wanted)) in remembered else np.full((size + 1, n_classes), np.nan)
        np.testing.assert_array_equal(found, expected)


def test_logistic_regressions_do_not_depend_on_what_was_fitted_before():
    """Their parents may have been children just before, or not; the best of a size is asked for again."""
    X, y = mixed_data(n=120)
    first = LogisticModel({"training": Examples(X, y), "holdout": Examples(X[::2], 1 - y[::2])}, LogisticRegression())
    for parents in (np.empty((1, 0), dtype=np.int64), np.array([[3], [5]]), np.array([[0, 3], [2, 5]])):
        candidates = neighbors(parents, 6, adds=True)
        ((_, moves),) = as_moves(candidates, SubsetSpace.of(6))
        fresh = LogisticModel({"training": Examples(X, y)}, LogisticRegression())
        nothing = np.empty(0)
        expected = fresh.coefficients(moves, nothing)
        np.testing.assert_allclose(first.coefficients(moves, nothing), expected, atol=1e-7)
        for subset in candidates.subsets():
            again = Moves.of_subset(subset)
            for part in ("training", "holdout"):
                columns = {"training": X, "holdout": X[::2]}[part][:, list(subset)]
                labels = {"training": y, "holdout": 1 - y[::2]}[part]
                theirs = LogisticRegression(solver="newton-cholesky", tol=1e-10).fit(X[:, list(subset)], y)
                assert first.losses(again, part)[0] == pytest.approx((theirs.predict(columns) != labels).mean())


@settings(max_examples=60)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.integers(1, 6))
def test_shares_of_moves_are_the_moves(counts, n_shares):
    starts = np.append(0, np.cumsum(counts))
    moves = Moves(np.arange(2 * len(counts)).reshape(-1, 2), starts, np.arange(100, 100 + starts[-1]))

    def children(some):
        return [(*parent, child) for parent, added, _ in some.each() for child in added]

    shares = moves.shares(n_shares)
    assert [child for share in shares for child in children(share)] == children(moves)
    sizes = [share.n_children for share in shares]
    assert not sizes or max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB(), LinearDiscriminantAnalysis()])
def test_threads_find_what_one_thread_finds(estimator, n_classes, monkeypatch):
    monkeypatch.setattr(BatchEvaluator, "many", 2)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 9))
    y = np.digitize(X[:, 0] + X[:, 3] + rng.normal(size=80), [-0.7, 0.7][: n_classes - 1])
    alone, _ = evaluators(estimator, X, y)
    path = fast_path(alone.learner, Examples(X, y))
    given = (path, alone.learner, alone.folds, alone.space, alone.roles)
    together = BatchEvaluator(*given, n_jobs=3)
    for parents in ([()], [(0,), (3,), (5,)], [(0, 3), (2, 7)]):
        candidates = neighbors(np.array(parents, dtype=np.int64), 9, adds=True)
        np.testing.assert_array_equal(together.losses(candidates), alone.losses(candidates))


@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB(), LinearRegression()])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_compiled_or_not_a_search_finds_the_same(estimator, n_classes, monkeypatch):
    X, y = mixed_data(n_classes=n_classes)
    found = []
    for choice in ("always", "never"):
        monkeypatch.setenv("FEWEST_COMPILE", choice)
        options = {"beam_width": 2, "search": "forward", "refit": False, "random_state": 0}
        found.append(StandardWrap(estimator, **options).fit(X, y).history_)
    for one, other in zip(*found, strict=True):
        assert one["features"] == other["features"]
        assert one["holdout_error"] == pytest.approx(other["holdout_error"], rel=1e-9)


@pytest.mark.parametrize(("n_candidates", "is_long"), [(10, False), (10**6, True)])
def test_whether_to_compile_depends_on_the_search_alone(n_candidates, is_long):
    X, y = mixed_data()
    path, folds = fast_path(Learner(GaussianNB(), True), Examples(X, y)), [{"training": Examples(X, y)}]
    given = (path, Learner(GaussianNB(), True), [folds[0] | {"holdout": Examples(X, y)}], SubsetSpace.of(6))
    for _ in range(2):
        evaluator = BatchEvaluator(*given, Roles("training", "holdout"), expected=[(n_candidates, 3)])
        assert evaluator.is_long is is_long
        assert evaluator.work.seconds == 0.0


@pytest.mark.parametrize("guide", ["training", "holdout"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_logarithmic_loss_of_logistic_regressions(guide, n_classes):
    X, y = mixed_data(n=120, n_classes=n_classes)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    learner = Learner.of(LogisticRegression(tol=1e-10, max_iter=1000), "neg_log_loss")
    examples = Examples(X, y)
    folds = fold_examples(examples, [holdout_fold((0.6, 0.2, 0.2), y, None, np.random.RandomState(0), stratify=True)])
    path, space = fast_path(learner, examples), SubsetSpace.of(6)
    assert path.name == "logistic, log loss"
    fast = BatchEvaluator(path, learner, folds, space, Roles(guide, "second"))
    generic = GenericEvaluator(learner, folds, space, Roles(guide, "second"))
    candidates = neighbors(np.array([[0], [3]]), 6, adds=True)
    np.testing.assert_allclose(fast.losses(candidates), generic.losses(candidates), rtol=1e-5)
    for subset in [(), (0,), (1, 4, 5)]:
        np.testing.assert_allclose(fast.measure(subset), generic.measure(subset), rtol=1e-5)


def test_weights_and_other_learners_have_no_fast_logarithmic_loss():
    X, y = mixed_data()
    weights = np.ones(len(y))
    assert fast_path(Learner.of(GaussianNB(), "neg_log_loss"), Examples(X, y)) is None
    logistic = Learner.of(LogisticRegression(), "neg_log_loss")
    assert fast_path(logistic, Examples(X, y, {"sample_weight": weights}, {}, weights)) is None
    assert fast_path(logistic, Examples(X, y, {}, {"sample_weight": weights})) is None


def test_labels_that_training_lacks_have_no_logarithmic_loss():
    X, y = mixed_data()
    late = np.where(np.arange(len(y)) < 3, 7, y)
    rows = np.arange(len(y))
    folds = [{"training": Examples(X, late).rows(rows[3:]), "holdout": Examples(X, late).rows(rows[:10])}]
    model = fast_path(Learner.of(LogisticRegression(), "neg_log_loss"), Examples(X, y)).model(folds[0])
    moves = Moves.of_subset((0, 1))
    assert np.isnan(model.losses(moves, "holdout")).all()
    assert np.isfinite(model.losses(moves, "training")).all()


@pytest.mark.parametrize("estimator", [GaussianNB(), BernoulliNB()])
def test_a_search_of_naive_bayes_is_predicted_to_take_numpy_milliseconds(estimator):
    """Candidates of 50 parents on 3,000 rows take it a tenth of a second, for which nothing is loaded."""
    X, y = mixed_data(n=3000)
    model = fast_path(Learner(estimator, True), Examples(X, y)).model({"training": Examples(X, y)})
    assert 0.01 < model.n_steps(50 * 47, 3) * NANOSECONDS * 1e-9 < 0.5
    assert model.n_steps(1, 2) < model.n_steps(1, 30) < 3 * model.n_steps(1, 2)


@pytest.mark.parametrize("is_program", [False, True])
def test_kept_code_of_naive_bayes_is_loaded_for_those_who_search_often(is_program, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "auto")
    monkeypatch.setattr(compile_or_not, "is_kept", lambda _: True)
    X, y = mixed_data(n=3000)
    examples = Examples(X, y)
    path, learner = fast_path(Learner(GaussianNB(), True), examples), Learner(GaussianNB(), True)
    fold = {"training": examples, "holdout": examples}
    with compile_or_not.answered_once() if is_program else nullcontext():
        evaluator = BatchEvaluator(
            path, learner, [fold], SubsetSpace.of(6), Roles("training", "holdout"), expected=[(2000, 3)]
        )
    assert evaluator.is_long is not is_program
