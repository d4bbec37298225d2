"""Every method in two checkouts, one after the other: time and memory of this one as multiples of the other's.

    python benchmarks/two_checkouts.py ../before          # all
    python benchmarks/two_checkouts.py ../before relief   # those whose name holds a word

A method runs in a process of its own, once unmeasured, then several times; the checkouts take turns, and the least
processor time and the least peak memory of each count. Commands are measured whole, imports included. Both checkouts
have machine code on disk: every method runs once before, compiled. Matrices are multiplied on one thread, since a
second one that waits takes processor time, too.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve()
ROUNDS, REPEATS = 3, 3

# What a checkout that lacks the name on the left calls it; a parameter that it has under neither name is left out.
OLDER_NAMES = {
    "max_samples": "n_samples",
    "n_features_to_select": "n_features",
    "update_factor": "alpha",
    "exclude": "forbid",
    "validation_fraction": "holdout",
    "beam_width": "beam",
    "population_size": "population",
    "n_generations": "generations",
}
# Set in both, where an estimator has it, since the defaults differ: like is compared with like.
ALIKE = {"n_jobs": 1, "metric": "euclidean", "threshold": "interval"}


def boolean(n_rows: int, n_features: int, seed: int = 0):
    """Return random Boolean examples whose class is the parity of three features."""
    import numpy as np

    X = np.random.default_rng(seed).integers(0, 2, (n_rows, n_features)).astype(np.int8)
    return X, X[:, :3].sum(axis=1) % 2


def numeric(n_rows: int, n_features: int, gaps: float = 0.0):
    """Return random numeric examples with two relevant features, and gaps."""
    import numpy as np

    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < gaps] = np.nan
    return X, y


def fit(name: str, data, **parameters) -> Callable[[], object]:
    """Return a fit of a public estimator."""
    import warnings

    import fewest

    warnings.simplefilter("ignore")
    known = understood(getattr(fewest, name), parameters)
    return lambda: getattr(fewest, name)(**known).fit(*data)


def understood(estimator: Callable[..., object], parameters: dict[str, object]) -> dict[str, object]:
    """Return parameters under the names that this checkout's estimator gives them, and those set alike in both."""
    names = inspect.signature(estimator).parameters
    wanted = {name: value for name, value in ALIKE.items() if name in names} | parameters
    named = {name if name in names else OLDER_NAMES.get(name, name): value for name, value in wanted.items()}
    return {name: value for name, value in named.items() if name in names}


def then(estimator: Callable[[], object], method: str, X) -> Callable[[], object]:
    """Return a call of a fitted estimator's method."""
    fitted = estimator()
    return lambda: getattr(fitted, method)(X)


def wrapped(name: str, estimator: str, n_rows: int = 1_000) -> Callable[[], object]:
    """Return a wrapper around a learner of scikit-learn's."""
    from sklearn import discriminant_analysis, linear_model, naive_bayes, neighbors

    homes = (discriminant_analysis, linear_model, naive_bayes, neighbors)
    learner = next(getattr(home, estimator) for home in homes if hasattr(home, estimator))
    return fit(name, numeric(n_rows, 20), estimator=learner(), random_state=0)


def one_by_one() -> Callable[[], object]:
    """Return Winnow learning one example after the other."""
    import fewest

    X, y = boolean(2_000, 100)

    def learn() -> None:
        learner = fewest.Winnow2()
        for i in range(len(X)):
            learner.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1])

    return learn


def packed() -> Callable[[], object]:
    """Return Winnow over packed examples."""
    import fewest

    X, _ = boolean(100_000, 512)
    y = X[:, 0] | X[:, 1]
    home = fewest.mistakes if hasattr(fewest, "mistakes") else fewest
    examples = home.PackedBits.from_dense(X.astype(bool))
    return lambda: fewest.Winnow1(max_iter=1).fit(examples, y)


def sparse() -> Callable[[], object]:
    """Return Winnow over sparse examples."""
    import scipy.sparse

    X = scipy.sparse.random_array((50_000, 5_000), density=0.01, format="csr", rng=0)
    X.data[:] = 1
    y = (X[:, [0, 1, 2]].sum(axis=1) > 0).astype(int)
    return fit("Winnow2", (X, y), max_iter=2)


def read() -> Callable[[], object]:
    """Return the reading of a CSV file."""
    import fewest

    path = Path(tempfile.gettempdir(), f"two-checkouts-{os.getpid()}.csv")
    X, y = numeric(50_000, 20)
    lines = [",".join([*(f"{value:.4f}" for value in row), "yes" if c else "no"]) for row, c in zip(X, y, strict=True)]
    path.write_text("\n".join([",".join([*(f"x{j}" for j in range(20)), "y"]), *lines]) + "\n")

    def load() -> None:
        fewest.read_table(path)

    return load


def scanned(name: str, **parameters) -> Callable[[], object]:
    """Return a fit over blocks of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet

    import fewest

    path = Path(tempfile.gettempdir(), f"two-checkouts-{os.getpid()}.parquet")
    X, y = boolean(200_000, 40)
    columns = {f"x{j}": X[:, j].astype(bool) for j in range(X.shape[1])} | {"y": y}
    pa.parquet.write_table(pa.table(columns), path, row_group_size=25_000)
    known = understood(getattr(fewest, name), parameters)
    return lambda: getattr(fewest, name)(**known).fit(fewest.scan(path, target="y"))


def small_samples(learner: str) -> Callable[[], object]:
    """Return a batch of learner runs on small samples."""
    try:
        from fewest.papers.focus.small_samples import Samples
    except ImportError:
        from fewest.search.boolean_batch import Samples  # type: ignore[no-redef]
    samples = Samples([i.bit_count() % 2 for i in range(8)], 12, 200)
    return lambda: samples.run(learner, 2_000)


def smallest_tree() -> Callable[[], object]:
    """Return the best mistake bound of a finite class."""
    import fewest

    home = fewest.mistakes if hasattr(fewest, "mistakes") else fewest
    concepts = home.ConceptClass.monotone_disjunctions(8)
    return lambda: home.opt(concepts)


METHODS: dict[str, Callable[[], Callable[[], object]]] = {
    "min-features 100:6:1000": lambda: fit("MinFeatures", boolean(1_000, 100)),
    "min-features 2000:3:300": lambda: fit("MinFeatures", boolean(300, 2_000)),
    "focus1": lambda: fit("Focus1", boolean(500, 60)),
    "focus2": lambda: fit("Focus2", boolean(200, 40)),
    "mig": lambda: fit("MutualInformationGreedy", boolean(200_000, 60)),
    "sg": lambda: fit("SimpleGreedy", boolean(200_000, 60)),
    "wg": lambda: fit("WeightedGreedy", boolean(4_000, 200)),
    "tolerance": lambda: fit("MinFeatures", boolean(2_000, 40), tolerance=0.01),
    "relief boolean": lambda: fit("Relief", boolean(5_000, 100), random_state=0),
    "relieff boolean": lambda: fit("ReliefF", boolean(5_000, 100), random_state=0),
    "relieff numeric": lambda: fit("ReliefF", numeric(2_000, 500), random_state=0),
    "relieff gaps": lambda: fit("ReliefF", numeric(1_000, 100, 0.1), random_state=0),
    "relieff small": lambda: fit("ReliefF", numeric(100, 10), random_state=0),
    "rrelieff": lambda: fit("RReliefF", (numeric(2_000, 100)[0], numeric(2_000, 2)[0][:, 0]), random_state=0),
    "id3": lambda: fit("ID3Classifier", boolean(100_000, 50)),
    "id3 predict": lambda: then(fit("ID3Classifier", boolean(20_000, 20)), "predict", boolean(100_000, 20)[0]),
    "fringe": lambda: fit("FringeClassifier", boolean(300, 12)),
    "cfp": lambda: fit("CFPClassifier", numeric(50_000, 20)),
    "cfp small": lambda: fit("CFPClassifier", numeric(200, 10)),
    "cfp predict": lambda: then(fit("CFPClassifier", numeric(20_000, 20)), "predict", numeric(50_000, 20)[0]),
    "ga-cfp": lambda: fit("GACFPClassifier", numeric(150, 4), population_size=5, n_generations=2, random_state=0),
    "winnow dense": lambda: fit("Winnow2", (boolean(50_000, 300)[0], boolean(50_000, 300)[0][:, 0]), max_iter=1),
    "winnow balanced": lambda: fit("BalancedWinnow", (boolean(50_000, 300)[0], boolean(50_000, 1)[1]), max_iter=1),
    "winnow sparse": sparse,
    "winnow packed": packed,
    "winnow one by one": one_by_one,
    "opt": smallest_tree,
    **{f"small samples {each}": partial(small_samples, each) for each in ("id3", "wg", "focus", "fringe")},
    "ordered-fs logistic": lambda: wrapped("OrderedFS", "LogisticRegression"),
    "standard-wrap least squares": lambda: wrapped("StandardWrap", "LinearRegression"),
    "standard-wrap naive Bayes": lambda: wrapped("StandardWrap", "GaussianNB"),
    "standard-wrap LDA": lambda: wrapped("StandardWrap", "LinearDiscriminantAnalysis"),
    "standard-wrap neighbors": lambda: wrapped("StandardWrap", "KNeighborsClassifier", 60),
    "read csv": read,
    "scan min-features": lambda: scanned("MinFeatures"),
    "scan sg": lambda: scanned("SimpleGreedy"),
    "scan relieff": lambda: scanned("ReliefF", max_samples=200, random_state=0),
    "scan id3": lambda: scanned("ID3Classifier"),
}

COMMANDS = {
    "fewest --help": "--help",
    "fewest select --help": "select --help",
    "fewest select votes": "select fewest:votes --target party",
    "fewest sufficient votes": "sufficient fewest:votes --target party --features physician-fee-freeze",
    "fewest train votes": "train fewest:votes --target party -o votes.model",
    "fewest bound": "bound winnow1 --n 1000 --k 3",
}


def measure_here(name: str) -> None:
    """Run a method in this process and print what it took."""
    call = METHODS[name]()
    call()
    seconds = []
    for _ in range(REPEATS):
        started = time.process_time()
        call()
        seconds.append(time.process_time() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": min(seconds), "megabytes": peak / 1024}))


def measured(checkout: Path, arguments: list[str], folder: str, **variables: str) -> dict[str, float]:
    """Measure in a process that has a checkout's package."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "OPENBLAS_NUM_THREADS": "1"} | variables
    if arguments[0] == "-m":
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, *arguments], env=environment, cwd=folder, capture_output=True, check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == 2:
            return {"error": done.stderr.decode().strip()[-200:]}  # type: ignore[dict-item]
        return {"seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "megabytes": 0.0}
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip()[-200:]}  # type: ignore[dict-item]


def main() -> None:
    """Print a line a method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the other checkout")
    parser.add_argument("word", nargs="?", default="", help="a part of the names of what to measure")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    if options.measure:
        return measure_here(options.measure)
    here, other = HERE.parent.parent, options.other.resolve()
    jobs = {name: [str(HERE), str(other), "--measure", name] for name in METHODS}
    jobs |= {name: ["-m", "fewest", *command.split()] for name, command in COMMANDS.items()}
    print(f"{'':30}{'here':>10}{'other':>10}{'time':>8}{'memory':>8}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"] = folder
        for name, arguments in jobs.items():
            if options.word not in name:
                continue
            found: dict[Path, list] = {here: [], other: []}
            for checkout in found:
                measured(checkout, arguments, folder, FEWEST_COMPILE="always")
            for _ in range(options.rounds * (3 if arguments[0] == "-m" else 1)):
                for checkout, rounds in found.items():
                    rounds.append(measured(checkout, arguments, folder))
            errors = [each["error"] for rounds in found.values() for each in rounds if "error" in each]
            if errors:
                print(f"{name:30} {errors[0]}")
                continue
            (ours, mine), (theirs, memory) = (
                (min(each["seconds"] for each in rounds), min(each["megabytes"] for each in rounds))
                for rounds in found.values()
            )
            ratio = f"{mine / memory:8.2f}" if memory else f"{'':8}"
            print(f"{name:30}{ours:10.4f}{theirs:10.4f}{ours / theirs:8.2f}{ratio}", flush=True)
    return None


if __name__ == "__main__":
    main()
