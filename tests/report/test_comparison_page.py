import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest import compare
from fewest.report.comparison_page import LETTER, LINE, NO_BREAK, WIDTH, _labels, _ticks, how_to_select
from fewest.report.render import general


@pytest.fixture(scope="module")
def comparison():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 6))
    return compare(X, X[:, 2] > 0, methods=["wg", "relieff"], learners=["tree"], n_repeats=1)


def test_the_page_says_what_the_result_says(comparison):
    page = comparison.page("fewest compare x.csv")
    sections = {section["kind"]: section for section in page["sections"]}
    assert page["answer"]["claim"] == comparison.result["recommendation"]["sentence"]
    assert page["answer"]["features"] == comparison.selected == ["x2"]
    assert [method["method"] for method in sections["methods"]["methods"]] == ["all", "wg", "relieff"]
    assert sections["frequency"]["records"][0]["feature"] == "x2"
    assert sections["agreement"]["matrix"][1][1] == pytest.approx(1.0)
    assert sections["origin"]["command"] == "fewest compare x.csv"


def test_the_command_to_go_on_with_can_be_typed(comparison):
    result = {**comparison.result, "data": "my data.csv", "target": "it's"}
    recommended = {**result["recommendation"], "how": "fewest select --method wg"}
    command = how_to_select({**result, "recommendation": recommended})
    assert command == "fewest select 'my data.csv' --target 'it'\"'\"'s' --method wg"
    recommended["how"] = "fewest rank --method relieff"
    assert how_to_select({**result, "recommendation": recommended}).endswith("--method relieff")
    recommended["how"] = None
    assert how_to_select({**result, "recommendation": recommended}) is None


@given(st.lists(st.tuples(st.floats(0, WIDTH), st.floats(0, 220)), max_size=15))
def test_no_two_names_overlap_and_none_covers_a_point(places):
    points = [{"method": f"method {k}", "x": x, "y": y} for k, (x, y) in enumerate(places)]
    labels = _labels(points)
    named = [name for label in labels for name in ", ".join(label["lines"]).replace(",,", ",").split(", ")]
    assert sorted(named) == sorted(point["method"].replace(" ", NO_BREAK) for point in points)
    boxes = []
    for label in labels:
        left, right = label["x"], label["x"] + LETTER * max(map(len, label["lines"]))
        boxes += [(left, right, label["y"] + LINE * line) for line in range(len(label["lines"]))]
        assert label["y"] >= label["of_y"]
    for k, (left, right, y) in enumerate(boxes):
        for other_left, other_right, other_y in boxes[:k]:
            assert right <= other_left or other_right <= left or abs(y - other_y) >= LINE - 1e-6
        for point in points:
            assert not (left < point["x"] < right and abs(y - point["y"]) < LINE / 2)
        for label in labels:  # nor does a line to a name that moved down run through another
            low, high = label["of_x"], label["x"] - 2
            assert not (
                left < high and low < right and y - LINE / 2 < label["y"] - 1 and label["of_y"] + 1 < y + LINE / 2
            )


def test_points_that_touch_share_a_list_of_names():
    near = [{"method": name, "x": 100.0 + 10 * k, "y": 50.0} for k, name in enumerate(["a", "b", "c"])]
    labels = _labels([*near, {"method": "far", "x": 300.0, "y": 50.0}])
    assert [(label["lines"], label["x"], label["y"]) for label in labels] == [
        (["far"], 312, 50),
        (["a, b, c"], 132, 50),
    ]


def test_ticks_are_round_numbers_within_the_axis():
    assert [tick["value"] for tick in _ticks(0.0, 2.0)] == [1, 2, 5, 10, 20, 50, 100]
    assert [tick["x"] for tick in _ticks(0.0, 1.0)][::3] == [0, WIDTH]


def test_numbers_of_any_size_are_written_for_people():
    assert [general(value) for value in (0.123456, 12, 1234567, 123456.7, None)] == [
        "0.1235", "12", "1,234,567", "123,457", "–",
    ]  # fmt: skip
