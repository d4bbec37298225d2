"""What ``fewest train`` prints and draws of each kind of model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fewest.cli.options import Format
from fewest.cli.output import print_result, say, strong
from fewest.exceptions import ParameterError
from fewest.report.sentences import general

if TYPE_CHECKING:
    from fewest.cfp.model import PartitionModel
    from fewest.cli.train_choice import Choice
    from fewest.cli.train_validation import Validation
    from fewest.mistakes.model import WinnowModel
    from fewest.models.encoder import Encoder
    from fewest.trees.model import TreeModel
    from fewest.wrapper.logistic_model import LogisticModel
    from fewest.wrapper.model import LinearModel

MOST_LISTED = 20


@dataclass(frozen=True)
class TrainedTree:
    """A tree, and how many FRINGE grew before it."""

    model: TreeModel
    n_trees: int

    def described(self) -> dict[str, Any]:
        """Return what is particular to a tree, as plain data."""
        tree, features = self.model.tree, self.model.features
        return {
            "features_used": self.model.columns_used,
            "n_nodes": len(tree),
            "n_leaves": tree.n_leaves,
            "depth": tree.depth,
            "n_trees": self.n_trees,
            "n_constructed": 0 if features is None else features.n_constructed,
        }

    def paragraphs(self, result: dict[str, Any], name: str, score: str) -> list[str]:
        """Describe the tree in text."""
        grown = f", {result['n_trees']} trees, {result['n_constructed']:,} constructed features"
        effort = f"{name}{grown if result['n_constructed'] else ''}, {result['seconds']:.1f} s"
        n_leaves, used, n_features = result["n_leaves"], result["features_used"], result["n_features"]
        leaves = f"{n_leaves:,} lea{'f' if n_leaves == 1 else 'ves'}"
        first = f"A tree of {leaves} and depth {result['depth']} predicts {score} ({effort})."
        if not used:
            return [first, f"It tests none of {n_features} features: every row gets the most frequent class."]
        return [first, listed(f"It tests {len(used)} of {n_features} features:", used)]

    def shown(self) -> dict[str, str]:
        """Return the model as text."""
        return {"tree": self.model.export_text()}

    def draw(self, path: Path) -> None:
        """Draw the tree into a file."""
        from fewest.trees.plots import write_tree

        write_tree(self.model, path)


@dataclass(frozen=True)
class TrainedPartitions:
    """A concept of feature partitions."""

    model: PartitionModel

    def described(self) -> dict[str, Any]:
        """Return what is particular to partitions, as plain data."""
        concept, names = self.model.concept, self.model.encoder.names
        weighed = sorted(zip(names, concept.weights.tolist(), strict=True), key=lambda pair: -pair[1])
        return {
            "features_used": [name for name, feature in zip(names, concept.features, strict=True) if len(feature)],
            "n_partitions": concept.n_partitions,
            "limits": dict(zip(names, concept.limits.tolist(), strict=True)),
            "delta": concept.settings.delta,
            "weights": dict(weighed),
        }

    def paragraphs(self, result: dict[str, Any], name: str, score: str) -> list[str]:
        """Describe the concept in text."""
        n_partitions = result["n_partitions"]
        first = f"{n_partitions:,} partition{'s' * (n_partitions != 1)} predict{'s' * (n_partitions == 1)} {score}"
        weights = [f"{weight:8.3g}  {feature}" for feature, weight in result["weights"].items()]
        what = f"The weights of {len(weights)} features, in units of the largest:"
        return [f"{first} ({name}, {result['seconds']:.1f} s).", *([listed(what, weights)] if weights else [])]

    def shown(self) -> dict[str, str]:
        """Return the model as text: the partitions, and the rules if there are not too many."""
        try:
            return {"partitions": self.model.export_text(), "rules": self.model.export_rules()}
        except ParameterError:
            return {"partitions": self.model.export_text()}

    def draw(self, path: Path) -> None:
        """Draw the partitions into a file."""
        from fewest.cfp.plots import write_partitions

        write_partitions(self.model, path)


@dataclass(frozen=True)
class TrainedWinnow:
    """Winnow's weights, its mistakes and its passes."""

    model: WinnowModel
    n_mistakes: int
    n_passes: int

    def described(self) -> dict[str, Any]:
        """Return what is particular to Winnow, as plain data."""
        names, weights = self.model.test_names, self.model.weights
        rule = self.model.committee.rule
        largest = abs(weights).max(axis=0, initial=0.0)
        order = sorted(range(len(names)), key=lambda k: -largest[k])
        return {
            "features_used": self.model.columns_used,
            "n_tests": len(names),
            "n_mistakes": self.n_mistakes,
            "n_passes": self.n_passes,
            "update_factor": rule.update_factor,
            "theta": rule.theta,
            "weights": {names[k]: float(largest[k]) for k in order},
        }

    def paragraphs(self, result: dict[str, Any], name: str, score: str) -> list[str]:
        """Describe the weights in text."""
        n_tests, passes = result["n_tests"], f"{result['n_passes']} pass{'es' * (result['n_passes'] != 1)}"
        effort = f"{name}, {result['n_mistakes']:,} mistakes in {passes}, {result['seconds']:.1f} s"
        weights = [f"{weight:8.3g}  {test}" for test, weight in result["weights"].items() if weight]
        first = f"A weighted vote of {n_tests:,} test{'s' * (n_tests != 1)} predicts {score} ({effort})."
        return [first, *([listed(f"The {len(weights):,} tests that have a weight:", weights)] if weights else [])]

    def shown(self) -> dict[str, str]:
        """Return the model as text."""
        return {"weights": self.model.export_text()}

    def draw(self, path: Path) -> None:
        """Raise: weights are printed, not drawn."""
        raise ParameterError(f"Winnow's weights are not drawn, so {str(path)!r} is not written. Use --show.")


@dataclass(frozen=True)
class TrainedLinear:
    """A linear function of the features, for a numeric target."""

    model: LinearModel

    def described(self) -> dict[str, Any]:
        """Return what is particular to a linear function, as plain data."""
        named = zip(self.model.term_names, self.model.coefficients.tolist(), strict=True)
        return {
            "features_used": self.model.columns_used,
            "intercept": self.model.intercept,
            "coefficients": dict(named),
            "penalty": self.model.penalty,
        }

    def paragraphs(self, result: dict[str, Any], name: str, score: str) -> list[str]:
        """Describe the function in text."""
        used = result["features_used"]
        first = f"A linear function of {len(used)} of {result['n_features']} features predicts {score}"
        terms = [f"{value:12.5g}  {term}" for term, value in result["coefficients"].items()]
        what = f"{result['target']} is {result['intercept']:.5g} and, for each unit of:"
        return [f"{first} ({name}, {result['seconds']:.1f} s).", *([listed(what, terms)] if terms else [])]

    def shown(self) -> dict[str, str]:
        """Return the model as text."""
        return {"function": self.model.export_text()}

    def draw(self, path: Path) -> None:
        """Raise: coefficients are printed, not drawn."""
        raise ParameterError(f"A linear function is not drawn, so {str(path)!r} is not written. Use --show.")


@dataclass(frozen=True)
class TrainedLogistic:
    """Probabilities of classes whose logarithms are linear in the features."""

    model: LogisticModel

    def described(self) -> dict[str, Any]:
        """Return what is particular to a logistic regression, as plain data."""
        model = self.model
        rows = zip(model.term_names, model.coefficients.tolist(), strict=True)
        return {
            "features_used": model.columns_used,
            "intercepts": dict(zip(model.class_names, model.intercepts.tolist(), strict=True)),
            "coefficients": {name: dict(zip(model.class_names, row, strict=True)) for name, row in rows},
        }

    def paragraphs(self, result: dict[str, Any], name: str, score: str) -> list[str]:
        """Describe the function in text: of two classes the odds of the second, of more what differs most."""
        used, model = result["features_used"], self.model
        first = f"A logistic regression on {len(used)} of {result['n_features']} features predicts {score}"
        first += f" ({name}, {result['seconds']:.1f} s)."
        if len(model.classes_) != 2:
            return [first]
        slopes = model.coefficients[:, 1] - model.coefficients[:, 0]
        terms = [f"{value:12.5g}  {term}" for value, term in zip(slopes.tolist(), model.term_names, strict=True)]
        what = f"The logarithm of the odds of {model.class_names[1]}, for each unit of:"
        return [first, *([listed(what, terms)] if terms else [])]

    def shown(self) -> dict[str, str]:
        """Return the model as text."""
        return {"function": self.model.export_text()}

    def draw(self, path: Path) -> None:
        """Raise: coefficients are printed, not drawn."""
        raise ParameterError(f"A logistic regression is not drawn, so {str(path)!r} is not written. Use --show.")


Trained = TrainedTree | TrainedPartitions | TrainedWinnow | TrainedLinear | TrainedLogistic


def print_trained(
    result: dict[str, Any],
    output_format: Format,
    trained: Trained,
    show: bool,
    validation: Validation | str,
    choice: Choice,
) -> None:
    """Print what is known of a model and, if asked to, the model itself."""
    shown = trained.shown() if show else {}

    def show_text() -> None:
        name = f"{result['select']} + {result['learner']}" if result["select"] else result["learner"]
        first, *others = trained.paragraphs(result, name, _score(result))
        unseen = f"Not cross-validated: {validation}." if isinstance(validation, str) else validation.paragraph()
        cut = _intervals(trained.model.encoder, is_default=isinstance(trained, TrainedTree))
        chosen = [] if choice.scores is None else [choice.sentence()]
        say("\n\n".join([strong(first), unseen, *chosen, *cut, *others, *shown.values()]))

    record = result | {name: text.splitlines() for name, text in shown.items()}
    print_result(output_format, record, [record], show_text)


def _score(result: dict[str, Any]) -> str:
    """Return how well the training rows are predicted, in words."""
    target, n_rows = result["target"], result["n_rows"]
    if "r2" in result:
        error = -result["neg_root_mean_squared_error"]
        return f"{target} with an R2 of {result['r2']:.3f} (RMSE {general(error)}) on {n_rows:,} training rows"
    n_right = result["n_correct"]
    return f"{target} right for {n_right:,} of {n_rows:,} training rows, {n_right / n_rows:.1%}"


def _intervals(encoder: Encoder, *, is_default: bool) -> list[str]:
    """Return a paragraph about the numeric columns that a model takes by interval, if there are any."""
    cut = [column for column in encoder.columns if column.cuts is not None]
    if not any(column.cuts for column in cut) and not is_default:  # a linear function takes the numbers themselves
        return []
    if not cut:
        return []
    alike = [column.name for column in cut if not column.cuts]
    n_cuts = sum(len(column.cuts or ()) for column in cut)
    have = "has" if len(alike) == 1 else "have"
    unused = f" {len(alike)} of them {have} no cut that says anything about the class alone." if alike else ""
    columns = "1 numeric column is" if len(cut) == 1 else f"{len(cut)} numeric columns are"
    instead = " (--exact-values compares numbers for equality instead)" if is_default else ""
    return [f"{columns} cut into intervals, at {n_cuts:,} places, which the model keeps{instead}.{unused}"]


def listed(what: str, lines: list[str]) -> str:
    """Return a heading and the first lines of a list, indented."""
    hidden = [f"  and {len(lines) - MOST_LISTED:,} more"] if len(lines) > MOST_LISTED else []
    return "\n".join([f"{what}\n", *(f"  {line}" for line in lines[:MOST_LISTED]), *hidden])
