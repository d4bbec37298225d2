"""``fewest bound``: calculate what a theorem promises, or what it asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fewest.cli import options as opt
from fewest.cli.output import aligned, print_json, print_result, say
from fewest.exceptions import ParameterError

if TYPE_CHECKING:
    from fewest.bounds.relation import Answer, Bound

# Every theorem names its own quantities, so their options are not declared: the context holds them.
POINTS = 50


def bound(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A bound; without it, all are listed.", show_default=False)
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(metavar="Q=A:B", help="Answer for many values of a quantity, from A to B (or Q=A:B:COUNT)."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw that into a file (.svg, .png).")] = None,
    output_format: opt.OutputFormat = opt.Format.TABLE,
) -> None:
    """Calculate what a theorem of the papers promises.

    Examples needed, mistakes made, partitions. Give all quantities of a bound but one as options of their names; the
    one left out is calculated. So the same bound answers how many examples are needed, and what a number of examples
    promises. With a name alone, its quantities are explained.

    \b
    fewest bound
    fewest bound min-features
    fewest bound min-features --n 100 --p 3 --epsilon 0.1 --delta 0.05
    fewest bound min-features --n 100 --p 3 --m 1000 --delta 0.05
    fewest bound winnow1 --k 5 --sweep n=10:1000000 --plot winnow.svg
    """
    from fewest.bounds.catalogue import all_bounds

    bounds = all_bounds()
    if name is None:
        _list(bounds, output_format)
        return
    if name not in bounds:
        raise ParameterError.from_choice("The bound", name, bounds)
    asked, given = bounds[name], _pairs(context.args)
    if not given and sweep is None:
        _explain(asked, output_format)
    elif sweep is None:
        if plot is not None:
            raise ParameterError("There is nothing to draw: --plot needs --sweep, such as --sweep n=10:1000.")
        _print_one(asked.ask(**given), output_format)
    else:
        swept, points = _points(asked, sweep)
        answers = list(asked.sweep(swept, points, **given))
        if plot is not None:
            from fewest.bounds.plots import write_bound

            write_bound(asked, swept, answers, plot)
        _print_many(swept, answers, output_format)


def _pairs(arguments: list[str]) -> dict[str, object]:
    """Read ``--name value`` and ``--name=value``."""
    given: dict[str, object] = {}
    rest = iter(arguments)
    for argument in rest:
        name, is_joined, value = argument.removeprefix("--").partition("=")
        if not argument.startswith("--") or not name:
            raise ParameterError(f"{argument!r} is no option. Give quantities as --name value, such as --n 100.")
        if not is_joined:
            value = next(rest, "")
        if not value or name in given:
            raise ParameterError(f"--{name} needs one value. Give it once, as --{name} 100.")
        given[name] = value
    return given


def _points(asked: Bound, text: str) -> tuple[str, list[float]]:
    """Return the quantity to sweep and its values: evenly apart, or by even ratios over more than a decade."""
    name, is_given, ends = text.partition("=")
    quantity = asked.quantity(name)
    values = ends.split(":")
    if not is_given or len(values) not in (2, 3):
        raise ParameterError(f"--sweep {text!r} is no range. Write it as {name}=A:B or {name}=A:B:COUNT.")
    low, high = quantity.read(values[0]), quantity.read(values[1])
    count = int(values[2]) if len(values) == 3 and values[2].isdigit() else POINTS
    if not low < high or count < 2:
        raise ParameterError(f"--sweep {text!r} is no range: the first end must be below the second. Exchange them.")
    by_ratios = low > 0 and high / low > 10
    shares = [i / (count - 1) for i in range(count)]
    points = [low * (high / low) ** share if by_ratios else low + (high - low) * share for share in shares]
    if quantity.is_whole:
        return name, sorted({round(point) for point in points})
    return name, points


def _list(bounds: dict[str, Bound], output_format: opt.Format) -> None:
    rows = [("bound", "asks", "answers", "source")]
    rows += [(b.name, " ".join(q.name for q in b.parameters), b.result.name, b.source) for b in bounds.values()]
    records = [_described(known) for known in bounds.values()]
    print_result(output_format, {"bounds": records}, records, lambda: say(aligned(rows, indent="")))


def _described(known: Bound) -> dict[str, object]:
    quantities = [
        {"name": q.name, "meaning": q.meaning, "is_whole": q.is_whole, "default": q.default or None}
        for q in known.quantities
    ]
    record = {"name": known.name, "sentence": known.sentence, "source": known.source, "result": known.result.name}
    return {**record, "quantities": quantities}


def _explain(known: Bound, output_format: opt.Format) -> None:
    if output_format is not opt.Format.TABLE:
        print_json(_described(known))
        return
    say(f"{known.sentence}\n({known.source})\n")
    rows = [
        (f"--{q.name}", q.meaning, f"by default {q.default}" if q.default else "", _solved_for(known, q.name))
        for q in known.quantities
    ]
    say(aligned(rows))


def _solved_for(known: Bound, name: str) -> str:
    quantity = known.quantity(name)
    if name == known.result.name:
        return "calculated"
    return "or calculated from the others" if quantity.effect and not quantity.default else ""


def _record(answer: Answer) -> dict[str, object]:
    return {
        "bound": answer.name,
        "asked": answer.asked,
        "value": answer.value,
        "values": dict(answer.values),
        "sentence": answer.sentence,
        "source": answer.source,
    }


def _print_one(answer: Answer, output_format: opt.Format) -> None:
    from fewest.bounds.relation import shown

    if output_format is not opt.Format.TABLE:
        print_json(_record(answer))
        return
    say(f"{answer.asked} = {shown(answer.value)}\n\n{answer.sentence}\n({answer.source})")


def _print_many(swept: str, answers: list[Answer], output_format: opt.Format) -> None:
    from fewest.bounds.relation import shown

    rows = [(swept, answers[0].asked)]
    rows += [(shown(answer.values[swept]), shown(answer.value)) for answer in answers]
    records = [_record(answer) for answer in answers]
    result = {"bound": answers[0].name, "swept": swept, "answers": records}
    print_result(output_format, result, records, lambda: say(aligned(rows, indent="")))
