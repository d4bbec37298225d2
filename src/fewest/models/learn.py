"""From typed columns to a model: the learners without scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewest.models.encoder import Encoder
from fewest.models.partition_model import DEFAULT_LIMIT, Limit, PartitionModel
from fewest.models.tree_model import TreeModel
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


def _numbered(classes: Column) -> tuple[np.ndarray, int]:
    return classes.values.astype(np.int64), len(classes.labels)


def _labels(classes: Column) -> np.ndarray:
    return np.array(classes.labels)
