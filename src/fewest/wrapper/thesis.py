"""The experiments of Ng (1998), chapter 4: what each algorithm's hypothesis errs on clean labels.

One call is one trial. Logistic regression is plain maximum likelihood, as in
the thesis, and the error is that of the distribution itself, not of a test set.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from fewest.datasets import linear_threshold
from fewest.wrapper.data import Examples
from fewest.wrapper.estimators import OrderedFS, StandardWrap
from fewest.wrapper.evaluators.batched import BatchEvaluator, fold_examples
from fewest.wrapper.evaluators.generic import Learner
from fewest.wrapper.evaluators.logistic import LogisticModel
from fewest.wrapper.evaluators.moves import Moves
from fewest.wrapper.linear_error import disagreement
from fewest.wrapper.search.beam import SubsetSearch, beam_search
from fewest.wrapper.search.space import SubsetSpace
from fewest.wrapper.splits import TRAINING, holdout_fold

ROLES = {"standard-wrap": StandardWrap._roles, "ordered-fs": OrderedFS._roles}
DEFAULT = (("standard-wrap", 0.3), ("ordered-fs", 0.3))


def clean_errors(
    n_examples: int,
    n_features: int,
    *,
    relevant: int = 1,
    noise: float = 0.3,
    algorithms: Sequence[tuple[str, float]] = DEFAULT,
    beam: int = 50,
    max_features: int | None = None,
    random_state: int = 0,
) -> dict[str, float]:
    """Draw a training set and return the error, on clean labels, of what each algorithm learns from it.

    Parameters
    ----------
    n_examples, n_features : int
        m and f.
    relevant : {1, 3}
        Which of the two concepts of section 4.2.
    noise : float, default=0.3
        The probability eta of a wrong label in training.
    algorithms : pairs of ("standard-wrap" or "ordered-fs", gamma)
    beam : int, default=50
    max_features : int, optional
        The largest size that the search goes to; all features in the thesis.
    random_state : int

    Returns
    -------
    dict
        By algorithm, such as ``"ordered-fs 0.3"``; ``"all features"`` is learning without selection from all rows.

    Examples
    --------
    >>> errors = clean_errors(100, 10, random_state=0)
    >>> {name: round(error, 2) for name, error in errors.items()}
    {'all features': 0.29, 'standard-wrap 0.3': 0.5, 'ordered-fs 0.3': 0.01}
    """
    X, y, which = linear_threshold(n_examples, relevant, n_features - relevant, noise, random_state=random_state)
    concept = np.zeros(n_features)
    concept[list(which)] = 1.0
    truth = (concept, 0.2 if relevant == 1 else 0.0)
    examples = Examples(X, y)
    errors = {"all features": disagreement(*_on_all(examples), *truth)}
    for name, gamma in algorithms:
        rng = np.random.RandomState(random_state)
        errors[f"{name} {gamma:g}"] = disagreement(*_learned(name, gamma, examples, beam, max_features, rng), *truth)
    return errors


def _learned(
    algorithm: str, gamma: float, examples: Examples, beam: int, max_features: int | None, rng
) -> tuple[np.ndarray, float]:
    """Return the weights and the offset of the hypothesis that an algorithm ends with."""
    fold = holdout_fold((1 - gamma, gamma), examples.y, None, rng, stratify=False)
    folds = fold_examples(examples, [fold])
    space = SubsetSpace.of(examples.X.shape[1], max_features=max_features)
    learner = Learner(_likelihood(), is_classifier=True)
    evaluator = BatchEvaluator("logistic", _model, learner, folds, space, ROLES[algorithm])
    path = beam_search(SubsetSearch(space, evaluator, seed=int(rng.randint(2**31))), beam)
    return _hypothesis(_model(folds[0]), folds[0][TRAINING].y, space.features(path.best.units), space.n_features)


def _on_all(examples: Examples) -> tuple[np.ndarray, float]:
    n_features = examples.X.shape[1]
    return _hypothesis(_model({TRAINING: examples}), examples.y, tuple(range(n_features)), n_features)


def _hypothesis(
    model: LogisticModel, y: np.ndarray, features: tuple[int, ...], n_features: int
) -> tuple[np.ndarray, float]:
    weights = np.zeros(n_features)
    if not features:
        return weights, 1.0 if 2 * y.sum() > len(y) else -1.0
    coefs = model.coefficients(Moves.of_subset(features), np.empty(0))[0]
    weights[list(features)] = coefs[1:]
    return weights, float(coefs[0])


def _model(fold: dict[str, Examples]) -> LogisticModel:
    return LogisticModel(fold, _likelihood())


def _likelihood() -> LogisticRegression:
    return LogisticRegression(C=np.inf)
