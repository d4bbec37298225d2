"""Rows without a label that are left out leave no trace: blocks answer as memory does."""

import random

import numpy as np
import pytest
from sklearn.base import clone

from fewest import (
    CFPClassifier,
    ID3Classifier,
    MinFeatures,
    MutualInformationGreedy,
    Relief,
    ReliefF,
    SimpleGreedy,
    read_table,
    scan,
)
from fewest.table import split_target

pytestmark = pytest.mark.filterwarnings("ignore::fewest.exceptions.FewestWarning")


@pytest.fixture(params=range(4))
def both(request, tmp_path):
    """Return the labelled rows in memory, their classes, and a scan; rows without a label have values of their own."""
    chance, lines = random.Random(request.param), []
    for _ in range(60):
        label = chance.choice(["p", "q", "p", "q", ""])
        is_odd = not label
        row = (
            chance.choice(["red", "blue"] + is_odd * ["green", "grey"]),
            chance.choice([1, 2, 3, 4] + is_odd * [-50, 90]),
            chance.choice(["a", "b"] + is_odd * [""]),
            chance.choice([0, 1] + (is_odd and request.param % 2) * [7]),
            round(chance.random() + 100 * is_odd, 2),
            label,
        )
        lines.append(",".join(map(str, row)))
    path = tmp_path / "rows.csv"
    path.write_text("colour,number,gap,two,measured,y\n" + "\n".join(lines) + "\n")
    features, target = split_target(read_table(path), "y", missing_target="drop")
    return features, np.array(target.labels)[target.values], scan(path, target="y", missing_target="drop")


@pytest.mark.parametrize("selector", [MinFeatures(), SimpleGreedy(), MutualInformationGreedy()], ids=str)
def test_the_same_features_are_selected(both, selector):
    X, y, scanned = both
    assert clone(selector).fit(X, y).get_support().tolist() == clone(selector).fit(scanned).get_support().tolist()


@pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
def test_the_same_relevance_is_measured(both, metric, monkeypatch):
    monkeypatch.setenv("FEWEST_COMPILE", "always")  # few rows are read into memory else
    X, y, scanned = both
    for selector in (Relief(metric=metric, threshold=0.0, random_state=0), ReliefF(metric=metric, threshold=0.0)):
        ours, theirs = clone(selector).fit(scanned), clone(selector).fit(X, y)
        np.testing.assert_allclose(ours.scores_, theirs.scores_, atol=1e-6)


def test_the_same_tree_and_the_same_partitions_are_learned(both):
    X, y, scanned = both
    trees = ID3Classifier().fit(X, y), ID3Classifier().fit(scanned)
    assert trees[0].export_text() == trees[1].export_text()
    partitions = CFPClassifier().fit(X, y), CFPClassifier().fit(scanned)
    assert partitions[0].export_rules() == partitions[1].export_rules()
    assert partitions[0].predict(X).tolist() == partitions[1].predict(X).tolist()
    assert [column.n_present for column in scanned.store.features] == [
        len(y) - int(np.sum(column.is_missing)) for column in X.columns
    ]
