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
import tokenize
import traceback
import warnings
import zipfile
from collections import Counter
from enum import Enum
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from fewest import load_model, read_table, scan
from fewest.exceptions import FewestError, FewestWarning
from fewest.models.files import load_file, save_file
from fewest.papers.runner import JOURNAL, run
from in_process import run_inside
from papers import toy

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


def changed_archive(rng, content):
    """Change one member of a model file."""
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
        path.write_bytes(changed_archive(rng, content))
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
        warnings.filterwarnings("ignore", "X does not have valid feature names")  # scikit-learn's own
        with contextlib.suppress(ValueError):  # scikit-learn's own, about other features or classes
            learner.partial_fit(X, learner.classes_[:2])
            learner.decision_function(X)
        learner.save(path)


def command(folder, *arguments, stdin=b""):
    """Run a command in this process; return its exit code. A fault of ours is raised."""
    return sound(run_inside(arguments, folder, stdin)).code


def sound(outcome):
    """Return how a run ended; raise if no user should see that."""
    assert outcome.code in (0, 1, 2, 3, 130), f"exit code {outcome.code}: {outcome.err[-300:]}"
    assert "Traceback" not in outcome.err, outcome.err
    assert "Warning:" not in outcome.err, outcome.err  # of a library, with the line of ours that it complains of
    return outcome


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


# What options may be given besides what they are meant for.
ODD = ["", "0", "-1", "1", "2", "0.5", "1e-300", "1e308", "nan", "inf", "-inf", "²", "9" * 400, "4294967296", "a", "y"]
ODD += ["*", "a,b", "=", "a=1", "a=nan", "cv", "none", "1s", "\0", "\udcff", "\x1b[2J", "/dev/null", "nowhere/x"]
ODD += [".", "auto"]
# What starts clusters, waits for the clock, or takes long.
LEFT_OUT = ("--help", "--plot", "--scheduler", "--workers", "--time-limit", "--folds", "--permutations", "--jobs", "-j")
TABLES = {
    "plain": LINES * 4,
    "huge": "a,b,y\n" + "1e308,-1e308,p\n-1e308,1e308,q\n" * 8,
    "infinite": "a,b,y\ninf,1,p\n,2,q\n-inf,3,p\n4,,q\n" * 4,
    "numbers": "a,b,y\n" + "".join(f"{k * 7 % 11},{k % 3},{k / 3}\n" for k in range(20)),
    "zeros": "a,b,y\n-0.0,0,p\n0.0,1,q\n-0.0,1,p\n" * 5,
    "short": "a,b,y\n1,0,p\n",
    "alone": "y\np\nq\n",
    "one class": "a,b,y\n1,0,p\n0,1,p\n",
    "empty": "a,b,y\n",
    "names": "\x1b[2J,\u202eb,y\n1,0,p\n0,1,q\n",
    "gaps": "a,b,y\n,,p\n,,q\n1,,\n" * 5,
    "many classes": "a,b,y\n" + "".join(f"{k},{k % 2},c{k}\n" for k in range(15)),
}
TIMED = ("compare", "rank", "report", "select", "train", "verify", "wrap")


@cache
def options_of(verb):
    """Return the options that a verb has, the values that each chooses from, if any, and whether it takes none."""
    from fewest.cli.app import _command

    found = []
    for parameter in _command(verb).params:
        kind = getattr(parameter, "bare_type", None)
        choices = [member.value for member in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []
        names = [name for name in parameter.opts if name.startswith("-") and name not in LEFT_OUT]
        found += [(name, choices, bool(getattr(parameter, "is_flag", False))) for name in names]
    return found


def fuzz_options(rng, folder):
    """Run any verb over an odd table with options that it has, and values that it may not."""
    verbs = ["select", "rank", "wrap", "sufficient", "explain", "train", "predict", "verify", "stream", "generate"]
    verb = [*verbs, "bound", "info", "compare", "report"][rng.integers(14)]
    if verb in ("compare", "report") and rng.random() < 0.8:  # they take as long as all others together
        verb = verbs[rng.integers(10)]
    name = [*TABLES][rng.integers(len(TABLES))]
    (folder / "d.csv").write_bytes(TABLES[name].encode())
    chosen = []
    for _ in range(int(rng.integers(0, 4))):
        option, choices, is_flag = options_of(verb)[rng.integers(len(options_of(verb)))]
        values = choices if choices and rng.random() < 0.7 else ODD
        chosen += [option] if is_flag else [option, values[rng.integers(len(values))]]
    if verb in ("sufficient",):
        chosen = ["--features", ["a", "a,b", "b"][rng.integers(3)], *chosen]
    if verb == "explain":
        chosen = ["--row", str(rng.integers(0, 5)), *chosen]
    if verb in ("train", "report"):
        chosen = ["-o", "out.html", *chosen]
    if verb == "predict":
        command(folder, "train", "d.csv", "-t", "y", "-o", "m", "--time-limit", "none")
        command(folder, "predict", "m", "d.csv", *chosen)
        return
    if verb == "verify":
        command(folder, "select", "d.csv", "-t", "y", "--certificate", "c", "--time-limit", "none")
        command(folder, "verify", "c", "d.csv", *chosen)
        return
    if verb in ("bound", "info", "generate"):
        words = ["led", "parity", "linear-threshold", "winnow1", "relief", "min-features", "cfp"]
        chosen = [words[rng.integers(7)], *chosen, *(["--n", ODD[rng.integers(len(ODD))]] if verb == "bound" else [])]
        command(folder, verb, *chosen)
        return
    limit = ["--time-limit", "none" if rng.random() < 0.9 else "0"] if verb in TIMED else []
    command(folder, verb, "d.csv", "-t", "y", *limit, *chosen)


def fuzz_costs(rng, folder):
    """Read changed costs."""
    (folder / "d.csv").write_text(LINES)
    suffix = [".json", ".csv"][rng.integers(2)]
    whole = {".json": json.dumps(changed_json(rng, {"a": 1, "b": 2.5})).encode(), ".csv": b"feature,cost\na,1\nb,2.5\n"}
    (folder / f"costs{suffix}").write_bytes(mutated(rng, whole[suffix]))
    command(folder, "select", "d.csv", "-t", "y", "--costs", f"costs{suffix}", "--time-limit", "none")


@cache
def _certificate():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "d.csv").write_text(LINES)
        command(folder, "select", "d.csv", "-t", "y", "--certificate", "c", "--time-limit", "none")
        return Path(folder, "c").read_bytes()


def fuzz_certificate(rng, folder):
    """Verify a changed certificate."""
    (folder / "d.csv").write_text(LINES)
    content = _certificate()
    if rng.random() < 0.8:
        content = json.dumps(changed_json(rng, json.loads(content))).encode()
    (folder / "c").write_bytes(mutated(rng, content) if rng.random() < 0.3 else content)
    command(folder, "verify", "c", "d.csv", "--time-limit", "none")


def fuzz_changed_checkpoint(rng, folder):
    """Go on from a checkpoint in which one field has another value, or one array another shape."""
    (folder / "s.csv").write_text(LINES * 2)
    run = ("stream", "s.csv", "--target", "y", "--checkpoint", "c", "-o", "out.csv")
    command(folder, *run)
    document, arrays = load_file(folder / "c")
    if rng.random() < 0.8:
        document = changed_json(rng, document)
    else:
        content = io.BytesIO()
        np.lib.format.write_array(content, arrays["exponents"], allow_pickle=False)
        with contextlib.suppress(ValueError, EOFError, SyntaxError, TypeError, tokenize.TokenError):
            arrays = {"exponents": np.load(io.BytesIO(changed_array(rng, content.getvalue())), allow_pickle=False)}
    if isinstance(document, dict):
        save_file(folder / "c", document, arrays)
    (folder / "s.csv").write_text(LINES * 3)
    command(folder, *run)


@cache
def _journals():
    from fewest.wrapper.search.checkpoint import Journal

    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder, "j"), {"data": "a", "beam": 3})
        journal.add(np.arange(3.0))
        journal.add(np.arange(4.0))
        journal.close()
        run(toy.SQUARES, "small", Path(folder))
        return Path(folder, "j").read_bytes(), Path(folder, JOURNAL).read_bytes()


def fuzz_journal(rng, folder):
    """Go on from a changed journal of a search, or of an experiment."""
    from fewest.wrapper.search.checkpoint import Journal

    of_search, of_experiment = _journals()
    if rng.random() < 0.5:
        (folder / "j").write_bytes(mutated(rng, of_search))
        with contextlib.suppress(FewestError):
            journal = Journal(folder / "j", {"data": "a", "beam": 3})
            assert journal.known(7).tolist() == [0.0, 1, 2, 0, 1, 2, 3][: len(journal._answers)]
            journal.close()
        return
    (folder / JOURNAL).write_bytes(mutated(rng, of_experiment))
    outcome = run(toy.SQUARES, "small", folder)
    assert outcome.verdict == "holds"


PARTS = (fuzz_table, fuzz_table, fuzz_table, fuzz_model, fuzz_model, fuzz_command, fuzz_checkpoint)
# Numbers from here on are of these, so that the inputs of those below stay as they were.
LATER = 1 << 40
LATER_PARTS = (
    fuzz_options, fuzz_options, fuzz_options, fuzz_options, fuzz_costs, fuzz_certificate, fuzz_changed_checkpoint,
    fuzz_journal, fuzz_table, fuzz_model,
)  # fmt: skip


# And numbers from here on are of those in `fuzzing_verbs`.
LATEST = 1 << 41


def fuzz(number):
    """Try the input of a number; raise what should not have been raised."""
    import fuzzing_verbs  # which imports this file

    rng = np.random.default_rng(number)
    parts = PARTS if number < LATER else LATER_PARTS if number < LATEST else fuzzing_verbs.PARTS
    part = parts[rng.integers(len(parts))]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", FewestWarning)
        part(rng, Path(folder))
    return part.__name__


def _too_slow(*_):
    raise TimeoutError("this input takes longer than a minute")


def main(n, first=0):
    """Try so many numbers, a third from each beginning; print what went wrong, and how many there were of each."""
    limit = 8 << 30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    signal.signal(signal.SIGALRM, _too_slow)
    print(f"{n} inputs, from the numbers {first}, {first + LATER} and {first + LATEST} on", flush=True)
    tried, faults = Counter(), Counter()
    numbers = [first + k // 3 + (0, LATER, LATEST)[k % 3] for k in range(n)]
    for k, number in enumerate(numbers, start=1):
        signal.alarm(60)
        try:
            tried[fuzz(number)] += 1
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} in {os.path.basename(place.filename)}:{place.lineno}"
            faults[kind] += 1
            print(f"{number}: {kind}: {str(error)[:200] if faults[kind] == 1 else 'again'}", flush=True)
        signal.alarm(0)
        if k % 500 == 0:
            print(f"{k} inputs, {sum(faults.values())} faults", flush=True)
    print(dict(tried), dict(faults), f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
