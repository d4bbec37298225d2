"""Winnow's classifiers in files: they predict from raw data, go on learning, and refuse what makes none."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

from fewest import BalancedWinnow, ID3Classifier, Winnow1, Winnow2, load_model, scan
from fewest.exceptions import ColumnsMismatchError, ModelFileError
from fewest.mistakes import PackedBits, Separation
from fewest.models.files import load_file, save_file

RNG = np.random.default_rng(0)
X = RNG.random((400, 70)) < 0.2
Y = X[:, 3] | X[:, 68]
NAMES = [f"feature {i}" for i in range(70)]
LEARNERS = [
    Winnow1(n_relevant=2),
    Winnow2(separation=Separation.disjunction(2)),
    Winnow2(update_factor=np.float64(1.25), theta=35),
    BalancedWinnow(n_relevant=2, max_iter=3),
]
LABELS = [Y, np.where(Y, "yes", "no"), Y.astype(int) * 5, RNG.integers(0, 4, 400)]


@pytest.mark.parametrize("labels", LABELS, ids=lambda labels: f"{labels.dtype}-{len(np.unique(labels))}")
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_future_is_that_of_one_that_never_stopped(learner, labels, tmp_path):
    learner = clone(learner).partial_fit(X[:150], labels[:150], classes=np.unique(labels))
    learner.save(tmp_path / "model")
    again = type(learner).load(tmp_path / "model")
    for shape in (np.asarray, csr_array, PackedBits.from_dense):
        for one in (learner, again):
            one.partial_fit(shape(~X[150:]), labels[150:])
        assert again.mistakes_.tolist() == learner.mistakes_.tolist()
    assert again.learner_.exponents.tolist() == learner.learner_.exponents.tolist()
    for name in ("n_trials_", "n_mistakes_", "mistake_bound_", "theta_", "update_factor_", "n_features_in_"):
        assert getattr(again, name) == getattr(learner, name)
    assert again.get_params() == learner.get_params()
    assert (again.classes_.dtype, again.classes_.tolist()) == (learner.classes_.dtype, learner.classes_.tolist())
    assert (again.decision_function(X) == learner.decision_function(X)).all()
    again.save(tmp_path / "again")
    learner.save(tmp_path / "model")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()
    load_model(tmp_path / "again").save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


def test_names_and_passes_come_back(tmp_path):
    frame = pd.DataFrame(X, columns=NAMES)
    learner = Winnow1(positive_class=False).fit(frame, ~Y)
    learner.save(tmp_path / "model")
    again = Winnow1.load(tmp_path / "model")
    assert again.feature_names_in_.tolist() == NAMES
    assert (again.n_iter_, again.positive_class) == (learner.n_iter_, False)
    assert (again.predict(frame) == ~Y).all()
    with pytest.raises(ValueError, match="feature names"):
        again.predict(frame.rename(columns={NAMES[0]: "other"}))
    assert again.export_text() == learner.export_text() == load_model(tmp_path / "model").export_text()


def written(tmp_path, yes, no):
    path = tmp_path / "new.csv"
    pd.DataFrame(np.where(X, yes, no), columns=NAMES)[NAMES[::-1]].to_csv(path, index=False)
    return path


@pytest.mark.parametrize("words", [("True", "False"), ("1", "0"), ("yes", "no"), ("T", "F"), ("1.0", "0.0")])
@pytest.mark.parametrize("trained_on", [bool, int, float])
def test_booleans_are_booleans_however_they_are_written(words, trained_on, tmp_path):
    Winnow1().fit(pd.DataFrame(X.astype(trained_on), columns=NAMES), Y).save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    frame = pd.read_csv(written(tmp_path, *words))
    assert (model.predict(frame) == Y).all()
    assert (model.predict_proba(frame)[:, 1] == Y).all()
    assert (model.predict(scan(tmp_path / "new.csv", batch_bytes=2_000)) == Y).all()
    assert model.answers(frame).n_unseen == 0


def test_what_is_neither_true_nor_false_says_nothing(tmp_path):
    frame = pd.DataFrame(X[:3].astype(float), columns=NAMES)
    Winnow1(binarize=None).fit(pd.DataFrame(X, columns=NAMES), Y).save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    frame[[NAMES[3], NAMES[68]]] = [[1.0, 0.0], [2.0, 0.0], [np.nan, 0.0]]
    answers = model.answers(frame)
    assert (answers.predicted.tolist(), answers.n_unseen) == ([1, 0, 0], 1)
    frame[NAMES[3]] = ["red", "green", "blue"]
    with pytest.raises(ColumnsMismatchError, match="feature 3"):
        model.predict(frame)
    with pytest.raises(ColumnsMismatchError, match="feature 3"):
        model.predict(frame.drop(columns=NAMES[3]))


def test_a_learner_loads_its_own_only(tmp_path):
    Winnow1().fit(X, Y).save(tmp_path / "model")
    with pytest.raises(ModelFileError, match=r"holds a Winnow1, .* Call Winnow1.load"):
        Winnow2.load(tmp_path / "model")
    ID3Classifier().fit(X, Y).save(tmp_path / "tree")
    with pytest.raises(ModelFileError, match="load_model reads it"):
        Winnow1.load(tmp_path / "tree")
    with pytest.raises(ModelFileError, match="There is no model"):
        Winnow1.load(tmp_path / "nothing")


def test_what_no_file_can_hold_leaves_the_old_file(tmp_path):
    learner = Winnow2().fit(X, Y)
    learner.save(tmp_path / "model")
    before = (tmp_path / "model").read_bytes()
    with pytest.raises(ModelFileError, match="nothing was written"):
        learner.set_params(positive_class=(1, 2)).save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == before


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "model"
    Winnow2(separation=Separation.disjunction(2), positive_class="no").fit(X, LABELS[1]).save(path)
    return path.read_bytes()


@pytest.fixture
def saved(content, tmp_path):
    (tmp_path / "model").write_bytes(content)
    return tmp_path / "model"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("features", 71),
        ("features", 0),
        ("features", True),
        ("features", 10**12),
        ("features", NAMES[1:]),
        ("features", [1] * 70),
        ("features", None),
        ("classes", {"type": "<U3", "labels": ["no", "yes", "odd"]}),
        ("classes", {"type": "<U3", "labels": [["no"], ["yes"]]}),
        ("classes", {"type": "<U3", "labels": []}),
        ("rule", {"kind": "winnow3", "alpha": 2, "theta": 1}),
        ("positive", 7),
        ("course", None),
        ("course", {}),
    ],
)
def test_headers_that_make_no_model(saved, name, value):
    header, arrays = load_file(saved)
    save_file(saved, {**header, name: value}, arrays)
    with pytest.raises(ModelFileError, match="damaged"):
        load_model(saved)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_trials", -1),
        ("n_trials", 10**30),
        ("n_trials", 3),
        ("n_trials", "many"),
        ("n_passes", 0),
        ("n_passes", 1.5),
        ("mistake_bound", "low"),
        ("parameters", [1]),
        ("parameters", {"update_factor": 2}),
        ("parameters", {"separation": {"delta": 7, "total": 1}}),
        ("parameters", {"separation": {"beta": 7}}),
        ("parameters", {"separation": 1}),
        ("parameters", {"positive_class": "maybe"}),
        ("parameters", {"positive_class": []}),
        ("parameters", {"max_iter": 2.5}),
        ("parameters", {"theta": "high"}),
        ("parameters", {"__class__": 1}),
    ],
)
def test_courses_that_make_no_learner(saved, name, value):
    header, arrays = load_file(saved)
    course = header["course"]
    if name == "parameters" and isinstance(value, dict) and "update_factor" not in value:
        value = {**course["parameters"], **value}
    save_file(saved, {**header, "course": {**course, name: value}}, arrays)
    with pytest.raises(ModelFileError, match="damaged"):
        Winnow2.load(saved)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("exponents", lambda array: array[:, 1:]),
        ("exponents", lambda array: array.astype(float)),
        ("exponents", lambda array: array.astype(np.int64) + (1 << 40)),
        ("exponents", lambda array: np.concatenate([array, array])),
        ("mistakes", lambda array: array[::-1]),
        ("mistakes", lambda array: array - 1_000_000),
        ("mistakes", lambda array: array + 1_000_000),
        ("mistakes", lambda array: array.astype(float)),
        ("mistakes", lambda array: array[None]),
    ],
)
def test_arrays_that_make_no_model(saved, name, spoil):
    header, arrays = load_file(saved)
    save_file(saved, header, {**arrays, name: spoil(arrays[name])})
    with pytest.raises(ModelFileError, match="damaged"):
        load_model(saved)


def test_a_class_alone_asks_for_no_column(saved):
    """Nothing is made of a number of features that nothing else in the file vouches for."""
    header, _ = load_file(saved)
    classes, nothing = {"type": "<U3", "labels": ["all"]}, np.empty(0, dtype=np.int64)
    save_file(
        saved,
        {**header, "classes": classes, "features": 10**9},
        {"exponents": np.empty((0, 10**9 + 1), dtype=np.int32), "mistakes": nothing},
    )
    assert load_model(saved).predict(pd.DataFrame({"any": [1, 2]})).tolist() == ["all", "all"]


SAVED = Path(__file__).with_name("saved")


def test_files_of_the_first_version_are_read():
    """They hold what was learned of these rows: Winnow1 with two classes, balanced Winnow with three, a trained one."""
    rng = np.random.default_rng(0)
    X = rng.random((300, 40)) < 0.2
    y = np.where(X[:, 3] | X[:, 30], "yes", "no")
    frame = pd.DataFrame(X, columns=[f"f{i}" for i in range(40)])
    first = Winnow1.load(SAVED / "winnow1.model")
    same = Winnow1(n_relevant=2).fit(frame, y)
    assert first.learner_.exponents.tolist() == same.learner_.exponents.tolist()
    assert (first.n_trials_, first.mistakes_.tolist()) == (same.n_trials_, same.mistakes_.tolist())
    assert (load_model(SAVED / "winnow1.model").predict(frame) == y).all()
    three = rng.integers(0, 3, 300)
    balanced = BalancedWinnow.load(SAVED / "balanced.model")
    assert balanced.learner_.exponents.tolist() == BalancedWinnow(max_iter=3).fit(X, three).learner_.exponents.tolist()
    frame["colour"] = rng.choice(["red", "green"], 300)
    trained = load_model(SAVED / "trained_winnow2.model")
    assert trained.target == "y"
    assert (trained.predict(frame) == y).all()
