"""``fewest select --method min-description``: the features that describe the classes in the fewest bits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fewest.cli import ExitCode, engines
from fewest.cli import options as opt
from fewest.cli.feature_options import min_features_options
from fewest.cli.output import aligned, collected_notes, print_result, progress, say, strong
from fewest.cover.options import ADDITIVE, Method
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.cli.screening import Look
    from fewest.cover.describe import DescribedClasses
    from fewest.table import Column, Table

# Other subsets that are shown, and the least probability of one that is worth a line.
MOST_SHOWN, LEAST_SHOWN = 5, 0.01
# Rows x features x classes up to which the shortest description is found in seconds.
MOST_DESCRIBED = 50_000
Own = Callable[["Table", Sequence[str]], dict[str, Any]]


def refuse_others(given: dict[str, Any]) -> None:
    """Raise when an option is for methods that separate rows."""
    for option, value in given.items():
        if value:
            raise ParameterError(
                f"--{option} is not for --method {Method.MIN_DESCRIPTION}: it needs no tolerance, cuts numbers itself "
                "and takes a missing value as one more value. Leave it out, or choose --method min-features."
            )


def select_description(
    reading: opt.Reading, where: engines.Where, look: Look, own: Own, seconds: float | None, output_format: opt.Format
) -> None:
    """Read, look at the columns, search and print; ``own`` returns the options of the search, given the features."""
    started = opt.start_clock("fewest.cover.describe")
    with collected_notes() as notes, where.scanned(reading, None) as scanned:
        from fewest.cover.describe import describe_classes
        from fewest.cover.options import MinDescriptionOptions

        if scanned is None:
            features, classes = reading.load()
            features, screening = look.at(features, classes, notes)
        else:
            scanned, screening = look.at_first_rows(scanned, notes)
            features, classes = scanned.header(), None
        options = MinDescriptionOptions(time_limit=seconds, **own(features, screening.left_out))
        found = describe_classes(features if scanned is None else scanned, classes, options, progress())
    result = {
        "command": "select",
        "data": str(reading.data),
        "screening": screening.to_dict(),
        "method": Method.MIN_DESCRIPTION.value,
        **described(found, features),
        "notes": notes,
        "seconds": round(time.monotonic() - started, 3),
    }
    print_result(output_format, result, result["scores"], lambda: say("\n\n".join(_paragraphs(result))))
    if found.description.stopped_by is not None:
        raise typer.Exit(ExitCode.STOPPED_EARLY)


def quickly_described(features: Table, classes: Column, seconds: float | None) -> DescribedClasses | None:
    """Find the features that describe the classes best, without a proof; None where that would take long."""
    if features.n_rows * len(features.columns) * len(classes.labels) > MOST_DESCRIBED:
        return None
    from fewest.cover.describe import describe_classes
    from fewest.cover.options import MinDescriptionOptions

    with collected_notes():  # of a search that was stopped: who asks sees that
        return describe_classes(features, classes, MinDescriptionOptions(max_row_visits=0.0, time_limit=seconds))


def described(found: DescribedClasses, features: Table) -> dict[str, Any]:
    """Return plain data: the subset, what each feature saves, other subsets, and what is proven."""
    names, description = features.names, found.description
    scores = [
        {
            "feature": name,
            "is_selected": j in description.subset,
            "bits": float(description.scores[j]),
            "probability": float(description.inclusion[j]),
        }
        for j, name in enumerate(names)
    ]
    return {
        "features": [names[j] for j in description.subset],
        "n_features": len(names),
        "model": description.model,
        "joint_features": [[names[j] for j in together] for together in description.joint],
        "description_length": description.length,
        "lower_bound": description.lower_bound,
        "is_optimal": description.is_optimal,
        "gap": description.gap,
        "stopped_by": description.stopped_by,
        "n_subsets": description.n_subsets,
        "scores": sorted(scores, key=lambda score: -score["bits"]),
        "alternatives": [
            {
                "features": [names[j] for j in near.subset],
                "length": near.length,
                "probability": near.probability,
                "model": near.model,
            }
            for near in description.alternatives
        ],
        "cuts": {names[j]: cuts.tolist() for j, cuts in found.cuts.items()},
    }


def _paragraphs(result: dict[str, Any]) -> list[str]:
    paragraphs = [strong(description_sentence(result))]
    selected = [score for score in result["scores"] if score["is_selected"]]
    if selected:
        rows = [
            (one["feature"], f"{one['bits']:.1f}", f"{one['probability']:.0%}", _cuts(result, one)) for one in selected
        ]
        paragraphs.append(aligned([("feature", "bits it saves", "probability", "cut at"), *rows]))
    others = [one for one in result["alternatives"][1 : MOST_SHOWN + 1] if one["probability"] >= LEAST_SHOWN]
    if others:
        lines = [(f"{one['probability']:.0%}", ", ".join(one["features"]) or "(no feature)") for one in others]
        paragraphs.append(f"Other subsets, by probability:\n\n{aligned(lines)}")
    return paragraphs


def description_sentence(result: dict[str, Any], *, has_bound: bool = True) -> str:
    """State how many features describe the classes, in how many bits, and what is proven if that was tried."""
    n_selected, length = len(result["features"]), result["description_length"]
    among = f"{result['n_features']:,} feature{'s' * (result['n_features'] != 1)}"
    if not n_selected:
        what = f"None of {among} helps to describe the classes"
    else:
        what = f"{n_selected} of {among} describe{'s' * (n_selected == 1)} the classes best"
    if result["model"] == ADDITIVE:
        what += ", by a sum of what each contributes"
        joint = "; ".join(" and ".join(together) for together in result["joint_features"])
        what += f" ({joint} together)" if joint else ""
    bound = f"not proven to be the fewest: none takes less than {result['lower_bound']:,.0f}"
    proven = "proven" if result["is_optimal"] else bound
    return f"{what}: {length:,.0f} bits with the subset's name{f' ({proven})' if has_bound else ''}."


def _cuts(result: dict[str, Any], score: dict[str, Any]) -> str:
    return ", ".join(f"{cut:.6g}" for cut in result["cuts"].get(score["feature"], ()))


def own_options(include: Sequence[str] | None, exclude: Sequence[str] | None, costs: Path | None) -> Own:
    """Return what reads the options that this method shares with min-features."""
    return lambda features, left_out: min_features_options(features, include, exclude, costs, left_out)
