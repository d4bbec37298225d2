"""Relief, ReliefF and RReliefF against the papers' definitions, written out."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from fewest.budget import Budget, OutOfBudgetError
from fewest.relief.blocks.passes import RowsInBlocks, array_store
from fewest.relief.options import ReliefFOptions, ReliefOptions, RReliefFOptions
from fewest.relief.relief import RunningRelevance
from fewest.relief.rows import ArrayRows, TableRows
from fewest.relief.space import RowsInMemory, digest
from fewest.table import Column, Kind, Table


@st.composite
def mixed_problems(draw, missing=True, max_classes=3):
    """Rows of numeric, Boolean and nominal values, some missing, with ties and copies."""
    kinds = draw(st.lists(st.sampled_from(["numeric", "boolean", "nominal", "many"]), min_size=1, max_size=4))
    values = {
        "numeric": st.integers(-2, 4).map(Fraction),
        "boolean": st.integers(0, 1).map(Fraction),
        "nominal": st.sampled_from("abc"),
        "many": st.integers(0, 20).map(lambda n: f"n{n}"),
    }
    cells = [values[kind] if not missing else st.one_of(values[kind], values[kind], st.none()) for kind in kinds]
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=9))
    classes = draw(st.lists(st.integers(0, max_classes - 1), min_size=len(rows), max_size=len(rows)))
    return kinds, rows, classes


def table_of(kinds, rows):
    columns = []
    for f, kind in enumerate(kinds):
        values = [row[f] for row in rows]
        if kind in ("nominal", "many"):
            labels = sorted({v for v in values if v is not None})
            codes = np.array([-1 if v is None else labels.index(v) for v in values], dtype=np.int16)
            columns.append(Column(f"x{f}", Kind.NOMINAL, codes, tuple(labels)))
        else:
            numbers = np.array([np.nan if v is None else float(v) for v in values])
            columns.append(Column(f"x{f}", Kind.NUMERIC, numbers))
    return Table(tuple(columns), len(rows))


METRICS = st.sampled_from(["manhattan", "euclidean"])
EXPECTED = st.sampled_from(["expected", "class"])
POWERS = {"manhattan": 1, "euclidean": 2}


def in_memory(X, target, weights=None):
    return RowsInMemory(TableRows(X) if isinstance(X, Table) else ArrayRows(X), target, weights)


@pytest.fixture(params=["plain", "compiled"], scope="module")
def engine(request):
    """Run small problems both ways."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", "always" if request.param == "compiled" else "never")
        yield request.param


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.usefixtures("engine")
def test_relief_is_figure_1_averaged_over_ties(missing):
    @settings(max_examples=80)
    @given(mixed_problems(missing), st.sampled_from(["skip", "count"]), METRICS, EXPECTED)
    def check(problem, identical, metric, expects):
        kinds, rows, classes = problem
        options = ReliefOptions(
            ties="average", identical=identical, metric=metric, missing=expects, threshold="interval"
        )
        search = RunningRelevance(options)
        found = search.refine(in_memory(table_of(kinds, rows), np.array(classes)))
        rules = {"skip": identical == "skip", "metric": POWERS[metric], "by_class": expects == "class"}
        expected = naive.relief(rows, classes, range(len(rows)), **rules)
        np.testing.assert_allclose(found.scores, np.array(expected, dtype=float), atol=2e-5)

    check()


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.usefixtures("engine")
def test_relieff_weighs_misses_by_the_priors_of_their_classes(missing):
    @settings(max_examples=80)
    @given(mixed_problems(missing), st.integers(1, 4), METRICS, EXPECTED)
    def check(problem, k, metric, expects):
        kinds, rows, classes = problem
        search = RunningRelevance(ReliefFOptions(n_neighbors=k, metric=metric, missing=expects, threshold="interval"))
        found = search.refine(in_memory(table_of(kinds, rows), np.array(classes)))
        options = {
            "k": k,
            "power": 1,
            "skip": False,
            "pool": False,
            "metric": POWERS[metric],
            "by_class": expects == "class",
        }
        expected = naive.relief(rows, classes, range(len(rows)), **options)
        np.testing.assert_allclose(found.scores, np.array(expected, dtype=float), atol=2e-5)
        assert (np.abs(found.scores) <= 1 + 1e-6).all()

    check()


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.usefixtures("engine")
def test_rrelieff_compares_differences_with_the_targets(missing):
    @settings(max_examples=80)
    @given(mixed_problems(missing, max_classes=9), st.integers(1, 4), METRICS)
    def check(problem, k, metric):
        kinds, rows, target = problem
        if len(rows) == 1:
            return
        search = RunningRelevance(RReliefFOptions(n_neighbors=k, metric=metric, threshold="interval"))
        found = search.refine(in_memory(table_of(kinds, rows), np.array(target, dtype=float)))
        expected = naive.rrelieff(rows, [Fraction(t) for t in target], k, POWERS[metric])
        np.testing.assert_allclose(found.scores, np.array(expected, dtype=float), atol=5e-5)

    check()


@given(mixed_problems(), st.integers(0, 2**32), st.integers(1, 3), st.sampled_from(["skip", "count"]))
def test_compiled_code_and_numpy_choose_the_same_rows_among_ties(problem, seed, k, identical):
    kinds, rows, classes = problem
    scores = []
    options = ReliefFOptions(n_neighbors=k, ties="random", identical=identical, max_samples=20, replace=True)
    for choice in ("never", "always"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", choice)
            search = RunningRelevance(options, seed)
            scores.append(search.refine(in_memory(table_of(kinds, rows), np.array(classes))).scores)
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-5)


@pytest.mark.usefixtures("engine")
def test_random_ties_agree_with_their_average_in_the_long_run():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 6)).astype(bool)
    y = (X[:, 0] ^ X[:, 1]).astype(int)
    found = {}
    for ties in ("random", "average"):
        search = RunningRelevance(ReliefOptions(ties=ties, max_samples=6000), 1)
        search.refine(in_memory(X, y))
        found[ties] = search.sums.relevance()  # as certain as 6000 rows would make it
    error = np.hypot(found["random"].standard_errors, found["average"].standard_errors)
    assert (np.abs(found["random"].scores - found["average"].scores) < 4 * error).all()
    assert (found["average"].standard_errors < found["random"].standard_errors).all()


@pytest.mark.parametrize("replace", [False, True])
def test_rows_sampled_again_are_no_new_evidence(replace):
    rng = np.random.default_rng(0)
    X, y = rng.random((50, 4)), rng.integers(0, 2, 50)
    options = ReliefFOptions(n_neighbors=3, max_samples=50 if replace else None, replace=replace, threshold="auto")
    search = RunningRelevance(options, 7)
    once = search.refine(in_memory(X, y))
    for _ in range(9):
        often = search.refine(in_memory(X, y))
    assert (once.n_effective, often.n_sampled, often.n_effective) == (50, 500, 50)
    assert (often.standard_errors > 0.7 * once.standard_errors).all()
    if not replace:
        np.testing.assert_allclose(often.standard_errors, once.standard_errors, rtol=1e-5)
    assert often.threshold(options) == once.threshold(options)
    other = search.refine(in_memory(rng.random((50, 4)), y))
    assert other.n_effective == 100


def test_rows_of_blocks_and_of_large_arrays_are_counted_alike(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 4)), rng.integers(0, 2, 60)
    monkeypatch.setenv("FEWEST_COMPILE", "always")
    one, other = (RunningRelevance(ReliefFOptions(n_neighbors=3, max_samples=45), 7) for _ in range(2))
    for _ in range(3):
        expected = one.refine(in_memory(X, y))
        found = other.refine(RowsInBlocks(array_store(ArrayRows(X), y, 1)))
    assert (found.n_sampled, found.n_effective) == (expected.n_sampled, expected.n_effective) == (135, 60)
    np.testing.assert_array_equal(found.standard_errors, expected.standard_errors)


class ShortOfTime(Budget):
    """Time is over at the second look."""

    looks = 0

    def check(self, status):
        self.looks += 1
        if self.looks == 2:
            raise OutOfBudgetError


def test_what_was_sampled_before_time_was_over_counts_and_no_more():
    rng = np.random.default_rng(0)
    X, y = rng.random((3_000, 40)), rng.integers(0, 2, 3_000)
    search = RunningRelevance(ReliefFOptions(n_neighbors=3, threshold="auto"))
    with pytest.raises(OutOfBudgetError):
        search.refine(in_memory(X, y), ShortOfTime())
    found = search.recorded()
    assert 0 < found.n_effective == found.n_sampled < 3_000
    assert found.threshold(search.options) == pytest.approx((0.05 * found.n_sampled) ** -0.5)
    other = search.refine(in_memory(X[:50], y[:50]))
    assert other.n_effective == found.n_sampled + 50


def test_the_same_numbers_of_another_type_are_the_same_data():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 50)
    sparse = [rng.random((100, 4)) < 0.02 for _ in range(50)]
    assert len({digest(ArrayRows(X), y) for X in sparse}) == 50
    assert digest(ArrayRows(sparse[0]), y) == digest(ArrayRows(sparse[0].astype(float)), y)


def test_more_rows_refine_what_is_known():
    rng = np.random.default_rng(0)
    X, y = rng.random((50, 4)), rng.integers(0, 2, 50)
    for replace in (False, True):
        options = ReliefFOptions(n_neighbors=2, ties="random", replace=replace, max_samples=40)
        at_once, in_steps = (
            RunningRelevance(options, 7),
            RunningRelevance(dataclasses.replace(options, max_samples=20), 7),
        )
        expected = at_once.refine(in_memory(X, y))
        in_steps.refine(in_memory(X, y))
        found = in_steps.refine(in_memory(X, y))
        np.testing.assert_allclose(found.scores, expected.scores, atol=1e-6)
        np.testing.assert_allclose(found.standard_errors, expected.standard_errors, atol=1e-6)
        assert [step["n_sampled"] for step in at_once.history] == [1, 2, 4, 8, 16, 32, 40]


@pytest.mark.usefixtures("engine")
def test_copies_of_all_rows_change_nothing_when_identical_rows_are_skipped():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, (30, 5)).astype(float), rng.integers(0, 2, 30)
    scores = []
    for copies in (1, 3):
        search = RunningRelevance(ReliefOptions(ties="average"))
        scores.append(search.refine(in_memory(np.tile(X, (copies, 1)), np.tile(y, copies))).scores)
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-6)


@pytest.mark.usefixtures("engine")
@settings(max_examples=50)
@given(st.integers(0, 1000))
def test_a_weight_is_a_number_of_copies(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (12, 3)).astype(float), rng.integers(0, 3, 12)
    X[rng.random((12, 3)) < 0.1] = np.nan
    copies = rng.integers(1, 4, 12)
    options = ReliefFOptions(n_neighbors=2)
    weighted = RunningRelevance(options).refine(in_memory(X, y, copies.astype(float)))
    repeated = RunningRelevance(options).refine(in_memory(np.repeat(X, copies, axis=0), np.repeat(y, copies)))
    np.testing.assert_allclose(weighted.scores, repeated.scores, atol=2e-5)
    np.testing.assert_allclose(weighted.standard_errors, repeated.standard_errors, atol=2e-5)


@pytest.mark.usefixtures("engine")
@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_boolean_and_nominal_data_has_the_same_neighbors_by_both_metrics(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (30, 5)).astype(float), rng.integers(0, 3, 30)
    letters = Column("letter", Kind.NOMINAL, rng.integers(0, 4, 30).astype(np.int16), tuple("abcd"))
    table = Table((*(Column(f"x{j}", Kind.NUMERIC, X[:, j]) for j in range(5)), letters), 30)
    scores = [
        RunningRelevance(ReliefFOptions(n_neighbors=3, metric=metric)).refine(in_memory(table, y)).scores
        for metric in ("manhattan", "euclidean")
    ]
    np.testing.assert_allclose(*scores, atol=1e-6)
