"""Integers as sets: taken apart by loops or by NumPy alike."""

from hypothesis import given
from hypothesis import strategies as st

from fewest.cover.solver import plain

SETS = st.sets(st.integers(0, 1500), max_size=40)


def as_int(members):
    return sum(1 << x for x in members)


@given(SETS)
def test_members_are_those_of_the_set(members):
    assert plain._members(as_int(members)) == sorted(members)


@given(st.lists(SETS, max_size=5))
def test_members_are_counted(sets):
    counts = plain._counts([as_int(members) for members in sets], 24)
    assert {x: n for x, n in enumerate(counts) if n} == {
        x: sum(x in members for members in sets) for x in set().union(*sets)
    }
