import numpy as np
import pytest

from fewest.exceptions import ParameterError
from fewest.table import Column, Kind, Table, discrete_codes


def table(*columns):
    return Table(columns, len(columns[0]))


NOMINAL = Column("colour", Kind.NOMINAL, np.array([0, 2, -1, 1], dtype=np.int8), ("blue", "green", "red"))
BOOLEAN = Column("open", Kind.BOOLEAN, np.array([1, 0, 0, -1], dtype=np.int8), ("no", "yes"))
NUMERIC = Column("size", Kind.NUMERIC, np.array([2.5, np.nan, 7.0, 2.5]))


def test_missing_is_a_value_of_its_own():
    codes = discrete_codes(table(NOMINAL, BOOLEAN, NUMERIC))
    assert codes.T.tolist() == [[0, 2, 3, 1], [1, 0, 0, 2], [0, 2, 1, 0]]
    assert (codes.dtype, codes.flags.f_contiguous) == (np.int8, True)


def test_missing_is_cautious():
    codes = discrete_codes(table(NOMINAL, BOOLEAN, NUMERIC), missing="cautious")
    assert codes.T.tolist() == [[0, 2, -1, 1], [1, 0, 0, -1], [0, -1, 1, 0]]


def test_unknown_rule():
    with pytest.raises(ParameterError, match="missing='drop' is not known"):
        discrete_codes(table(NOMINAL), missing="drop")


@pytest.mark.parametrize(("n_values", "expected"), [(100, np.int8), (200, np.int16), (40_000, np.int32)])
def test_the_codes_are_as_small_as_they_can_be(n_values, expected):
    values = np.r_[np.arange(n_values), np.nan]
    codes = discrete_codes(table(Column("x", Kind.NUMERIC, values)))
    assert codes.dtype == expected
    assert codes[:, 0].tolist() == list(range(n_values + 1))


def test_the_last_code_that_fits_a_type_does_not_wrap():
    for n_values in range(124, 130):
        codes = discrete_codes(table(Column("x", Kind.NUMERIC, np.r_[np.arange(n_values), np.nan])))
        assert codes[:, 0].tolist() == list(range(n_values + 1))


def test_no_columns():
    assert discrete_codes(Table((), 3)).shape == (3, 0)


@pytest.mark.parametrize("together", [1, 5, 1 << 20])
def test_many_columns_are_encoded_as_each_is(together, monkeypatch):
    monkeypatch.setattr("fewest.table.table._TOGETHER", together)
    columns = (
        NOMINAL,
        BOOLEAN,
        NUMERIC,
        Column("wide", Kind.NOMINAL, np.array([3, -1, 0, 0], np.int32), tuple("abcd")),
    )
    for missing in ("value", "cautious"):
        expected = [discrete_codes(table(column), missing)[:, 0].tolist() for column in columns]
        assert discrete_codes(table(*columns), missing).T.tolist() == expected
