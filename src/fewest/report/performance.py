"""How well the recommendation predicts rows that it has not seen, and how its score grows with the features.

Line charts are plain data, where lines, marks, ticks and labels stand; the template only draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, isfinite, log10
from typing import Any

from fewest.report.sections import Section, make_section
from fewest.report.sentences import score_value

# More rows of a scatter of predictions cannot be told apart.
MOST_DOTS = 600
# More classes than these have numbers above their columns, for want of width; of more than those no matrix is read.
MOST_NAMED, MOST_CLASSES = 8, 30
MOST_MISTAKES = 10


def performance_sections(result: dict[str, Any]) -> list[Section | None]:
    """Return what a comparison's result shows of predictions of unseen rows: ``unseen`` and ``curves``."""
    unseen = result.get("unseen")
    shown = [] if unseen is None else [_confusion(result, unseen), _ranking(result, unseen), _values(result, unseen)]
    return [*shown, _growth(result)]


def _confusion(result: dict[str, Any], unseen: dict[str, Any]) -> Section | None:
    if "confusion" not in unseen:
        return None
    classes, counts = result["classes"], unseen["confusion"]
    return make_section(
        "confusion",
        "What was predicted for unseen rows",
        classes=classes if len(classes) <= MOST_CLASSES else [],
        counts=counts,
        is_numbered=len(classes) > MOST_NAMED,
        mistakes=_mistakes(classes, counts) if len(classes) > MOST_NAMED else [],
        learner=_learner(result),
        fine=None
        if result["scoring"] == "accuracy"
        else "Every class counts the same here: a row is given the class that is the most probable relative to its "
        "share of the training rows.",
    )


def _mistakes(classes: Sequence[str], counts: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Return which classes were most often taken for which other."""
    found: list[dict[str, Any]] = [
        {"truly": classes[k], "answer": classes[j], "n_rows": n, "share": n / sum(row)}
        for k, row in enumerate(counts)
        for j, n in enumerate(row)
        if n and j != k
    ]
    return sorted(found, key=lambda one: -one["n_rows"])[:MOST_MISTAKES]


def _ranking(result: dict[str, Any], unseen: dict[str, Any]) -> Section | None:
    """Draw the ROC and precision-recall curves of two classes."""
    if "roc" not in unseen:
        return None
    method = _recommended(result)
    roc, precision = unseen["roc"], unseen["precision_recall"]
    n_positive = sum(unseen["confusion"][result["classes"].index(result["positive"])])
    share = n_positive / max(1, sum(map(sum, unseen["confusion"])))
    name, whole = result["recommendation"]["method"], (0.0, 1.0)
    metrics = {metric: value["mean"] for metric, value in method["metrics"].items()} if method else {}
    rates = [*zip(roc["false_positive_rate"], roc["true_positive_rate"], strict=True)]
    # From no row found on: the first rows found may be many, of the same probability.
    points = [(0.0, precision["precision"][0]), *zip(precision["recall"], precision["precision"], strict=True)]
    charts = [
        line_chart(
            _with_value("ROC curve", "area", metrics.get("roc_auc")),
            [{"name": name, "points": rates}],
            x=("rows of other classes called so", whole),
            y=("rows of the class found", whole),
            reference=[(0.0, 0.0), (1.0, 1.0)],
        ),
        line_chart(
            _with_value("Precision and recall", "average precision", metrics.get("average_precision")),
            [{"name": name, "points": points}],
            x=("recall: rows of the class found", whole),
            y=("precision: of those called so, truly so", whole),
            reference=[(0.0, share), (1.0, share)],
        ),
    ]
    return make_section(
        "charts",
        "How well it ranks unseen rows",
        lead=f"How the probability of {result['positive']} orders rows that were not seen in learning; {share:.1%} of "
        "them are of this class.",
        names=[name],
        reference="guessing",
        charts=charts,
        fine="The curves order the rows of all folds together; the numbers are means over the folds.",
    )


def _values(result: dict[str, Any], unseen: dict[str, Any]) -> Section | None:
    """Draw the predictions of a regression against the true values."""
    if "confusion" in unseen or not unseen["actual"]:
        return None
    step = max(1, len(unseen["actual"]) // MOST_DOTS)
    dots = [*zip(unseen["actual"], unseen["predicted"], strict=True)][::step]
    ends = [value for dot in dots for value in dot]
    span = (min(ends), max(ends))
    name = result["recommendation"]["method"]
    chart = line_chart(
        f"Predictions of {result['target']}",
        [{"name": name, "points": [], "dots": dots}],
        x=("true value", span),
        y=("predicted", span),
        reference=[(span[0], span[0]), (span[1], span[1])],
    )
    return make_section(
        "charts",
        "What was predicted for unseen rows",
        lead="Every dot is a row that was not seen in learning; on the dashed line the prediction is right.",
        names=[name],
        reference="right",
        charts=[chart],
        fine=None if step == 1 else f"Every {step}th row is drawn.",
    )


def _growth(result: dict[str, Any]) -> Section | None:
    """Draw the score of every ranking against the number of features, with the number that it keeps."""
    curves = [
        curve
        for curve in result.get("curves") or ()
        if len(curve["numbers"]) > 1 and all(score == score for score in curve["scores"])  # NaN where none is defined
    ]
    if not curves:
        return None
    metric, guess = result["metrics"][0], result["guess"]["score"]
    sign = metric["sign"]
    scores = [sign * score for curve in curves for score in curve["scores"]]
    low, high, is_near = _focused(scores, sign * guess)
    most = max(n for curve in curves for n in curve["numbers"])
    series = []
    for curve in curves:
        points = [(float(n), sign * score) for n, score in zip(curve["numbers"], curve["scores"], strict=True)]
        mark = points[curve["numbers"].index(curve["chosen"])]
        series.append({"name": curve["method"], "points": points, "mark": mark})
    chart = line_chart(
        f"{metric['label']} against the number of features",
        series,
        x=("number of features (logarithmic)", (1.0, float(max(2, most)))),
        y=(metric["label"], (low, high if high > low else low + 1)),
        log_x=True,
        reference=[(1.0, sign * guess), (float(max(2, most)), sign * guess)] if is_near else None,
    )
    return make_section(
        "charts",
        "How many features it takes",
        lead="The score of the best features of every ranking, by inner validation. Dots mark the number that is kept: "
        "the fewest whose score is within one standard error of the best.",
        names=[one["name"] for one in series],
        reference=result["guess"]["text"] if is_near else None,
        charts=[chart],
        fine=None if is_near else f"{result['guess']['text']}: {score_value(metric, guess)}, outside of the drawing.",
    )


def _focused(scores: list[float], guess: float) -> tuple[float, float, bool]:
    """Return the range of some scores, and whether what guessing gives is near enough to be drawn with them.

    Where every curve is far above it, their differences, which the drawing is for, would be too small to see.
    """
    low, high = min(scores), max(scores)
    span = max(high - low, LEAST_SPAN * abs(high))
    is_near = low - 2 * span <= guess <= high + 2 * span
    low = min(low, high - span)
    return (min(low, guess), max(high, guess), True) if is_near else (low, high, False)


def _learner(result: dict[str, Any]) -> str:
    method = _recommended(result)
    return "the learner" if method is None else method["learner"]


def _recommended(result: dict[str, Any]) -> dict[str, Any] | None:
    wanted = result["recommendation"]["method"]
    return next((method for method in result["methods"] if method["method"] == wanted), None)


def _with_value(title: str, label: str, value: float | None) -> str:
    return title if value is None or value != value else f"{title}, {label} {value:.3f}"


Point = tuple[float, float]
Range = tuple[float, float]

WIDTH, HEIGHT = 300, 220
# Curves are drawn over at least this share of their largest score, so that tenths of a point do not look like much.
LEAST_SPAN = 0.05


def line_chart(
    title: str,
    series: Sequence[dict[str, Any]],
    *,
    x: tuple[str, Range],
    y: tuple[str, Range],
    log_x: bool = False,
    reference: Sequence[Point] | None = None,
) -> dict[str, Any]:
    """Return a chart of lines.

    Parameters
    ----------
    title : str
    series : sequence of dict
        Each with its ``name``, its ``points`` and, optionally, a ``mark`` (a point to be seen) and ``dots`` (points
        that no line joins).
    x, y : tuple of str and range
        What an axis shows, and from where to where.
    log_x : bool, default=False
        Whether the horizontal axis is logarithmic.
    reference : sequence of points, optional
        A line to compare with, such as what guessing gives.
    """
    across, up = _Scale(*x[1], WIDTH, is_log=log_x), _Scale(*y[1], HEIGHT)

    def place(point: Point) -> Point:
        return round(across(point[0]), 1), round(HEIGHT - up(point[1]), 1)

    lines = [
        {
            "name": one["name"],
            "points": [place(point) for point in one["points"] if isfinite(point[1])],
            "mark": None if one.get("mark") is None else place(one["mark"]),
            "dots": [place(point) for point in one.get("dots", ())],
        }
        for one in series
    ]
    return {
        "title": title,
        "lines": lines,
        "reference": None if reference is None else [place(point) for point in reference],
        "x_label": x[0],
        "y_label": y[0],
        "x_ticks": [{"text": _written(tick), "at": round(across(tick), 1)} for tick in across.ticks()],
        "y_ticks": [{"text": _written(tick), "at": round(HEIGHT - up(tick), 1)} for tick in up.ticks()],
        "width": WIDTH,
        "height": HEIGHT,
    }


class _Scale:
    """A range of values laid out over a number of pixels."""

    def __init__(self, low: float, high: float, pixels: int, *, is_log: bool = False):
        self.low, self.high, self.pixels, self.is_log = low, high, pixels, is_log

    def __call__(self, value: float) -> float:
        low, high = self._of(self.low), self._of(self.high)
        share = (self._of(value) - low) / (high - low) if high > low else 0.5
        return self.pixels * min(1.0, max(0.0, share))

    def _of(self, value: float) -> float:
        return log10(value) if self.is_log else value

    def ticks(self) -> list[float]:
        """Return about five round values within the range."""
        if self.is_log:
            decades = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
            steps = (1, 2, 5) if log10(self.high / self.low) < 2 else (1,)
            return [m * 10.0**e for e in decades for m in steps if self.low <= m * 10.0**e <= self.high]
        if self.high <= self.low:
            return [self.low]
        rough = (self.high - self.low) / 5
        unit = 10.0 ** floor(log10(rough))
        step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= rough * 0.999)
        first = ceil(self.low / step - 1e-9)
        last = floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


def _written(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}".replace("-", "−")
