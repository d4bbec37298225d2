"""Learners on a cluster learn what they learn here, even if a worker dies on the way."""

from functools import partial

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("distributed")

from cut_into_blocks import dying_once, write_parts
from fewest import BalancedWinnow, CFPClassifier, ID3Classifier, Winnow1, Winnow2, scan
from fewest.cover import sufficiency
from fewest.trees import blocks as id3_blocks


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (6_000, 7)).astype(bool)
    y = ((X[:, 1] & X[:, 4]) | X[:, 6]) ^ (rng.random(6_000) < 0.01)
    table = pa.table({**{f"f{j}": X[:, j] for j in range(7)}, "y": np.where(y, "pos", "neg")})
    return write_parts(table, [2_500, 4_000], tmp_path / "data", ".parquet", 1_000)


def learned(classifier):
    """What was learned, as plain data."""
    if hasattr(classifier, "learner_"):
        return classifier.learner_.exponents.tolist(), classifier.mistakes_.tolist(), classifier.n_iter_
    part = classifier.tree_ if hasattr(classifier, "tree_") else classifier.model_.concept
    return {name: array.tolist() for name, array in part.to_arrays().items()}


LEARNERS = [
    ID3Classifier(),
    CFPClassifier(n_jobs=1),
    Winnow1(max_iter=2),
    Winnow2(max_iter=2),
    BalancedWinnow(max_iter=2),
]


@pytest.mark.parametrize("classifier", LEARNERS, ids=lambda c: type(c).__name__)
@pytest.mark.thorough
def test_a_worker_that_dies_at_work_changes_nothing(classifier, folder, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(id3_blocks, "MOST_FETCHED", 20_000)
    expected = learned(classifier.fit(scan(folder, target="y")))
    scanned = scan(folder, target="y", client=cluster)
    assert learned(classifier.fit(scanned)) == expected
    engine, flag = scanned.engine, tmp_path / "died"
    fold, relay = engine.fold, engine.relay

    def folded(work, *rest):
        return fold(partial(dying_once, work, flag), *rest)

    def relayed(work, *rest):
        return relay(partial(dying_once, work, flag), *rest)

    monkeypatch.setattr(engine, "fold", folded)
    monkeypatch.setattr(engine, "relay", relayed)
    assert learned(classifier.fit(scanned)) == expected
    assert flag.exists()


def test_a_subset_is_tested_on_a_cluster_as_here(folder, cluster):
    here, there = scan(folder, target="y"), scan(folder, target="y", client=cluster)
    for subset in (["f1"], ["f1", "f4", "f6"], []):
        assert sufficiency(there, None, subset) == sufficiency(here, None, subset)
