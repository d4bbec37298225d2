import numpy as np
import pytest

from fewest.exceptions import AmbiguousColumnError, UnknownColumnError
from fewest.table import Column, Kind, Table, from_frame


def column(name):
    return Column(name, Kind.NUMERIC, np.arange(3.0))


TABLE = Table(tuple(map(column, ["id", "id_2", "Grösse", "x[1]"])), 3)

SHARED = Table(tuple(map(column, ["id", "x", "id.2"])), 3, ambiguous=(("id", ("id", "id.2")),))


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
    with pytest.raises(AmbiguousColumnError, match="'id' is used by columns 1 and 3"):
        SHARED["id"]
    with pytest.raises(AmbiguousColumnError, match="'id' is used by columns 1 and 2"):
        SHARED.drop("x")["id"]


def test_a_shared_name_is_clear_once_one_column_is_left():
    first, last = SHARED.drop("id.2"), Table(SHARED.columns[1:], 3, SHARED.ambiguous)
    assert first["id"].name == "id"
    assert last["id"].name == last["id.2"].name == "id.2"
    assert last.drop("id").names == ("x",)
    with pytest.raises(UnknownColumnError, match="no column 'id'"):
        SHARED.drop("id*")["id"]


def test_a_table_without_columns_says_so():
    with pytest.raises(UnknownColumnError, match=r"no column 'y': no columns are left\."):
        TABLE.drop("*")["y"]


def test_rows_remember_their_numbers():
    taken = TABLE.take([2, 0]).drop("id*")
    assert [taken.row_number(row) for row in range(2)] == [2, 0]
    assert taken.take(np.array([False, True])).row_number(0) == 0
    assert TABLE.row_number(2) == 2


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


def test_to_arrow_and_back():
    table = Table(
        (
            Column("size", Kind.NUMERIC, np.array([0.5, np.nan, 2.0])),
            Column("colour", Kind.NOMINAL, np.array([1, 0, -1], dtype=np.int8), ("blue", "red")),
            Column("open", Kind.BOOLEAN, np.array([1, -1, 0], dtype=np.int8), ("no", "yes")),
        ),
        3,
    )
    arrow = table.to_arrow()
    assert arrow.to_pydict() == {"size": [0.5, None, 2.0], "colour": ["red", "blue", None], "open": [True, None, False]}
    back = from_frame(arrow)
    assert [column.values.tolist() for column in back][1:] == [column.values.tolist() for column in table][1:]
    assert back["size"].to_list() == table["size"].to_list()
    assert [column.kind for column in back] == [column.kind for column in table]


def test_numpy_takes_columns_and_tables():
    size = Column("size", Kind.NUMERIC, np.array([0.5, 2.0]))
    colour = Column("colour", Kind.NOMINAL, np.array([1, -1], dtype=np.int8), ("blue", "red"))
    is_open = Column("open", Kind.BOOLEAN, np.array([1, 0], dtype=np.int8), (False, True))
    assert np.asarray(size).tolist() == [0.5, 2.0]
    assert np.asarray(colour).tolist() == ["red", None]
    assert (np.asarray(is_open).dtype, np.asarray(is_open).tolist()) == (bool, [True, False])
    assert np.asarray(Table((size, colour, is_open), 2)).tolist() == [[0.5, "red", True], [2.0, None, False]]
    assert np.asarray(Table((size,), 2)).dtype == np.float64
    copied = np.array(size)
    copied[0] = 7
    assert size.values[0] == 0.5
