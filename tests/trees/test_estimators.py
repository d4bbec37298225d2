"""What scikit-learn asks of every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewest import FringeClassifier, ID3Classifier
from fewest.preprocessing import FringeFeatures

NO_COLUMNS = {
    "check_estimators_empty_data_messages": "a table without columns is what a selector leaves of data that needs no "
    "feature; the learner then predicts the most frequent class"
}
ESTIMATORS = [ID3Classifier(), FringeClassifier(), FringeFeatures(), FringeFeatures(only_constructed=True)]


@pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda _: NO_COLUMNS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
