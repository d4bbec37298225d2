"""Weights, gaps and mixed columns at once: a row of weight w counts as w copies in the papers' definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from fewest.relief.options import ReliefFOptions, ReliefOptions, RReliefFOptions
from fewest.relief.relief import RunningRelevance
from fewest.relief.rows import TableRows
from fewest.relief.space import RowsInMemory
from fewest.table import Column, Kind, Table

POWERS = {"manhattan": 1, "euclidean": 2}
VALUES = {"numeric": st.integers(-2, 4).map(Fraction), "nominal": st.sampled_from("abc")}


@st.composite
def weighted_problems(draw, n_targets):
    """Rows of numeric and nominal values with gaps, a target, and how many copies each row counts for."""
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=3))
    cells = [st.one_of(VALUES[kind], VALUES[kind], VALUES[kind], st.none()) for kind in kinds]
    rows = draw(st.lists(st.tuples(*cells), min_size=2, max_size=9))
    targets = draw(st.lists(st.integers(0, n_targets - 1), min_size=len(rows), max_size=len(rows)))
    copies = draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    return kinds, rows, targets, copies


def in_memory(kinds, rows, target, weights):
    columns = []
    for f, kind in enumerate(kinds):
        values = [row[f] for row in rows]
        if kind == "nominal":
            labels = sorted({v for v in values if v is not None})
            codes = np.array([-1 if v is None else labels.index(v) for v in values], dtype=np.int16)
            columns.append(Column(f"x{f}", Kind.NOMINAL, codes, tuple(labels)))
        else:
            columns.append(Column(f"x{f}", Kind.NUMERIC, np.array([np.nan if v is None else float(v) for v in values])))
    return RowsInMemory(TableRows(Table(tuple(columns), len(rows))), target, np.array(weights, dtype=float))


def repeated(values, copies):
    return [value for value, n in zip(values, copies, strict=True) for _ in range(n)]


def scores(options, *parts, compiles):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", compiles)
        return RunningRelevance(options).refine(in_memory(*parts)).scores


METRICS = st.sampled_from(sorted(POWERS))
COMPILES = st.sampled_from(["never", "always"])
EXPECTED = st.sampled_from(["expected", "class"])


@settings(deadline=None, max_examples=20)
@given(weighted_problems(3), st.sampled_from(["skip", "count"]), METRICS, EXPECTED, COMPILES)
def test_relief(problem, identical, metric, missing, compiles):
    kinds, rows, classes, copies = problem
    options = ReliefOptions(ties="average", identical=identical, metric=metric, missing=missing, threshold="interval")
    found = scores(options, kinds, rows, np.array(classes), copies, compiles=compiles)
    every, labels = repeated(rows, copies), repeated(classes, copies)
    rules = {"skip": identical == "skip", "metric": POWERS[metric], "by_class": missing == "class"}
    expected = naive.relief(every, labels, range(len(every)), **rules)
    np.testing.assert_allclose(found, np.array(expected, dtype=float), atol=2e-5)


@settings(deadline=None, max_examples=20)
@given(weighted_problems(3), st.integers(1, 4), st.sampled_from(["skip", "count"]), METRICS, EXPECTED, COMPILES)
def test_relieff(problem, k, identical, metric, missing, compiles):
    kinds, rows, classes, copies = problem
    options = ReliefFOptions(n_neighbors=k, identical=identical, metric=metric, missing=missing, threshold="interval")
    found = scores(options, kinds, rows, np.array(classes), copies, compiles=compiles)
    every, labels = repeated(rows, copies), repeated(classes, copies)
    rules = {"k": k, "power": 1, "pool": False, "skip": identical == "skip"}
    by = {"metric": POWERS[metric], "by_class": missing == "class"}
    expected = naive.relief(every, labels, range(len(every)), **rules, **by)
    np.testing.assert_allclose(found, np.array(expected, dtype=float), atol=2e-5)


@settings(deadline=None, max_examples=20)
@given(weighted_problems(9), st.integers(1, 4), METRICS, COMPILES)
def test_rrelieff(problem, k, metric, compiles):
    kinds, rows, target, copies = problem
    options = RReliefFOptions(n_neighbors=k, metric=metric, threshold="interval")
    found = scores(options, kinds, rows, np.array(target, dtype=float), copies, compiles=compiles)
    every, values = repeated(rows, copies), [Fraction(t) for t in repeated(target, copies)]
    expected = naive.rrelieff(every, values, k, POWERS[metric])
    np.testing.assert_allclose(found, np.array(expected, dtype=float), atol=5e-5)
