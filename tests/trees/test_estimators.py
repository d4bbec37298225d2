"""What scikit-learn asks of every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import CFPClassifier, FringeClassifier, FringeFeatures, GACFPClassifier, ID3Classifier, IntervalDiscretizer

NO_COLUMNS = {
    "check_estimators_empty_data_messages": "a table without columns is what a selector leaves of data that needs no "
    "feature; the learner then predicts the most frequent class"
}
VOTES = {
    "check_decision_proba_consistency": "the decision function tells the votes, sums of weights; probabilities are "
    "shares of the votes that were cast, and these are not equally many for all rows"
}
ESTIMATORS = [ID3Classifier(), FringeClassifier(), FringeFeatures(), FringeFeatures(only_constructed=True)]


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda _: NO_COLUMNS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@parametrize_with_checks([IntervalDiscretizer()])
def test_scikit_learn_checks_of_transformers(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@parametrize_with_checks(
    [CFPClassifier(), GACFPClassifier(population=5, generations=2)], expected_failed_checks=lambda _: VOTES
)
def test_scikit_learn_checks_of_voting_classifiers(estimator, check):
    check(estimator)
