"""ID3 against scikit-learn's decision tree, in one run: the same data, the same criterion, no pruning.

scikit-learn's tree takes numbers and splits in two, so that nominal columns are handed to it one-hot; its time is that
of growing alone. Ours is the time from raw codes to the tree.

    python benchmarks/trees.py
    python benchmarks/trees.py --quick
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from fewest.trees.id3 import grow_id3

Data = tuple[str, np.ndarray, np.ndarray]


def data_sets(n_rows: int, n_features: int) -> list[Data]:
    """Make Boolean data of a concept, with noise and of noise alone, and nominal data."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (n_rows, n_features), dtype=np.int8)
    concept = ((codes[:, 0] & codes[:, 1]) | codes[:, 2]).astype(np.int64)
    nominal = rng.integers(0, 4, (n_rows, n_features), dtype=np.int8)
    return [
        ("concept", codes, concept),
        ("10% noise", codes, concept ^ (rng.random(n_rows) < 0.1)),
        ("random labels", codes, rng.integers(0, 2, n_rows)),
        ("4 values, 5 classes", nominal, (nominal[:, 0] + nominal[:, 1] * nominal[:, 2]) % 5),
    ]


def best_of(n: int, work: Callable[[], object]) -> tuple[float, object]:
    """Return the shortest time, and the last result."""
    seconds = []
    for _ in range(n):
        started = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - started)
    return min(seconds), result


def main() -> None:
    """Print times, ratios and sizes; fail when a tree does not fit its training rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small data")
    n_rows, n_features = (500, 8) if parser.parse_args().quick else (100_000, 50)
    print(f"{'data':<22}{'ID3':>9}{'scikit':>9}{'ratio':>7}{'nodes':>9}{'theirs':>9}")
    is_fitting = True
    for name, codes, classes in data_sets(n_rows, n_features):
        ours, tree = best_of(3, lambda x=codes, y=classes: grow_id3(x, y, int(y.max()) + 1))
        is_boolean = codes.max() == 1
        numbers = (
            codes.astype(np.float32) if is_boolean else OneHotEncoder(dtype=np.float32).fit_transform(codes).toarray()
        )
        their_tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
        theirs, _ = best_of(3, lambda t=their_tree, x=numbers, y=classes: t.fit(x, y))
        is_fitting &= (tree.predict(codes) == classes).mean() >= their_tree.score(numbers, classes)
        sizes = f"{len(tree):>9,}{their_tree.tree_.node_count:>9,}"
        print(f"{name:<22}{ours:>9.3f}{theirs:>9.3f}{theirs / ours:>7.1f}{sizes}", flush=True)
    if not is_fitting:
        sys.exit("A tree fits its training rows worse than scikit-learn's.")


if __name__ == "__main__":
    main()
