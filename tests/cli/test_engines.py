"""The same command, wherever the rows are."""

import json
import os
import resource

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest


@pytest.fixture
def parts(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (3_000, 8)).astype(bool)
    y = np.where((X[:, 1] & X[:, 4]) | X[:, 6], "yes", "no")
    table = pa.table({**{f"f{j}": X[:, j] for j in range(8)}, "y": y})
    pyarrow.parquet.write_table(table.slice(0, 2_000), tmp_path / "part-0.parquet", row_group_size=600)
    pyarrow.parquet.write_table(table.slice(2_000), tmp_path / "part-1.parquet")
    return "part-*.parquet"


def told(outcome):
    """What a JSON answer says, but for the time it took, and for what takes all rows: a look at them, a validation."""
    apart = ("seconds", "notes", "screening", "validation")
    return {key: value for key, value in json.loads(outcome.out).items() if key not in apart}


@pytest.mark.parametrize("method", ["min-features", "min-description", "sg", "mig", "relief", "relieff"])
def test_blocks_and_memory_tell_the_same(method, fewest, parts):
    # Permuted targets need all rows at once, so that blocks have the interval.
    extra = ["--max-samples", 200, "--threshold", "interval"] if method.startswith("relief") else []
    verb = "rank" if method.startswith("relief") else "select"
    run = (verb, parts, "--target", "y", "--method", method, "--format", "json", *extra)
    in_memory, in_blocks = fewest(*run, "--engine", "memory"), fewest(*run, "--engine", "stream")
    assert (in_memory.code, in_blocks.code) == (0, 0)
    assert told(in_blocks) == told(in_memory)


@pytest.mark.parametrize("engine", [("--engine", "memory"), ("--engine", "stream"), ("--workers", "1")])
def test_a_certificate_is_checked_wherever_the_rows_are(engine, fewest, parts, tmp_path):
    assert fewest("select", parts, "-t", "y", "--certificate", "c.json", "--engine", "stream").code == 0
    run = fewest("verify", "c.json", parts, *engine)
    assert (run.code, [line.split()[0] for line in run.out.splitlines()]) == (0, ["true"] * 5), run.err
    forged = json.loads((tmp_path / "c.json").read_text())
    (tmp_path / "c.json").write_text(json.dumps({**forged, "features": forged["features"][1:]}))
    run = fewest("verify", "c.json", parts, *engine)
    words = [line.split()[0] for line in run.out.splitlines()]
    assert (run.code, words) == (1, ["true", "true", "FALSE", "FALSE", "true"])


def test_certificates_that_compare_all_rows_need_them_in_memory(fewest, parts):
    fewest("select", parts, "-t", "y", "--certificate", "c.json", "--missing", "cautious")
    run = fewest("verify", "c.json", parts, "--engine", "stream")
    assert (run.code, "margins, intervals or cautious missing values" in run.err) == (2, True), run.err


@pytest.mark.parametrize("method", ["relief", "relieff", "rrelieff"])
def test_numbers_and_gaps_tell_the_same_in_blocks(method, fewest, tmp_path):
    rng = np.random.default_rng(0)
    columns = {f"x{j}": pa.array(rng.random(2_000), mask=rng.random(2_000) < 0.05) for j in range(4)}
    z = rng.integers(0, 3, 2_000)
    table = pa.table({**columns, "name": np.array(list("abc"))[z], "z": pa.array(z, mask=rng.random(2_000) < 0.1)})
    pyarrow.parquet.write_table(table, tmp_path / "mixed.parquet", row_group_size=600)
    run = ("rank", "mixed.parquet", "-t", "z", "--method", method, "-f", "json", "--max-samples", 200)
    run += ("--threshold", "interval")
    in_memory, in_blocks = (fewest(*run, "--drop-unlabelled", "--engine", name) for name in ("memory", "stream"))
    assert (in_memory.code, in_blocks.code) == (0, 0), in_blocks.err
    assert told(in_blocks) == told(in_memory)


@pytest.mark.parametrize("method", ["min-features", "sg", "mig"])
def test_blocks_and_memory_tolerate_the_same(method, fewest, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (2_000, 8)).astype(bool)
    y = (X[:, 1] & X[:, 4]) ^ (rng.random(2_000) < 0.02)
    table = pa.table({**{f"f{j}": X[:, j] for j in range(8)}, "y": np.where(y, "p", "q")})
    pyarrow.parquet.write_table(table, tmp_path / "noisy.parquet", row_group_size=600)
    run = ("select", "noisy.parquet", "-t", "y", "--method", method, "--tolerance", "0.05", "--format", "json")
    in_memory, in_blocks = fewest(*run, "--engine", "memory"), fewest(*run, "--engine", "stream")
    assert (in_memory.code, in_blocks.code) == (0, 0), in_blocks.err
    assert told(in_blocks) == told(in_memory)


def test_rows_without_a_label_are_left_out_in_blocks_too(fewest, write):
    data = write("some.csv", "a,b,y\n1,x,p\n1,x,\n2,x,q\n2,z,q\n3,z,\n3,x,p\n")
    run = ("select", data, "--target", "y", "--format", "json")
    assert "the first is row 1" in fewest(*run, "--engine", "stream").err
    in_memory, in_blocks = (fewest(*run, "--drop-unlabelled", "--engine", name) for name in ("memory", "stream"))
    assert in_memory.code == 0
    assert told(in_blocks) == told(in_memory)


def test_two_processes_of_dask_tell_the_same(fewest, parts):
    pytest.importorskip("distributed")
    run = ("select", parts, "--target", "y", "--format", "json")
    on_dask = fewest(*run, "--workers", 2)
    assert on_dask.code == 0, on_dask.err
    assert told(on_dask) == told(fewest(*run, "--engine", "memory"))


def test_a_wrapper_fits_on_two_processes_of_dask(fewest, write):
    pytest.importorskip("distributed")
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 5))
    lines = [",".join(map(str, row)) + f",{'p' if row[1] | row[3] else 'q'}" for row in X.tolist()]
    data = write("some.csv", "\n".join(["a,b,c,d,e,y", *lines]) + "\n")
    run = (
        "wrap",
        data,
        "-t",
        "y",
        "--method",
        "ordered-fs",
        "--estimator",
        "tree",
        "--beam-width",
        3,
        "--format",
        "json",
    )
    there = fewest(*run, "--workers", 2)
    assert there.code == 0, there.err
    assert told(there) == told(fewest(*run))
    assert fewest(*run, "--engine", "stream").code == 2


def test_an_experiment_runs_on_two_processes_of_dask(fewest):
    pytest.importorskip("distributed")
    here = fewest("reproduce", "winnow-queries", "--jobs", 1, "-o", "here", "--format", "json")
    there = fewest("reproduce", "winnow-queries", "--workers", 2, "-o", "there", "--format", "json")
    assert there.code == 0, there.err
    assert json.loads(there.out)["outcomes"][0]["rows"] == json.loads(here.out)["outcomes"][0]["rows"]


@pytest.fixture
def large(tmp_path):
    """Seven small files that are large in memory: few distinct rows, many times."""
    rng = np.random.default_rng(0)
    columns = np.repeat(rng.integers(0, 2, (300, 20)).astype(bool), 5_000, axis=1)
    table = pa.table({**{f"f{j}": columns[j] for j in range(300)}, "y": np.where(columns[1] | columns[2], "yes", "no")})
    pyarrow.parquet.write_table(table, tmp_path / "large-0.parquet")
    for k in range(1, 7):
        os.link(tmp_path / "large-0.parquet", tmp_path / f"large-{k}.parquet")
    return "large-*.parquet"


def with_little_memory():
    if hasattr(os, "sched_setaffinity"):  # the threads of every core would claim addresses of their own
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    resource.setrlimit(resource.RLIMIT_AS, (1_700_000_000, 1_700_000_000))


def test_data_that_does_not_fit_is_read_in_blocks_and_the_user_is_told(fewest, large):
    run = ("select", large, "--target", "y", "--method", "sg")
    streamed = fewest(*run, preexec_fn=with_little_memory)
    assert "so it is read in blocks" in streamed.err
    assert streamed.code == 0, streamed.err
    assert "of 300 features separate" in streamed.out
    forced = fewest(*run, "--engine", "memory", preexec_fn=with_little_memory)
    assert forced.code == 2
    assert "not enough memory" in forced.err


def test_what_cannot_be_done_in_blocks_is_refused(fewest, parts):
    for extra in (["--method", "wg"], ["--tolerance", "cv"], ["--missing", "cautious"], ["--bins"]):
        outcome = fewest("select", parts, "--target", "y", "--engine", "stream", *extra)
        assert outcome.code == 2
        assert "--engine memory" in outcome.err
    assert fewest("select", parts, "-t", "y", "--engine", "memory", "--workers", 2).code == 2
    assert fewest("select", parts, "-t", "y", "--scheduler", "tcp://127.0.0.1:9", "--workers", 2).code == 2


def test_blocks_and_memory_agree_on_whether_features_suffice(fewest, parts):
    for features, code in (("f1,f4,f6", 0), ("f1,f2", 1)):
        run = ("sufficient", parts, "--target", "y", "--features", features)
        in_memory, in_blocks = fewest(*run, "--engine", "memory"), fewest(*run, "--engine", "stream")
        assert (in_memory.code, in_blocks.code) == (code, code)
        assert in_blocks.out == in_memory.out
    assert fewest(*run, "--engine", "stream", "--missing", "cautious").code == 2


@pytest.fixture
def mixed(tmp_path):
    """Nominal, Boolean, 0-1 and numeric columns with missing values in two files."""
    rng = np.random.default_rng(1)
    n_rows = 2_000
    boolean, name, digit = rng.random(n_rows) < 0.4, rng.choice(list("abc"), n_rows), rng.integers(0, 2, n_rows)
    number = rng.normal(size=n_rows).round(1)
    y = np.where((boolean & (name == "a")) | (number > 1), "yes", "no")
    gaps = [None if k % 17 == 0 else value for k, value in enumerate(name.tolist())]
    table = pa.table({"boolean": boolean, "name": gaps, "digit": digit, "number": number, "y": y})
    pyarrow.csv.write_csv(table.slice(0, 700), tmp_path / "mixed-0.csv")
    pyarrow.csv.write_csv(table.slice(700), tmp_path / "mixed-1.csv")
    return "mixed-*.csv"


@pytest.mark.parametrize(
    "options",
    [
        ["--learner", "id3", "--exact-values"],
        ["--learner", "id3", "--exact-values", "--select", "sg"],
        ["--learner", "cfp", "--limit", "5%", "--delta", "3"],
        pytest.param(["--learner", "cfp", "--select", "relieff"], marks=pytest.mark.thorough),
        ["--learner", "winnow1", "--drop", "number"],
        ["--learner", "winnow2", "--drop", "number", "--select", "min-features"],
        ["--learner", "balanced", "--drop", "number"],
    ],
    ids=" ".join,
)
def test_blocks_and_memory_train_the_same_model(options, fewest, mixed, tmp_path):
    run = ("train", mixed, "--target", "y", "--time-limit", "none", "--cv", "0", *options, "--format", "json")
    in_memory = fewest(*run, "--engine", "memory", "-o", "memory.model")
    in_blocks = fewest(*run, "--engine", "stream", "-o", "blocks.model")
    assert (in_memory.code, in_blocks.code) == (0, 0), in_blocks.err
    ours, theirs = told(in_blocks), told(in_memory)
    assert {**ours, "model": None} == {**theirs, "model": None}
    assert (tmp_path / "blocks.model").read_bytes() == (tmp_path / "memory.model").read_bytes()
    predicted = fewest("predict", "blocks.model", mixed, "--target", "y", "--proba")
    assert predicted.code == 0
    assert f"{ours['n_correct']:,} of 2,000 rows are predicted right" in predicted.err


def test_what_cannot_be_trained_in_blocks_is_refused(fewest, mixed):
    refused = (["--learner", "fringe"], ["--select", "wg"], ["--bins"], ["--learner", "cfp", "--limit", "1 sd"])
    for extra in refused:
        outcome = fewest("train", mixed, "--target", "y", "--engine", "stream", *extra)
        assert (outcome.code, "--engine memory" in outcome.err) == (2, True), extra
    numbers = fewest("train", mixed, "--target", "y", "--learner", "winnow2")
    assert (numbers.code, "Column 'number' is numeric" in numbers.err) == (2, True)
    assert fewest("train", mixed, "-t", "y", "--learner", "winnow2", "--plot", "w.svg").code == 2


def test_data_that_does_not_fit_is_trained_on_and_predicted_in_blocks(fewest, large):
    train = ("train", large, "--target", "y", "-o", "m")
    trained = fewest(*train, preexec_fn=with_little_memory)
    assert "so it is read in blocks" in trained.err
    assert trained.code == 0, trained.err
    assert "700,000 of 700,000 training rows" in trained.out
    predicted = fewest("predict", "m", large, "--target", "y", "-o", "told.csv", preexec_fn=with_little_memory)
    assert predicted.code == 0, predicted.err
    assert "700,000 of 700,000 rows are predicted right" in predicted.err
    forced = fewest(*train, "--engine", "memory", preexec_fn=with_little_memory)
    assert (forced.code, "not enough memory" in forced.err) == (2, True)
