"""The estimators that scikit-learn's checks run on, and the checks that are excused, each with its reason.

An excuse that is no longer needed fails its test: take it out of the table.
"""

from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from fewest import (
    CFPClassifier,
    Focus1,
    Focus2,
    FringeClassifier,
    GACFPClassifier,
    ID3Classifier,
    MinFeatures,
    MutualInformationGreedy,
    OrderedFS,
    OrderedFS2,
    Relief,
    ReliefF,
    ReliefThenCover,
    RReliefF,
    SimpleGreedy,
    StandardWrap,
    WeightedGreedy,
)
from fewest.preprocessing import BooleanTests, FringeFeatures, IntervalDiscretizer

SELECTORS = [
    Focus1(),
    Focus1(missing="cautious"),
    Focus2(),
    Focus2(missing="cautious"),
    MinFeatures(),
    MutualInformationGreedy(),
    SimpleGreedy(),
    WeightedGreedy(),
    Relief(random_state=0),
    Relief(max_samples=50, threshold=0.0, random_state=0),
    ReliefF(),
    ReliefF(n_features_to_select=1, identical="skip"),
    RReliefF(),
    ReliefThenCover(),
    StandardWrap(GaussianNB(), random_state=0),
    OrderedFS(GaussianNB(), random_state=0),
    OrderedFS(LinearRegression(), fast=False, random_state=0),
    OrderedFS2(GaussianNB(), random_state=0),
]

OTHERS = [
    ID3Classifier(),
    FringeClassifier(),
    CFPClassifier(),
    GACFPClassifier(population_size=5, n_generations=2),
    FringeFeatures(),
    FringeFeatures(only_constructed=True),
    IntervalDiscretizer(),
    BooleanTests(),
]

# Learners of Boolean features refuse the numbers that the checks draw: tests/mistakes/estimators/test_scikit_learn.py
# checks them with a way in that takes numbers.
CHECKED_AS_BOOLEAN = {
    "Winnow1",
    "Winnow2",
    "BalancedWinnow",
    "Halving",
    "StandardOptimal",
    "ComplementedLiterals",
    "Monomials",
}

_NO_COLUMNS = (
    "a table without columns is what a selector leaves of data that needs no feature; the learner then predicts the "
    "most frequent class"
)
_SHARES_OF_VOTES = (
    "the decision function returns votes, sums of weights; probabilities are shares of the votes that were cast, and "
    "these are not equally many for all rows"
)

EXCUSED = {
    ("ID3Classifier", "check_estimators_empty_data_messages"): _NO_COLUMNS,
    ("FringeClassifier", "check_estimators_empty_data_messages"): _NO_COLUMNS,
    ("FringeFeatures", "check_estimators_empty_data_messages"): _NO_COLUMNS,
    ("CFPClassifier", "check_decision_proba_consistency"): _SHARES_OF_VOTES,
}


def name_of(check):
    """Return the name of a check, which may be a function with some of its arguments given."""
    return getattr(check, "func", check).__name__
