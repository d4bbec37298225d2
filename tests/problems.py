"""Random samples for hypothesis: nominal, many classes, missing values, copies and contradictions."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def samples(draw, max_rows=12, max_features=6, max_values=3, max_classes=3, missing=False):
    """Rows as tuples (None for a missing value) and classes as numbers."""
    n_features = draw(st.integers(1, max_features))
    value = st.integers(0, max_values - 1)
    if missing:
        value = st.one_of(st.none(), value, value)
    row = st.tuples(*[value] * n_features)
    rows = draw(st.lists(row, min_size=1, max_size=max_rows))
    classes = draw(st.lists(st.integers(0, max_classes - 1), min_size=len(rows), max_size=len(rows)))
    return rows, classes, n_features


def codes_of(rows, n_features):
    """The code matrix of such rows: -1 for None, which separates nothing."""
    codes = [[-1 if value is None else value for value in row] for row in rows]
    return np.asfortranarray(np.array(codes, dtype=np.int8).reshape(len(rows), n_features))


def with_missing_as_value(rows):
    """The rows as missing='value' sees them: a missing value is one more value."""
    return [tuple("missing" if value is None else value for value in row) for row in rows]


@st.composite
def cover_problems(draw, max_features=7, max_sets=10):
    """Sets to cover, costs as exact fractions of a decimal, features to include and to exclude."""
    n_features = draw(st.integers(1, max_features))
    feature = st.integers(0, n_features - 1)
    sets = draw(st.lists(st.sets(feature, min_size=1), max_size=max_sets))
    cost = draw(
        st.sampled_from([st.just(1), st.integers(1, 3), st.integers(1, 40).map(lambda n: n / 10), st.just(2.5)])
    )
    costs = draw(st.lists(cost, min_size=n_features, max_size=n_features))
    include = draw(st.sets(feature, max_size=1))
    exclude = draw(st.sets(feature, max_size=2)) - include
    return sets, n_features, costs, include, exclude
