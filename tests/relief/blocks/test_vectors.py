"""The Relief family over blocks of numeric, nominal and missing values stores the attributes of a fit in memory."""

import tempfile
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_into_blocks import attributes, splits, tables, write_parts
from fewest import Relief, ReliefF, RReliefF, scan
from fewest.exceptions import ParameterError, TargetError, TooLargeError
from fewest.relief.kernels.block_candidates import candidates_by_distance
from fewest.relief.kernels.layout import FAR, Bounds, MeasuredRows, Nearest

SELECTORS = [
    Relief(threshold="interval", max_samples=30, random_state=0),
    Relief(threshold="interval", ties="average", identical="count", random_state=1),
    ReliefF(threshold="interval", n_neighbors=2, random_state=0),
    ReliefF(threshold="interval", n_neighbors=2, metric="euclidean", random_state=0),
    ReliefF(threshold="interval", n_neighbors=3, ties="random", identical="skip", random_state=2),
]
REGRESSORS = [
    RReliefF(threshold="interval", n_neighbors=3, random_state=0),
    RReliefF(threshold="interval", n_neighbors=2, ties="random", identical="skip", random_state=3),
]


@st.composite
def problems(draw):
    table = draw(tables(max_rows=30))
    numbers = draw(st.lists(st.sampled_from([-1.5, 0.0, 0.1, 2.0]), min_size=len(table), max_size=len(table)))
    return table.append_column("z", pa.array(numbers)), draw(splits(len(table))), draw(st.integers(1, 30))


def check(problem, selector, target, **options):
    table, cuts, row_group = problem
    table = table.drop_columns([{"y": "z", "z": "y"}[target]])
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = write_parts(table, cuts, Path(folder) / "data", ".parquet", row_group)
        expected = attributes(selector.fit(table.drop_columns([target]), table[target].to_numpy()))
        found = attributes(selector.fit(scan(data, target=target, **options)))
    np.testing.assert_equal(found, expected)  # NaN equals NaN here


@given(problems(), st.sampled_from(SELECTORS), st.sampled_from([0, 1e9]), st.sampled_from([1, 2]))
def test_classes_are_told_apart_as_in_memory(problem, selector, memory, n_jobs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", "always")
        check(problem, selector, "y", memory=memory, n_jobs=n_jobs, batch_bytes=1)


@settings(deadline=None, max_examples=60)
@given(problems(), st.sampled_from(REGRESSORS))
def test_a_regression_target_is_explained_as_in_memory(problem, selector):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", "always")
        check(problem, selector, "z")


@settings(deadline=None, max_examples=40)
@given(problems(), st.sampled_from(SELECTORS + REGRESSORS))
def test_little_data_is_the_same_in_blocks(problem, selector):
    check(problem, selector, "z" if selector in REGRESSORS else "y")


def mixed(n_rows, seed=0, missing=0.1):
    """Numeric values, some far from the others, few and many categories, Boolean values, and gaps."""
    rng = np.random.default_rng(seed)
    columns = {f"x{j}": rng.random(n_rows) for j in range(6)}
    columns["wide"] = rng.normal(size=n_rows) ** 9
    columns["count"] = rng.integers(0, 9, n_rows).astype(float)
    columns["truth"] = rng.integers(0, 2, n_rows).astype(bool)
    columns["few"] = np.array(list("abcde"))[rng.integers(0, 5, n_rows)]
    columns["many"] = np.array([f"n{k}" for k in range(40)])[rng.integers(0, 40, n_rows)]
    z = columns["x0"] + columns["x1"] * columns["truth"]
    y = np.array(list("pqr"))[(z > 0.7).astype(int) + (columns["few"] == "b")]
    incomplete = ("x1", "wide", "few", "many", "truth")
    gaps = {name: rng.random(n_rows) < (missing if name in incomplete else 0) for name in columns}
    made = {name: pa.array(values, mask=gaps[name]) for name, values in columns.items()}
    return pa.table({**made, "z": z, "y": y})


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("selector", [*SELECTORS, *REGRESSORS], ids=str)
def test_thousands_of_rows_are_the_same_in_blocks(selector, missing):
    selector.set_params(max_samples=200)
    target = "z" if selector in REGRESSORS else "y"
    for options in ({}, {"memory": 0, "n_jobs": 1}):
        check((mixed(4_000, missing=missing), [11, 1_700], 600), selector, target, **options)


def test_rows_without_a_label_count_for_nothing(tmp_path):
    table = mixed(3_000)
    rng = np.random.default_rng(1)
    unlabelled = rng.random(len(table)) < 0.2
    labels = pa.array([None if gone else label for gone, label in zip(unlabelled, table["y"].to_pylist(), strict=True)])
    far = np.where(unlabelled, 1e6, table["x0"].to_numpy())  # a range that no labelled row has
    table = table.drop_columns(["y", "z"]).set_column(0, "x0", pa.array(far)).append_column("y", labels)
    data = write_parts(table, [1_000], tmp_path / "data", ".parquet", 500)
    kept = table.filter(pa.array(~unlabelled))
    selector = ReliefF(max_samples=200, threshold="interval", random_state=0)
    expected = attributes(selector.fit(kept.drop_columns(["y"]), kept["y"].to_numpy()))
    found = attributes(selector.fit(scan(data, target="y", missing_target="drop")))
    np.testing.assert_equal(found, expected)


@pytest.mark.parametrize("n_rows", [10, 2_000])
def test_infinity_is_refused(n_rows, tmp_path):
    x = np.arange(n_rows) / 7
    x[3] = np.inf
    table = pa.table({"x": x, "y": np.where(np.arange(n_rows) % 2, "p", "q")})
    with pytest.raises(ParameterError, match="'x' holds infinity"):
        Relief().fit(scan(write_parts(table, [5], tmp_path / "data", ".parquet"), target="y"))


def test_a_target_of_names_is_no_quantity(tmp_path):
    table = pa.table({"x": [0.5, 1.5, 2.5], "y": ["p", "q", "p"]})
    with pytest.raises(TargetError, match="is nominal, with labels"):
        RReliefF().fit(scan(write_parts(table, [], tmp_path / "data", ".parquet"), target="y"))


@pytest.mark.parametrize("choice", ["never", "always"])
@pytest.mark.parametrize("cuts", [[], [1_000]], ids=["one file", "two files"])
def test_too_many_numbers_to_expect_something_of_are_refused(choice, cuts, tmp_path, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", choice)
    monkeypatch.setattr("fewest.relief.blocks.vectors.MOST_KNOWN", 100)
    data = write_parts(mixed(3_000).drop_columns(["z"]), cuts, tmp_path / "data", ".parquet")
    with pytest.raises(TooLargeError, match="fill in"):
        ReliefF().fit(scan(data, target="y"))


def test_codes_and_numbers_are_read_once_where_they_are_the_same(tmp_path):
    table = pa.table({"two": [3.5, 7.0, 3.5], "name": ["a", "b", "c"], "y": ["p", "q", "p"]})
    data = write_parts(table, [1], tmp_path / "data", ".parquet")
    scanned = scan(data, target="y")
    assert scanned.numeric_store is scanned.store
    assert scan(data, target="y").store.rows(np.arange(3))[0].tolist() == scanned.store.rows(np.arange(3))[0].tolist()
    other = scan(data, target="y")
    assert other.store is other.numeric_store
    many = write_parts(pa.table({"x": [1.0, 2.0, 3.0], "y": ["p", "q", "p"]}), [1], tmp_path / "many", ".parquet")
    apart = scan(many, target="y")
    assert apart.numeric_store is not apart.store
    assert apart.numeric_store.values(np.arange(3))[0].tolist() == [[1.0], [2.0], [3.0]]


@given(
    rows=st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.integers(0, 2)), min_size=1, max_size=40),
    k=st.integers(1, 4),
    skips=st.booleans(),
)
def test_candidates_by_distance_are_those_as_near_as_the_kth(rows, k, skips):
    values, pools = np.array([row[:3] for row in rows], dtype=np.float32), np.array([row[3] for row in rows])
    numbers, certain = np.arange(len(rows)) + 100, np.ones(len(rows), dtype=bool)
    norms = (values**2).sum(axis=1)
    everyone = MeasuredRows(numbers, pools, norms, values, certain)
    sampled = MeasuredRows(*(array[:3] for array in everyone))
    bounds = np.full((len(sampled.norms), 3), FAR, dtype=np.int32)
    room = np.empty((10 * len(rows) + 10, 4), dtype=np.int64)
    limits = Bounds(bounds, np.full(len(sampled.norms), 0.25, dtype=np.float32))
    products = np.float32(-2) * values[:3] @ values.T
    n_found, n_done = candidates_by_distance(products, everyone, sampled, Nearest(k, skips), limits, room)
    assert n_done == len(sampled.norms)
    expected = []
    for s in range(n_done):
        for pool in range(3):
            near = [(float(((values[j] - values[s]) ** 2).sum()), j) for j in np.flatnonzero(pools == pool) if j != s]
            near = sorted((d, j) for d, j in near if d or not skips)
            last = near[min(k, len(near)) - 1][0] if near else 0
            expected += [(s, pool, 100 + j) for d, j in near if d <= last]
    assert sorted((s, pool, number) for s, pool, _, number in room[:n_found].tolist()) == sorted(expected)
