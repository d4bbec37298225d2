import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import focus2
from fewest.cover.margins import absolute_margins
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.cover.weighted_greedy import weighted_greedy
from fewest.exceptions import ColumnKindError, ParameterError
from fewest.table import Column, Kind, Table

SEARCHES = [focus1, focus2, lambda sample: MinFeaturesSearch(sample).run()]


class Near(float):
    """A number that equals the numbers nearer to it than a margin: what the oracles then see."""

    margin = 2

    def __ne__(self, other):
        return abs(float(self) - float(other)) >= self.margin

    __hash__ = float.__hash__


@st.composite
def measurements(draw):
    """Rows of numbers, some missing, and one nominal value."""
    n_numbers = draw(st.integers(1, 4))
    number = st.one_of(st.none(), st.integers(0, 6), st.integers(0, 6))
    rows = draw(st.lists(st.tuples(*[number] * n_numbers, st.sampled_from("ab")), min_size=1, max_size=10))
    classes = draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    return rows, classes


def table_of(rows):
    columns = []
    for k, values in enumerate(zip(*rows, strict=True)):
        if k + 1 < len(rows[0]):
            numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
            columns.append(Column(f"n{k}", Kind.NUMERIC, numbers))
        else:
            columns.append(
                Column("c", Kind.NOMINAL, np.array(["ab".index(v) for v in values], dtype=np.int8), ("a", "b"))
            )
    return Table(tuple(columns), len(rows))


def as_seen(rows, missing):
    """The rows for the oracles: numbers with a margin; a missing one separates nothing, or is far from all others."""
    far = Near(1000) if missing == "value" else None
    return [tuple(far if v is None else v if isinstance(v, str) else Near(v) for v in row) for row in rows]


def sample_of(problem, missing, tolerance=0.0):
    rows, classes = problem
    sample = Sample.from_table(table_of(rows), np.array(classes), missing, margin=2)
    return Sample(sample.codes, sample.classes, sample.numeric, tolerance)


rules = pytest.mark.parametrize("missing", ["value", "cautious"])


@rules
@pytest.mark.parametrize("search", SEARCHES)
@given(problem=measurements())
def test_exact_searches_separate_by_margin(missing, search, problem):
    rows, classes = as_seen(problem[0], missing), problem[1]
    answer = search(sample_of(problem, missing))
    assert answer.subset in naive.smallest_sufficient_subsets(rows, classes, len(rows[0]))
    assert answer.is_optimal


@rules
@given(problem=measurements())
def test_weighted_greedy_separates_by_margin(missing, problem):
    rows, classes = as_seen(problem[0], missing), problem[1]
    answer = weighted_greedy(sample_of(problem, missing))
    chosen, scores = naive.weighted_greedy(rows, classes, len(rows[0]))
    assert [record["feature"] for record in answer.history] == chosen
    assert [record["score"] for record in answer.history] == pytest.approx(scores)


@rules
@given(problem=measurements(), data=st.data())
def test_pairs_and_witnesses_are_told_by_margin(missing, problem, data):
    rows, classes = as_seen(problem[0], missing), problem[1]
    sample = sample_of(problem, missing)
    subset = data.draw(st.lists(st.integers(0, len(rows[0]) - 1), unique=True))
    assert sample.n_uncovered(subset) == len(naive.uncovered(rows, classes, subset))
    assert sample.n_contradictions == len(naive.contradictions(rows, classes))
    witness = sample.witness(subset)
    assert (witness is None) == naive.is_sufficient(rows, classes, subset)
    if witness is not None:
        i, j = witness
        assert classes[i] != classes[j]
        assert not naive.conflict(rows[i], rows[j]) & set(subset)


@given(problem=measurements(), tolerance=st.sampled_from([0.1, 0.3]))
def test_margin_and_tolerance_go_together(problem, tolerance):
    rows, classes = as_seen(problem[0], "value"), problem[1]
    sample = sample_of(problem, "value", tolerance)
    smallest = naive.smallest_tolerable_subsets(rows, classes, len(rows[0]), sample.max_uncovered)
    for search in SEARCHES:
        assert search(sample).subset in smallest


VALUES = np.array([0.0, 1.0, 2.0, 3.0, np.nan])
TABLE = Table(
    (Column("x", Kind.NUMERIC, VALUES), Column("c", Kind.NOMINAL, np.zeros(5, dtype=np.int8), ("a",))), n_rows=5
)


@pytest.mark.parametrize(
    ("margin", "expected"),
    [(2, 2.0), (0.5, 0.5), ("0.5", 0.5), ("2 sd", 2 * np.sqrt(1.25)), ("2sd", 2 * np.sqrt(1.25)), ("10%", 0.3)],
)
def test_margins_in_units_of_the_column(margin, expected):
    assert absolute_margins(TABLE, margin) == {0: pytest.approx(expected)}
    assert absolute_margins(TABLE, {"x": margin}) == {0: pytest.approx(expected)}


@pytest.mark.parametrize("margin", [-1, float("nan"), "wide", "1 km", "-3%", None, True, "inf"])
def test_what_is_no_distance_is_refused(margin):
    with pytest.raises(ParameterError, match="is no distance"):
        absolute_margins(TABLE, {"x": margin})


@pytest.mark.parametrize("margin", ["1 sd", "5%"])
def test_infinity_has_no_spread_to_measure_by(margin):
    table = Table((Column("x", Kind.NUMERIC, np.array([1.0, 2.0, np.inf])),), 3)
    with pytest.raises(ParameterError, match="'x' holds infinity"):
        absolute_margins(table, margin)
    assert absolute_margins(table, 0.5) == {0: 0.5}


def test_a_margin_for_names_is_refused():
    with pytest.raises(ColumnKindError, match="'c' is nominal"):
        absolute_margins(TABLE, {"c": 1})


def test_no_margin_is_any_difference():
    constant = Table((Column("x", Kind.NUMERIC, np.ones(3)),), 3)
    assert absolute_margins(constant, "1 sd") == {}
    sample = Sample.from_table(TABLE, np.array([0, 1, 0, 1, 1]), margin=0)
    assert not sample.is_pairwise


def test_a_margin_of_a_tenth_is_reached_by_a_tenth():
    table = Table((Column("x", Kind.NUMERIC, np.array([0.2, 0.3])),), 2)
    assert Sample.from_table(table, np.array([0, 1]), margin=0.1).witness([0]) is None
