import numpy as np
import pytest

from fewest.exceptions import AmbiguousColumnError, UnknownColumnError
from fewest.table import Column, Kind, Table


def column(name):
    return Column(name, Kind.NUMERIC, np.arange(3.0))


TABLE = Table(tuple(map(column, ["id", "id_2", "Grösse", "x[1]"])), 3)


def test_drop_by_name_and_glob():
    assert TABLE.drop("id*").names == ("Grösse", "x[1]")
    assert TABLE.drop(["Gr?sse", "id"]).names == ("id_2", "x[1]")
    assert TABLE.drop(["x[1]"]).names == ("id", "id_2", "Grösse")


def test_a_name_that_matches_nothing_is_a_misspelling():
    with pytest.raises(UnknownColumnError, match=r"no column 'grosse'. Did you mean 'Grösse'"):
        TABLE.drop("grosse")
    with pytest.raises(UnknownColumnError, match=r"The columns are 'id', 'id_2', 'Grösse', 'x\[1\]'"):
        TABLE["weight"]


def test_a_shared_name_points_to_neither():
    table = Table(TABLE.columns, 3, ambiguous=(("id", (0, 1)),))
    with pytest.raises(AmbiguousColumnError, match="'id' is used by columns 1 and 2"):
        table["id"]


def test_values_as_the_user_wrote_them():
    assert [column("x").value_at(row) for row in range(3)] == [0, 1, 2]
    assert Column("x", Kind.NUMERIC, np.array([0.5, np.nan])).value_at(0) == 0.5
    assert Column("x", Kind.NUMERIC, np.array([0.5, np.nan])).value_at(1) is None
    nominal = Column("x", Kind.NOMINAL, np.array([1, -1], dtype=np.int8), ("a", "b"))
    assert (nominal.value_at(0), nominal.value_at(1), nominal.n_missing) == ("b", None, 1)


def test_infinite_numbers_can_be_shown_and_compared():
    infinite = Column("x", Kind.NUMERIC, np.array([np.inf, -np.inf, 1.0]))
    assert infinite.value_at(0) == np.inf
    assert infinite.by_value().labels == (-np.inf, 1, np.inf)
