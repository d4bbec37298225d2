"""The model of CFP: a fitted concept, with all that it takes to use it on raw data, and to keep it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fewest.blocks.scan import Scan
from fewest.cfp.concept import Concept
from fewest.cfp.options import DEFAULTS, CFPOptions, Limit, Settings
from fewest.cfp.rules import MOST_COMBINATIONS, describe, n_combinations, number
from fewest.exceptions import ColumnsMismatchError, ParameterError
from fewest.models.encoder import UNSEEN, Encoder, KnownColumn, class_labels, numbered_classes, numeric_values
from fewest.models.files import columns_and_classes, header_of, save_file
from fewest.models.model import Answers, all_batches, batches_for
from fewest.table import Column, Kind, Table
from fewest.table.frames import table_from
from fewest.table.requests import in_own_unit

KIND = "feature partitions"
# Conjunctions of a class that a text lists.
MOST_CONJUNCTIONS = 50
# Differences of values up to this size are no larger than the largest float.
LARGEST = np.finfo(np.float64).max / 4


@dataclass(frozen=True, eq=False)
class PartitionModel:
    """A concept that takes raw data.

    Parameters
    ----------
    encoder : Encoder
        The columns that the model looks at; numeric ones have distances, all others only equality.
    concept : Concept
    classes_ : ndarray
        The labels of the classes.
    target : str, optional
        The name of the column that the model predicts.
    """

    encoder: Encoder
    concept: Concept
    classes_: np.ndarray
    target: str | None = None

    # ------------------------------------------------------------------ learning

    @classmethod
    def start(
        cls, features: Table, classes_: np.ndarray, options: CFPOptions, target: str | None = None
    ) -> PartitionModel:
        """Return a model that knows the columns and nothing about them; ranges are those of ``features``."""
        columns = tuple(KnownColumn(c.name, c.kind.value, () if c.kind is Kind.NUMERIC else c.labels) for c in features)
        concept = Concept.empty(absolute_limits(features, options.limit), len(classes_), options)
        return cls(Encoder(columns), concept, classes_, target)

    def learned(self, features: Table, classes: np.ndarray, n_jobs: int | None = 1) -> PartitionModel:
        """Return the model after more examples, in their order; new nominal values get codes after the known ones."""
        known = tuple(_extended(k, column) for k, column in zip(self.encoder.columns, features, strict=True))
        grown = replace(self, encoder=Encoder(known))
        return replace(grown, concept=self.concept.learned(grown.values(features.columns), classes, n_jobs=n_jobs))

    # ------------------------------------------------------------------ predicting

    def predict(self, X: object, abstain: Any = None) -> np.ndarray:
        """Return the class of every row of a `Table`, a frame of any library or an array.

        Columns are found by name, and those of an array are called x0, x1
        and so on. Where nothing decides, the answer is ``abstain``, by
        default the most frequent class of training. What `scan` returns may
        be larger than memory.
        """
        return self.labelled(self._in_batches(X, self._decided), abstain)

    def predict_proba(self, X: object) -> np.ndarray:
        """Return every class's share of the votes; of the training examples where no feature votes."""
        return self._in_batches(X, lambda data: self.shares(self.votes(data)))

    def renamed(self, names: Sequence[str]) -> PartitionModel:
        """Return the model for data whose columns, in the order of training, have other names."""
        return replace(self, encoder=self.encoder.renamed(names))

    def votes(self, X: object) -> np.ndarray:
        """Return the votes for each class."""
        return self._in_batches(X, lambda data: self.concept.votes(*self.columns(data)))

    def _decided(self, X: object) -> np.ndarray:
        decided = self.decide(*self.columns(X))
        return decided.astype(np.min_scalar_type(-len(self.classes_) - 1))

    def _in_batches(self, X: object, work: Callable[[object], np.ndarray]) -> np.ndarray:
        """Work on all rows at once, or on those of a scan batch by batch."""
        if not isinstance(X, Scan):
            return work(X)
        return np.concatenate(all_batches(batches_for(self.encoder.columns, X), work, X.n_jobs))

    def columns(self, X: object) -> tuple[list[np.ndarray], int]:
        """Return the values of the model's columns in new data, and the number of rows."""
        table = table_from(X)
        return self.values(self.encoder.find(table)), table.n_rows

    def values(self, columns: Sequence[Column]) -> list[np.ndarray]:
        """Return columns, in the order of training, as floats; NaN is missing, or a nominal value never seen."""
        pairs = list(zip(self.encoder.columns, columns, strict=True))
        changed = [(known.name, known.kind, column.kind.value) for known, column in pairs if not known.accepts(column)]
        if changed:
            raise ColumnsMismatchError.from_columns([], changed)
        return [_values(known, column) for known, column in pairs]

    def decide(self, columns: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
        """Return the number of every row's class, -1 where nothing decides."""
        return self.concept.decide(columns, self.concept.votes(columns, n_rows))

    def shares(self, votes: np.ndarray) -> np.ndarray:
        """Turn votes into shares that add up to 1."""
        together = votes.sum(axis=1, keepdims=True)
        counts = self.concept.class_counts
        return np.where(together > 0, votes / np.where(together > 0, together, 1), counts / max(1, counts.sum()))

    def labelled(self, decided: np.ndarray, abstain: Any = None) -> np.ndarray:
        """Turn class numbers into labels, and -1 into ``abstain``."""
        if abstain is None:
            return self.classes_[np.where(decided < 0, self.concept.majority, decided)]
        own = np.asarray(abstain)
        alike = own.dtype.kind == self.classes_.dtype.kind and own.ndim == 0
        labels = np.empty(len(self.classes_) + 1, dtype=np.result_type(self.classes_, own) if alike else object)
        labels[:-1] = self.classes_
        labels[-1] = abstain
        return labels[decided]  # -1 is the last

    def n_unseen(self, columns: Sequence[Column]) -> int:
        """Count the rows with a nominal value that the training data did not have."""
        named = [(k, c) for k, c in zip(self.encoder.columns, columns, strict=True) if k.kind != Kind.NUMERIC]
        unseen = [known.codes(column) == UNSEEN for known, column in named]
        return int(np.logical_or.reduce(unseen).sum()) if unseen else 0

    def answers(self, X: object) -> Answers:
        """Return the class and the shares of every row of new data."""
        table = table_from(X)
        found = self.encoder.find(table)
        columns = self.values(found)
        votes = self.concept.votes(columns, table.n_rows)
        decided = self.concept.decide(columns, votes)
        return Answers(decided, self.shares(votes), self.concept.majority, self.n_unseen(found))

    # ------------------------------------------------------------------ showing

    @property
    def class_names(self) -> list[str]:
        """Return the labels as text."""
        return [str(label) for label in self.classes_.tolist()]

    @property
    def value_names(self) -> list[list[str] | None]:
        """Return, for every column, its nominal values; None for numeric ones."""
        columns = self.encoder.columns
        return [None if column.kind == Kind.NUMERIC else [*map(str, column.labels)] for column in columns]

    def export_text(self) -> str:
        """List every feature's weight and partitions, a line each: from, to, class, number of examples."""
        blocks = []
        columns = zip(self.encoder.names, self.value_names, self.concept.features, self.concept.weights, strict=True)
        for name, values, feature, weight in columns:
            rows = [
                f"  {_where(p.lower, p.upper, values)}  {self.class_names[p.label]}  ({p.n_examples})"
                for p in feature.partitions()
            ]
            blocks.append("\n".join([f"{name} (weight {weight:.3g})", *(rows or ["  nothing determined"])]))
        return "\n".join(blocks)

    def export_rules(self, most: int = MOST_CONJUNCTIONS) -> str:
        """Return for every class when it wins the vote, in the form of the paper's Figure 1.

        A missing value meets every condition that a feature without a
        prediction meets.
        """
        if self.concept.settings.vote != "winner":
            raise ParameterError(
                "Features that divide their votes among classes predict none, and rules are about predictions. "
                "Learn with vote='winner', or list the partitions (export_text)."
            )
        n_ways = n_combinations(self.concept)
        if n_ways > MOST_COMBINATIONS:
            raise ParameterError(
                f"The features can vote in {n_ways:,} ways; rules for more than {MOST_COMBINATIONS:,} would be nothing "
                "to read. Select fewer features first, or list the partitions (export_text)."
            )
        lines = []
        for label, class_name in enumerate(self.class_names):
            listed, is_all = describe(self.concept, self.encoder.names, self.value_names, label, most)
            shown = [f"({conjunction})" for conjunction in listed] + ([] if is_all else ["..."])
            lines.append(f"class {class_name}: " + (" or\n  ".join(shown) if shown else "never"))
        return "\n".join(lines)

    # ------------------------------------------------------------------ files

    def save(self, path: str | Path) -> None:
        """Write the model into one file, which `load_model` and ``fewest predict`` read."""
        document = {
            **header_of(KIND, self.target, self.classes_, self.encoder),
            "settings": self.concept.settings.to_record(),
        }
        save_file(path, document, self.concept.to_arrays())

    @classmethod
    def from_file(cls, document: dict[str, Any], arrays: dict[str, np.ndarray]) -> PartitionModel:
        """Return the model that a file holds; raise ValueError, KeyError or TypeError when it holds none."""
        columns, classes = columns_and_classes(document)
        concept = Concept.from_arrays(arrays, Settings(**document["settings"]))
        if len(concept.features) != len(columns) or concept.n_classes != len(classes):
            raise ValueError("its columns or classes are not those of its partitions")
        for column, feature in zip(columns, concept.features, strict=True):
            named = column.kind != Kind.NUMERIC
            if named and not np.isin(feature.boundary, np.arange(len(column.labels))).all():
                raise ValueError("its partitions are of values that it does not name")
        return cls(Encoder(columns), concept, classes, document["target"])


def as_nominal(features: Table, categorical: Collection[int]) -> Table:
    """Return the table with the columns at these positions as nominal ones, even if they hold numbers."""
    columns = (column.by_value() if j in categorical else column for j, column in enumerate(features))
    return replace(features, columns=tuple(columns))


def absolute_limits(features: Table, limit: Limit) -> np.ndarray:
    """Return every column's generalisation limit in its own unit; 0 for nominal ones, which have no distance."""
    n_columns = len(features.columns)
    alone = isinstance(limit, str) or np.ndim(limit) == 0
    listed: list[Any] = [limit] * n_columns if alone else list(limit)  # type: ignore[arg-type]  # a number has no items
    if len(listed) != n_columns:
        raise ParameterError(f"limit has {len(listed)} values for {n_columns} features. Give one for all, or one each.")
    in_unit = [
        in_own_unit(column, value, "generalisation limit") for column, value in zip(features, listed, strict=True)
    ]
    return np.array([x if c.kind is Kind.NUMERIC else 0.0 for c, x in zip(features, in_unit, strict=True)], dtype=float)


def _extended(known: KnownColumn, column: Column) -> KnownColumn:
    """Return the column with the nominal values that are new."""
    if known.kind == Kind.NUMERIC or not known.accepts(column):
        return known
    codes = known.codes(column)
    if not (codes == UNSEEN).any():
        return known
    by_value = column.by_value()
    new = [by_value.labels[code] for code in np.unique(by_value.values[codes == UNSEEN]).tolist()]
    return replace(known, labels=(*known.labels, *new))


def _values(known: KnownColumn, column: Column) -> np.ndarray:
    if known.kind == Kind.NUMERIC:
        values = np.ascontiguousarray(numeric_values(column), dtype=np.float64)
        is_small = values.min(initial=0) >= -LARGEST and values.max(initial=0) <= LARGEST
        return values if is_small else np.clip(values, -LARGEST, LARGEST)
    codes = known.codes(column)
    return np.where((codes == UNSEEN) | (codes == len(known.labels)), np.nan, codes.astype(np.float64))


def _where(lower: float, upper: float, values: Sequence[str] | None) -> str:
    if values is not None:
        return f"[{values[int(lower)]}]"
    return f"[{number(lower)}, {number(upper)}]"


def learn_cfp(features: Table, classes: Column, options: CFPOptions = DEFAULTS) -> PartitionModel:
    """Partition the values of every column by class, the rows in their order."""
    start = PartitionModel.start(features, class_labels(classes), options, target=classes.name)
    return start.learned(features, numbered_classes(classes)[0])
