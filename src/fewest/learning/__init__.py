"""Scikit-learn classifiers, the transformer that FRINGE is, and the pipelines of section 7."""

from fewest.learning.cfp import CFPClassifier
from fewest.learning.fringe import FringeClassifier, FringeFeatures
from fewest.learning.ga_cfp import GACFPClassifier
from fewest.learning.id3 import ID3Classifier
from fewest.learning.intervals import IntervalDiscretizer
from fewest.learning.pipelines import make_learner

__all__ = [
    "CFPClassifier",
    "FringeClassifier",
    "FringeFeatures",
    "GACFPClassifier",
    "ID3Classifier",
    "IntervalDiscretizer",
    "make_learner",
]
