"""Generated and mutated inputs, numbered: each number makes one input and gives it to the part that it is for.

The package may refuse an input with a `FewestError`; anything else that it
raises is a mistake of ours. `tests/test_fuzzing.py` tries some numbers, and
``python tests/fuzzing.py 10000`` tries so many, with a limit on memory and on
the time of each.
"""

import contextlib
import io
import json
import os
import resource
import signal
import sys
import tempfile
import traceback
import warnings
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from fewest import load_model, read_table, scan
from fewest.exceptions import FewestError, FewestWarning

WORDS = [
    "a",
    "b",
    "",
    "?",
    "yes",
    "no",
    "007",
    "1e999",
    "-1e-999",
    "9" * 400,
    "0x1F",
    "inf",
    "nan",
    "1_000",
    '"',
    "'",
    "%",
    "{",
    "}",
]
WORDS += ["\0", "\ufeff", "é", "\u2028", "x" * 5_000, "1.5", "0", "1", "@data", "@attribute", ",", ";", "\t", "\r", " "]
COLUMNS = ["a", "b", "y", "", "a", "y y", "é"]


def table_text(rng, delimiter):
    """Delimited text, not always as it should be."""
    n_columns, n_rows = int(rng.integers(1, 6)), int(rng.integers(0, 12))
    rows = [[COLUMNS[rng.integers(len(COLUMNS))] if rng.random() < 0.2 else f"c{j}" for j in range(n_columns)]]
    rows[0][-1] = "y"
    for _ in range(n_rows):
        n = n_columns + (int(rng.integers(-1, 2)) if rng.random() < 0.05 else 0)
        cells = [str(rng.integers(0, 3)) if rng.random() < 0.7 else WORDS[rng.integers(len(WORDS))] for _ in range(n)]
        rows.append([f'"{cell}"' if rng.random() < 0.1 else cell for cell in cells])
    end = ["\n", "\r\n", "\r"][rng.integers(3)]
    return end.join(delimiter.join(row) for row in rows) + (end if rng.random() < 0.8 else "")


def arff_text(rng):
    """ARFF, not always as it should be."""
    types = ["numeric", "{0,1,2}", "string", "{yes,no}", "date", "real", "relational", "{'a b',?}", "integer"]
    chosen = [
        types[rng.integers(4)] if rng.random() < 0.9 else types[rng.integers(len(types))]
        for _ in range(int(rng.integers(1, 5)))
    ]
    lines = [
        "@relation r",
        *(f"@attribute c{j} {kind}" for j, kind in enumerate(chosen)),
        "@attribute y {0,1,2}",
        "@data",
    ]
    for _ in range(int(rng.integers(0, 10))):
        if rng.random() < 0.2:
            lines.append("{" + ", ".join(f"{j} {rng.integers(0, 3)}" for j in range(len(chosen) + 1)) + "}")
        else:
            cells = [
                str(rng.integers(0, 3)) if rng.random() < 0.9 else WORDS[rng.integers(len(WORDS))] for _ in [*chosen, 0]
            ]
            lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


def parquet_bytes(rng):
    """A Parquet file of several types."""
    n = int(rng.integers(0, 40))
    columns = {
        "i": pa.array(rng.integers(-3, 3, n)),
        "f": pa.array(np.where(rng.random(n) < 0.2, np.nan, rng.random(n))),
        "s": pa.array([WORDS[k] for k in rng.integers(0, len(WORDS), n)]),
        "b": pa.array(rng.random(n) < 0.5),
        "l": pa.array([[1, 2]] * n, pa.list_(pa.int64())),
        "d": pa.array(rng.integers(0, 10**6, n), pa.timestamp("us")),
        "y": pa.array([f"{k}" for k in rng.integers(0, 3, n)], pa.string()),
    }
    kept = [name for name in columns if name == "y" or rng.random() < 0.5]
    sink = io.BytesIO()
    pa.parquet.write_table(
        pa.table({name: columns[name] for name in kept}), sink, row_group_size=int(rng.integers(1, 20))
    )
    return sink.getvalue()


def mutated(rng, content):
    """Change bytes: flips, cuts, copies, NULs, and now and then a very long field."""
    content = bytearray(content)
    for _ in range(int(rng.integers(0, 4))):
        at = int(rng.integers(0, len(content) + 1))
        what = rng.integers(7)
        if what == 0 and content:
            content[at % len(content)] ^= 1 << int(rng.integers(8))
        elif what == 1:
            del content[at:]
        elif what == 2:
            content[at:at] = b"\0" * int(rng.integers(1, 5))
        elif what == 3:
            content[at:at] = bytes(content[: int(rng.integers(0, 50))])
        elif what == 4:
            del content[at : at + int(rng.integers(1, 20))]
        elif what == 5:
            content[at:at] = rng.bytes(int(rng.integers(1, 9)))
        elif rng.random() < 0.02:
            content[at:at] = b"9" * (10 << 20)
    return bytes(content)


def fuzz_table(rng, folder):
    """Read a mutated file, at once and in blocks."""
    suffix = [".csv", ".tsv", ".arff", ".parquet", ".txt", ""][rng.integers(6)]
    made = rng.integers(4)
    if made == 0:
        content = parquet_bytes(rng)
    elif made == 1:
        content = arff_text(rng).encode()
    else:
        content = table_text(rng, [",", ";", "\t", "|"][rng.integers(4)]).encode(
            ["utf-8", "utf-16"][int(rng.random() < 0.1)]
        )
    if rng.random() < 0.8:
        suffix = {0: ".parquet", 1: ".arff"}.get(int(made), suffix)
    path = folder / f"data{suffix}"
    path.write_bytes(mutated(rng, content))
    with contextlib.suppress(FewestError):
        read_table(path)
    with contextlib.suppress(FewestError):
        scanned = scan(path, target="y", batch_bytes=int(rng.integers(1, 200)), n_jobs=1)
        store = getattr(scanned, ["store", "numeric_store", "regression_store"][rng.integers(3)])
        store.values(np.arange(store.n_rows))


BOOLEANS = pa.table({"a": [0, 1, 2, None], "b": [True, False, None, True]})


@cache
def _model(kind):
    from fewest import CFPClassifier, ID3Classifier, Winnow2
    from fewest.mistakes.model import learn_winnow
    from fewest.table import from_frame

    X = pa.table({"a": [0, 1, 0, 1], "b": ["u", "v", "v", "u"], "c": [0.5, 1.5, None, 2.5]})
    y = ["p", "q", "q", "p"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        if kind == "booleans":
            Winnow2(positive_class="q").fit(BOOLEANS.slice(0, 2).to_pandas().astype(bool), ["p", "q"]).save(path)
        elif kind == "winnow":
            learn_winnow(from_frame(X.drop_columns("c")), from_frame(pa.table({"y": y}))["y"], "winnow2")[0].save(path)
        else:
            (ID3Classifier() if kind == "tree" else CFPClassifier()).fit(X, y).save(path)
        return path.read_bytes()


def changed_json(rng, value):
    """Change a JSON value somewhere."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = list(value)[rng.integers(len(value))]
        return (
            {**value, key: changed_json(rng, value[key])}
            if rng.random() < 0.9
            else {k: v for k, v in value.items() if k != key}
        )
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = int(rng.integers(len(value)))
        return [*value[:at], changed_json(rng, value[at]), *value[at + (rng.random() < 0.9) :]]
    return [None, -1, 1e308, 10**30, "x", [], {}, True, "__import__('os')", [[[]]], float("nan")][rng.integers(11)]


def changed_array(rng, content):
    """Change an array: its values, its shape or its type."""
    array = np.load(io.BytesIO(content), allow_pickle=False)
    what = rng.integers(5)
    if what == 0:
        return mutated(rng, content)
    if what == 1 and array.size:
        array = array.copy()
        array.flat[rng.integers(array.size)] = (
            [-(2**31), -1, 0, 1, 2**31 - 1][rng.integers(5)] if array.dtype.kind in "if" else 0
        )
    elif what == 2:
        array = array[: int(rng.integers(0, len(array) + 1))] if array.ndim else array.reshape(1)
    elif what == 3:
        array = array.astype([np.float64, np.int8, "U3", bool, np.uint64][rng.integers(5)])
    else:
        array = array[None]
    sink = io.BytesIO()
    np.lib.format.write_array(sink, array, allow_pickle=False)
    return sink.getvalue()


def fuzz_model(rng, folder):
    """Load a changed model and use it."""
    kind = ["tree", "cfp", "winnow"][rng.integers(3)]
    if kind == "winnow" and rng.spawn(1)[0].random() > 0.5:  # which leaves the numbers as they were
        kind = "booleans"
    content = _model(kind)
    path = folder / "some.model"
    if rng.random() < 0.3:
        path.write_bytes(mutated(rng, content))
    else:
        sink = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(sink, "w") as new:
            victim = old.namelist()[rng.integers(len(old.namelist()))]
            for name in old.namelist():
                member = old.read(name)
                if name == victim and name.endswith(".json"):
                    member = json.dumps(changed_json(rng, json.loads(member))).encode()
                elif name == victim:
                    member = changed_array(rng, member)
                new.writestr(name, member)
        path.write_bytes(sink.getvalue())
    with contextlib.suppress(FewestError):
        model = load_model(path)
        model.answers(pa.table({"a": [0, 1, 2, None], "b": ["u", "w", None, "v"], "c": [0.5, None, 1e300, -1.0]}))
        model.export_text()
    if kind == "booleans":
        use_booleans(path)


def use_booleans(path):
    """Predict with what may be Winnow over Boolean features, and go on learning."""
    from fewest import Winnow2

    with contextlib.suppress(FewestError):
        load_model(path).answers(BOOLEANS)
    with contextlib.suppress(FewestError):
        learner = Winnow2.load(path)
        X = np.eye(2, learner.n_features_in_ if learner.n_features_in_ < 100 else 2, dtype=bool)
        with contextlib.suppress(ValueError):  # scikit-learn's own, about other features or classes
            learner.partial_fit(X, learner.classes_[:2])
            learner.decision_function(X)
        learner.save(path)


def command(folder, *arguments, stdin=b""):
    """Run a command in this process; return its exit code. What it raises is not caught."""
    from fewest.cli.app import app

    sink = io.TextIOWrapper(io.BytesIO())
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), contextlib.chdir(folder):
            app(list(arguments))
    except SystemExit as end:
        return end.code
    except (FewestError, OSError):  # these become a sentence, see fewest.cli.app.run
        return 2
    finally:
        sys.stdin = before
    return 0


LINES = "a,b,y\n1,0,p\n0,1,q\n1,1,p\n0,0,q\n"


def fuzz_checkpoint(rng, folder):
    """Go on from a changed checkpoint."""
    (folder / "s.csv").write_text(LINES * 3)
    run = ("stream", "s.csv", "--target", "y", "--positive", "p", "--checkpoint", "c", "-o", "out.csv")
    command(folder, *run)
    saved = (folder / "c").read_bytes() if (folder / "c").exists() else b""
    (folder / "c").write_bytes(mutated(rng, saved))
    command(folder, *run)


OPTIONS = [
    "--target",
    "y",
    "-t",
    "a",
    "--method",
    "sg",
    "focus1",
    "relief",
    "--tolerance",
    "0.5",
    "nan",
    "--margin",
    "-1",
    "a=1",
]
OPTIONS += [
    "--engine",
    "stream",
    "--time-limit",
    "1s",
    "-5",
    "--all",
    "2",
    "0",
    "--core",
    "--include",
    "b",
    "--exclude",
    "*",
]
OPTIONS += [
    "--format",
    "json",
    "jsonl",
    "--bins",
    "--missing",
    "cautious",
    "--kind",
    "a=numeric",
    "a=",
    "=",
    "--null",
    "",
    "\0",
]
OPTIONS += [
    "--delimiter",
    ";",
    "ab",
    "--no-header",
    "--encoding",
    "utf-16",
    "zzz",
    "--drop",
    "y",
    "--features",
    "a,b",
    '"',
    "-o",
    "out",
]
OPTIONS += [
    "--learner",
    "cfp",
    "--select",
    "wg",
    "--proba",
    "--max-samples",
    "1",
    "--neighbors",
    "3",
    "--seed",
    "7",
    "--threshold",
    "inf",
]


def fuzz_command(rng, folder):
    """Run a command with options picked at random."""
    (folder / "d.csv").write_bytes(mutated(rng, LINES.encode()) if rng.random() < 0.5 else LINES.encode())
    verb = ["select", "sufficient", "train", "predict", "verify", "stream", "generate", "frobnicate"][rng.integers(8)]
    if verb == "select":  # by numbers of its own, so that those above stay as they were
        verb = ["select", "rank", "wrap"][rng.spawn(1)[0].integers(3)]
    chosen = [OPTIONS[k] for k in rng.integers(0, len(OPTIONS), int(rng.integers(0, 7)))]
    if rng.random() < 0.7 and verb in ("select", "rank", "wrap", "sufficient", "train", "stream"):
        chosen += ["--target", "y"]
    command(folder, verb, "d.csv", *chosen, stdin=LINES.encode())


PARTS = (fuzz_table, fuzz_table, fuzz_table, fuzz_model, fuzz_model, fuzz_command, fuzz_checkpoint)


def fuzz(number):
    """Try the input of a number; raise what should not have been raised."""
    rng = np.random.default_rng(number)
    part = PARTS[rng.integers(len(PARTS))]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", FewestWarning)
        part(rng, Path(folder))
    return part.__name__


def _too_slow(*_):
    raise TimeoutError("this input takes longer than a minute")


def main(n, first=0):
    """Try so many numbers; print what went wrong, and how many there were of each part."""
    limit = 8 << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    signal.signal(signal.SIGALRM, _too_slow)
    tried, faults = Counter(), Counter()
    for number in range(first, first + n):
        signal.alarm(60)
        try:
            tried[fuzz(number)] += 1
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} in {os.path.basename(place.filename)}:{place.lineno}"
            faults[kind] += 1
            if faults[kind] == 1:
                print(f"{number}: {kind}: {str(error)[:200]}", flush=True)
        signal.alarm(0)
        if (number + 1 - first) % 500 == 0:
            print(f"{number + 1 - first} inputs, {sum(faults.values())} faults", flush=True)
    print(dict(tried), dict(faults), f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
