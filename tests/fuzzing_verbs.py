"""More kinds of input for `tests/fuzzing.py`: odd tables for every verb, changed models and proofs, odd streams."""

import contextlib
import fcntl
import gzip
import json
import os
import signal
import sys
import tempfile
import termios
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from fuzzing import (
    TIMED,
    arff_text,
    changed_archive,
    changed_json,
    command,
    mutated,
    parquet_bytes,
    sound,
    table_text,
)  # fmt: skip
from in_process import run_inside
from warm import run_warm

PAGE = 4096  # bytes: a pipe of one page holds the first few writes at most
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "latin-1"]
CELLS = ["0", "1", "2", "1.5", "-7", "a", "b", "yes", "no", "", "?", "nan", "inf", "-inf", "1e308", "-1e308", "1e-310"]
CELLS += ["9" * 40, "9" * 400, "007", "2020-02-29", "12,5", "1.234,5", "50%", "x" * 2000, "\u202eb", "\x1b[2J", "\0"]
NAMES = ["a", "b", "", "é", "n" * 1000, "\u202eb", "a b"]


def odd_table(rng):
    """Return a table whose columns are each odd in a way of their own, as bytes, and whether its target is numeric."""
    n_rows, n_columns, is_numeric = int(rng.integers(0, 40)), int(rng.integers(1, 6)), bool(rng.random() < 0.3)
    columns = []
    for _ in range(n_columns):
        usual = [CELLS[k] for k in rng.integers(0, len(CELLS), int(rng.integers(1, 4)))]
        column = [usual[k] for k in rng.integers(0, len(usual), n_rows)]
        if n_rows and rng.random() < 0.2:
            column[-1] = CELLS[rng.integers(len(CELLS))]  # what changes late
        columns.append(column)
    labels = ["p", "q", "r"][: int(rng.integers(1, 4))]
    target = [f"{rng.normal():.3f}" if is_numeric else labels[rng.integers(len(labels))] for _ in range(n_rows)]
    if n_rows and rng.random() < 0.2:
        target[rng.integers(n_rows)] = ["", "inf", "1e300", "p"][rng.integers(4)]
    names = [NAMES[rng.integers(len(NAMES))] if rng.random() < 0.3 else f"c{j}" for j in range(n_columns)]
    rows = [[*names, "y"], *(list(row) for row in zip(*columns, target, strict=True))]
    delimiter, end = [",", ",", ";", "\t"][rng.integers(4)], ["\n", "\n", "\r\n", "\r"][rng.integers(4)]
    quoted = [[f'"{cell}"' if delimiter in cell or rng.random() < 0.05 else cell for cell in row] for row in rows]
    text = end.join(delimiter.join(row) for row in quoted) + (end if rng.random() < 0.8 else "")
    content = text.encode(ENCODINGS[rng.integers(6)] if rng.random() < 0.2 else "utf-8", "replace")
    return (mutated(rng, content) if rng.random() < 0.1 else content), is_numeric


LEARNERS = ("id3", "fringe", "cfp", "winnow1", "winnow2", "balanced", "linear", "logistic")
COVERS = ("min-features", "focus1", "focus2", "mig", "sg", "wg", "min-description")
ESTIMATORS = ("logistic", "nb", "tree", "knn", "id3", "ridge")


def commands_about(rng, is_numeric):
    """Return a command about a table, or some that follow on each other."""
    engine = ("--engine", "stream") if rng.random() < 0.3 else ()
    common = ("d.csv", "-t", "y", *(("--keep-all",) if rng.random() < 0.5 else ()))
    if rng.random() < 0.5:
        common = (*common, "--drop-unlabelled")
    learner = LEARNERS[6 if is_numeric and rng.random() < 0.7 else rng.integers(8)]
    rank = "rrelieff" if is_numeric else ["relief", "relieff"][rng.integers(2)]
    proven = ("--margin", "0.5", "--tolerance", "0.1", "--certificate", "c")
    several = [
        [("select", *common, *engine, "-m", COVERS[rng.integers(7)])],
        [("select", *common, *proven), ("verify", "c", "d.csv")],
        [("rank", *common, *engine, "-m", rank, "--max-samples", "5", "--threshold", "interval")],
        [("rank", *common, "-m", rank, "--report", "r.html")],
        [("wrap", *common, "--estimator", ESTIMATORS[rng.integers(6)], "--max-features", "2")],
        [("sufficient", "d.csv", "-t", "y", *engine, "--features", "*")],
        [("explain", *common, "--row", "0", "--exact-values")],
        [("train", *common, *engine, "-l", learner, "-o", "m", "--show", "--cv", "2"), ("predict", "m", "d.csv")],
        [("train", *common, "-o", "m"), ("predict", "m", "d.csv", "-t", "y"), ("predict", "m", "d.csv", "--proba")],
        [("stream", "d.csv", "-t", "y", "--on-error", "skip", "--checkpoint", "k", "-o", "s")],
        [("compare", *common, "--methods", "information", "--learner", "tree", "--folds", "2")],
    ]
    chances = np.array([4, 2, 2, 2, 2, 2, 2, 4, 2, 2, 1])
    return several[rng.choice(len(several), p=chances / chances.sum())]


def fuzz_odd_table(rng, folder):
    """Let any verb read a table that is odd, but one that somebody may have."""
    content, is_numeric = odd_table(rng)
    (folder / "d.csv").write_bytes(content)
    ask(rng, folder, is_numeric)


def ask(rng, folder, is_numeric=False, name="d.csv"):
    """Run a command about a table, or some that follow on each other."""
    for arguments in commands_about(rng, is_numeric):
        if arguments[0] in ("verify", "predict") and not (folder / arguments[1]).exists():
            continue
        given = [name if argument == "d.csv" else argument for argument in arguments]
        command(folder, *given, *(("--time-limit", "none") if arguments[0] in (*TIMED, "explain") else ()))


def fuzz_format(rng, folder):
    """Let any verb read a file of another format, mostly one that was changed, or is not what its name says."""
    arff, parquet, text = arff_text(rng).encode(), parquet_bytes(rng), table_text(rng, ",").encode()
    contents = {"d.arff": arff, "d.parquet": parquet, "d.csv.gz": gzip.compress(text), "d.arff.gz": gzip.compress(arff)}
    name = [*contents][rng.integers(4)]
    content = contents[name if rng.random() < 0.95 else [*contents][rng.integers(4)]]
    (folder / name).write_bytes(mutated(rng, content) if rng.random() < 0.3 else content)
    ask(rng, folder, name=name)


PLAIN = "a,b,c,y\n" + "".join(f"{k % 2},{k % 3},{k * 7 % 11 / 2},{'pq'[k // 2 % 2]}\n" for k in range(24))


@cache
def _trained(learner):
    is_boolean = learner in ("winnow1", "winnow2", "balanced")
    with tempfile.TemporaryDirectory() as folder:
        text = PLAIN.replace("p\n", "1.25\n").replace("q\n", "2.5\n") if learner == "linear" else PLAIN
        Path(folder, "d.csv").write_text(text)
        columns = ("--drop", "b", "--drop", "c") if is_boolean else ()
        options = ("-l", learner, "-o", "m", "--time-limit", "none", "--cv", "0", *columns)
        command(folder, "train", "d.csv", "-t", "y", *options)
        return Path(folder, "m").read_bytes()


def fuzz_trained(rng, folder):
    """Predict with a changed model of any learner."""
    (folder / "d.csv").write_text(PLAIN)
    (folder / "m").write_bytes(changed_archive(rng, _trained(LEARNERS[rng.integers(8)])))
    command(folder, "predict", "m", "d.csv", *(("--proba",) if rng.random() < 0.5 else ("-t", "y")))


PROOFS = (
    ("--margin", "c=1", "--exact-values"), ("--tolerance", "0.1"), ("--costs", "costs.json"), ("--include", "a"),
    ("--exclude", "b", "--missing", "cautious"), ("--bins",), ("--group", "a,b"), ("--exact-values",),
)  # fmt: skip


@cache
def _proof(number):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "d.csv").write_text(PLAIN)
        Path(folder, "costs.json").write_text('{"a": 2, "b": 0.5}')
        command(folder, "select", "d.csv", "-t", "y", "--certificate", "c", "--time-limit", "none", *PROOFS[number])
        return Path(folder, "c").read_text()


def fuzz_proof(rng, folder):
    """Verify a changed certificate of any kind."""
    (folder / "d.csv").write_text(PLAIN)
    document = json.loads(_proof(int(rng.integers(len(PROOFS)))))
    for _ in range(int(rng.integers(1, 3))):
        document = changed_json(rng, document)
    (folder / "c").write_text(json.dumps(document))
    engine = ("--engine", "stream") if rng.random() < 0.3 else ()
    command(folder, "verify", "c", "d.csv", "--time-limit", "none", *engine)


SEARCH = ("wrap", "d.csv", "-t", "y", "--estimator", "nb", "--time-limit", "none", "-f", "jsonl")


@cache
def _search():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "d.csv").write_text(PLAIN)
        found = sound(run_inside((*SEARCH, "--checkpoint", "j"), folder))
        return found.out, Path(folder, "j").read_bytes()


def fuzz_search_journal(rng, folder):
    """Go on with a wrapper from a changed checkpoint: to the same answer, or not at all."""
    expected, journal = _search()
    (folder / "d.csv").write_text(PLAIN)
    (folder / "j").write_bytes(mutated(rng, journal))
    found = sound(run_inside((*SEARCH, "--checkpoint", "j"), folder))
    assert found.code == 2 or found.out == expected


VERBS = (
    ("select", "d.csv", "-t", "y"), ("rank", "d.csv", "-t", "y"), ("sufficient", "d.csv", "-t", "y", "--features", "a"),
    ("stream", "d.csv", "-t", "y", "--checkpoint", "k"), ("explain", "d.csv", "-t", "y", "--row", "0"),
    ("train", "d.csv", "-t", "y", "-o", "m"), ("wrap", "d.csv", "-t", "y", "--checkpoint", "j"), ("bound", "winnow1"),
    ("generate", "parity"), ("info",), ("select", "-", "-t", "y"), ("select", "nowhere.csv", "-t", "y"),
)  # fmt: skip


def fuzz_streams(rng, folder):
    """Run a verb whose standard streams are closed or full, or that gets a signal at some moment, or both."""
    (folder / "d.csv").write_text(PLAIN)
    arguments = [*VERBS[rng.integers(len(VERBS))]]
    replaced = [number for number in range(3) if rng.random() < 0.3]
    streams = [(number, "/dev/full" if number and rng.random() < 0.5 else None) for number in replaced]
    n_calls = int(np.exp(rng.uniform(np.log(100), np.log(200_000)))) if rng.random() < 0.6 else None
    number = [signal.SIGINT, signal.SIGTERM][rng.integers(2)]
    code, out, err = run_warm(arguments, folder, 600, n_calls, number=number, streams=streams)
    ended = 0 if code == -signal.SIGTERM else code  # as programs do that have nothing to save
    sound(SimpleNamespace(code=ended, out=out, err=err))


LONG = "a,b,c,y\n" + "".join(f"{k % 2},{k % 3},{k * 7 % 11},{'pq'[k // 2 % 2]}\n" for k in range(3000))
BOOLEAN = "a,b,y\n" + "1,0,p\n0,1,q\n0,0,p\n" * 1000
WITH_BLOCKED_OUTPUT = (
    ("predict", "m", "d.csv"), ("predict", "m", "d.csv", "-o", "pipe"), ("generate", "parity", "-o", "pipe"),
    ("generate", "led", "--rows", "500"), ("stream", "s.csv", "-t", "y", "--checkpoint", "k"),
    ("stream", "s.csv", "-t", "y", "--checkpoint", "k", "-o", "pipe"), ("select", "d.csv", "-t", "y", "--all", "9"),
    ("stream", "d.csv", "-t", "y", "--on-error", "skip"), ("select", "d.csv", "-t", "y", "--certificate", "pipe"),
    ("select", "d.csv", "-t", "y", "--report", "pipe"), ("report", "--help"), ("select", "d.csv", "-t", "x" * 5000),
    ("reproduce",), ("train", "d.csv", "-t", "y", "-o", "pipe", "--show"), ("bound", "-f", "json"), ("info",),
)  # fmt: skip
WITH_BLOCKED_INPUT = (
    ("select", "pipe", "-t", "y"), ("select", "-", "-t", "y"), ("select", "pipe", "-t", "y", "--engine", "stream"),
    ("stream", "pipe", "-t", "y", "--checkpoint", "k"), ("stream", "-", "-t", "y"), ("predict", "m", "pipe"),
    ("predict", "pipe", "d.csv"), ("verify", "pipe", "d.csv"), ("select", "d.csv", "-t", "y", "--costs", "pipe"),
    ("train", "pipe", "-t", "y", "-o", "m2"), ("sufficient", "-", "-t", "y", "--features", "a"),
)  # fmt: skip


@cache
def _model_of_long():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "d.csv").write_text(LONG)
        command(folder, "train", "d.csv", "-t", "y", "-l", "id3", "-o", "m", "--cv", "0", "--time-limit", "none")
        return Path(folder, "m").read_bytes()


def fuzz_blocked(rng, folder):
    """Send a signal to a verb that waits for a reader who does not read, or for a writer who does not write."""
    (folder / "d.csv").write_text(LONG)
    (folder / "s.csv").write_text(BOOLEAN)
    (folder / "m").write_bytes(_model_of_long())
    os.mkfifo(folder / "pipe")
    pipe = os.open(folder / "pipe", os.O_RDWR)  # so that nobody waits for the other side, or meets the end
    fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PAGE)
    is_input, number = rng.random() < 0.4, [signal.SIGINT, signal.SIGTERM][rng.integers(2)]
    choices = WITH_BLOCKED_INPUT if is_input else WITH_BLOCKED_OUTPUT
    arguments = choices[rng.integers(len(choices))]
    streams = [(0, "pipe")] if is_input else [] if "pipe" in arguments else [(int(rng.integers(1, 3)), "pipe")]
    if is_input:
        text = BOOLEAN if arguments[0] == "stream" else LONG
        os.write(pipe, text.encode()[: int(rng.integers(1, PAGE))])

    def is_waiting(process):
        n_bytes = int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4), sys.byteorder)
        state = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0]
        return (n_bytes == 0 if is_input else n_bytes > 0) and state == "S"

    def send(process):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            while process.is_alive() and not is_waiting(process):
                process.join(0.001)
            os.kill(process.pid, number)

    try:
        code, out, err = run_warm([*arguments], folder, 600, streams=streams, meanwhile=send)
    finally:
        os.close(pipe)
    sound(SimpleNamespace(code=0 if code == -signal.SIGTERM else code, out=out, err=err))


PARTS = (
    fuzz_odd_table, fuzz_odd_table, fuzz_odd_table, fuzz_odd_table, fuzz_format, fuzz_format, fuzz_trained,
    fuzz_trained, fuzz_proof, fuzz_search_journal, fuzz_streams, fuzz_blocked,
)  # fmt: skip
