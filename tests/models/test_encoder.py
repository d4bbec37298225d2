import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given

from fewest import ID3Classifier, load_model, read_table
from fewest.exceptions import ColumnsMismatchError, PrecisionWarning
from fewest.models.encoder import Encoder
from fewest.table import discrete_codes, from_frame
from fewest.trees.id3 import grow_id3
from fewest.trees.model import TreeModel
from problems import samples


def frame(**columns):
    return from_frame(pd.DataFrame(columns))


def codes_of(trained, new):
    encoder, _ = Encoder.fit(trained)
    return encoder.codes(encoder.find(new), new.n_rows).tolist()


@given(samples(missing=True))
def test_training_data_gets_its_own_codes(problem):
    rows, _, _ = problem
    table = from_frame(pd.DataFrame([tuple(map(str, row)) for row in rows]).replace("None", None))
    encoder, codes = Encoder.fit(table)
    assert (codes == discrete_codes(table)).all()
    assert (encoder.codes(encoder.find(table), table.n_rows) == codes).all()


def test_values_not_labels_are_compared():
    trained = frame(colour=["red", "blue", None], age=[30, 41.5, 30])
    new = frame(age=[41.5, None, 7], other=[1, 2, 3], colour=["green", "red", None])
    assert codes_of(trained, new) == [[-1, 1], [1, 2], [2, -1]]


def test_zeros_and_ones_are_numbers_or_words():
    words = frame(a=["0", "1", "1"])
    numbers = frame(a=[1, 0, 2])
    assert codes_of(words, numbers) == [[1], [0], [-1]]
    assert codes_of(numbers, words) == [[0], [1], [1]]


def test_booleans_are_written_in_capitals_or_not(tmp_path):
    (tmp_path / "some.csv").write_text("is\ntrue\nfalse\ntrue\n")
    written = read_table(tmp_path / "some.csv")
    assert codes_of(frame(**{"is": [True, False]}), written) == [[1], [0], [1]]


def test_a_column_without_values_fits_everything():
    nothing = frame(a=pd.Series([None, None], dtype=object))
    assert codes_of(frame(a=["x", "y"]), nothing) == [[2], [2]]
    assert codes_of(frame(a=["x", "y"]), frame(a=[np.nan, np.nan])) == [[2], [2]]
    assert codes_of(frame(a=[1.5, 2.5]), nothing) == [[2], [2]]
    assert codes_of(nothing, frame(a=["x"])) == [[-1]]


def test_misfits_are_named():
    trained = frame(colour=["red", "blue"], age=[30, 41], höhe=["low", "high"])
    with pytest.raises(ColumnsMismatchError, match="lacks the 2 columns 'colour', 'höhe'"):
        codes_of(trained, frame(age=[3]))
    with pytest.raises(ColumnsMismatchError, match=r"'age' was numeric .* is nominal now.*--kind age=numeric"):
        codes_of(trained, frame(colour=["red"], age=["old"], höhe=["low"]))
    with pytest.raises(ColumnsMismatchError, match=r"lacks the column 'age'.*'colour' was nominal .* numeric now"):
        codes_of(trained, frame(colour=[3.5], höhe=["low"]))


def test_a_model_from_a_table_predicts_for_frames_and_arrays(tmp_path):
    table = from_frame(pd.DataFrame({"x0": [0, 0, 1, 1], "x1": [0, 1, 0, 1]}))
    encoder, codes = Encoder.fit(table)
    classes = np.array([0, 1, 1, 0])
    model = TreeModel(encoder, grow_id3(codes, classes, 2), np.array(["same", "other"]))
    assert model.predict(table).tolist() == model.predict(np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).tolist()
    assert model.predict(pd.DataFrame({"x1": [1], "x0": [1]})).tolist() == ["same"]
    with pytest.raises(ColumnsMismatchError, match="lacks the column 'x1'"):
        model.predict(np.array([[1]]))


def test_columns_with_names_of_any_kind(tmp_path):
    X = pd.DataFrame({"größe & 'art'": ["a", "b", "c"], "?": [1, 2, 3]})
    ID3Classifier().fit(X[["größe & 'art'"]], ["ja", "nein", "ja"]).save(tmp_path / "m")
    assert load_model(tmp_path / "m").predict(X).tolist() == ["ja", "nein", "ja"]


def test_single_precision_in_one_place_only_is_warned_of(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.random((40, 2)).astype(np.float32)
    learner = ID3Classifier().fit(pa.table({"a": X[:, 0], "b": X[:, 1]}), X[:, 0] > 0.5)
    path = tmp_path / "own.csv"
    path.write_text("\n".join(["a,b", *(f"{a!s},{b!s}" for a, b in X)]))  # a float32 has few digits
    with pytest.warns(PrecisionWarning, match=r"'a'.* lost precision on the way: 0\.\d+ is 0\.\d{12}"):
        learner.predict(read_table(path))
    with warnings.catch_warnings():
        warnings.simplefilter("error", PrecisionWarning)
        learner.predict(pa.table({"a": X[:, 0], "b": X[:, 1]}))
        learner.predict(pa.table({"a": rng.random(40), "b": rng.random(40)}))  # new values, but not those of training


def test_yes_and_no_are_true_and_false():
    encoder, codes = Encoder.fit(from_frame(pa.table({"open": ["no", "yes", "yes"]})))
    for now in ([False, True, True], ["FALSE", "TRUE", "TRUE"], ["n", "y", "y"]):
        table = from_frame(pa.table({"open": now}))
        assert encoder.codes(table.columns, 3).tolist() == codes.tolist()
