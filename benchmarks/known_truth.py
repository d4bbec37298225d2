"""How well selectors find the relevant features of problems where these are known, each left to itself.

F1 of the features kept, the share of runs that keep exactly the truth, both also for the problems whose features matter
only together and for those where they tell something alone, the features kept of pure noise, and processor time.

python benchmarks/known_truth.py                               # ten seeds: about an hour
python benchmarks/known_truth.py --seeds 3 --methods MinDescription,F+FDR
python benchmarks/known_truth.py --problems                    # a line for every problem, too
python benchmarks/known_truth.py --noise 100                   # only pure noise, so many runs for each class share
python benchmarks/known_truth.py --large                       # an exclusive or of two among 1,024 and 2,048 numbers
python benchmarks/known_truth.py --quick
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np

from fewest import MinDescription, ReliefF
from fewest.datasets import known_truths, make_known_truth

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


def f_test(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:  # noqa: ARG001 (it has no random choice)
    """Keep what the F test finds at a false discovery rate of 5 %."""
    from sklearn.feature_selection import SelectFdr, f_classif

    return SelectFdr(f_classif).fit(X, y).get_support()


def lasso(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep what a logistic regression with an L1 penalty, chosen by cross-validation, uses."""
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.preprocessing import StandardScaler

    Z = StandardScaler().fit_transform(X)
    model = LogisticRegressionCV(Cs=5, cv=3, penalty="l1", solver="saga", tol=1e-2, random_state=seed)
    return (model.fit(Z, y).coef_ != 0).any(axis=0)


def forest(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Keep the most important in a forest, as many as predict best in cross-validation."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import cross_val_score

    model = RandomForestClassifier(100, random_state=seed)
    order = np.argsort(-model.fit(X, y).feature_importances_, kind="stable")
    sizes = [size for size in (1, 2, 3, 4, 5, 7, 10, 15, 20, 40) if size <= X.shape[1]]
    scores = [cross_val_score(model, X[:, order[:size]], y, cv=3).mean() for size in sizes]
    return np.isin(np.arange(X.shape[1]), order[: sizes[int(np.argmax(scores))]])


METHODS: dict[str, Select] = {
    "MinDescription": shortest,
    "ReliefF": relieff,
    "ReliefF-iterated": iterated_relieff,
    "F+FDR": f_test,
    "L1": lasso,
    "forest+CV": forest,
}


def scored(select: Select, problem: str, seed: int) -> tuple[float, bool]:
    """Return the F1 of what a method keeps of one problem, and whether it is exactly right."""
    X, y, relevant = make_known_truth(problem, random_state=seed)
    kept, truth = set(np.flatnonzero(select(X, y, seed)).tolist()), set(relevant)
    return 2 * len(kept & truth) / (len(kept) + len(truth)), kept == truth


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


def print_methods(methods: list[str], problems: tuple[str, ...], n_seeds: int, by_problem: bool) -> None:
    """Print a line for every method, with the standard error of F1 over problems and seeds."""
    together = set(known_truths("together"))
    print(
        f"{'method':18}{'F1':>6}{'+-':>6}{'exact':>7}{'together':>10}{'exact':>7}{'alone':>7}{'exact':>7}{'seconds':>9}"
    )
    for method in methods:
        started, results = time.process_time(), {}
        for problem in problems:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results[problem] = np.array([scored(METHODS[method], problem, seed) for seed in range(n_seeds)], float)
            if by_problem:
                print(
                    f"  {problem:20}{results[problem][:, 0].mean():.2f}{results[problem][:, 1].mean():>7.2f}",
                    flush=True,
                )
        seconds = (time.process_time() - started) / (n_seeds * len(problems))
        every = np.concatenate(list(results.values()))
        parts = [
            np.array([results[one].mean(axis=0) for one in problems if (one in together) == is_joint] or [[np.nan] * 2])
            for is_joint in (True, False)
        ]
        means = [mean for part in parts for mean in part.mean(axis=0)]
        error = every[:, 0].std() / np.sqrt(len(every))
        shown = [every[:, 0].mean(), error, every[:, 1].mean(), *means, seconds]
        widths = (6, 6, 7, 10, 7, 7, 7, 9)
        print(f"{method:18}" + "".join(f"{x:>{w}.2f}" for x, w in zip(shown, widths, strict=True)), flush=True)


def main() -> None:
    """Print what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--problems", action="store_true")
    parser.add_argument("--noise", type=int, metavar="RUNS")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.noise:
        print_noise(options.noise)
    elif options.large:
        print_large(options.seeds)
    elif options.quick:
        print_methods(["MinDescription", "F+FDR"], QUICK, 1, by_problem=False)
        print_noise(2)
    else:
        print_methods(options.methods.split(","), known_truths(), options.seeds, options.problems)


if __name__ == "__main__":
    main()
