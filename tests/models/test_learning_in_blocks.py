"""Learners over blocks learn what they learn from all rows in memory, to the last bit."""

import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_into_blocks import learned as attributes
from cut_into_blocks import splits, tables, write_parts
from fewest import (
    BalancedWinnow,
    CFPClassifier,
    FringeClassifier,
    GACFPClassifier,
    Halving,
    ID3Classifier,
    Winnow1,
    Winnow2,
    read_table,
    scan,
)
from fewest.exceptions import NotBooleanError, ParameterError
from fewest.table import split_target
from fewest.trees import blocks as id3_blocks

WINNOWS = [
    Winnow1(max_iter=7),
    Winnow2(max_iter=7, positive_class="p"),
    BalancedWinnow(max_iter=7),
    Winnow2(update_factor=3, max_iter=1),
]


def in_memory(classifier, folder, suffix):
    features, target = split_target(read_table(f"{folder}/*{suffix}"), "y")
    return attributes(classifier.fit(features, np.array(target.to_list())))


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@st.composite
def problems(draw, **options):
    table = draw(tables(**options))
    return table, draw(splits(len(table))), draw(st.sampled_from([".csv", ".parquet"])), draw(st.integers(1, 30))


@settings(deadline=None, max_examples=60)
@given(
    problem=problems(),
    n_jobs=st.sampled_from([1, 2]),
    memory=st.sampled_from([0, 1e9]),
    fetched=st.sampled_from([0, 8, 1 << 25]),
    counters=st.sampled_from([1, 30, 1 << 23]),
    table_counters=st.sampled_from([0, 1 << 20]),
)
def test_the_tree_is_that_of_all_rows(problem, n_jobs, memory, fetched, counters, table_counters, tmp_path_factory):
    table, cuts, suffix, row_group = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, row_group)
    expected = in_memory(ID3Classifier(), folder, suffix)
    limits = {"MOST_FETCHED": fetched, "MOST_COUNTERS": counters, "TABLE_COUNTERS": table_counters}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(id3_blocks, name, value)
        found = ID3Classifier().fit(scan(folder, target="y", n_jobs=n_jobs, batch_bytes=1, memory=memory))
    assert attributes(found) == expected


@st.composite
def boolean_tables(draw):
    """Boolean columns, or of zeros and ones, and two or three classes."""
    n_rows, n_features = draw(st.integers(1, 25)), draw(st.integers(1, 5))
    X = np.array(draw(st.lists(st.booleans(), min_size=n_rows * n_features, max_size=n_rows * n_features)))
    X = X.reshape(n_rows, n_features)
    labels = draw(st.sampled_from(["pq", "pqr"]))
    y = draw(st.lists(st.sampled_from(labels), min_size=n_rows, max_size=n_rows))
    X = X.astype(draw(st.sampled_from([bool, np.int64])))
    return pa.table({**{f"f{j}": X[:, j] for j in range(n_features)}, "y": y})


@settings(deadline=None, max_examples=50)
@given(table=boolean_tables(), data=st.data(), which=st.integers(0, 3), n_jobs=st.sampled_from([1, 2]))
def test_winnow_makes_the_same_mistakes(table, data, which, n_jobs, tmp_path_factory):
    classifier = WINNOWS[which]
    classes = np.unique(table["y"].to_numpy())
    if classifier.positive_class is not None and classes.tolist() != ["p", "q"]:
        classifier = Winnow2(max_iter=7)
    suffix = data.draw(st.sampled_from([".csv", ".parquet"]))
    folder = write_parts(table, data.draw(splits(len(table))), tmp_path_factory.mktemp("p") / "data", suffix, 4)
    scanned = scan(folder, target="y", n_jobs=n_jobs, batch_bytes=1)
    X, y = table.drop_columns(["y"]).to_pandas(), np.array(table["y"].to_pylist())
    if len(classes) < 2:
        for data_of_one_class in ((X, y), (scanned,)):
            with pytest.raises(ParameterError, match=f"only one class: \\['{classes[0]}'\\]"):
                classifier.fit(*data_of_one_class)
        return
    expected = attributes(classifier.fit(X, y))
    predicted = classifier.predict(X).tolist()
    found = classifier.fit(scanned)
    assert attributes(found) == expected
    assert found.predict(scanned).tolist() == predicted


@settings(deadline=None, max_examples=50)
@given(
    problem=problems(),
    n_jobs=st.sampled_from([1, 2]),
    limit=st.sampled_from(["2%", "60%", 1.5, 0]),
    between=st.sampled_from(["merge", "nearer"]),
)
def test_the_partitions_are_those_of_all_rows(problem, n_jobs, limit, between, tmp_path_factory):
    table, cuts, suffix, row_group = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, row_group)
    classifier = CFPClassifier(limit, between=between, silence="wrong", n_jobs=n_jobs)
    expected = in_memory(classifier, folder, suffix)
    scanned = scan(folder, target="y", n_jobs=n_jobs, batch_bytes=1)
    assert attributes(classifier.fit(scanned)) == expected


def planted(n_rows, n_features, noise, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n_rows, n_features)).astype(bool)
    y = (X[:, 1] & X[:, 4]) | X[:, 6]
    return X, y ^ (rng.random(n_rows) < noise)


@pytest.mark.parametrize("classifier", [ID3Classifier(), Winnow2(max_iter=3), CFPClassifier()], ids=str)
@pytest.mark.parametrize("fetched", [0, 20_000])
def test_many_rows_are_learned_alike(classifier, fetched, tmp_path, monkeypatch):
    monkeypatch.setattr(id3_blocks, "MOST_FETCHED", fetched)
    X, y = planted(20_000, 12, 0.02)
    table = pa.table({**{f"f{j}": X[:, j] for j in range(12)}, "y": np.where(y, "pos", "neg")})
    folder = write_parts(table, [7, 12_345], tmp_path / "data", ".parquet", 3_000)
    expected = attributes(classifier.fit(table.drop_columns(["y"]).to_pandas(), np.array(table["y"].to_pylist())))
    for options in ({}, {"memory": 0, "n_jobs": 1}):
        scanned = scan(folder, target="y", **options)
        assert attributes(classifier.fit(scanned)) == expected
        assert (classifier.predict(scanned) == np.where(y, "pos", "neg")).mean() > 0.5


def test_rows_without_a_label_leave_no_trace(tmp_path):
    table = pa.table({"n": [1.5, 2.5, 3.5, 4.5], "c": ["a", "b", "a", None], "y": ["p", None, "q", "q"]})
    folder = write_parts(table, [2], tmp_path / "data", ".parquet")
    features, target = split_target(read_table(f"{folder}/*.parquet"), "y", missing_target="drop")
    expected = attributes(ID3Classifier().fit(features, np.array(target.to_list())))
    found = attributes(ID3Classifier().fit(scan(folder, target="y", missing_target="drop")))
    assert found["columns"][0].labels == (1.5, 3.5, 4.5)
    assert (found["tree"], found["columns"][0]) == (expected["tree"], expected["columns"][0])


@pytest.mark.parametrize(
    ("name", "kinds"), [("a.parquet", {}), ("a.parquet", {"s": "numeric"}), ("a.arff", {}), ("a.csv", {"s": "boolean"})]
)
@pytest.mark.parametrize("classifier", [ID3Classifier(), CFPClassifier()], ids=str)
def test_columns_without_a_value_are_what_their_type_says(name, kinds, classifier, tmp_path):
    path = tmp_path / name
    nothing = {"s": pa.string(), "t": pa.bool_(), "n": pa.float64(), "i": pa.int64()}
    if name == "a.parquet":
        columns = {column: pa.array([None] * 4, kind) for column, kind in nothing.items()}
        pa.parquet.write_table(pa.table({**columns, "b": [1, 2, 1, 2], "y": list("pqpr")}), path)
    elif name == "a.arff":
        path.write_text(
            "@relation r\n@attribute a {u,v}\n@attribute s string\n@attribute b numeric\n@attribute y {p,q,r}\n@data\n"
            "?,?,1,p\n?,?,2,q\n?,?,1,p\n"
        )
    else:
        path.write_text("s,b,y\n,1,p\n,2,q\n,1,r\n")
    features, target = split_target(read_table(path, kinds=kinds), "y")
    expected = attributes(classifier.fit(features, np.array(target.to_list())))
    assert attributes(classifier.fit(scan(path, target="y", kinds=kinds, batch_bytes=1))) == expected


def test_what_cannot_be_learned_from_is_refused(tmp_path):
    table = pa.table({"a": ["x", "z", "x"], "n": [1.5, 2.5, 9.5], "y": ["p", "q", "p"]})
    scanned = scan(write_parts(table, [1], tmp_path / "data", ".csv"), target="y")
    with pytest.raises(NotBooleanError, match="holds 'x'"):
        Winnow1().fit(scanned)
    for learner in (Halving(), FringeClassifier(), GACFPClassifier(), CFPClassifier(limit="1 sd")):
        with pytest.raises(ParameterError, match="needs all rows in memory"):
            learner.fit(scanned)
    with pytest.raises(ParameterError, match="kinds="):
        CFPClassifier(categorical_features=[0]).fit(scanned)
    with pytest.raises(ParameterError, match="needs all rows in memory"):
        ID3Classifier().fit(scanned, sample_weight=[1, 1, 1])
