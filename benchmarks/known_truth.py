"""How well selectors find the relevant features of problems where these are known, each left to itself.

F1 of the features kept, the share of runs that keep exactly the truth, both also for the problems whose features matter
only together and for those where they tell something alone, the features kept of pure noise, and processor time.

python benchmarks/known_truth.py                               # ten seeds: about an hour
python benchmarks/known_truth.py --seeds 3 --methods "MinDescription;F+FDR"
python benchmarks/known_truth.py --problems                    # a line for every problem, too
python benchmarks/known_truth.py --noise 100                   # only pure noise, so many runs for each class share
python benchmarks/known_truth.py --large                       # an exclusive or of two among 1,024 and 2,048 numbers
python benchmarks/known_truth.py --rings --seeds 3             # a ring, an exclusive or and a sum among 2,048 numbers
python benchmarks/known_truth.py --peers PYTHON --seeds 2      # peers, by an interpreter that has them
python benchmarks/known_truth.py --peers PYTHON --cap 300      # each for 300 s of processor time at most
python benchmarks/known_truth.py --tolerance-cv chance         # MinFeatures that chooses its tolerance, by criterion
python benchmarks/known_truth.py --regression --seeds 5        # numeric targets: RReliefF and what compare advises
python benchmarks/known_truth.py --quick

*Told* means that a method is given the number of relevant features. Peers, which `known_truth_peers.py` runs, need
``pip install Boruta abess mrmr-selection skrebate fastcan`` in an environment of their own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from fewest import MinDescription, MinFeatures, ReliefF
from fewest.datasets import known_truths, make_known_truth, make_parity

Select = Callable[[np.ndarray, np.ndarray, int], np.ndarray]
QUICK = ("xor-copies", "monk-1", "corral")
SHARES = (0.5, 0.3, 0.1, 0.03)


def shortest(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:  # noqa: ARG001 (it has no random choice)
    """Select by the shortest description; the proof changes no answer that matters here, and is left out."""
    return MinDescription(max_row_visits=0).fit(X, y).support_


def relieff(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep what ReliefF finds relevant."""
    return ReliefF(min_features_to_select=0, random_state=seed).fit(X.astype(np.float64), y).support_


def iterated_relieff(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep what ReliefF finds relevant when the least relevant tenth is dropped again and again."""
    return ReliefF(step=0.1, min_features_to_select=0, random_state=seed).fit(X.astype(np.float64), y).support_


def auto_relieff(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep what ReliefF finds relevant, in one round or, where that is nothing, in many."""
    return ReliefF(step="auto", min_features_to_select=0, random_state=seed).fit(X.astype(np.float64), y).support_


def f_test(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:  # noqa: ARG001 (it has no random choice)
    """Keep what the F test finds at a false discovery rate of 5 %."""
    from sklearn.feature_selection import SelectFdr, f_classif

    return SelectFdr(f_classif).fit(X, y).get_support()


def lasso(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep what a logistic regression with an L1 penalty, chosen by cross-validation, uses."""
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.preprocessing import StandardScaler

    # saga stops before coefficients are 0 unless it takes very long, and liblinear knows two classes only.
    model = OneVsRestClassifier(LogisticRegressionCV(l1_ratios=(1.0,), cv=3, solver="liblinear", random_state=seed))
    fitted = model.fit(StandardScaler().fit_transform(X), y)
    return np.vstack([each.coef_ != 0 for each in fitted.estimators_]).any(axis=0)


def forest(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep the most important in a forest, as many as predict best in cross-validation."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import cross_val_score

    model = RandomForestClassifier(100, random_state=seed)
    order = np.argsort(-model.fit(X, y).feature_importances_, kind="stable")
    sizes = [size for size in (1, 2, 3, 4, 5, 7, 10, 15, 20, 40) if size <= X.shape[1]]
    scores = [cross_val_score(model, X[:, order[:size]], y, cv=3).mean() for size in sizes]
    return np.isin(np.arange(X.shape[1]), order[: sizes[int(np.argmax(scores))]])


def eliminated(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep what recursive elimination by a forest leaves, as many as predict best in cross-validation."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.feature_selection import RFECV

    return RFECV(RandomForestClassifier(50, random_state=seed), step=0.2, cv=3).fit(X, y).support_


METHODS: dict[str, Select] = {
    "MinDescription": shortest,
    "ReliefF": relieff,
    "ReliefF-iterated": iterated_relieff,
    "ReliefF-auto": auto_relieff,
    "F+FDR": f_test,
    "L1": lasso,
    "forest+CV": forest,
    "RFECV": eliminated,
}


def told_relieff(X: np.ndarray, y: np.ndarray, n_relevant: int) -> np.ndarray:
    """Keep the first of ReliefF."""
    return ReliefF(n_features_to_select=n_relevant, random_state=0).fit(X.astype(np.float64), y).support_


def told_iterated_relieff(X: np.ndarray, y: np.ndarray, n_relevant: int) -> np.ndarray:
    """Keep the first of ReliefF that drops the least relevant tenth again and again."""
    return ReliefF(n_features_to_select=n_relevant, step=0.1, random_state=0).fit(X.astype(np.float64), y).support_


TOLD: dict[str, Select] = {"ReliefF, told": told_relieff, "ReliefF-iterated, told": told_iterated_relieff}


def scored(kept: np.ndarray | Sequence[int], relevant: Sequence[int]) -> tuple[float, bool]:
    """Return the F1 of the features kept, and whether they are exactly the relevant ones."""
    found, truth = set(np.asarray(kept, dtype=np.int64).tolist()), set(relevant)
    return 2 * len(found & truth) / (len(found) + len(truth)), found == truth


def selected(method: str, problem: str, seed: int) -> tuple[float, bool]:
    """Return how right a method is on one problem."""
    X, y, relevant = make_known_truth(problem, random_state=seed)
    kept = TOLD[method](X, y, len(relevant)) if method in TOLD else METHODS[method](X, y, seed)
    return scored(np.flatnonzero(kept), relevant)


def noise(share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return numeric and Boolean columns, some values missing in half of them, and classes that none knows of."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((500, 20))
    X[:, ::2] = X[:, ::2] > 0.5
    X[:, 10:][rng.random((500, 10)) < 0.1] = np.nan
    return X, np.arange(500) < share * 500


def print_noise(n_runs: int) -> None:
    """Print how many runs on pure noise keep nothing, for every share of the rarer class."""
    print(f"{'positives':>10}{'empty':>8}  of {n_runs}")
    for share in SHARES:
        kept = [shortest(*noise(share, seed), seed).any() for seed in range(n_runs)]
        print(f"{share:>10.0%}{n_runs - sum(kept):>8}", flush=True)


def print_large(n_seeds: int, sizes: tuple[int, ...] = (1024, 2048)) -> None:
    """Print whether an exclusive or of two among very many numeric features is found."""
    for n_features in sizes:
        for seed in range(n_seeds):
            X = np.random.default_rng(seed).random((1000, n_features))
            first, second = np.random.default_rng(seed).choice(n_features, 2, replace=False).tolist()
            started = time.process_time()
            kept = np.flatnonzero(shortest(X, (X[:, first] > 0.5) ^ (X[:, second] > 0.5), seed)).tolist()
            is_found = kept == sorted((first, second))
            print(f"xor among {n_features:,}: found {is_found}, {time.process_time() - started:.1f} s", flush=True)


def ring_xor_sum(seed: int, n_features: int = 2048) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Return 1,000 rows that are positive in a ring of two features, in an exclusive or of two, or by a sum of two.

    After the problems of Passemiers and others (2023), *How good Neural Networks interpretation methods really are?*;
    the constants are our own, so that each of the three is true for about a fifth of the rows.
    """
    rng = np.random.default_rng(seed)
    X, places = rng.random((1000, n_features)), rng.choice(n_features, 6, replace=False)
    a, b, c, d, e, f = X[:, places].T
    in_ring = np.abs(np.hypot(a - 0.5, b - 0.5) - 0.35) < 0.05
    is_either = np.abs((c - 0.5) * (d - 0.5)) > 0.08
    is_either &= (c > 0.5) != (d > 0.5)
    return X, in_ring | is_either | (e + f > 1.37), sorted(places.tolist())


def print_rings(n_seeds: int) -> None:
    """Print how many of the six relevant features are found, and how many others are kept."""
    for seed in range(n_seeds):
        X, y, relevant = ring_xor_sum(seed)
        started = time.process_time()
        kept = set(np.flatnonzero(shortest(X, y, seed)).tolist())
        n_right = len(kept & set(relevant))
        seconds = time.process_time() - started
        print(
            f"ring, xor and sum, seed {seed}: {n_right} of 6, {len(kept) - n_right} others, {seconds:.1f} s", flush=True
        )


def print_validated_tolerance(criterion: str, n_seeds: int, problems: Sequence[str] = ("parity", "epistasis")) -> None:
    """Print whether MinFeatures with a cross-validated tolerance finds exactly the relevant features, noise allowed."""
    for problem in problems:
        n_exact, most = 0, 0.0
        for seed in range(n_seeds):
            X, y, relevant = parity_among_200(seed) if problem == "parity" else epistasis(seed)
            started = time.process_time()
            found = MinFeatures(tolerance="cv", criterion=criterion).fit(X, y)
            seconds = time.process_time() - started
            is_exact = scored(np.flatnonzero(found.support_), relevant)[1]
            n_exact, most = n_exact + is_exact, max(most, seconds)
            shown = f"exact {is_exact}, proven {found.is_optimal_}, tolerance {found.tolerance_:g}, {seconds:.1f} s"
            print(f"  {problem} {seed}: {shown}", flush=True)
        print(f"{problem}: exact in {n_exact} of {n_seeds} runs, at most {most:.1f} s of processor time", flush=True)


def parity_among_200(seed: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Return 500 rows whose class is the parity of 3 of 200 features, 5 % of the classes wrong."""
    X, y, relevant = make_parity(500, relevant=3, irrelevant=197, noise=0.05, random_state=seed)
    order = np.random.default_rng(seed).permutation(200)
    return X[:, order], y, np.flatnonzero(np.isin(order, relevant)).tolist()


def epistasis(seed: int) -> tuple[np.ndarray, np.ndarray, Sequence[int]]:
    """Return 1,000 rows of 100 features, two of which explain 40 % of the classes together and nothing alone."""
    return tuple(make_known_truth("epistasis-0.4", random_state=seed))


def sparse_linear(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return 200 rows whose target is a sum of the first 5 of 50 features, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 50))
    return X, X[:, :5] @ [3, 2, 1.5, 1, 1] + 2 * rng.normal(size=200)


def friedman_1(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return 200 rows of Friedman's first function of the first 5 of 50 features, and noise."""
    from sklearn.datasets import make_friedman1

    return make_friedman1(200, 50, noise=1, random_state=seed)


def print_regression(n_seeds: int) -> None:
    """Print the F1 of RReliefF, of the F test and of what compare advises, and which method that is."""
    from sklearn.feature_selection import SelectFdr, f_regression

    from fewest import RReliefF, compare

    for name, make in (("sparse linear", sparse_linear), ("Friedman 1", friedman_1)):
        found, advised = [], []
        for seed in range(n_seeds):
            X, y = make(seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                comparison = compare(X, y, n_repeats=1, random_state=seed)
                relevant = RReliefF(min_features_to_select=0, random_state=seed).fit(X, y)
            chosen = [int(feature.removeprefix("x")) for feature in comparison.selected]
            kept = [
                np.flatnonzero(relevant.support_),
                SelectFdr(f_regression).fit(X, y).get_support(indices=True),
                chosen,
            ]
            found.append([scored(one, range(5))[0] for one in kept])
            advised.append(str(comparison.recommended))
        mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(n_seeds)
        shown = "   ".join(
            f"{method} {f1:.2f} +- {e:.2f}"
            for method, f1, e in zip(("RReliefF", "F+FDR", "advised"), mean, error, strict=True)
        )
        print(f"{name}: {shown} ({', '.join(sorted(set(advised)))})", flush=True)


Results = dict[str, list[tuple[float, bool]]]


def print_methods(methods: list[str], problems: tuple[str, ...], n_seeds: int, by_problem: bool) -> None:
    """Run methods, and print a line for each."""
    print_head()
    for method in methods:
        started, results = time.process_time(), {}
        for problem in problems:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results[problem] = [selected(method, problem, seed) for seed in range(n_seeds)]
            if by_problem:
                print_problem(problem, results)
        print_line(method, results, time.process_time() - started)


def print_peers(python: str, methods: Sequence[str], n_seeds: int, cap: float, by_problem: bool) -> None:
    """Have an interpreter run peers on the same problems, and print a line for each."""
    print_head()
    with tempfile.TemporaryDirectory() as folder:
        for problem in known_truths():
            for seed in range(n_seeds):
                X, y, relevant = make_known_truth(problem, random_state=seed)
                np.savez(Path(folder) / f"{problem}.{seed}.npz", X=X, y=y, n_relevant=len(relevant))
        method, results, seconds = None, {}, 0.0
        for one in peer_lines(python, folder, methods, cap):
            if one["method"] != method and method is not None:
                print_line(method, results, seconds)
                results, seconds = {}, 0.0
            method, seconds = one["method"], seconds + one["seconds"]
            relevant = make_known_truth(one["problem"], random_state=one["seed"]).relevant
            results.setdefault(one["problem"], []).append(scored(one["kept"], relevant))
            if by_problem and len(results[one["problem"]]) == n_seeds:
                print_problem(one["problem"], results)
        if method is not None:
            print_line(method, results, seconds)


def peer_lines(python: str, folder: str, methods: Sequence[str], cap: float) -> Iterator[dict]:
    """Yield what the peers' script prints, as it comes."""
    script = str(Path(__file__).with_name("known_truth_peers.py"))
    command = [python, script, folder, str(cap), *([";".join(methods)] if methods else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            yield json.loads(line)
    if process.returncode:
        raise SystemExit(f"The peers' script ended with {process.returncode}.")


def print_head() -> None:
    """Print what the columns are."""
    print(
        f"{'method':26}{'F1':>6}{'+-':>6}{'exact':>7}{'together':>10}{'exact':>7}{'alone':>7}{'exact':>7}{'seconds':>9}"
    )


def print_problem(problem: str, results: Results) -> None:
    """Print the mean over seeds of one problem."""
    f1, exact = np.array(results[problem], float).mean(axis=0)
    print(f"  {problem:28}{f1:.2f}{exact:>7.2f}", flush=True)


def print_line(method: str, results: Results, seconds: float) -> None:
    """Print the means of a method, with the standard error of F1 over problems and seeds, and seconds for a problem."""
    together = set(known_truths("together"))
    every = np.concatenate([np.array(runs, float) for runs in results.values()])
    parts = [
        np.array(
            [np.mean(runs, axis=0) for one, runs in results.items() if (one in together) == is_joint] or [[np.nan] * 2]
        )
        for is_joint in (True, False)
    ]
    means = [mean for part in parts for mean in part.mean(axis=0)]
    error = every[:, 0].std() / np.sqrt(len(every))
    shown = [every[:, 0].mean(), error, every[:, 1].mean(), *means, seconds / len(every)]
    widths = (6, 6, 7, 10, 7, 7, 7, 9)
    print(f"{method:26}" + "".join(f"{x:>{w}.2f}" for x, w in zip(shown, widths, strict=True)), flush=True)


def main() -> None:
    """Print what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--methods", default="", help="names, with ; between them; all by default")
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has the peers")
    parser.add_argument("--cap", type=float, default=600, help="seconds after which a peer begins no other problem")
    parser.add_argument("--problems", action="store_true")
    parser.add_argument("--noise", type=int, metavar="RUNS")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--rings", action="store_true")
    parser.add_argument("--regression", action="store_true")
    parser.add_argument("--tolerance-cv", choices=["pairs", "chance"])
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.noise:
        print_noise(options.noise)
    elif options.rings:
        print_rings(options.seeds)
    elif options.regression:
        print_regression(options.seeds)
    elif options.tolerance_cv:
        print_validated_tolerance(options.tolerance_cv, options.seeds)
    elif options.large:
        print_large(options.seeds)
    elif options.quick:
        print_methods(["MinDescription", "F+FDR"], QUICK, 1, by_problem=False)
        print_noise(2)
    elif options.peers:
        methods = [name for name in options.methods.split(";") if name]
        print_peers(options.peers, methods, options.seeds, options.cap, options.problems)
    else:
        methods = options.methods.split(";") if options.methods else [*METHODS, *TOLD]
        print_methods(methods, known_truths(), options.seeds, options.problems)


if __name__ == "__main__":
    main()
