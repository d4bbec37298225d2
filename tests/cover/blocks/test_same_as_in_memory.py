"""Whatever is asked of blocks, the answer is that of all rows in memory, to the last bit."""

import gc
import tempfile
import warnings
import weakref

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_into_blocks import attributes, splits, tables, write_parts
from fewest import MinDescription, MinFeatures, MutualInformationGreedy, SimpleGreedy, read_table, scan
from fewest.blocks.engine import Threads
from fewest.cover.blocks.distinct_rows import distinct_rows_of
from fewest.cover.blocks.sample import BlockSample
from fewest.cover.distinct_rows import DistinctRows
from fewest.cover.sample import Sample
from fewest.exceptions import IdentifierWarning, TooLargeError
from fewest.table import discrete_codes, split_target

SELECTORS = (MinFeatures, SimpleGreedy, MutualInformationGreedy)


def in_memory(folder, suffix):
    features, target = split_target(read_table(f"{folder}/*{suffix}"), "y")
    return features, target


@st.composite
def problems(draw, **options):
    table = draw(tables(**options))
    return table, draw(splits(len(table))), draw(st.sampled_from([".csv", ".parquet"])), draw(st.integers(1, 30))


@given(problem=problems(), n_jobs=st.sampled_from([1, 2]), batch_bytes=st.sampled_from([1, 64, 1 << 20]))
def test_the_codes_of_the_blocks_are_those_of_the_whole_table(problem, n_jobs, batch_bytes, tmp_path_factory):
    table, cuts, suffix, row_group = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, row_group)
    store = scan(folder, target="y", n_jobs=n_jobs, batch_bytes=batch_bytes).store
    features, target = in_memory(folder, suffix)
    codes, classes = store.rows(np.arange(store.n_rows))
    assert codes.tolist() == discrete_codes(features).tolist()
    assert (classes.tolist(), store.labels) == (target.values.tolist(), target.labels)
    assert [column.name for column in store.features] == list(features.names)
    assert [column.kind for column in store.features] == [column.kind for column in features]
    assert store.largest_code == discrete_codes(features).max(initial=0)


@given(
    problem=problems(),
    n_jobs=st.sampled_from([1, 2]),
    which=st.sampled_from(SELECTORS),
    memory=st.sampled_from([0, 1e9]),
)
def test_selectors_store_the_same_attributes(problem, n_jobs, which, memory, quiet_selectors, tmp_path_factory):
    table, cuts, suffix, row_group = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, row_group)
    features, target = in_memory(folder, suffix)
    expected = attributes(which().fit(features.to_arrow(), target.to_list()))
    found = attributes(which().fit(scan(folder, target="y", n_jobs=n_jobs, batch_bytes=1, memory=memory)))
    assert found == expected


@given(
    problem=problems(),
    which=st.sampled_from(SELECTORS),
    tolerance=st.sampled_from([0.01, 0.1, 0.3, 1]),
    excludes=st.booleans(),
)
def test_selectors_tolerate_the_same_pairs(problem, which, tolerance, excludes, quiet_selectors, tmp_path_factory):
    table, cuts, suffix, row_group = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, row_group)
    features, target = in_memory(folder, suffix)
    excluded = {"exclude": [features.names[0]]} if excludes and which is MinFeatures else {}
    selector = which(tolerance=tolerance, **excluded)
    expected = attributes(selector.fit(features.to_arrow(), target.to_list()))
    assert attributes(selector.fit(scan(folder, target="y", batch_bytes=1))) == expected


@pytest.fixture(scope="module")
def quiet_selectors():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def planted(n_rows, n_features, noise=0.0, seed=0):
    """Rows with copies, an answer of three features and, with noise, contradictions."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n_rows, n_features)).astype(bool)
    y = (X[:, 1] & X[:, 4]) | X[:, 6]
    y ^= rng.random(n_rows) < noise
    chosen = rng.integers(0, n_rows, n_rows)
    return X[chosen], y[chosen]


@pytest.mark.parametrize("which", SELECTORS)
@pytest.mark.parametrize(("noise", "tolerance"), [(0.0, 0.0), (0.01, 0.0), (0.01, 0.03)])
def test_more_rows_than_are_sampled_give_the_same_attributes(which, noise, tolerance, tmp_path, quiet_selectors):
    X, y = planted(30_000, 9, noise)
    table = pa.table({**{f"f{j}": X[:, j] for j in range(9)}, "y": np.where(y, "pos", "neg")})
    folder = write_parts(table, [7, 12_345], tmp_path / "data", ".parquet", 5_000)
    selector = which(tolerance=tolerance)
    expected = attributes(selector.fit(table.drop_columns(["y"]), table["y"].to_numpy()))
    assert attributes(selector.fit(scan(folder, target="y"))) == expected
    assert attributes(selector.fit(scan(folder, target="y", memory=0, n_jobs=1))) == expected


def test_min_features_includes_excludes_and_weighs_as_in_memory(tmp_path, quiet_selectors):
    X, y = planted(5_000, 9)
    X[:, 8] = X[:, 6]
    table = pa.table({**{f"f{j}": X[:, j] for j in range(9)}, "y": np.where(y, "pos", "neg")})
    folder = write_parts(table, [1_234], tmp_path / "data", ".parquet")
    scanned = scan(folder, target="y")
    for options in ({"include": ["f0"]}, {"exclude": ["f6"]}, {"costs": {"f6": 5}}, {"exclude": ["f1"]}):
        expected = MinFeatures(**options).fit(table.drop_columns(["y"]), table["y"].to_numpy())
        found = MinFeatures(**options).fit(scanned)
        assert attributes(found) == attributes(expected)
        if found.is_optimal_:
            assert found.core() == expected.core()
            assert found.certificate() == expected.certificate()


@st.composite
def measured_tables(draw):
    """Rows of few numbers, of many, and categories, with copies, gaps and classes that depend on two of them."""
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    n_rows, n_values = draw(st.integers(20, 90)), draw(st.sampled_from([4, 12, 30]))
    x, z = (rng.integers(0, n_values, n_rows) / 4 for _ in range(2))
    classes = (x > n_values / 8) ^ (z > n_values / 8) ^ (rng.random(n_rows) < 0.1)
    columns = {"x": pa.array(x, mask=rng.random(n_rows) < 0.1), "z": z, "name": rng.choice(list("abc"), n_rows)}
    rows = rng.integers(0, n_rows, draw(st.sampled_from([50, 200])))
    return pa.table({**columns, "y": np.where(classes, "p", "q")}).take(rows)


@settings(deadline=None, max_examples=30)
@given(table=measured_tables(), batch_bytes=st.sampled_from([1, 300, 1 << 20]), data=st.data())
def test_the_shortest_description_of_cut_numbers_is_that_of_memory(
    table, batch_bytes, data, quiet_selectors, tmp_path_factory
):
    folder = write_parts(table, data.draw(splits(len(table))), tmp_path_factory.mktemp("parts") / "data", ".parquet", 7)
    features, target = in_memory(folder, ".parquet")
    for model in ("auto", "cells"):
        expected = MinDescription(model=model).fit(features.to_arrow(), target.to_list())
        found = MinDescription(model=model).fit(scan(folder, target="y", batch_bytes=batch_bytes, memory=0))
        assert attributes(found) == attributes(expected)


@given(problem=problems(), exclude=st.sets(st.integers(0, 3)))
def test_distinct_rows_are_counted(problem, exclude, tmp_path_factory):
    table, cuts, suffix, row_group = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, row_group)
    features, target = in_memory(folder, suffix)
    kept = [j for j in range(len(features.columns)) if j not in exclude]
    every = list(zip(*(features.columns[j].to_list() for j in kept), target.to_list(), strict=True))
    classes = list(dict.fromkeys(target.to_list()))
    expected = [(row, every.count(row), classes.index(row[-1])) for row in dict.fromkeys(every)]
    excluded = sorted(exclude.intersection(range(len(features.columns))))
    in_blocks = distinct_rows_of(scan(folder, target="y", batch_bytes=1).store, excluded)
    for found in (DistinctRows.of(features, target, excluded), in_blocks):
        shown = [found.features.columns[j].to_list() for j in kept]
        labels = [classes[number] for number in found.rows.classes.tolist()]
        rows = list(zip(*shown, labels, strict=True))
        assert list(zip(rows, *(part.tolist() for part in found.rows[::-1]), strict=True)) == expected


@pytest.mark.parametrize(("limit", "most"), [("MOST_VALUES", 40), ("MOST_ROWS", 99)])
def test_more_distinct_rows_than_fit_are_refused_with_the_remedy(limit, most, tmp_path, monkeypatch):
    monkeypatch.setattr(f"fewest.cover.blocks.distinct_rows.{limit}", most)
    table = pa.table({"x": np.arange(100) % 50, "z": np.arange(100) % 2, "y": np.arange(100) % 2})
    for cuts in ([], [50]):
        folder = write_parts(table, cuts, tmp_path / f"data-{len(cuts)}", ".parquet")
        with pytest.raises(TooLargeError, match=r"sample|intervals"):
            MinDescription().fit(scan(folder, target="y"))


@settings(deadline=None, max_examples=60)
@given(problem=problems(max_rows=10), subset=st.sets(st.integers(0, 3)), most=st.sampled_from([1, 3, 100]))
def test_missed_pairs_are_missed_and_the_same_as_in_memory(problem, subset, most, tmp_path_factory):
    table, cuts, suffix, row_group = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, row_group)
    features, target = in_memory(folder, suffix)
    sample = Sample.from_table(features, target.values)
    streamed = BlockSample(scan(folder, target="y", batch_bytes=1).store)
    chosen = sorted(f for f in subset if f < sample.n_features)
    ours, theirs = streamed.missed_pairs(chosen, most), sample.missed_pairs(chosen, most)
    assert ours.rows.tolist() == theirs.rows.tolist()
    assert ours.features.tolist() == theirs.features.tolist()
    assert bool(len(ours)) == bool(len(sample.violated_cells(chosen)[0]))
    for (i, j), features_of_pair in zip(ours.rows.T.tolist(), ours.features, strict=True):
        assert target.values[i] != target.values[j]
        assert sample.codes[i, chosen].tolist() == sample.codes[j, chosen].tolist()
        assert features_of_pair.tolist() == (sample.codes[i] != sample.codes[j]).tolist()
        assert features_of_pair.any()


def test_too_many_combinations_are_refused_with_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr("fewest.blocks.groups.MOST_GROUPS", 1_000)
    rng = np.random.default_rng(0)
    table = pa.table({"x": rng.random(3_000), "z": rng.random(3_000), "y": rng.integers(0, 2, 3_000)})
    folder = write_parts(table, [1_500], tmp_path / "data", ".parquet")
    with pytest.warns(IdentifierWarning), pytest.raises(TooLargeError, match="--engine memory"):
        MinFeatures().fit(scan(folder, target="y"))


def test_blocks_go_to_disk_when_memory_is_short_and_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "spill"))
    (tmp_path / "spill").mkdir()
    X, y = planted(2_000, 9)
    table = pa.table({**{f"f{j}": X[:, j] for j in range(9)}, "y": np.where(y, "pos", "neg")})
    folder = write_parts(table, [500], tmp_path / "data", ".parquet", 300)
    scanned = scan(folder, target="y", memory=0)
    assert isinstance(scanned.engine, Threads)
    assert scanned.store.n_rows == 2_000
    assert scanned.engine.storage.n_spilled >= 2
    assert list((tmp_path / "spill").rglob("block-*"))
    del scanned
    gc.collect()
    assert not list((tmp_path / "spill").iterdir())


@pytest.mark.parametrize("selector", [SimpleGreedy, MutualInformationGreedy])
def test_blocks_are_gone_with_the_search(selector, tmp_path):
    X, y = planted(200, 9)
    table = pa.table({**{f"f{j}": X[:, j] for j in range(9)}, "y": np.where(y, "pos", "neg")})
    folder = write_parts(table, [100], tmp_path / "data", ".parquet")
    scanned = scan(folder, target="y")
    selector().fit(scanned)
    store = weakref.ref(scanned.store)
    gc.collect()
    gc.disable()  # it would find what keeps itself alive, but late
    try:
        selector().fit(scanned)
        del scanned
        assert store() is None
    finally:
        gc.enable()
