"""What another version has fitted is loaded with a warning; what this one has, without."""

import copy
import json
import pickle
import warnings
import zipfile

import pytest
from sklearn.base import clone

from every_estimator import ESTIMATORS
from fewest import ID3Classifier, Winnow2, load_model
from fewest.estimators import input as validation
from fewest.exceptions import OtherVersionWarning
from fewest.version import __version__


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_every_estimator_remembers_its_version(estimator, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(validation, "__version__", "0.0.1")
        old = pickle.dumps(estimator)
    with pytest.warns(OtherVersionWarning, match=rf"comes from fewest 0\.0\.1, and this is fewest {__version__}"):
        loaded = pickle.loads(old)
    assert not [name for name in vars(loaded) if "version" in name]
    with warnings.catch_warnings():
        warnings.simplefilter("error", OtherVersionWarning)
        pickle.loads(pickle.dumps(estimator))
        copy.deepcopy(estimator)
        clone(estimator)


def test_a_fitted_estimator_predicts_after_the_journey():
    fitted = Winnow2().fit([[0, 1], [1, 0], [1, 1]], [0, 1, 1])
    assert pickle.loads(pickle.dumps(fitted)).predict([[1, 1]]).tolist() == [1]


def test_what_has_no_version_is_of_an_unknown_one():
    state = vars(ID3Classifier())
    with pytest.warns(OtherVersionWarning, match="an unknown version"):
        ID3Classifier().__setstate__(dict(state))


def test_model_files_of_another_version_warn(tmp_path):
    ID3Classifier().fit([[0], [1]], ["a", "b"]).save(tmp_path / "model")
    with warnings.catch_warnings():
        warnings.simplefilter("error", OtherVersionWarning)
        load_model(tmp_path / "model")
    with zipfile.ZipFile(tmp_path / "model") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = {**json.loads(members["model.json"]), "fewest": "0.0.1"}
    with zipfile.ZipFile(tmp_path / "old", "w") as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(document) if name == "model.json" else content)
    with pytest.warns(OtherVersionWarning, match=r"'.*old' comes from fewest 0\.0\.1"):
        assert load_model(tmp_path / "old").predict([[1]]).tolist() == ["b"]
