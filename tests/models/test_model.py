"""A model says of batches what it says of all rows at once."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_into_blocks import splits, tables, write_parts
from fewest import CFPClassifier, ID3Classifier, read_table, scan
from fewest.cfp.model import learn_cfp
from fewest.exceptions import ColumnsMismatchError, ParameterError
from fewest.table import split_target
from fewest.trees.model import learn_id3

WORDS = st.sampled_from(["0", "1", "1.0", "2", "01", "x", ""])


def texts(n_rows):
    """Columns that are Boolean, numeric or nominal, as their values happen to fall."""
    return st.lists(st.tuples(WORDS, WORDS, st.sampled_from("pq")), min_size=1, max_size=n_rows)


def write_text(rows, path):
    path.write_text("a,b,y\n" + "".join(f"{','.join(row)}\n" for row in rows))
    return path


@given(trained=texts(6), told=st.lists(texts(4), min_size=1, max_size=3), learn=st.sampled_from([learn_id3, learn_cfp]))
def test_words_among_numbers_are_told_as_in_memory(trained, told, learn, tmp_path_factory):
    folder = tmp_path_factory.mktemp("text")
    model = learn(*split_target(read_table(write_text(trained, folder / "old.csv")), "y"))
    for number, rows in enumerate(told):  # each file is at least one batch
        write_text(rows, folder / f"new-{number}.csv")
    whole, scanned = read_table(f"{folder}/new-*.csv"), scan(f"{folder}/new-*.csv")
    assert outcome(model.predict_proba, scanned) == outcome(model.predict_proba, whole)
    assert outcome(model.predict, scanned) == outcome(model.predict, whole)


def outcome(predict, data):
    """What is said, or why nothing is."""
    try:
        return predict(data).tolist()
    except ColumnsMismatchError as error:
        return str(error)


@settings(deadline=None, max_examples=60)
@given(table=tables(max_rows=20), data=st.data(), which=st.sampled_from([ID3Classifier, CFPClassifier]))
def test_any_split_is_predicted_alike(table, data, which, tmp_path_factory):
    suffix = data.draw(st.sampled_from([".csv", ".parquet"]))
    folder = write_parts(table, data.draw(splits(len(table))), tmp_path_factory.mktemp("p") / "data", suffix, 3)
    features, target = split_target(read_table(f"{folder}/*{suffix}"), "y")
    frame = features.to_arrow()
    classifier = which().fit(frame, target.to_list())
    for scanned in (scan(folder, target="y", batch_bytes=1), scan(folder, drop="y", batch_bytes=1)):
        assert classifier.predict(scanned).tolist() == classifier.predict(frame).tolist()
        assert classifier.predict_proba(scanned).tolist() == classifier.predict_proba(frame).tolist()


def test_other_columns_are_refused(tmp_path):
    table = pa.table({"a": [0, 1], "b": ["x", "z"], "y": ["p", "q"]})
    folder = write_parts(table, [], tmp_path / "data", ".csv")
    classifier = ID3Classifier().fit(table.select(["b", "a"]), ["p", "q"])
    with pytest.raises(ValueError, match="same order"):
        classifier.predict(scan(folder, target="y"))
    assert classifier.model_.predict(scan(folder)).tolist() == ["p", "q"]  # a model finds columns by name
    with pytest.raises(ParameterError, match="has no target"):
        _ = scan(folder).store


def test_positions_do_where_training_had_no_names(tmp_path):
    X = np.array([[0, 1], [1, 1], [1, 0]])
    classifier = ID3Classifier().fit(X, ["p", "q", "q"])
    table = pa.table({"one": X[:, 0], "two": X[:, 1]})
    with pytest.warns(UserWarning, match="fitted without feature names"):
        told = classifier.predict(scan(write_parts(table, [1], tmp_path / "data", ".parquet")))
    assert told.tolist() == ["p", "q", "q"]
