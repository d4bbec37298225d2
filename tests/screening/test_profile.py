"""Values of a column are numbered in their order, whether they are counted or sorted."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fewest.screening.profile import Profile
from fewest.table import Column, Kind


@given(codes=st.lists(st.integers(-1, 3), max_size=12), n_labels=st.integers(4, 14))
def test_categories_are_numbered_by_their_order(codes, n_labels):
    labels = tuple(f"v{k}" for k in range(n_labels))
    profile = Profile.of(Column("a", Kind.NOMINAL, np.array(codes, dtype=np.int8), labels))
    known = sorted({code for code in codes if code >= 0})
    assert profile.distinct.tolist() == known
    assert profile.counts.tolist() == [codes.count(code) for code in known]
    assert profile.codes.tolist() == [known.index(code) if code >= 0 else -1 for code in codes]
    assert profile.labels == [f"v{code}" for code in known]


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([0.0, -1.5, 2.0, 1e300, np.inf, np.nan]), min_size=n, max_size=n), min_size=1
        )
    )
)
def test_many_columns_are_numbered_together_as_alone(values):
    columns = [Column(f"x{j}", Kind.NUMERIC, np.array(own)) for j, own in enumerate(values)]
    columns.append(Column("a", Kind.NOMINAL, np.zeros(len(values[0]), dtype=np.int8), ("b",)))
    for column, found in zip(columns, Profile.of_all(columns), strict=True):
        alone = Profile.of(column)
        assert found.column is column
        assert found.n_present == alone.n_present
        for name in ("codes", "distinct", "counts"):
            np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))
