"""A header that names columns alike: every reader and every verb answers as if the names had been written apart."""

import gzip
import itertools
import re

import pyarrow as pa
import pyarrow.parquet
import pytest

from in_process import run_inside

COLUMNS = {
    "a": [k % 2 for k in range(24)],
    "a again": [k // 2 % 2 for k in range(24)],
    "b": [k * 3 % 5 for k in range(24)],
    "y": ["pq"[(k % 2) & (k // 2 % 2)] for k in range(24)],
}
ALIKE, APART = ["a", "a", "b", "y"], ["a.1", "a.2", "b", "y"]


def delimited(names, sign=","):
    rows = zip(*COLUMNS.values(), strict=True)
    return "".join(sign.join(map(str, row)) + "\n" for row in [names, *rows]).encode()


def arff(names):
    kinds = ["numeric", "numeric", "numeric", "{p,q}"]
    head = "".join(f"@attribute {name} {kind}\n" for name, kind in zip(names, kinds, strict=True))
    return b"@relation r\n" + head.encode() + b"@data\n" + delimited(names).split(b"\n", 1)[1]


def parquet(names):
    sink = pa.BufferOutputStream()
    pyarrow.parquet.write_table(pa.Table.from_arrays([*map(pa.array, COLUMNS.values())], names=names), sink)
    return sink.getvalue().to_pybytes()


FILES = {
    "d.csv": delimited,
    "d.tsv": lambda names: delimited(names, "\t"),
    "d.csv.gz": lambda names: gzip.compress(delimited(names)),
    "d.arff": arff,
    "d.arff.gz": lambda names: gzip.compress(arff(names)),
    "d.parquet": parquet,
    "-": delimited,
}
VERBS = (
    ("select", "--method", "min-features"),
    ("select", "--method", "mig"),
    ("select", "--exclude", "a.1"),
    ("select", "--include", "a.2", "--kind", "a.1=nominal"),
    ("select", "--drop", "a.1"),
    ("rank", "--method", "relieff", "--threshold", "interval"),
    ("sufficient", "--features", "a.1,a.2"),
    ("train", "-l", "id3", "--exact-values", "--cv", "0", "--show"),
)


def told(outcome):
    """What a run says, but for the time that it took and the note on the names."""
    lines = [line for line in (outcome.out + outcome.err).splitlines() if "names are missing or repeated" not in line]
    return outcome.code, [word for line in lines for word in re.sub(r"[\d.]+ s\b", "", line).split()]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_columns_named_alike_are_columns_named_apart(name, engine, tmp_path):
    for verb in VERBS:
        found = []
        for names in (APART, ALIKE):
            content = FILES[name](names)
            (tmp_path / name).write_bytes(content) if name != "-" else None
            limit = () if verb[0] == "sufficient" else ("--time-limit", "none")
            arguments = (verb[0], name, "-t", "y", *verb[1:], "--engine", engine, *limit)
            found.append(run_inside(arguments, tmp_path, content if name == "-" else b""))
        assert found[0].code in (0, 1), (verb, found[0].err)
        assert told(found[1]) == told(found[0]), verb
        assert "column 1 is now 'a.1', column 2 is now 'a.2'" in found[1].err


@pytest.mark.parametrize("option", [("--exclude", "a"), ("--kind", "a=nominal"), ("--drop", "a"), ("--include", "a")])
def test_a_name_that_two_columns_have_points_to_neither(option, tmp_path):
    said = set()
    for name, engine in itertools.product(FILES, ["memory", "stream"]):
        content = FILES[name](ALIKE)
        (tmp_path / name).write_bytes(content) if name != "-" else None
        arguments = ("select", name, "-t", "y", *option, "--engine", engine, "--time-limit", "none")
        run = run_inside(arguments, tmp_path, content if name == "-" else b"")
        assert run.code == 2
        said.add(run.err.splitlines()[-1].removeprefix("fewest: error: "))
    assert said == {
        "The name 'a' is used by columns 1 and 2, so it points to neither. "
        "Call it 'a.1' or 'a.2', or rename one of them."
    }


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_a_model_finds_its_columns_again(engine, tmp_path):
    (tmp_path / "d.csv").write_bytes(delimited(ALIKE))
    (tmp_path / "apart.csv").write_bytes(delimited(APART))
    train = ("train", "d.csv", "-t", "y", "-l", "id3", "-o", "m", "--exact-values", "--cv", "0", "--time-limit", "none")
    assert run_inside((*train, "--engine", engine), tmp_path).code == 0
    runs = [run_inside(("predict", "m", name), tmp_path) for name in ("d.csv", "apart.csv")]
    assert [run.code for run in runs] == [0, 0], runs[0].err
    assert runs[0].out == runs[1].out
    assert [line.split(",")[1] for line in runs[0].out.split()[-24:]] == COLUMNS["y"]


def test_a_certificate_finds_its_columns_again(tmp_path):
    (tmp_path / "d.csv").write_bytes(delimited(ALIKE))
    select = ("select", "d.csv", "-t", "y", "--certificate", "c", "--time-limit", "none")
    assert run_inside(select, tmp_path).code == 0
    for engine in ("memory", "stream"):
        run = run_inside(("verify", "c", "d.csv", "--engine", engine, "--time-limit", "none"), tmp_path)
        assert run.code == 0, run.err
