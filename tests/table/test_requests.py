import numpy as np
import pytest

from fewest.exceptions import AmbiguousColumnError, ParameterError, UnknownColumnError
from fewest.table import from_array
from fewest.table.requests import included_and_excluded, positions

NAMES = ["a", "b", "c", "d"]
COLUMNS = [NAMES, from_array(np.zeros((2, 4)), names=NAMES)]


@pytest.mark.parametrize("columns", COLUMNS, ids=["names", "table"])
@pytest.mark.parametrize(
    ("features", "expected"),
    [
        (None, []),
        ((), []),
        ("c", [2]),
        (2, [2]),
        (np.int64(2), [2]),
        (["d", "a", 0], [0, 3]),
        ([-1], [3]),
        ([True, False, False, True], [0, 3]),
        (np.array([False, False, True, True]), [2, 3]),
        (np.array([1, 2]), [1, 2]),
    ],
)
def test_features_are_given_by_name_position_or_mask(columns, features, expected):
    assert positions(columns, features) == expected
    assert included_and_excluded(columns, features, None) == (expected, [])
    assert included_and_excluded(columns, None, features) == ([], expected)


@pytest.mark.parametrize("columns", COLUMNS, ids=["names", "table"])
def test_features_that_there_are_not(columns):
    with pytest.raises(UnknownColumnError, match="no column 'z'"):
        positions(columns, ["z"])
    with pytest.raises(ParameterError, match="no feature 4"):
        positions(columns, [4])
    with pytest.raises(ParameterError, match="mask of features must have one entry"):
        positions(columns, [True, False])
    with pytest.raises(ParameterError, match="'b' is both in include and in exclude"):
        included_and_excluded(columns, ["b"], [0, 1])


def test_a_name_of_two_columns_is_ambiguous():
    with pytest.raises(AmbiguousColumnError):
        positions(["a", "a"], "a")
