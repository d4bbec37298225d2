import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.table import Column, Kind, Table, discretize, from_array
from fewest.table.discretize import cut_columns, interval_cuts, interval_names, mdl_cuts, quantile_cuts


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=1, max_size=60))
def test_cuts_are_those_of_the_definition(pairs):
    values, classes = zip(*pairs, strict=True)
    found = mdl_cuts(np.array(values, dtype=np.float64), np.array(classes), 3)
    assert found.tolist() == pytest.approx(naive.mdl_cuts(values, classes))


@given(st.lists(st.tuples(st.integers(-3, 9), st.integers(0, 2), st.integers(1, 6)), min_size=1, max_size=40))
def test_copies_are_cut_as_if_they_were_listed(rows):
    values, classes, copies = np.array(rows).T
    listed, every = values.astype(np.float64).repeat(copies), classes.repeat(copies)
    values = values.astype(np.float64)
    assert mdl_cuts(values, classes, 3, copies).tolist() == mdl_cuts(listed, every, 3).tolist()
    for n_intervals in (2, 4, 8):
        found = quantile_cuts(values, n_intervals, copies).tolist()
        assert found == quantile_cuts(listed, n_intervals).tolist()
        lower = np.quantile(listed, np.arange(1, n_intervals) / n_intervals, method="lower")
        distinct = np.unique(values)
        if len(distinct) > 1:
            below = np.unique(np.minimum(lower, distinct[-2]))
            assert np.searchsorted(distinct, found).tolist() == (np.searchsorted(distinct, below) + 1).tolist()


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=30, max_size=60))
def test_a_clear_step_is_found(pairs):
    # Whatever lies below, the classes change at 100.
    values = np.array([value for value, _ in pairs] * 4 + [100 + value for value, _ in pairs] * 4, dtype=np.float64)
    classes = (values >= 100).astype(np.int64)
    low, high = values[classes == 0].max(), values[classes == 1].min()
    assert mdl_cuts(values, classes, 2).tolist() == [(low + high) / 2]


@pytest.mark.parametrize(
    ("values", "classes"), [([], []), ([1.0], [0]), ([1.0, 1.0, 1.0], [0, 1, 0]), ([1.0, 2.0, 3.0], [1, 1, 1])]
)
def test_nothing_to_cut(values, classes):
    assert len(mdl_cuts(np.array(values), np.array(classes, dtype=np.int64), 2)) == 0


def test_neighbouring_floats_and_huge_numbers_are_cut_between():
    low = 1.0
    high = np.nextafter(low, 2)
    for below, above in [(low, high), (-1.7e308, 1.7e308)]:
        cut = mdl_cuts(np.repeat([below, above], 50), np.repeat([0, 1], 50), 2)
        assert below <= cut[0] < above


def test_a_table_is_cut():
    values = np.array([1.0, 2.0, np.nan, 10.0, 11.0] * 20)
    classes = np.array([0, 0, 0, 1, 1] * 20)
    colour = Column("colour", Kind.NOMINAL, np.zeros(100, dtype=np.int8), ("red",))
    noise = Column("noise", Kind.NUMERIC, np.arange(100.0) % 7)
    table = Table((Column("size", Kind.NUMERIC, values), colour, noise), 100)
    cut = cut_columns(table, interval_cuts(table, classes))
    assert cut["size"].to_list()[:5] == ["<= 6", "<= 6", None, "> 6", "> 6"]
    assert cut["colour"] is colour
    assert cut["noise"].labels == ("any number",)


def test_labels_of_close_cuts_differ():
    assert interval_names([1.0, 2.5]) == ("<= 1", "> 1, <= 2.5", "> 2.5")
    assert interval_names([1.00000001, 1.00000002])[1] == "> 1.00000001, <= 1.00000002"


def test_many_columns_at_a_time_are_cut_as_each_alone():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 30)
    columns = []
    for j in range(60):
        values = rng.normal(size=30).round(rng.integers(0, 3)) + (j % 5) * 0.4 * classes
        values[rng.random(30) < 0.05 * (j % 4 == 0)] = np.nan
        columns.append(Column(f"x{j}", Kind.NUMERIC, values))
    columns.append(Column("same", Kind.NUMERIC, np.ones(30)))
    cuts = interval_cuts(Table(tuple(columns), 30), classes)
    assert any(map(len, cuts.values()))
    for column in columns:
        known = ~np.isnan(column.values)
        assert cuts[column.name].tolist() == mdl_cuts(column.values[known], classes[known], 3).tolist()


@given(
    st.integers(0, 14).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([np.nan, np.inf, -np.inf, *map(float, range(12))]), min_size=n, max_size=n),
            max_size=5,
        )
    )
)
def test_columns_of_many_values_are_found_many_at_a_time(rows):
    columns = [Column(f"x{j}", Kind.NUMERIC, np.array(values)) for j, values in enumerate(rows)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discretize, "CELLS_AT_A_TIME", 30)
        found = [column.name for column in discretize._of_many_values(columns)]
    assert found == [column.name for column in columns if discretize.has_many_values(column)]


@pytest.mark.parametrize("n_rows", [0, 1, 2])
def test_a_row_or_two_have_the_cuts_that_there_can_be(n_rows):
    table = from_array(np.arange(6.0).reshape(2, 3)[:n_rows])
    cuts = interval_cuts(table, np.arange(n_rows))
    expected = [mdl_cuts(column.values, np.arange(n_rows), n_rows) for column in table]
    assert list(cuts) == list(table.names)
    assert [own.tolist() for own in cuts.values()] == [own.tolist() for own in expected]
