import json
import pickle

import numpy as np
import pandas as pd
import pytest

from fewest import Focus2, MinFeatures, scan
from fewest.cover.verify import verify
from fewest.exceptions import (
    ConflictingRowsWarning,
    ForgottenRowsError,
    NotProvenError,
    ParameterError,
    StoppedEarlyWarning,
    UnknownColumnError,
)
from fewest.table import Column, Kind, from_frame

# Any two of a, b and c tell the four classes apart; d is a copy of a.
X = pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 0, 1, 1], "c": [0, 1, 0, 1], "d": [0, 1, 1, 0]})
Y = ["p", "q", "r", "s"]


def test_same_size_as_focus2_and_true_attributes():
    rng = np.random.default_rng(0)
    features = rng.integers(0, 3, (60, 12))
    classes = rng.integers(0, 3, 60)
    ours, theirs = MinFeatures().fit(features, classes), Focus2().fit(features, classes)
    assert ours.support_.sum() == theirs.support_.sum() == ours.cost_ == ours.lower_bound_
    assert (ours.gap_, ours.is_optimal_, ours.stopped_by_) == (0, True, None)
    assert ours.history_[-1]["lower_bound"] == ours.cost_
    assert ours.n_conflicts_ > 0
    assert all(classes[i] != classes[j] for i, j in ours.witnesses_.values())


def test_all_minimum_subsets_lazily_and_their_core():
    selector = MinFeatures().fit(X, Y)
    assert sorted(selector.minimum_subsets()) == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    assert len(list(selector.minimum_subsets(3))) == 3
    assert selector.core() == ()
    assert MinFeatures(exclude=["b", "d"]).fit(X, Y).core() == (0, 2)


def test_include_exclude_and_costs_by_name_and_position():
    assert MinFeatures(include=["d"], exclude=[1]).fit(X, Y).get_feature_names_out().tolist() == ["c", "d"]
    assert MinFeatures(costs={"a": 9, "b": 9}).fit(X, Y).get_feature_names_out().tolist() == ["c", "d"]
    cheap = MinFeatures(costs=[1, 0.5, 0.25, 1]).fit(X, Y)
    assert (cheap.get_feature_names_out().tolist(), cheap.cost_) == (["b", "c"], 0.75)


def test_an_included_feature_may_be_needless():
    selector = MinFeatures(include=["a", "b", "d"]).fit(X, Y)
    assert selector.witnesses_[3] is None or selector.witnesses_[0] is None


def test_excluded_columns_are_as_if_not_there():
    with pytest.warns(ConflictingRowsWarning, match="alike in every feature"):
        selector = MinFeatures(exclude=["b", "c"]).fit(X, Y)
    assert selector.get_support(indices=True).tolist() == [0]
    assert selector.n_contradictions_ == 2


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"include": ["z"]}, UnknownColumnError, "no column 'z'"),
        ({"exclude": [4]}, ParameterError, "no feature 4"),
        ({"include": ["a"], "exclude": ["a"]}, ParameterError, "both in include and in exclude"),
        ({"costs": [1, 2]}, ParameterError, "2 costs for 4 features"),
        ({"costs": {"a": -1}}, ParameterError, "The cost of 'a' is -1"),
        ({"costs": {"a": "dear"}}, ParameterError, "The cost of 'a' is 'dear'"),
        ({"include": [1.5]}, ParameterError, "1.5 is neither the name nor the position"),
    ],
)
def test_mistakes(parameters, error, message):
    with pytest.raises(error, match=message):
        MinFeatures(**parameters).fit(X, Y)


@pytest.mark.usefixtures("ticking")
def test_stopped_early():
    rng = np.random.default_rng(0)
    features, classes = rng.integers(0, 2, (200, 60)), rng.integers(0, 2, 200)
    with pytest.warns(StoppedEarlyWarning, match="Stopped by the time limit"):
        selector = MinFeatures(time_limit=0.1).fit(features, classes)
    assert 0 < selector.gap_ < 1
    with pytest.raises(NotProvenError, match="Give the search more time"):
        selector.core()
    with pytest.raises(NotProvenError):
        selector.minimum_subsets()


def test_certificate(tmp_path):
    MinFeatures().fit(X, Y).save_certificate(tmp_path / "c.json")
    certificate = json.loads((tmp_path / "c.json").read_text())
    assert certificate["columns"] == ["a", "b", "c", "d"]
    assert certificate["lower_bound"] == certificate["cost"] == 2
    assert all(Y[i] != Y[j] for i, j in certificate["pairs"])


def test_certificate_knows_what_was_excluded():
    # Without b, the features a and c are needed; with it, the pairs of the certificate could be covered otherwise.
    selector = MinFeatures(exclude=["b", "d"]).fit(X, Y)
    certificate = selector.certificate()
    assert certificate["exclude"] == ["b", "d"]
    classes = Column("y", Kind.NOMINAL, np.arange(4), tuple(Y))
    assert all(finding.holds for finding in verify(certificate, from_frame(X), classes))


def test_certificates_with_the_former_name_of_exclude_still_verify():
    certificate = MinFeatures(exclude=["b", "d"]).fit(X, Y).certificate()
    certificate["forbid"] = certificate.pop("exclude")
    classes = Column("y", Kind.NOMINAL, np.arange(4), tuple(Y))
    assert all(finding.holds for finding in verify(certificate, from_frame(X), classes))
    certificate["forbid"] = []
    assert not all(finding.holds for finding in verify(certificate, from_frame(X), classes))


@pytest.mark.parametrize(
    "excluded", [["b", "d"], [1, 3], [1, -1], [False, True, False, True], np.array([0, 1, 0, 1]) > 0]
)
def test_features_are_excluded_by_name_position_or_mask(excluded):
    assert MinFeatures(exclude=excluded).fit(X, Y).core() == (0, 2)
    assert MinFeatures(include=excluded).fit(X, Y).get_support()[[1, 3]].all()


def test_pickles_and_goes_on_listing():
    selector = pickle.loads(pickle.dumps(MinFeatures(keep_rows=True).fit(X, Y)))
    assert len(list(selector.minimum_subsets())) == 5


def forgotten(selector):
    return selector.forget_rows()


def pickled(selector):
    return pickle.loads(pickle.dumps(selector))


@pytest.mark.parametrize("without_rows", [forgotten, pickled])
def test_without_its_rows_a_selector_selects_and_certifies(without_rows):
    fitted = MinFeatures().fit(X, Y)
    expected = fitted.certificate()
    selector = without_rows(fitted)
    assert selector.transform(X).shape == (4, 2)
    assert selector.certificate() == expected
    for question in (selector.core, selector.minimum_subsets):
        with pytest.raises(ForgottenRowsError, match="keep_rows=True"):
            question()
    assert pickled(without_rows(selector)).certificate() == expected
    assert without_rows(MinFeatures(tolerance=0.3).fit(X, Y)).tolerance_ == 0.3


def test_pickles_do_not_grow_with_the_rows():
    rows = np.random.default_rng(0).integers(0, 2, (4000, 6))
    few, many = (pickle.dumps(MinFeatures().fit(rows[:n], rows[:n, 0])) for n in (100, 4000))
    assert len(many) < len(few) + 500
    kept = MinFeatures(keep_rows=True).fit(rows, rows[:, 0])
    assert len(pickle.dumps(kept)) > rows.size


@pytest.mark.parametrize("keep_rows", [False, True])
def test_a_selector_fitted_on_a_scan_pickles(keep_rows, tmp_path):
    pd.DataFrame(X).assign(y=Y).to_csv(tmp_path / "rows.csv", index=False)
    fitted = MinFeatures(keep_rows=keep_rows).fit(scan(tmp_path / "rows.csv", target="y"))
    assert fitted.core() == ()
    again = pickled(fitted)
    assert again.support_.tolist() == fitted.support_.tolist()
    assert again.certificate() == fitted.certificate()
    with pytest.raises(ForgottenRowsError):
        again.core()


def test_the_certificate_is_of_what_was_fitted():
    selector = MinFeatures(exclude=["b"]).fit(X, Y)
    expected = selector.certificate()
    selector.set_params(exclude=["a"], missing="cautious", costs=[9, 9, 9, 9], include=["d"])
    assert selector.certificate() == expected
    expected["columns"].clear()
    assert selector.certificate()["columns"] == ["a", "b", "c", "d"]


@pytest.mark.usefixtures("ticking")
def test_verbose_shows_progress_on_standard_error(capsys):
    rng = np.random.default_rng(0)
    with pytest.warns(StoppedEarlyWarning):
        MinFeatures(verbose=True, time_limit=0.3).fit(rng.integers(0, 2, (300, 100)), rng.integers(0, 2, 300))
    assert "gap" in capsys.readouterr().err


@pytest.mark.usefixtures("ticking")
def test_listing_and_core_respect_a_time_limit():
    # Many copies of one feature: any of them will do, in each of six places.
    base = np.random.default_rng(0).integers(0, 2, (64, 6))
    features = np.repeat(base, 12, axis=1)
    selector = MinFeatures().fit(features, base @ (1 << np.arange(6)))
    with pytest.warns(StoppedEarlyWarning, match=r"there may be more.*another run may answer"):
        found = list(selector.minimum_subsets(time_limit=0.3))
    assert len(found) == len(set(found))
    assert len(found) > 0
    with pytest.raises(NotProvenError, match="in time"):
        selector.core(time_limit=0)
