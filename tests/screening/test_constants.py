"""Columns that do not vary."""

from fewest.screening.finding import FindingKind
from screening.tables import features, found


def test_constants_are_left_out_by_name():
    screening = found(features(land=["AT"] * 30, year=[2024] * 30, a=[0, 1, 2] * 10))
    assert screening.left_out == ["land", "year"]
    assert screening.notes == [
        "Left out: land and year (one value only). --keep land brings that one back, --keep-all all of them."
    ]


def test_columns_without_any_value_are_left_out():
    screening = found(features(blank=[None] * 30, a=[0, 1, 2] * 10))
    assert [(finding.kind, finding.is_left_out) for finding in screening.findings] == [(FindingKind.EMPTY, True)]


def test_a_box_that_is_ticked_or_not_is_kept():
    screening = found(features(ticked=["x", None, None] * 20))
    assert screening.left_out == []
    assert screening.notes == ["ticked is x or missing, so it only says in which rows it is filled."]
