"""The three wrappers against loops over subsets with clones, and what users ask of them."""

import pickle
import warnings
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from joblib import parallel_config
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fewest import OrderedFS, OrderedFS2, StandardWrap
from fewest.datasets import make_linear_threshold
from fewest.exceptions import (
    CheckpointError,
    FailedFitsWarning,
    FewFeaturesWarning,
    ParameterError,
    StoppedEarlyWarning,
    UndefinedScoreError,
    UnknownColumnError,
)
from fewest.plot import plot_history
from fewest.wrapper import bounds as theory
from naive import wrappers as naive

WRAPPERS = [StandardWrap, OrderedFS, OrderedFS2]
ESTIMATORS = [
    LogisticRegression(solver="newton-cholesky"),
    GaussianNB(),
    DecisionTreeClassifier(max_depth=3, random_state=0),
    KNeighborsClassifier(3),
    LinearRegression(),
    DecisionTreeRegressor(max_depth=2, random_state=0),
]


def data(n=60, irrelevant=4, seed=0):
    X, y, _ = make_linear_threshold(n, irrelevant=irrelevant, noise=0.2, random_state=seed)
    return X, y


class Errors:
    """Training, hold-out and second hold-out error of every subset, by clone and fit."""

    def __init__(self, estimator, X, y, fold):
        self.estimator, self.X, self.y, self.fold, self.known = estimator, X, y, fold, {}
        self.is_classifier = hasattr(estimator, "predict_proba")

    def __call__(self, subset):
        if subset not in self.known:
            train, columns = self.fold.training, list(subset)
            constant = DummyClassifier() if self.is_classifier else DummyRegressor()
            fitted = (clone(self.estimator) if subset else constant).fit(self.X[train][:, columns], self.y[train])
            self.known[subset] = [
                self.error(fitted.predict(self.X[rows][:, columns]), self.y[rows]) if len(rows) else None
                for rows in (train, self.fold.holdout, self.fold.second)
            ]
        return self.known[subset]

    def error(self, predicted, y):
        return np.mean(predicted != y) if self.is_classifier else round(np.mean((predicted - y) ** 2), 10)


ROLES = {StandardWrap: (1, 1), OrderedFS: (0, 1), OrderedFS2: (1, 2)}


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("fast", [True, False])
def test_searches_agree_with_loops_over_subsets(wrapper, estimator, fast):
    X, y = data()
    options = {"ties": "first", "random_state": 1, "fast": fast}
    exact = wrapper(estimator, search="exhaustive", **options).fit(X, y)
    errors = Errors(estimator, X, y, exact.folds_[0])
    guide, judge = ROLES[wrapper]
    best = naive.exhaustive(5, lambda subset: errors(subset)[guide])
    assert [record["features"] for record in exact.history_] == [best[size] for size in range(6)]
    assert tuple(exact.get_support(indices=True)) == naive.choice(best, lambda subset: errors(subset)[judge])
    assert exact.n_subsets_evaluated_ == 32
    for record in exact.history_:
        wanted = errors(record["features"])
        assert record["training_error"] == pytest.approx(wanted[0], abs=1e-9)
        assert record["holdout_error"] == pytest.approx(wanted[1], abs=1e-9)
        if wrapper is OrderedFS2:
            assert record["second_holdout_error"] == pytest.approx(wanted[2], abs=1e-9)
    beam = wrapper(estimator, search="forward", beam_width=2, **options).fit(X, y)
    best, tried = naive.beam(5, lambda subset: errors(subset)[guide], 2)
    assert [record["features"] for record in beam.history_] == [best[size] for size in range(6)]
    assert [record["n_subsets"] for record in beam.history_] == [tried[size] for size in range(6)]
    assert tuple(beam.get_support(indices=True)) == naive.choice(best, lambda subset: errors(subset)[judge])


@pytest.mark.parametrize("search", ["backward", "floating", "floating-backward"])
def test_other_searches_keep_the_best_of_every_size(search):
    X, y = data()
    fitted = OrderedFS(GaussianNB(), search=search, beam_width=3, random_state=0).fit(X, y)
    assert fitted.search_ == search
    assert [record["n_features"] for record in fitted.history_] == list(range(6))
    exact = OrderedFS(GaussianNB(), search="exhaustive", random_state=0).fit(X, y)
    for found, best in zip(fitted.history_, exact.history_, strict=True):
        assert found["training_error"] >= best["training_error"]


def test_auto_is_exhaustive_where_that_is_cheap():
    X, y = data(irrelevant=5)
    assert OrderedFS(GaussianNB(), beam_width=50).fit(X, y).search_ == "exhaustive"
    assert OrderedFS(GaussianNB(), beam_width=1).fit(X, y).search_ == "forward"


def test_the_thesis_hypothesis_is_the_one_trained_on_the_training_part():
    X, y = data(irrelevant=2)
    fitted = OrderedFS(LogisticRegression(), refit="training", random_state=0).fit(X, y)
    fold, columns = fitted.folds_[0], fitted.get_support()
    assert len(fold.holdout) == 18
    again = LogisticRegression().fit(X[fold.training][:, columns], y[fold.training])
    np.testing.assert_array_equal(fitted.estimator_.coef_, again.coef_)
    error = np.mean(fitted.predict(X[fold.holdout]) != y[fold.holdout])
    assert error == pytest.approx(fitted.holdout_error_)


def test_no_features_is_the_majority():
    X = np.random.default_rng(0).standard_normal((40, 3))
    y = np.r_[np.zeros(30), np.ones(10)]
    fitted = StandardWrap(LogisticRegression(), max_features=0, random_state=0).fit(X, y)
    assert fitted.n_features_selected_ == 0
    assert not fitted.predict(X).any()
    assert fitted.transform(X).shape == (40, 0)


def test_include_groups_and_the_largest_size_by_name():
    X, y = data(n=80, irrelevant=5)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    fitted = OrderedFS(GaussianNB(), include=["c"], feature_groups=[["a", "b"]], max_features=4, random_state=0).fit(
        frame, y
    )
    for record in fitted.history_:
        chosen = set(record["features"])
        assert 2 in chosen
        assert len(chosen - {0}) <= 4
        assert len({0, 1} & chosen) != 1
    assert fitted.history_[0]["features"] == (2,)
    with pytest.raises(UnknownColumnError, match="'z'"):
        OrderedFS(GaussianNB(), include=["z"]).fit(frame, y)


@pytest.mark.parametrize("given", ["b", 1, ["b"], [-3], np.array([False, True, False, False])])
def test_features_are_included_and_excluded_by_name_position_or_mask(given):
    X, y = data(n=60, irrelevant=3)
    frame = pd.DataFrame(X, columns=list("abcd"))
    options = {"search": "exhaustive", "refit": False, "random_state": 0}
    included = OrderedFS(GaussianNB(), include=given, **options).fit(frame, y)
    assert all(1 in record["features"] for record in included.history_)
    excluded = OrderedFS(GaussianNB(), exclude=given, **options).fit(frame, y)
    assert [len(record["features"]) for record in excluded.history_] == [0, 1, 2, 3]
    assert all(1 not in record["features"] for record in excluded.history_)
    assert excluded.support_.shape == (4,)
    with pytest.raises(ParameterError, match="both in include and in exclude"):
        OrderedFS(GaussianNB(), include="b", exclude=given).fit(frame, y)
    grouped = OrderedFS(GaussianNB(), feature_groups=[["a", "b"]], exclude=given, **options).fit(frame, y)
    assert grouped.history_[-1]["features"] == (0, 2, 3)


def test_at_least_one_feature_is_kept_unless_none_is_allowed():
    X = np.random.default_rng(0).standard_normal((40, 3))
    y = np.r_[np.zeros(30), np.ones(10)]
    free = StandardWrap(GaussianNB(), min_features_to_select=0, random_state=0).fit(X, y)
    assert free.n_features_selected_ == 0
    with pytest.warns(FewFeaturesWarning, match=r"errs no more with no features .* Give 0 to allow fewer"):
        fitted = StandardWrap(GaussianNB(), random_state=0).fit(X, y)
    best = min(fitted.history_[1:], key=lambda record: record["holdout_error"])
    assert tuple(fitted.get_support(indices=True)) == best["features"]
    assert fitted.bound_.facts.size == len(best["features"])
    with pytest.warns(FewFeaturesWarning, match="at least 2"):
        two = StandardWrap(GaussianNB(), min_features_to_select=2, random_state=0).fit(X, y)
    assert two.n_features_selected_ >= 2


@pytest.mark.parametrize("wrapper", [StandardWrap, OrderedFS, OrderedFS2])
@pytest.mark.parametrize("fast", [True, False])
def test_a_score_that_is_no_number_is_an_error_that_names_it(wrapper, fast):
    def undefined(estimator, X, y):
        return 0.5 if X.shape[1] == 1 and not X.any() else float("nan")  # that of no feature is one

    X, y = data(irrelevant=3)
    with pytest.raises(UndefinedScoreError, match=r"undefined is NaN .*scoring") as raised:
        wrapper(GaussianNB(), scoring=undefined, fast=fast, random_state=0).fit(X, y)
    assert isinstance(raised.value, ValueError)


def test_refit_may_be_true():
    X, y = data()
    fitted, words = (OrderedFS(GaussianNB(), refit=refit, random_state=0).fit(X, y) for refit in (True, "all"))
    np.testing.assert_array_equal(fitted.estimator_.theta_, words.estimator_.theta_)


def test_patience_stops_early():
    X, y = data(n=100, irrelevant=20)
    fitted = OrderedFS(GaussianNB(), patience=2, beam_width=2, random_state=0).fit(X, y)
    errors = [record["holdout_error"] for record in fitted.history_]
    assert len(errors) < 21
    assert min(errors[-2:]) >= min(errors[:-2])


def test_cross_validation_and_any_score():
    X, y = data(n=60, irrelevant=3)
    fitted = StandardWrap(GaussianNB(), cv=KFold(3), search="exhaustive", ties="first").fit(X, y)
    record = fitted.history_[1]
    errors = [
        np.mean(
            GaussianNB().fit(X[train][:, record["features"]], y[train]).predict(X[test][:, record["features"]])
            != y[test]
        )
        for train, test in KFold(3).split(X)
    ]
    assert record["holdout_error"] == pytest.approx(np.mean(errors))
    assert fitted.bound_ is None
    with pytest.raises(ParameterError, match="not for cross-validation"):
        fitted.bound()
    scored = StandardWrap(GaussianNB(), scoring="roc_auc", random_state=0).fit(X, y)
    assert -1 <= scored.holdout_error_ <= 0
    assert scored.evaluation_ == "generic"
    assert scored.bound_ is None


def test_every_fold_of_ordered_fs_is_judged_on_rows_that_chose_nothing():
    X, y = data(n=90, irrelevant=4)
    splits = list(KFold(3, shuffle=True, random_state=0).split(X))
    fitted = OrderedFS(GaussianNB(), cv=splits, ties="first").fit(X, y)
    alone = [OrderedFS(GaussianNB(), cv=[split], ties="first").fit(X, y) for split in splits]
    for size, record in enumerate(fitted.history_):
        own = [each.history_[size] for each in alone]
        assert record["holdout_error"] == pytest.approx(np.mean([one["holdout_error"] for one in own]))
        for one, (train, test) in zip(own[1:], splits[1:], strict=True):
            chosen = list(one["features"])
            if chosen:
                learned = GaussianNB().fit(X[train][:, chosen], y[train])
                assert one["holdout_error"] == pytest.approx(np.mean(learned.predict(X[test][:, chosen]) != y[test]))
    assert len(fitted.history_) == X.shape[1] + 1


def test_the_features_of_a_logistic_rule_are_found_by_the_logarithmic_loss():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 30))
    y = rng.random(300) < 1 / (1 + np.exp(-X[:, [3, 8, 20]] @ [2.0, -2.0, 1.5]))
    recommended = {"cv": 5, "scoring": "neg_log_loss", "search": "floating", "patience": 2}
    fitted = OrderedFS(LogisticRegression(), random_state=0, **recommended).fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [3, 8, 20]
    assert fitted.evaluation_ == "logistic, log loss"


def test_a_cross_validated_search_goes_on_from_its_checkpoints(tmp_path):
    X, y = data(n=60, irrelevant=3)
    options = {"cv": 3, "random_state": 0, "checkpoint": tmp_path / "kept"}
    first, second = (OrderedFS(GaussianNB(), **options).fit(X, y) for _ in range(2))
    assert first.history_ == second.history_
    assert {path.name for path in tmp_path.iterdir()} >= {"kept", "kept.fold0", "kept.fold2"}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(
    ("estimator", "scoring"), [(GaussianNB(), "accuracy"), (LinearRegression(), "neg_mean_squared_error")]
)
def test_the_score_that_says_the_same_changes_nothing(estimator, scoring, fast):
    """Not even without features, where a constant stands for the estimator."""
    X, y = data()
    weights = np.random.default_rng(0).integers(1, 4, len(y))
    without = StandardWrap(estimator, fast=fast, random_state=0).fit(X, y, sample_weight=weights)
    scored = clone(without).set_params(scoring=scoring).fit(X, y, sample_weight=weights)
    assert scored.history_ == without.history_
    assert scored.evaluation_ == without.evaluation_


def test_ordered_fs2_with_cross_validation_keeps_its_second_holdout_set_apart():
    X, y = data(n=80, irrelevant=3)
    fitted = OrderedFS2(GaussianNB(), cv=4, random_state=0).fit(X, y)
    *inner, outer = fitted.folds_
    assert len(inner) == 4
    assert len(outer.second) == 20
    used = set(np.concatenate([np.r_[fold.training, fold.holdout] for fold in inner]).tolist())
    assert used == set(outer.training.tolist())
    assert used.isdisjoint(outer.second.tolist())
    assert {"second_holdout_error"} <= fitted.history_[0].keys()


def test_groups_stay_together():
    X, y = data(n=60, irrelevant=3)
    groups = np.repeat(np.arange(20), 3)
    for wrapper in WRAPPERS:
        fold = wrapper(GaussianNB(), random_state=0).fit(X, y, groups=groups).folds_[0]
        parts = [set(groups[rows].tolist()) for rows in (fold.training, fold.holdout, fold.second)]
        assert sum(len(part) for part in parts) == 20
    cross = StandardWrap(GaussianNB(), cv=GroupKFold(4)).fit(X, y, groups=groups)
    assert all(set(groups[f.training]).isdisjoint(groups[f.holdout]) for f in cross.folds_)
    with pytest.raises(ParameterError, match="3 groups for 60 rows"):
        StandardWrap(GaussianNB()).fit(X, y, groups=[1, 2, 3])


@pytest.mark.parametrize("fast", [True, False])
def test_weights_weigh_fits_and_errors(fast):
    X, y = data(n=60, irrelevant=2)
    weights = np.random.default_rng(0).integers(1, 4, 60).astype(float)
    fitted = StandardWrap(LogisticRegression(tol=1e-8), fast=fast, random_state=0).fit(X, y, sample_weight=weights)
    record, fold = fitted.history_[2], fitted.folds_[0]
    columns = list(record["features"])
    alone = LogisticRegression(tol=1e-8).fit(X[fold.training][:, columns], y[fold.training], weights[fold.training])
    wrong = alone.predict(X[fold.holdout][:, columns]) != y[fold.holdout]
    assert record["holdout_error"] == pytest.approx(np.average(wrong, weights=weights[fold.holdout]))
    assert fitted.bound_ is None


def test_metadata_is_routed():
    import sklearn

    X, y = data(n=60, irrelevant=2)
    weights, groups = np.linspace(1, 2, 60), np.repeat(np.arange(20), 3)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = LogisticRegression().set_fit_request(sample_weight=True)
        routed = StandardWrap(asking, random_state=0).fit(X, y, sample_weight=weights, groups=groups)
        with pytest.raises(ValueError, match="not explicitly set"):
            StandardWrap(LogisticRegression()).fit(X, y, sample_weight=weights)
        nested = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False), StandardWrap(asking, random_state=0)
        )
        nested.fit(X, y, sample_weight=weights)
    plain = StandardWrap(LogisticRegression(), random_state=0).fit(X, y, sample_weight=weights, groups=groups)
    assert routed.history_ == plain.history_


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_change_nothing(backend):
    X, y = data(n=50, irrelevant=4)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    alone = StandardWrap(tree, random_state=0).fit(X, y)
    with parallel_config(backend=backend):
        together = StandardWrap(tree, random_state=0, n_jobs=2).fit(X, y)
    assert together.history_ == alone.history_


def test_dask_workers_change_nothing():
    distributed = pytest.importorskip("distributed")
    X, y = data(n=50, irrelevant=3)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    alone = StandardWrap(tree, random_state=0).fit(X, y)
    cluster = distributed.Client(processes=False, n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, parallel_config(backend="dask"):
        together = StandardWrap(tree, random_state=0, n_jobs=2).fit(X, y)
    assert together.history_ == alone.history_


def test_frames_and_sparse_matrices_select_the_same():
    X, y = data(n=80, irrelevant=3)
    names = list("abcd")
    plain = OrderedFS(KNeighborsClassifier(), random_state=0).fit(X, y)
    for same in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names), csr_array(X)):
        fitted = OrderedFS(KNeighborsClassifier(), random_state=0).fit(same, y)
        assert [r["features"] for r in fitted.history_] == [r["features"] for r in plain.history_]
        np.testing.assert_array_equal(fitted.predict(same), plain.predict(X))
    framed = OrderedFS(LogisticRegression(), random_state=0).fit(pd.DataFrame(X, columns=names), y)
    assert framed.evaluation_ == "logistic"
    assert list(framed.get_feature_names_out()) == [names[j] for j in framed.get_support(indices=True)]


def test_text_labels_and_a_class_that_training_has_not_seen():
    X, y = data(n=60, irrelevant=2)
    labels = np.where(y == 1, "yes", "no").astype(object)
    fitted = OrderedFS(LogisticRegression(), random_state=0).fit(X, labels)
    number = OrderedFS(LogisticRegression(), random_state=0).fit(X, y)
    assert fitted.history_ == number.history_
    assert set(fitted.predict(X)) <= {"yes", "no"}
    assert fitted.classes_.tolist() == ["no", "yes"]


def test_time_limit_keeps_what_is_there():
    X, y = data(n=60, irrelevant=6)
    with pytest.warns(StoppedEarlyWarning, match="stopped by the time limit"):
        fitted = StandardWrap(KNeighborsClassifier(), time_limit=0, random_state=0).fit(X, y)
    assert fitted.stopped_by_ == "time limit"
    assert fitted.n_features_selected_ == 0


class Picky(GaussianNB):
    """Cannot learn from the third feature."""

    def fit(self, X, y, sample_weight=None):
        if (X == 7).all(axis=0).any():
            raise ArithmeticError("seven")
        return super().fit(X, y, sample_weight)


def test_subsets_that_cannot_be_learned_are_left_out():
    X, y = data(irrelevant=3)
    X[:, 2] = 7
    with pytest.warns(FailedFitsWarning, match=r"Picky failed on 8 subsets .* feature 2: ArithmeticError: seven"):
        fitted = OrderedFS(Picky(), search="exhaustive", random_state=0).fit(X, y)
    assert all(2 not in record["features"] for record in fitted.history_[:4])
    with pytest.raises(ArithmeticError, match="seven"):
        OrderedFS(Picky(), random_state=0).fit(X[:, [2]], y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": None}, "estimator=None cannot be fitted"),
        ({"estimator": GaussianNB}, "cannot be fitted"),
        ({"scoring": ["accuracy", "roc_auc"]}, "are several scores"),
        ({"include": [False, True, False]}, "one entry for each feature"),
        ({"feature_groups": [np.array([True, False])]}, "one entry for each feature"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        OrderedFS(**{"estimator": GaussianNB(), **options}).fit(*data(irrelevant=3))


def cities(strange_row=None):
    """Return categories that decide, categories that do not, and perhaps one that a single row has."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"city": rng.choice(list("abc"), 60), "noise": rng.choice(list("pq"), 60)})
    y = (frame["city"] == "a").to_numpy()
    if strange_row is not None:
        frame.loc[strange_row, "city"] = "rare"
    return frame, y


@pytest.mark.parametrize("wrapper", [StandardWrap, OrderedFS, OrderedFS2])
def test_subsets_that_cannot_be_judged_are_not_chosen_and_warned_of(wrapper):
    by_name = make_pipeline(OneHotEncoder(), LogisticRegression())
    allowing_none = {"min_features_to_select": 0, "random_state": 0}
    known = wrapper(by_name, **allowing_none).fit(*cities()).folds_[0]
    outcomes = set()
    for part in (known.training, known.holdout, known.second):
        for row in part[:1]:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                fitted = wrapper(by_name, **allowing_none).fit(*cities(row))
            assert bool(warned) == (row not in known.training)
            assert not warned or "'city': ValueError: Found unknown categories ['rare']" in str(warned[0].message)
            assert fitted.get_feature_names_out().tolist() == ([] if warned else ["city"])
            outcomes.add(bool(warned))
    assert outcomes == {True, False}


def test_a_search_that_goes_on_warns_of_the_failures_before(tmp_path):
    X, y = data(irrelevant=3)
    X[:, 2] = 7
    for _ in range(2):  # the second time everything is in the checkpoint
        with pytest.warns(FailedFitsWarning, match=r"Picky failed on 8 subsets .* feature 2: ArithmeticError: seven"):
            OrderedFS(Picky(), search="exhaustive", random_state=0, checkpoint=tmp_path / "c").fit(X, y)


def test_an_estimator_that_can_never_be_judged_says_why():
    by_name = make_pipeline(OneHotEncoder(), LogisticRegression())
    strange = OrderedFS(by_name, random_state=0).fit(*cities()).folds_[0].holdout[0]
    with pytest.raises(ValueError, match="Found unknown categories"):
        OrderedFS(by_name, include=["city"], random_state=0).fit(*cities(strange))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_search_goes_on_as_if_it_had_not_stopped_although_it_has_forgotten_its_fits(tmp_path, n_classes):
    """Fits then start elsewhere; of Boolean features, many predictions are near the border."""
    X = np.array(list(product([0.0, 1.0], repeat=5)) * 2)
    y = np.random.default_rng(0).integers(0, n_classes, len(X))
    path = tmp_path / "search"

    def written():
        options = {"beam_width": 3, "search": "forward", "refit": False, "random_state": 1, "checkpoint": path}
        StandardWrap(LogisticRegression(), **options).fit(X, y)
        return path.read_bytes()

    whole = written()
    start = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for end in np.linspace(start, len(whole), 8, dtype=int)[:-1]:
        path.write_bytes(whole[:end])
        assert written() == whole


def test_checkpoints_belong_to_a_search(tmp_path):
    X, y = data(n=60, irrelevant=3)
    path = tmp_path / "search"
    first = OrderedFS(GaussianNB(), checkpoint=path, random_state=0).fit(X, y)
    size = path.stat().st_size
    again = OrderedFS(GaussianNB(), checkpoint=path, random_state=0).fit(X, y)
    assert again.history_ == first.history_
    assert path.stat().st_size == size
    with pytest.raises(CheckpointError, match="other: data"):
        OrderedFS(GaussianNB(), checkpoint=path, random_state=0).fit(X + 1, y)
    with pytest.raises(CheckpointError, match="algorithm"):
        StandardWrap(GaussianNB(), checkpoint=path, random_state=0).fit(X, y)


def test_the_bound_is_that_of_the_theorems():
    X, y = data(n=200, irrelevant=9)
    m, f = 200, 10
    wrap, ordered, second = (cls(LogisticRegression(), random_state=0).fit(X, y) for cls in WRAPPERS)
    r = wrap.n_features_selected_
    assert wrap.bound_.theorem == theory.standard_wrap(m, f, r)
    assert wrap.bound_.deviation == theory.holdout_deviation(60, 2**10, 0.05)
    assert wrap.bound_.error_at_most == wrap.holdout_error_ + wrap.bound_.deviation
    r = ordered.n_features_selected_
    assert ordered.bound(eta=0.2).theorem == theory.ordered_fs(m, f, r, eta=0.2, exact_binomial=True)
    assert ordered.bound_.deviation == theory.holdout_deviation(60, 11, 0.05)
    r = second.n_features_selected_
    assert second.bound(shortfall=0.01).theorem == theory.ordered_fs2(m, f, r, shortfall=0.01)
    assert second.bound_.deviation == theory.holdout_deviation(50, 11, 0.05)
    assert ordered.bound_.deviation < wrap.bound_.deviation
    noisy = ordered.bound(eta=0.2)
    assert noisy.error_at_most == pytest.approx((ordered.holdout_error_ + noisy.deviation - 0.2) / 0.6)
    assert "11 hypotheses were compared on 60 hold-out rows" in str(ordered.bound_)
    tree = OrderedFS(DecisionTreeClassifier(max_depth=1), random_state=0).fit(X, y)
    assert tree.bound_.theorem is None
    assert tree.bound(vc_dimension=lambda r: 2).theorem is not None


def test_the_deviation_holds_by_experiment():
    """Over many data sets, the true error is hardly ever above the bound."""
    failures = 0
    for seed in range(60):
        X, y = data(n=60, irrelevant=9, seed=seed)
        fitted = StandardWrap(LogisticRegression(), refit="training", random_state=seed).fit(X, y)
        fresh = make_linear_threshold(2000, irrelevant=9, noise=0.2, random_state=1000 + seed)
        failures += np.mean(fitted.predict(fresh.X) != fresh.y) > fitted.bound(delta=0.2).error_at_most
    assert failures <= 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "sideways"}, "search='sideways' is not known"),
        ({"refit": "some"}, "refit='some' is not known"),
        ({"min_features_to_select": -1}, "min_features_to_select"),
        ({"validation_fraction": 1.0}, "validation_fraction"),
        ({"beam_width": 0}, "beam_width"),
        ({"patience": 0}, "patience"),
        ({"ties": "last"}, "ties='last'"),
    ],
)
def test_parameters_that_mean_nothing(options, message):
    X, y = data()
    with pytest.raises(ValueError, match=message):
        StandardWrap(GaussianNB(), **options).fit(X, y)


def test_other_requests_that_cannot_be_met():
    X, y = data()
    with pytest.raises(ParameterError, match="three positive shares"):
        OrderedFS2(GaussianNB(), split_fractions=(0.5, 0.5, 0.5)).fit(X, y)
    with pytest.raises(ParameterError, match="neither a classifier nor a regressor"):
        StandardWrap(StandardScaler()).fit(X, y)
    with pytest.raises(ParameterError, match="cannot be split"):
        OrderedFS2(GaussianNB()).fit(X[:2], y[:2])
    with pytest.raises(ParameterError, match="refit=False"):
        StandardWrap(GaussianNB(), refit=False).fit(X, y).predict(X)


def test_a_fitted_wrapper_is_drawn_and_pickled():
    X, y = data()
    fitted = OrderedFS2(GaussianNB(), random_state=0).fit(X, y)
    lines = plot_history(fitted).get_lines()
    assert lines[2].get_ydata() == pytest.approx([r["second_holdout_error"] for r in fitted.history_])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
