"""Scikit-learn classifiers, the transformer that FRINGE is, and the pipelines of section 7."""

from fewest.learning.fringe import FringeClassifier, FringeFeatures
from fewest.learning.id3 import ID3Classifier
from fewest.learning.intervals import IntervalDiscretizer
from fewest.learning.pipelines import make_learner

__all__ = ["FringeClassifier", "FringeFeatures", "ID3Classifier", "IntervalDiscretizer", "make_learner"]
