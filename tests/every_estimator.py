"""One of every public estimator, for the tests that all of them must pass."""

from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression

import fewest
import fewest.preprocessing
from fewest.mistakes import ConceptClass

PARAMETERS = {
    "OrderedFS": {"estimator": LogisticRegression(), "random_state": 0},
    "OrderedFS2": {"estimator": LogisticRegression(), "random_state": 0},
    "StandardWrap": {"estimator": LogisticRegression(), "random_state": 0},
    "Halving": {"concepts": ConceptClass.conjunctions(3)},
    "StandardOptimal": {"concepts": ConceptClass.conjunctions(3)},
    "GACFPClassifier": {"random_state": 0},
}


def _made():
    """Make one of every public estimator."""
    for home in (fewest, fewest.preprocessing):
        for name in home.__all__:
            made = getattr(home, name)
            if isinstance(made, type) and issubclass(made, BaseEstimator):
                yield made(**PARAMETERS.get(name, {}))


ESTIMATORS = list(_made())
