"""Winnow against linear learners: examples a second, and mistakes as irrelevant features grow.

scikit-learn's Perceptron and SGDClassifier run in the same process. river and
Vowpal Wabbit need other versions of what we use; name the interpreters of
environments of their own:

    python benchmarks/winnow.py                                   ours and scikit-learn's
    python benchmarks/winnow.py --river PYTHON --vw PYTHON        river and Vowpal Wabbit as well
    python benchmarks/winnow.py --mistakes [--plot FILE]          mistakes as irrelevant features grow
    python benchmarks/winnow.py --quick                           small versions

Labels are a disjunction of ten features, each of which is true often enough to
make half of the examples positive; others are true in half of the dense and in
50 places of the sparse examples.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import Perceptron, SGDClassifier
from timing import best_of

from fewest import BalancedWinnow, Winnow1, Winnow2
from fewest.mistakes import PackedBits
from fewest.mistakes import bounds as mistakes
from fewest.mistakes.examples import Sparse
from fewest.mistakes.options import Rule
from fewest.mistakes.winnow import Winnow

N_RELEVANT = 10
BLOCK = 1000
OURS = {"Winnow1": Winnow1, "Winnow2": Winnow2, "BalancedWinnow": BalancedWinnow}
THEIRS = {"Perceptron": Perceptron, "SGDClassifier": SGDClassifier}


def dense_examples(n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Return Boolean examples and labels."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (n_rows, n_features), dtype=np.uint8)
    relevant = rng.permutation(n_features)[:N_RELEVANT]
    X[:, relevant] = rng.random((n_rows, N_RELEVANT)) < 1 - 0.5 ** (1 / N_RELEVANT)
    return X, X[:, relevant].any(axis=1)


def sparse_examples(n_rows: int, n_features: int, n_active: int) -> tuple[csr_array, np.ndarray]:
    """Return Boolean examples, so many features of each true, and labels."""
    rng = np.random.default_rng(0)
    indices = rng.integers(N_RELEVANT, n_features, (n_rows, n_active), dtype=np.int32)
    true = rng.random((n_rows, N_RELEVANT)) < 1 - 0.5 ** (1 / N_RELEVANT)
    indices[:, :N_RELEVANT] = np.where(true, np.arange(N_RELEVANT), indices[:, :N_RELEVANT])
    indptr = np.arange(0, n_rows * n_active + 1, n_active, dtype=np.int32)
    X = csr_array((np.ones(indices.size), indices.ravel(), indptr), shape=(n_rows, n_features))
    X.sum_duplicates()
    X.data[:] = 1
    return X, true.any(axis=1)


def learned(make: Callable, blocks: list, labels: list[np.ndarray]) -> None:
    """Learn from all examples, a block at a time."""
    learner = make().partial_fit(blocks[0], labels[0], classes=[False, True])
    for X, y in zip(blocks[1:], labels[1:], strict=True):
        learner.partial_fit(X, y)


def cut(whole, size: int) -> list:
    """Cut examples into blocks."""
    return [whole[start : start + size] for start in range(0, whole.shape[0], size)]


def told(data: str, how: str, name: str, rate: float, peer: float | None = None) -> None:
    """Print a line: examples a second, and how many times the fastest of scikit-learn's."""
    ratio = "" if peer is None else f"{rate / peer:>8.1f}x"
    print(f"{data:<18}{how:<16}{name:<28}{rate:>14,.0f}{ratio}", flush=True)


def compare(data: str, how: str, X, y: np.ndarray, size: int) -> None:
    """Time ours and scikit-learn's on the same examples, each in the type that suits it."""
    floats = cut(X.astype(np.float64), size)
    examples = cut(X.astype(bool), size)
    labels, rates = cut(y, size), {}
    for name, make in THEIRS.items():
        rates[name] = len(y) / best_of(lambda make=make: learned(make, floats, labels), 2)
        told(data, how, name, rates[name])
    for name, make in OURS.items():
        learned(make, examples, labels)  # loads and compiles
        rate = len(y) / best_of(lambda make=make: learned(make, examples, labels), 5)
        told(data, how, name, rate, max(rates.values()))


def compare_packed(X: np.ndarray, y: np.ndarray) -> None:
    """Time packed examples against one pass over their bytes."""
    packed, labels = PackedBits.from_dense(X), y
    n_copies = max(1, 1_000_000 // len(y))  # more than fits into any cache
    packed = PackedBits(np.tile(packed.words, (n_copies, 1)), packed.n_features)
    labels = np.tile(y, n_copies)
    floor = best_of(lambda: packed.words.sum(), 7)
    data = f"{len(labels):,} x {X.shape[1]:,}"
    for name in OURS:
        learner = OURS[name]().partial_fit(packed, labels, classes=[False, True])
        seconds = best_of(lambda learner=learner: learner.partial_fit(packed, labels), 5)
        told(data, "packed", name, len(labels) / seconds)
        speed = packed.words.nbytes / floor / 1e9
        print(f"{'':<34}{seconds / floor:.1f} times one pass over the bytes ({speed:.1f} GB/s)")


# ---------------------------------------------------------------------- peers in environments of their own


def peer(python: str | None, which: str, data: str, X, y: np.ndarray) -> None:
    """Let a peer's own interpreter learn from the examples, as lines of active features."""
    if python is None:
        print(f"{data:<18}{'':<16}{which} is left out: name its interpreter with --{which}")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "examples.vw")
        with path.open("w") as file:
            file.writelines(vw_lines(X, y))
        script = Path(__file__).with_name("winnow_peers.py")
        done = subprocess.run([python, script, which, path], capture_output=True, text=True, check=True)
    for name, rate in json.loads(done.stdout.splitlines()[-1]).items():
        told(data, "", name, rate)


def vw_lines(X, y: np.ndarray) -> Iterator[str]:
    """Write examples as Vowpal Wabbit reads them."""
    for t, label in enumerate(y.tolist()):
        active = X[t].nonzero()[0] if isinstance(X, np.ndarray) else X.indices[X.indptr[t] : X.indptr[t + 1]]
        yield f"{1 if label else -1} | {' '.join(map(str, active.tolist()))}\n"


# ---------------------------------------------------------------------- mistakes


def mistakes_of(n_features: int, n_trials: int, n_relevant: int = 5) -> tuple[int, int, float]:
    """Count the mistakes of Winnow1 and of the Perceptron on the same trials; return them with theorem 7's bound.

    Irrelevant features are true in one of a hundred places.
    """
    rng = np.random.default_rng(n_features)
    winnow, wrong_winnow = Winnow(Rule("winnow1", 2.0, n_features / 2), n_features), 0
    weights, bias, wrong_perceptron = np.zeros(n_features), 0.0, 0
    for _ in range(n_trials // 100):
        true = rng.random((100, n_relevant)) < 1 - 0.5 ** (1 / n_relevant)
        counts = rng.binomial(n_features - n_relevant, 0.01, 100)
        rows = [
            np.concatenate([np.flatnonzero(t), np.unique(rng.integers(n_relevant, n_features, count))])
            for t, count in zip(true, counts, strict=True)
        ]
        labels = true.any(axis=1)
        indptr = np.cumsum([0, *map(len, rows)])
        scores = winnow.learn(Sparse(indptr, np.concatenate(rows), n_features), labels)
        wrong_winnow += int(((scores > winnow.rule.threshold) != labels).sum())
        for active, label in zip(rows, labels.tolist(), strict=True):
            if (weights[active].sum() + bias > 0) != label:
                wrong_perceptron += 1
                step = 1.0 if label else -1.0
                weights[active] += step
                bias += step
    return wrong_winnow, wrong_perceptron, mistakes.winnow1(n_features, n_relevant)


def growth(sizes: list[int], n_trials: int, plot: Path | None) -> None:
    """Print, and draw, mistakes as the number of irrelevant features grows."""
    print(f"{'features':>10}{'trials':>10}{'Winnow1':>10}{'bound':>10}{'Perceptron':>12}")
    found = [(n, *mistakes_of(n, n_trials)) for n in sizes]
    for n, winnow, perceptron, bound in found:
        print(f"{n:>10,}{n_trials:>10,}{winnow:>10,}{bound:>10.1f}{perceptron:>12,}", flush=True)
    if plot is not None:
        from fewest.drawing import save_drawing

        save_drawing(plot, lambda: drawn(found, n_trials))


def drawn(found: list[tuple[int, int, int, float]], n_trials: int):
    """Draw the mistakes of both on logarithmic axes."""
    import matplotlib.pyplot as plt

    n, winnow, perceptron, bound = zip(*found, strict=True)
    ax = plt.subplots(figsize=(7, 4.5), layout="constrained")[1]
    ax.loglog(n, perceptron, "s-", label="Perceptron")
    ax.loglog(n, bound, "k--", label="theorem 7")
    ax.loglog(n, winnow, "o-", label="Winnow1")
    ax.axhline(n_trials, color="0.7", linewidth=1)
    ax.set(xlabel="features, of which 5 matter", ylabel=f"mistakes in {n_trials:,} trials")
    ax.legend()
    return ax


def main() -> None:
    """Run what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small versions")
    parser.add_argument("--mistakes", action="store_true", help="mistakes as irrelevant features grow")
    parser.add_argument("--plot", type=Path, help="draw them into this file")
    parser.add_argument("--river", metavar="PYTHON", help="an interpreter that has river")
    parser.add_argument("--vw", metavar="PYTHON", help="an interpreter that has vowpalwabbit")
    options = parser.parse_args()
    if options.mistakes or options.quick:
        growth(
            [100, 1000] if options.quick else [10**k for k in range(2, 7)],
            500 if options.quick else 20_000,
            options.plot,
        )
        if options.mistakes:
            return
    n_rows, n_dense, n_sparse, n_single = (2_000, 50, 500, 50) if options.quick else (100_000, 1_000, 100_000, 2_000)
    print(f"{'examples':<18}{'how':<16}{'learner':<28}{'examples/s':>14}{'':>3}to scikit-learn's best")
    dense, y_dense = dense_examples(n_rows, n_dense)
    sparse, y_sparse = sparse_examples(n_rows, n_sparse, 50)
    for data, X, y in ((f"dense {n_dense:,}", dense, y_dense), (f"sparse {n_sparse:,}", sparse, y_sparse)):
        compare(data, f"blocks of {BLOCK}", X, y, BLOCK)
        compare(data, "one by one", X[:n_single], y[:n_single], 1)
        for which in ("river", "vw"):
            n_told = n_rows // 5 if isinstance(X, np.ndarray) else n_rows
            peer(getattr(options, which), which, data, X[:n_told], y[:n_told])
    if not options.quick:
        compare_packed(dense, y_dense)


if __name__ == "__main__":
    main()
