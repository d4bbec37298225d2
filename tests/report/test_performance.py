"""Charts stand where their numbers say, and the sections of a comparison show what its result holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.report.performance import (
    HEIGHT,
    MOST_CLASSES,
    MOST_NAMED,
    WIDTH,
    _focused,
    line_chart,
    performance_sections,
)
from fewest.report.render import render


def test_points_stand_where_their_values_say():
    series = [{"name": "a", "points": [(0, 0), (5, 1), (10, float("nan"))], "mark": (10, 0.5), "dots": [(5, 0.5)]}]
    chart = line_chart("t", series, x=("x", (0.0, 10.0)), y=("y", (0.0, 1.0)), reference=[(0, 1), (10, 1)])
    (line,) = chart["lines"]
    assert line["points"] == [(0, HEIGHT), (WIDTH / 2, 0)]  # what is unknown is not drawn
    assert line["mark"] == (WIDTH, HEIGHT / 2)
    assert line["dots"] == [(WIDTH / 2, HEIGHT / 2)]
    assert chart["reference"] == [(0, 0), (WIDTH, 0)]
    assert [tick["text"] for tick in chart["y_ticks"]] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]


def test_a_logarithmic_axis_has_round_ticks():
    chart = line_chart("t", [], x=("x", (1.0, 50.0)), y=("y", (0.0, 1.0)), log_x=True)
    assert [tick["text"] for tick in chart["x_ticks"]] == ["1", "2", "5", "10", "20", "50"]
    assert [chart["x_ticks"][0]["at"], chart["x_ticks"][-1]["at"]] == [0, WIDTH]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_lie_within_the_axis_and_are_few(low, span):
    chart = line_chart("t", [], x=("x", (0.0, 1.0)), y=("y", (low, low + span)))
    places = [tick["at"] for tick in chart["y_ticks"]]
    assert len(places) <= 7
    assert places == sorted(places, reverse=True)
    assert all(0 <= at <= HEIGHT for at in places)


METHOD = {"method": "l1", "learner": "logistic", "metrics": {"roc_auc": {"mean": 0.75}}}
RESULT = {
    "methods": [METHOD],
    "recommendation": {"method": "l1"},
    "classes": ["no", "yes"],
    "positive": "yes",
    "target": "y",
    "scoring": "roc_auc",
    "metrics": [{"label": "ROC AUC", "sign": 1}],
    "guess": {"text": "guessing", "score": 0.5},
    "curves": [{"method": "l1", "numbers": [1, 2, 4], "scores": [0.6, 0.8, 0.75], "errors": [0, 0, 0], "chosen": 2}],
    "unseen": {
        "actual": [0, 0, 1, 1], "predicted": [0, 1, 1, 1], "confusion": [[1, 1], [0, 2]],
        "roc": {"false_positive_rate": [0, 0.5, 1], "true_positive_rate": [0, 0.5, 1]},
        "precision_recall": {"recall": [0.5, 1], "precision": [0.5, 0.5]},
    },
}  # fmt: skip


def page_of(result):
    sections = [section for section in performance_sections(result) if section is not None]
    answer = {"status": "found", "claim": "", "proof": None, "features": [], "facts": [], "effort": None}
    return sections, render({"title": "t", "answer": answer, "notes": [], "sections": sections})


def test_two_classes_have_a_confusion_matrix_and_both_curves():
    sections, html = page_of(RESULT)
    assert [section["kind"] for section in sections] == ["confusion", "charts", "charts"]
    ranking, growth = sections[1:]
    assert ranking["charts"][0]["title"] == "ROC curve, area 0.750"
    assert "the numbers are means over the folds" in html
    assert ranking["charts"][1]["reference"][0][1] == HEIGHT / 2  # half of the rows are of the class
    assert growth["charts"][0]["lines"][0]["mark"] == (WIDTH / 2, 0)  # two features of four, the best score on top
    assert "100.0%" in html
    assert "<polyline" in html


@pytest.mark.parametrize("n_classes", [MOST_NAMED, MOST_NAMED + 1, MOST_CLASSES, MOST_CLASSES + 1])
def test_many_classes_have_numbers_and_their_most_frequent_mistakes_are_named(n_classes):
    counts = [[10 if j == k else 0 for j in range(n_classes)] for k in range(n_classes)]
    counts[1][2], counts[3][0] = 5, 15
    classes = [f"class-{k}" for k in range(n_classes)]
    unseen = {"actual": [0], "predicted": [0], "confusion": counts}
    (section,), html = page_of(RESULT | {"unseen": unseen, "classes": classes, "curves": []})
    if n_classes == MOST_NAMED:
        assert section["mistakes"] == []
        assert '<th scope="col">class-7</th>' in html
        return
    assert [(one["truly"], one["answer"], one["n_rows"]) for one in section["mistakes"]] == [
        ("class-3", "class-0", 15),
        ("class-1", "class-2", 5),
    ]
    assert "60%" in html  # of the 25 rows of class-3
    is_shown = n_classes <= MOST_CLASSES
    assert ('<th scope="col" title="class-8">9</th>' in html) == is_shown
    assert ("a row for each true class" in html) == is_shown


def test_a_regression_shows_its_predictions_against_the_truth():
    unseen = {"actual": [1.0, 2.0, 3.0], "predicted": [1.0, 2.5, 3.0]}
    sections, html = page_of(RESULT | {"unseen": unseen, "classes": [], "curves": []})
    (section,) = sections
    assert section["charts"][0]["lines"][0]["dots"][1] == (WIDTH / 2, HEIGHT / 4)
    assert "dots-of" in html


def test_a_curve_of_scores_that_are_not_defined_is_not_drawn():
    curve = RESULT["curves"][0]
    undefined = curve | {"method": "l2", "scores": [float("nan")] * 3}
    assert page_of(RESULT | {"unseen": None, "curves": [undefined]})[0] == []
    sections, html = page_of(RESULT | {"unseen": None, "curves": [curve, undefined]})
    assert sections[0]["names"] == ["l1"]
    assert "nan" not in html


def test_without_a_recommendation_there_is_nothing_to_show():
    assert page_of(RESULT | {"unseen": None, "curves": []})[0] == []


@pytest.mark.parametrize(
    ("scores", "guess", "expected"),
    [
        ([0.5, 0.8], 0.5, (0.5, 0.8, True)),
        ([0.94, 0.96], 0.6, (0.912, 0.96, False)),  # at least a twentieth of the best score
        ([0.7, 0.9], 0.4, (0.4, 0.9, True)),
        ([60.0, 50.0], 77.0, (50.0, 77.0, True)),  # an error, which guessing makes larger
    ],
)
def test_the_range_of_curves_is_their_own_where_guessing_is_far(scores, guess, expected):
    assert _focused(scores, guess) == pytest.approx(expected)
