import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.trees.id3 import grow_id3
from fewest.trees.kernels import node_splits
from fewest.trees.tree import DecisionTree
from problems import codes_of, samples


def nested(tree, node=0):
    """A tree in the form of the oracle."""
    counts = {c: n for c, n in enumerate(tree.counts[node].tolist()) if n}
    if tree.feature[node] < 0:
        return None, int(tree.prediction[node]), counts
    branches = {int(tree.value[child]): nested(tree, child) for child in tree.children(node)}
    return int(tree.feature[node]), int(tree.prediction[node]), counts, branches


def as_tuples(codes):
    return [tuple(row) for row in codes.tolist()]


def same(tree, other):
    return all((a == b).all() for a, b in zip(tree.to_arrays().values(), other.to_arrays().values(), strict=True))


ANY_SAMPLE = st.one_of(
    samples(max_rows=20, max_values=4),
    samples(max_values=2, max_features=7, max_rows=24, max_classes=2),
    samples(max_rows=16, max_classes=5),
)


@given(ANY_SAMPLE)
def test_the_tree_is_the_one_that_the_description_grows(problem):
    rows, classes, n_features = problem
    tree = grow_id3(codes_of(rows, n_features), np.array(classes), max(classes) + 1)
    assert nested(tree) == naive.id3(rows, classes)


@given(ANY_SAMPLE, st.lists(st.tuples(*[st.integers(-1, 5)] * 7), max_size=10))
def test_rows_of_any_values_end_where_the_description_says(problem, others):
    rows, classes, n_features = problem
    tree = grow_id3(codes_of(rows, n_features), np.array(classes), max(classes) + 1)
    asked = [*rows, *(other[:n_features] for other in others)]
    expected = [naive.id3_predict(naive.id3(rows, classes), row) for row in asked]
    assert tree.predict(codes_of(asked, n_features)).tolist() == expected


@given(ANY_SAMPLE, st.data())
def test_weights_are_repetitions_and_need_not_be_whole(problem, data):
    rows, classes, n_features = problem
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    codes, labels, n_classes = codes_of(rows, n_features), np.array(classes), max(classes) + 1
    tree = grow_id3(codes, labels, n_classes, np.array(weights, dtype=float))
    assert nested(tree) == naive.id3(rows, classes, weights)
    assert same(tree, grow_id3(np.repeat(codes, weights, axis=0), np.repeat(labels, weights), n_classes))
    tenths = grow_id3(codes, labels, n_classes, np.array(weights) / 10)
    assert (tenths.feature == tree.feature).all()
    assert (tenths.prediction == tree.prediction).all()


@given(samples(max_rows=20, max_values=4), st.booleans())
def test_counting_in_blocks_or_as_keys_occur_changes_nothing(problem, weighted):
    rows, classes, n_features = problem
    codes, labels = codes_of(rows, n_features), np.array(classes)
    weights = np.arange(1.0, len(rows) + 1) if weighted else None
    tree = grow_id3(codes, labels, 3, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(node_splits, "BLOCK_ENTRIES", 1)
        assert same(tree, grow_id3(codes, labels, 3, weights))
        patch.setattr(node_splits, "COUNTERS_PER_ENTRY", -1e9)
        assert same(tree, grow_id3(codes, labels, 3, weights))
        patch.setattr(node_splits, "BLOCK_ENTRIES", 1 << 17)
        assert same(tree, grow_id3(codes, labels, 3, weights))


def test_parity_is_learned_though_nothing_gains_anything():
    codes = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=np.int8)
    parity = codes.sum(axis=1) % 2
    tree = grow_id3(codes, parity, 2)
    assert (tree.predict(codes) == parity).all()
    assert (len(tree), tree.n_leaves, tree.depth) == (15, 8, 3)


@given(samples(max_values=2, max_features=6, max_rows=20), st.integers(0, 63))
def test_negating_features_changes_no_prediction(problem, flips):
    rows, classes, n_features = problem
    codes, labels = codes_of(rows, n_features), np.array(classes)
    mask = np.array([flips >> j & 1 for j in range(n_features)], dtype=np.int8)
    everything = np.array(np.meshgrid(*[[0, 1]] * n_features)).reshape(n_features, -1).T.astype(np.int8)
    tree, flipped = grow_id3(codes, labels, 3), grow_id3(codes ^ mask, labels, 3)
    assert (tree.predict(everything) == flipped.predict(everything ^ mask)).all()
    assert tree.features_used.tolist() == flipped.features_used.tolist()


def test_permuting_features_permutes_the_tree_when_nothing_ties():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (500, 8)).astype(np.int8)
    labels = (codes[:, 1] + 2 * codes[:, 4] > 3).astype(np.int64)
    order = rng.permutation(8)
    tree, permuted = grow_id3(codes, labels, 2), grow_id3(codes[:, order], labels, 2)
    assert sorted(order[permuted.features_used].tolist()) == tree.features_used.tolist() == [1, 4]
    assert (tree.predict(codes) == permuted.predict(codes[:, order])).all()


def test_no_columns_leave_the_majority():
    tree = grow_id3(np.empty((5, 0), dtype=np.int8), np.array([1, 0, 1, 1, 2]), 3)
    assert tree.predict(np.empty((2, 0), dtype=np.int8)).tolist() == [1, 1]
    assert tree.distribution(np.empty((1, 0), dtype=np.int8)).tolist() == [[0.2, 0.6, 0.2]]
    assert (tree.depth, tree.n_leaves) == (0, 1)


def test_equal_classes_are_decided_above():
    # Value 0 holds one row of classes 1 and 2 each; in the whole sample 2 is the more frequent of the two, 0 the most.
    codes = np.array([[0], [0], [1], [1], [1], [1], [1]], dtype=np.int8)
    tree = grow_id3(codes, np.array([1, 2, 0, 0, 0, 0, 2]), 3)
    assert tree.predict(np.array([[0]])).tolist() == [2]


def test_text():
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], dtype=np.int8)
    tree = grow_id3(codes, np.array([0, 0, 0, 1, 0]), 2)
    text = tree.to_text(["rain", "größe"], [["no", "yes"], ["s", "l"]], ["stay", "go"])
    assert text.splitlines() == [
        "rain?",
        "├── no: stay (2)",
        "└── yes: größe?",
        "    ├── s: stay (1)",
        "    └── l: stay (1 stay, 1 go)",
    ]


def test_a_very_deep_tree():
    codes = np.tril(np.ones((1050, 1050), dtype=np.int8))
    tree = grow_id3(codes, np.arange(1050) % 2, 2)
    assert (tree.depth, tree.n_leaves) == (1049, 1050)
    assert (tree.predict(codes) == np.arange(1050) % 2).all()
    assert tree.to_text([f"x{j}" for j in range(1050)], [["0", "1"]] * 1050, ["a", "b"]).count("\n") == 2098


@pytest.mark.parametrize(
    ("name", "place", "wrong"),
    [
        ("parent", 1, 2),
        ("parent", 2, -1),
        ("value", 2, 0),
        ("value", 1, -5),
        ("feature", 0, 9),
        ("feature", 1, 0),
        ("prediction", 0, 2),
        ("prediction", 1, -1),
    ],
)
def test_stored_arrays_that_are_no_tree_are_refused(name, place, wrong):
    arrays = grow_id3(np.array([[0], [1]], dtype=np.int8), np.array([0, 1]), 2).to_arrays()
    assert len(DecisionTree.from_arrays(arrays, 1, 2)) == 3
    arrays[name] = arrays[name].copy()
    arrays[name][place] = wrong
    with pytest.raises(ValueError, match="do not form a tree"):
        DecisionTree.from_arrays(arrays, 1, 2)
    with pytest.raises(ValueError, match="do not fit"):
        DecisionTree.from_arrays({**arrays, name: arrays[name][:2]}, 1, 2)


@pytest.mark.parametrize("counts", [[0.0, 0.0], [1.0, -1.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_stored_nodes_without_examples_are_refused(counts):
    arrays = dict(grow_id3(np.array([[0], [1]], dtype=np.int8), np.array([0, 1]), 2).to_arrays())
    arrays["counts"] = arrays["counts"].astype(float)
    arrays["counts"][-1] = counts
    with pytest.raises(ValueError, match="a node has no examples"):
        DecisionTree.from_arrays(arrays, 1, 2)
