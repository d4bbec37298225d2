"""Winnow with all that it takes to use it on raw data: what ``fewest train`` keeps and ``fewest predict`` loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fewest.blocks.scan import Scan
from fewest.budget import Budget
from fewest.exceptions import ParameterError
from fewest.mistakes.examples import Dense
from fewest.mistakes.options import OPTIONS, Rule
from fewest.mistakes.trials import Sample, SampleInMemory, Trials, run_passes
from fewest.mistakes.winnow import Committee, are_learned
from fewest.models.boolean_features import BooleanFeatures, names_of_tests
from fewest.models.encoder import UNSEEN, Encoder, KnownColumn, class_labels, numbered_classes
from fewest.models.files import columns_and_classes, header_of, save_file
from fewest.models.model import Answers, all_batches, batches_for
from fewest.table import Column, Kind, Table
from fewest.table.discretize import Cuts
from fewest.table.frames import table_from

KIND = "winnow"


@dataclass(frozen=True, eq=False)
class WinnowModel:
    """Winnow that takes raw data: a test for every value of a column; Boolean columns are their own.

    Parameters
    ----------
    encoder : Encoder
        The columns that the model looks at.
    features : BooleanFeatures
        The tests of their values.
    committee : Committee
    classes_ : ndarray
        The labels of the classes.
    target : str, optional
        The name of the column that the model predicts.
    """

    encoder: Encoder
    features: BooleanFeatures
    committee: Committee
    classes_: np.ndarray
    target: str | None = None

    # ------------------------------------------------------------------ predicting

    def predict(self, X: object) -> np.ndarray:
        """Return the class of every row of a `Table`, a frame of any library, an array or a scan.

        Columns are found by name. A value that the training data did not have makes all tests of its column false.
        """
        return self.classes_[self._numbers(X)]

    def predict_proba(self, X: object) -> np.ndarray:
        """Return 1 for the class predicted and 0 for others: Winnow has no probabilities."""
        return np.eye(len(self.classes_))[self._numbers(X)]

    def _numbers(self, X: object) -> np.ndarray:
        """Return the number of every row's class."""
        if not isinstance(X, Scan):
            return self.answers(X).predicted
        batches = batches_for(self.encoder.columns, X)
        return np.concatenate(all_batches(batches, lambda table: self.answers(table).predicted, X.n_jobs))

    def answers(self, X: object) -> Answers:
        """Return the predictions for new data, and how many rows have values that training did not have."""
        table = table_from(X)
        codes = self.encoder.codes(self.encoder.find(table), table.n_rows)
        predicted = self.committee.predict(examples_of_codes(self.features, codes))
        shares = np.eye(len(self.classes_))[predicted]
        return Answers(predicted, shares, 0, int((codes == UNSEEN).any(axis=1).sum()))

    # ------------------------------------------------------------------ showing

    @property
    def class_names(self) -> list[str]:
        """Return the labels as text."""
        return [str(label) for label in self.classes_.tolist()]

    @property
    def test_names(self) -> list[str]:
        """Return the names of the tests: ``colour = red``, or a column that is true or false by itself."""
        return names_of_tests(self.encoder, self.features)

    @property
    def weights(self) -> np.ndarray:
        """Return the weights of the tests, a row for two classes or a row a class."""
        members = self.committee.members
        return np.array([member.weights for member in members]).reshape(len(members), len(self.features))

    @property
    def columns_used(self) -> list[str]:
        """Return the names of the columns of which some test has a weight."""
        used = set(self.features.column[(self.weights != 0).any(axis=0)].tolist())
        names = self.encoder.names
        return [names[j] for j in sorted(used)]

    def export_text(self) -> str:
        """List the weights of every class, the largest first, a line each."""
        described = self.classes_[[self.committee.positive]] if len(self.committee.members) == 1 else self.classes_
        paragraphs, names = [], self.test_names
        for label, member, weights in zip(described.tolist(), self.committee.members, self.weights, strict=False):
            order = np.argsort(-weights, kind="stable").tolist()
            bias = f", {member.bias:.6g} always" if member.bias else ""
            lines = [f"  {weights[k]:.6g}  {names[k]}" for k in order if weights[k]]
            paragraphs.append("\n".join([f"{label} if more than {self.committee.rule.theta:g}{bias}:", *lines]))
        return "\n".join(paragraphs)

    # ------------------------------------------------------------------ files

    def save(self, path: str | Path) -> None:
        """Write the model into one file, which `load_model` and ``fewest predict`` read."""
        header = {**header_of(KIND, self.target, self.classes_, self.encoder), **committee_to_record(self.committee)}
        arrays = {f"features.{name}": array for name, array in self.features.to_arrays().items()}
        save_file(path, header, {**arrays, "exponents": self.committee.exponents})

    @classmethod
    def from_file(cls, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> WinnowModel:
        """Return the model that a file holds; raise ValueError, KeyError or TypeError when it holds none."""
        columns, classes = columns_and_classes(header)
        held = {name.removeprefix("features."): array for name, array in arrays.items() if name.startswith("features.")}
        features = BooleanFeatures.from_arrays(held, len(columns))
        committee = committee_from_record(header, arrays["exponents"], len(features), len(classes))
        n_labels = np.array([len(column.labels) for column in columns], dtype=np.int64)
        if (features.value < 0).any() or (features.value > n_labels[features.column]).any():
            raise ValueError("it tests values that it does not name")
        return cls(Encoder(columns), features, committee, classes, header["target"])


def tests_of_values(columns: Sequence[KnownColumn], used: Sequence[Sequence[int]], kind: str) -> BooleanFeatures:
    """Return a test for every value of a column that occurs, and none where all are alike.

    Balanced Winnow weighs against its class, too, so that one test of a Boolean column is enough; Winnow1 and Winnow2
    need both.
    """
    for known in columns:
        if known.kind == Kind.NUMERIC and known.cuts is None and not set(known.labels) <= {0, 1}:
            raise ParameterError(
                f"Column {known.name!r} is numeric, and Winnow learns from Boolean features, so it cannot use it. Cut "
                "it into intervals (--bins), drop it (--drop), or take its values as nominal (--kind)."
            )
    return BooleanFeatures.from_values(used, [kind == "balanced" and known.is_boolean for known in columns])


class LearnedWinnow(NamedTuple):
    """A Winnow model and how it was learned, as `learn_winnow` returns it."""

    model: WinnowModel
    n_mistakes: int  # over all passes
    n_passes: int


def learn_winnow(
    features: Table, classes: Column, kind: str, cuts: Cuts | None = None, budget: Budget | None = None
) -> LearnedWinnow:
    """Let Winnow go through the rows of a table until a pass is without mistake, or the budget ends after one."""
    encoder, codes = Encoder.fit(features, cuts)
    tests = tests_of_values(encoder.columns, [np.unique(column).tolist() for column in codes.T], kind)
    sample = SampleInMemory(examples_of_codes(tests, codes), numbered_classes(classes)[0])
    return model_learned(sample, kind, encoder, tests, (class_labels(classes), classes.name), budget)


def model_learned(
    sample: Sample,
    kind: str,
    encoder: Encoder,
    tests: BooleanFeatures,
    target: tuple[np.ndarray, str | None],
    budget: Budget | None,
) -> LearnedWinnow:
    """Learn from a sample, in memory or in blocks, with the options that the classifiers have by default.

    ``target`` are the labels of the classes, and what the column of the classes is called.
    """
    options = OPTIONS[kind]()
    classes, name = target
    committee = Committee(options.rule(len(tests)), len(tests), len(classes))
    trials, n_passes, _ = run_passes(Trials(committee), sample, options.max_iter, budget)
    model = WinnowModel(encoder, tests, trials.learner, classes, name)
    return LearnedWinnow(model, trials.n_mistakes, n_passes)


def examples_of_codes(tests: BooleanFeatures, codes: np.ndarray) -> Dense:
    """Return the value of every test for encoded rows."""
    return Dense(np.ascontiguousarray(tests.matrix(codes), dtype=np.uint8))


def committee_to_record(committee: Committee) -> dict[str, Any]:
    """Return all but the weights, as plain data."""
    return {
        "rule": committee.rule.to_record(),
        "positive": committee.positive,
    }


def committee_from_record(
    record: Mapping[str, Any], exponents: np.ndarray, n_features: int, n_classes: int
) -> Committee:
    """Return the committee that `committee_to_record` and its exponents describe; raise ValueError for none."""
    positive = record["positive"]
    if positive not in (0, 1):
        raise ValueError("the class that it describes is none of two")
    n_members = n_classes if n_classes > 2 else n_classes - 1
    shapes = {(n_members, n_features + 1)} | ({(0,)} if not n_members else set())
    if exponents.dtype.kind != "i" or exponents.shape not in shapes:
        raise ValueError("its weights are not those of its features and classes")
    if not are_learned(exponents):
        raise ValueError("its weights are beyond what is ever learned")
    committee = Committee(Rule.from_record(record["rule"]), n_features, n_classes, int(positive))
    for member, own in zip(committee.members, exponents, strict=True):
        member.restore(own)
    return committee
