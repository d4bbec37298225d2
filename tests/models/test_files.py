import io
import json
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from fewest import FringeClassifier, ID3Classifier, load_model
from fewest.datasets import load_votes
from fewest.exceptions import ModelFileError
from fewest.models import files
from fewest.models.files import load_file, save_file
from fewest.writing import written_beside

VOTES = load_votes()
X, Y = VOTES.drop("party"), VOTES["party"].to_list()


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "votes.model"
    ID3Classifier().fit(X, Y).save(path)
    return path


@pytest.mark.parametrize("learner", [ID3Classifier(), FringeClassifier()])
def test_a_model_comes_back_as_it_was(learner, tmp_path):
    learner.fit(X, Y).save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    assert model.export_text() == learner.export_text()
    assert model.predict(X).tolist() == learner.predict(X).tolist() == Y
    assert (model.predict_proba(X) == learner.predict_proba(X)).all()
    assert model.classes_.dtype == learner.classes_.dtype
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.mark.parametrize(
    "labels", [[0, 1, 5], [2.0, -1.0, 5.0], ["größe", "b", "c"], [True, False, True], np.array([1, "1", 2], object)]
)
def test_classes_of_any_type(labels, tmp_path):
    features = np.array([[0], [1], [2]])
    if isinstance(labels, np.ndarray):  # numbers and words have no order; the model itself does not ask for one
        learner = ID3Classifier().fit(features, ["a", "b", "c"])
        object.__setattr__(learner.model_, "classes_", labels)
    else:
        learner = ID3Classifier().fit(features, labels)
    learner.save(tmp_path / "model")
    assert load_model(tmp_path / "model").predict(features).tolist() == list(labels)


def test_classes_that_no_file_can_hold(tmp_path):
    learner = ID3Classifier().fit([[0], [1]], ["a", "b"])
    object.__setattr__(learner.model_, "classes_", np.array([None, "b"], dtype=object))
    with pytest.raises(ModelFileError, match="None is a NoneType, which a model file cannot hold"):
        learner.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_the_file_is_an_npz_with_a_readable_document(saved):
    with zipfile.ZipFile(saved) as archive:
        document = json.loads(archive.read("model.json"))
    assert (document["format"], document["version"], document["kind"]) == ("fewest model", 1, "decision tree")
    assert document["columns"][0] == {
        "name": "handicapped-infants",
        "kind": "boolean",
        "labels": ["n", "y"],
        "cuts": None,
    }
    with np.load(saved, allow_pickle=False) as arrays:
        assert arrays["tree.parent"][0] == -1


def refusal(path):
    with pytest.raises(ModelFileError) as refused:
        load_model(path)
    return str(refused.value)


def test_what_is_no_model(tmp_path):
    assert "There is no model" in refusal(tmp_path / "nowhere")
    assert "is no model" in refusal(tmp_path)
    (tmp_path / "text").write_text("a,b\n1,2\n")
    assert "is no model: it was not written by fewest" in refusal(tmp_path / "text")
    np.savez(tmp_path / "other.npz", a=np.arange(3))
    assert "is no model" in refusal(tmp_path / "other.npz")
    with zipfile.ZipFile(tmp_path / "odd", "w") as archive:
        archive.writestr("model.json", "[1]")
    assert "is no model" in refusal(tmp_path / "odd")


def test_what_is_damaged(saved):
    content = saved.read_bytes()
    for end in (3, 60, len(content) // 2, len(content) - 1):
        saved.write_bytes(content[:end])
        assert "damaged or cut short" in refusal(saved)
    for place in range(100, len(content), 397):
        saved.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :])
        with suppress(ModelFileError):
            assert load_model(saved).predict(X).tolist() == Y  # a flipped byte that no one reads


def test_versions_kinds_and_arrays_of_another_day(saved):
    document, arrays = load_file(saved)
    stray = {"format": "fewest model", **{key: document[key] for key in ("kind", "target", "classes", "columns")}}
    save_file(saved, {**document, "version": 2, "fewest": "9.0"}, arrays)
    assert "has version 2 of the format, written by fewest 9.0" in refusal(saved)
    save_file(saved, {**document, "kind": "oracle"}, arrays)
    assert "kind 'oracle', which this program does not know" in refusal(saved)
    save_file(saved, stray, arrays)
    assert "damaged" in refusal(saved)
    save_file(saved, document, {name: array for name, array in arrays.items() if name != "tree.value"})
    assert "damaged" in refusal(saved)
    save_file(saved, document, {**arrays, "tree.feature": arrays["tree.feature"] + 1})
    assert "do not form a tree" in refusal(saved)
    with zipfile.ZipFile(saved, "a") as archive:
        np.lib.format.write_array(archive.open("x.npy", "w"), np.array([{}], dtype=object), allow_pickle=True)
    assert "damaged" in refusal(saved)


def test_a_failed_write_leaves_the_old_file(saved):
    before = saved.read_bytes()
    with pytest.raises(ValueError, match="Object arrays"):
        save_file(saved, {}, {"a": np.array([{}], dtype=object)})
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["votes.model"]


def test_links_stay_links_and_devices_stay_devices(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with written_beside(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    with written_beside("/dev/null") as file:
        file.write(b"gone")


def test_an_archive_made_to_fill_the_memory_is_refused(tmp_path):
    path = tmp_path / "bomb.model"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b" " * (300 << 20))
    with pytest.raises(ModelFileError, match="unpacked"):
        load_model(path)


def repacked(path, changes, method=zipfile.ZIP_DEFLATED):
    """Write the members of an archive again, some of them changed."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | changes
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content, method if name in changes else zipfile.ZIP_DEFLATED)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_in_a_compression_that_we_do_not_write_are_refused(saved, method):
    repacked(saved, {"more.npy": b"0" * 1000}, method)
    assert "compressed in a way that fewest does not write" in refusal(saved)


def test_members_that_are_larger_than_they_say_are_refused(saved):
    repacked(saved, {"more.npy": b"0" * 100_000})
    content = saved.read_bytes()
    size = (100_000).to_bytes(4, "little")
    assert content.count(size) == 2
    saved.write_bytes(content.replace(size, (10).to_bytes(4, "little")))
    assert "damaged" in refusal(saved)


def test_arrays_that_are_not_as_long_as_they_say_are_refused(saved):
    for shape in ("(1099511627776,)", "(3,)", "(-1,)", "()"):
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + b"\0" * 16
        repacked(saved, {"more.npy": content})
        assert "damaged" in refusal(saved)


@pytest.mark.parametrize("kind", ["O", "V8", "M8[s]", "c16"])
def test_arrays_of_neither_numbers_nor_text_are_refused(saved, kind):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': (0,), }}".ljust(117) + "\n"
    repacked(saved, {"more.npy": b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()})
    assert "damaged" in refusal(saved)


def test_what_is_unpacked_is_counted_whatever_the_archive_promises():
    class Lying:
        def infolist(self):
            return [zipfile.ZipInfo("model.json")]  # of no bytes

        def open(self, _):
            return io.BytesIO(b" " * 5000)

    assert files._members(Lying(), 5000) == {"model.json": b" " * 5000}
    with pytest.raises(ValueError, match="more than 4,999 bytes, unpacked"):
        files._members(Lying(), 4999)
