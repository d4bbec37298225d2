"""The estimators that scikit-learn's checks run on, and the checks that are excused, each with its reason.

An excuse that is no longer needed fails its test: take it out of the table.
"""

from functools import partial

from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from fewest import (
    BalancedWinnow,
    CFPClassifier,
    Focus1,
    Focus2,
    FringeClassifier,
    GACFPClassifier,
    Halving,
    ID3Classifier,
    MinDescription,
    MinFeatures,
    MutualInformationGreedy,
    OrderedFS,
    OrderedFS2,
    Relief,
    ReliefF,
    ReliefThenCover,
    RReliefF,
    SimpleGreedy,
    StandardOptimal,
    StandardWrap,
    WeightedGreedy,
    Winnow1,
    Winnow2,
)
from fewest.mistakes import ConceptClass
from fewest.preprocessing import BooleanTests, ComplementedLiterals, FringeFeatures, IntervalDiscretizer, Monomials

SELECTORS = [
    Focus1(),
    Focus1(missing="cautious"),
    Focus2(),
    Focus2(missing="cautious"),
    MinDescription(),
    MinFeatures(),
    MutualInformationGreedy(),
    SimpleGreedy(),
    WeightedGreedy(),
    Relief(random_state=0),
    Relief(max_samples=50, threshold=0.0, random_state=0),
    ReliefF(),
    ReliefF(n_features_to_select=1, identical="skip"),
    ReliefF(threshold="interval"),
    RReliefF(),
    RReliefF(threshold="interval"),
    ReliefThenCover(),
    StandardWrap(GaussianNB(), random_state=0),
    OrderedFS(GaussianNB(), random_state=0),
    OrderedFS(LinearRegression(), fast=False, search="forward", max_features=2, random_state=0),  # fits each subset
    OrderedFS2(GaussianNB(), random_state=0),
]

# The class of all disjunctions would be too large for the number of features in some checks.
LITERALS = partial(ConceptClass.monotone_disjunctions, at_most=1)

OTHERS = [
    ID3Classifier(),
    FringeClassifier(),
    CFPClassifier(),
    GACFPClassifier(population_size=5, n_generations=2),
    FringeFeatures(),
    FringeFeatures(only_constructed=True),
    IntervalDiscretizer(),
    BooleanTests(),
    Winnow1(),
    Winnow2(),
    BalancedWinnow(),
    Halving(LITERALS),
    StandardOptimal(LITERALS),
    ComplementedLiterals(),
    Monomials(),
    Monomials(sparse_output=False),
]

_NO_COLUMNS = (
    "a table without columns is what a selector leaves of data that needs no feature; the learner then predicts the "
    "most frequent class"
)

_PERMUTED = (
    "the threshold comes from permuted targets, and repeated rows are permuted apart where weighted ones are not; the "
    "scores are the same, and so is what a threshold of its own or a number of features keeps"
)

EXCUSED = {
    ("ReliefF()", "check_sample_weight_equivalence_on_dense_data"): _PERMUTED,
    ("ReliefF()", "check_sample_weight_equivalence_on_sparse_data"): _PERMUTED,
    ("RReliefF()", "check_sample_weight_equivalence_on_dense_data"): _PERMUTED,
    ("RReliefF()", "check_sample_weight_equivalence_on_sparse_data"): _PERMUTED,
    ("ID3Classifier", "check_estimators_empty_data_messages"): _NO_COLUMNS,
    ("FringeClassifier", "check_estimators_empty_data_messages"): _NO_COLUMNS,
    ("FringeFeatures", "check_estimators_empty_data_messages"): _NO_COLUMNS,
}


def name_of(check):
    """Return the name of a check, which may be a function with some of its arguments given."""
    return getattr(check, "func", check).__name__
