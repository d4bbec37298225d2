"""The model of ID3 and FRINGE: a fitted tree with all that it takes to use it on raw data, and to keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fewest.blocks.scan import Scan
from fewest.budget import Budget
from fewest.models.boolean_features import BooleanFeatures, names_of_tests
from fewest.models.encoder import UNSEEN, Encoder, class_labels, numbered_classes
from fewest.models.files import columns_and_classes, header_of, save_file
from fewest.models.model import Answers, all_batches, batches_for
from fewest.table import Column, Table
from fewest.table.discretize import Cuts
from fewest.table.frames import table_from
from fewest.trees.fringe import grow_fringe
from fewest.trees.id3 import grow_id3
from fewest.trees.tree import DecisionTree

KIND = "decision tree"
# Entries of the matrix of Boolean features that is computed at a time.
BLOCK_ENTRIES = 1 << 26


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A decision tree that takes raw data.

    Parameters
    ----------
    encoder : Encoder
        The columns that the model looks at.
    tree : DecisionTree
    classes_ : ndarray
        The labels of the classes.
    features : BooleanFeatures, optional
        What the tree tests, if not the columns themselves.
    target : str, optional
        The name of the column that the model predicts.
    """

    encoder: Encoder
    tree: DecisionTree
    classes_: np.ndarray
    features: BooleanFeatures | None = None
    target: str | None = None

    # ------------------------------------------------------------------ predicting

    def predict(self, X: object) -> np.ndarray:
        """Return the class of every row of a `Table`, a frame of any library or an array.

        Columns are found by name, and those of an array are called x0, x1
        and so on. A missing value has a branch of its own; where the training
        data had no such value, the answer is that of the last node on the way.
        What `scan` returns may be larger than memory.
        """
        return self.classes_[self.tree.prediction[self.nodes(X)]]

    def predict_proba(self, X: object) -> np.ndarray:
        """Return the share of every class among the training rows that ended where each row ends."""
        return self.tree.shares[self.nodes(X)]

    def nodes(self, X: object) -> np.ndarray:
        """Return the node in which each row ends."""
        if not isinstance(X, Scan):
            return self.apply(self.codes(X))
        small = np.min_scalar_type(len(self.tree))
        batches = batches_for(self.encoder.columns, X)
        return np.concatenate(all_batches(batches, lambda table: self.apply(self.codes(table)).astype(small), X.n_jobs))

    def codes(self, X: object) -> np.ndarray:
        """Encode new data; a value that the training data did not have is -1."""
        table = table_from(X)
        return self.encoder.codes(self.encoder.find(table), table.n_rows)

    def renamed(self, names: Sequence[str]) -> TreeModel:
        """Return the model for data whose columns, in the order of training, have other names."""
        return replace(self, encoder=self.encoder.renamed(names))

    def codes_by_position(self, table: Table) -> np.ndarray:
        """Encode a table of the very columns of training, whatever they are called."""
        return self.encoder.codes(table.columns, table.n_rows)

    def apply(self, codes: np.ndarray) -> np.ndarray:
        """Return the node of the tree in which each encoded row ends."""
        if self.features is None:
            return self.tree.apply(codes)
        step = max(1, BLOCK_ENTRIES // max(1, len(self.features)))
        blocks = (codes[start : start + step] for start in range(0, len(codes), step))
        nodes = [self.tree.apply(self.features.matrix(block)) for block in blocks]
        return np.concatenate(nodes) if nodes else np.empty(0, dtype=np.intp)

    def answers(self, X: object) -> Answers:
        """Return the class and the shares of every row of new data."""
        codes = self.codes(X)
        nodes = self.apply(codes)
        return Answers(self.tree.prediction[nodes], self.tree.shares[nodes], 0, self.n_unseen(codes))

    @staticmethod
    def n_unseen(codes: np.ndarray) -> int:
        """Count the encoded rows with a value that the training data did not have."""
        return int((codes == UNSEEN).any(axis=1).sum())

    # ------------------------------------------------------------------ showing

    @property
    def test_names(self) -> list[str]:
        """Return the name of everything that the tree may test."""
        if self.features is None:
            return self.encoder.names
        return self.features.names(names_of_tests(self.encoder, self.features))

    @property
    def test_values(self) -> Sequence[Sequence[str]]:
        """Return, for everything that the tree may test, what its codes stand for."""
        if self.features is None:
            return [column.values for column in self.encoder.columns]
        return [("no", "yes")] * len(self.features)

    @property
    def class_names(self) -> list[str]:
        """Return the labels as text."""
        return [str(label) for label in self.classes_.tolist()]

    @property
    def columns_used(self) -> list[str]:
        """Return the names of the columns on which some prediction depends."""
        used = set(self.tree.features_used.tolist())
        if self.features is not None:
            held = self.features
            for k, (first, _, second, _) in reversed([*enumerate(held.conjunctions(), start=held.n_tests)]):
                used |= {first, second} if k in used else set()
            used = set(held.column[[k for k in used if k < held.n_tests]].tolist())
        return [self.encoder.names[j] for j in sorted(used)]

    @property
    def importances(self) -> np.ndarray:
        """Return the share of every column in what the tests gain; that of a conjunction is shared by its columns."""
        n_columns, held = len(self.encoder.columns), self.features
        gains = self.tree.gains(n_columns if held is None else len(held))
        if held is not None:
            looked_at = [{column} for column in held.column.tolist()]
            for first, _, second, _ in held.conjunctions():
                looked_at.append(looked_at[first] | looked_at[second])
            of_features, gains = gains, np.zeros(n_columns)
            for gain, columns in zip(of_features.tolist(), looked_at, strict=True):
                gains[list(columns)] += gain / len(columns)
        return gains / (gains.sum() or 1.0)

    def export_text(self) -> str:
        """Draw the tree with lines, a node a line."""
        return self.tree.to_text(self.test_names, self.test_values, self.class_names)

    # ------------------------------------------------------------------ files

    def save(self, path: str | Path) -> None:
        """Write the model into one file, which `load_model` and ``fewest predict`` read."""
        document = {
            **header_of(KIND, self.target, self.classes_, self.encoder),
            "has_features": self.features is not None,
        }
        arrays = {f"tree.{name}": array for name, array in self.tree.to_arrays().items()}
        if self.features is not None:
            arrays |= {f"features.{name}": array for name, array in self.features.to_arrays().items()}
        save_file(path, document, arrays)

    @classmethod
    def from_file(cls, document: dict[str, Any], arrays: dict[str, np.ndarray]) -> TreeModel:
        """Return the model that a file holds; raise ValueError, KeyError or TypeError when it holds none."""
        columns, classes = columns_and_classes(document)
        parts = {kind: _part(arrays, kind) for kind in ("tree", "features")}
        features = BooleanFeatures.from_arrays(parts["features"], len(columns)) if document["has_features"] else None
        tree = DecisionTree.from_arrays(
            parts["tree"], len(columns) if features is None else len(features), len(classes)
        )
        n_labels = np.array([len(column.labels) for column in columns], dtype=np.int64)
        if features is None and (tree.value[1:] > n_labels[tree.feature[tree.parent[1:]]]).any():
            raise ValueError("its tree branches on values that it does not name")
        return cls(Encoder(columns), tree, classes, features, document["target"])


def _part(arrays: dict[str, np.ndarray], kind: str) -> dict[str, np.ndarray]:
    prefix = f"{kind}."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def learn_id3(features: Table, classes: Column, cuts: Cuts | None = None, budget: Budget | None = None) -> TreeModel:
    """Grow an ID3 tree over typed columns, as far as the budget goes; columns with cuts are compared by interval."""
    encoder, codes = Encoder.fit(features, cuts)
    tree = grow_id3(codes, *numbered_classes(classes), budget=budget)
    return TreeModel(encoder, tree, class_labels(classes), target=classes.name)


def learn_fringe(
    features: Table, classes: Column, cuts: Cuts | None = None, budget: Budget | None = None
) -> tuple[TreeModel, int]:
    """Grow FRINGE's trees over typed columns, as far as the budget goes; return the model and the number of trees."""
    encoder, codes = Encoder.fit(features, cuts)
    fringe = grow_fringe(codes, *numbered_classes(classes), budget=budget)
    return TreeModel(encoder, fringe.tree, class_labels(classes), fringe.features, classes.name), fringe.n_trees
