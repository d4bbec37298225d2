"""From typed columns to a model: the learners without scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewest.models.encoder import Encoder
from fewest.models.partition_model import DEFAULT_LIMIT, Limit, PartitionModel
from fewest.models.tree_model import TreeModel
from fewest.models.winnow_model import WinnowModel, tests_of_values
from fewest.online.winnow import Committee, Rule
from fewest.partitions.settings import Settings
from fewest.table import Column, Table
from fewest.trees.fringe import grow_fringe
from fewest.trees.id3 import grow_id3

Cuts = dict[str, np.ndarray]


def learn_id3(features: Table, classes: Column, cuts: Cuts | None = None) -> TreeModel:
    """Grow an ID3 tree over typed columns; numbers with cuts are told by their intervals."""
    encoder, codes = Encoder.fit(features, cuts)
    return TreeModel(encoder, grow_id3(codes, *_numbered(classes)), _labels(classes), target=classes.name)


def learn_fringe(features: Table, classes: Column, cuts: Cuts | None = None) -> tuple[TreeModel, int]:
    """Grow FRINGE's trees over typed columns; return the model and the number of trees."""
    encoder, codes = Encoder.fit(features, cuts)
    fringe = grow_fringe(codes, *_numbered(classes))
    return TreeModel(encoder, fringe.tree, _labels(classes), fringe.features, classes.name), fringe.n_trees


def learn_cfp(features: Table, classes: Column, limit: Limit = DEFAULT_LIMIT, **choices: Any) -> PartitionModel:
    """Partition every column by class, the rows in their order; ``choices`` are those of `Settings`."""
    start = PartitionModel.start(features, _labels(classes), limit, Settings(**choices), target=classes.name)
    return start.learned(features, _numbered(classes)[0])


MOST_PASSES = 100


def usual_rule(kind: str, n_features: int) -> Rule:
    """Return how `Winnow1`, `Winnow2` and `BalancedWinnow` learn unless told otherwise."""
    usual = {"winnow1": (2.0, n_features / 2), "winnow2": (1.5, float(n_features)), "balanced": (1.5, 0.0)}
    alpha, theta = usual[kind]
    return Rule(kind, alpha, theta if n_features or kind == "balanced" else 1.0)


def learn_winnow(features: Table, classes: Column, kind: str, cuts: Cuts | None = None) -> tuple[WinnowModel, int, int]:
    """Let Winnow go through the rows until a pass is without mistake; return the mistakes and the passes, too."""
    encoder, codes = Encoder.fit(features, cuts)
    tests = tests_of_values(encoder.columns, [np.unique(column).tolist() for column in codes.T], kind)
    numbers, n_classes = _numbered(classes)
    committee = Committee(usual_rule(kind, len(tests)), len(tests), n_classes)
    model = WinnowModel(encoder, tests, committee, _labels(classes), classes.name)
    examples = model.examples(codes)
    n_mistakes: list[int] = []
    while len(n_mistakes) < MOST_PASSES and (not n_mistakes or n_mistakes[-1]):
        n_mistakes.append(int((committee.learn(examples, numbers) != numbers).sum()))
    return model, sum(n_mistakes), len(n_mistakes)


def _numbered(classes: Column) -> tuple[np.ndarray, int]:
    return classes.values.astype(np.int64), len(classes.labels)


def _labels(classes: Column) -> np.ndarray:
    return np.array(classes.labels)
