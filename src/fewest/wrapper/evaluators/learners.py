"""The learners that ``fewest wrap`` knows by name, and where they are fitted."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from joblib import parallel_config
from sklearn.base import BaseEstimator
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fewest.trees.estimators import ID3Classifier


def learner_by_name(name: str, seed: int) -> BaseEstimator:
    """Return a new learner with its default parameters."""
    return {
        "logistic": LogisticRegression(),
        "nb": GaussianNB(),
        "lda": LinearDiscriminantAnalysis(),
        "tree": DecisionTreeClassifier(random_state=seed),
        "knn": KNeighborsClassifier(),
        "id3": ID3Classifier(),
        "linear": LinearRegression(),
        "ridge": Ridge(),
    }[name]


def fitted_on(client: Any) -> AbstractContextManager:
    """Fit on the workers of a Dask cluster while the context lasts."""
    return parallel_config("dask", client=client)
