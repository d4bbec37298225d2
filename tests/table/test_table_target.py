import numpy as np
import pytest

from fewest.exceptions import ParameterError, TargetError, UnknownColumnError
from fewest.table import Column, Kind, Table, split_by_task, split_regression_target, split_target


def table(target):
    return Table((Column("a", Kind.NUMERIC, np.arange(float(len(target)))), target), len(target))


def numeric(values):
    return table(Column("y", Kind.NUMERIC, np.array(values, dtype=float)))


def nominal(codes, labels=("no", "yes")):
    return table(Column("y", Kind.NOMINAL, np.array(codes, dtype=np.int8), labels))


def test_labels_stay_as_they_are_written():
    features, target = split_target(nominal([1, 0, 1]), "y")
    assert features.names == ("a",)
    assert (target.values.tolist(), target.labels) == ([1, 0, 1], ("no", "yes"))


def test_numbers_may_be_classes():
    _, target = split_target(numeric([3, 1, 3]), "y")
    assert (target.values.tolist(), target.labels) == ([1, 0, 1], (1, 3))


@pytest.mark.parametrize("values", [[0.5, 1, 2], list(range(60)), list(range(200)) * 5])
def test_a_regression_target_is_refused_with_the_remedy(values):
    with pytest.raises(TargetError, match=r"looks like a regression target.*--kind y=nominal"):
        split_target(numeric(values), "y")


def test_many_rows_may_have_many_numbered_classes():
    _, target = split_target(numeric(list(range(60)) * 20), "y")
    assert len(target.labels) == 60


def test_missing_labels_are_counted_and_named():
    with pytest.raises(TargetError, match=r"2 rows have no label in the target column 'y' \(the first is row 1\)"):
        split_target(nominal([1, -1, -1]), "y")


def test_missing_labels_can_be_dropped():
    features, target = split_target(nominal([1, -1, 0]), "y", missing_target="drop")
    assert features["a"].values.tolist() == [0, 2]
    assert [features.row_number(row) for row in range(2)] == [0, 2]
    assert target.values.tolist() == [1, 0]


def test_rows_are_named_by_their_number_in_the_source():
    with pytest.raises(TargetError, match="the first is row 2"):
        split_target(nominal([1, 0, -1]).take([1, 2]), "y")


def test_labels_that_do_not_occur_are_no_classes():
    _, target = split_target(nominal([2, -1, 0, 2], ("u", "v", "w")), "y", missing_target="drop")
    assert (target.values.tolist(), target.labels) == ([1, 0, 1], ("u", "w"))
    _, target = split_target(table(Column("y", Kind.BOOLEAN, np.array([1, 1], dtype=np.int8), ("no", "yes"))), "y")
    assert (target.values.tolist(), target.labels) == ([0, 0], ("yes",))


def test_a_target_may_be_asked_for_by_a_name_that_was_shared():
    shared = Table((*nominal([1, 0]).columns, Column("y.2", Kind.NUMERIC, np.zeros(2))), 2, (("y", ("y", "y.2")),))
    features, target = split_target(shared.drop("y.2"), "y")
    assert (features.names, target.name) == (("a",), "y")
    features, _ = split_target(shared, "y.2")
    assert features["y"].labels == ("no", "yes")


def test_nothing_but_missing_labels_is_no_sample():
    with pytest.raises(TargetError, match="3 rows have no label"):
        split_target(nominal([-1, -1, -1], ()), "y", missing_target="drop")


def test_mistakes():
    with pytest.raises(UnknownColumnError, match="Did you mean 'y'"):
        split_target(nominal([0, 1]), "Y")
    with pytest.raises(ParameterError, match="missing_target='keep'"):
        split_target(nominal([0, 1]), "y", missing_target="keep")


def test_every_number_is_a_class_where_classes_are_asked_for():
    """Though they may be equal to six digits."""
    numbers = numeric([1.00000001, 1.00000002, 1.00000001])
    _, target = split_by_task(numbers, "y", "classification")
    assert (target.values.tolist(), target.labels) == ([0, 1, 0], (1.00000001, 1.00000002))


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e151, -1e300])
def test_a_regression_target_needs_a_mean_and_errors(value):
    with pytest.raises(TargetError, match=r"column 'y' holds .*, whose square is more than a float holds"):
        split_regression_target(numeric([1.5, value, 2.5]), "y")
    assert split_regression_target(numeric([1.5, -1e150, 2.5]), "y")[1].values.tolist() == [1.5, -1e150, 2.5]
