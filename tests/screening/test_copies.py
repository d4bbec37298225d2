"""Columns that repeat others, exactly or nearly, and those that do not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewest.screening.copies import _partitions, partition
from fewest.screening.finding import FindingKind
from fewest.table import Table
from screening.tables import features, found

RNG = np.random.default_rng(1)
N = 300
MEASURED = RNG.normal(20, 5, N)
FEW = RNG.integers(0, 4, N)
WORDS = np.array(["low", "mid", "high", "top"], dtype=object)


@pytest.mark.parametrize(
    ("copy", "kind", "fact"),
    [
        (MEASURED, FindingKind.COPY, "repeats a"),
        (MEASURED * 1.8 + 32, FindingKind.COPY, "is a in another unit"),
        (-MEASURED, FindingKind.COPY, "is a in another unit"),
        (np.exp(MEASURED / 9), FindingKind.NEAR_COPY, "orders the rows as a does"),
        (MEASURED + RNG.normal(0, 0.1, N), FindingKind.NEAR_COPY, "follows a"),
        (np.round(MEASURED, 1), FindingKind.NEAR_COPY, "follows a"),
    ],
)
def test_copies_of_a_measurement(copy, kind, fact):
    (finding,) = found(features(a=MEASURED, b=copy)).findings
    assert (finding.column, finding.kind, finding.of) == ("b", kind, "a")
    assert finding.fact.startswith(fact)
    assert finding.is_left_out == (kind is FindingKind.COPY)


def test_what_goes_along_is_no_copy():
    assert found(features(a=MEASURED, b=MEASURED + RNG.normal(0, 1, N), c=(MEASURED - 20) ** 2)).findings == ()


def test_one_far_row_makes_no_copy():
    a, b = RNG.normal(size=(2, N))
    a[7] = b[7] = 1e6
    assert found(features(a=a, b=b)).findings == ()


def test_gaps_are_part_of_a_copy():
    gaps = [None if i % 7 == 0 else value for i, value in enumerate(MEASURED)]
    assert found(features(a=gaps, b=gaps)).left_out == ["b"]
    (finding,) = found(features(a=MEASURED, b=gaps)).findings
    assert (finding.kind, finding.column, finding.is_left_out) == (FindingKind.NEAR_COPY, "b", False)


def test_the_column_with_fewer_gaps_is_kept():
    words = [None if k == 3 else WORDS[k] for k in FEW]
    screening = found(features(gappy=words, full=list(WORDS[FEW])))
    assert screening.left_out == ["gappy"]


def test_of_a_recoding_the_numbers_are_kept():
    screening = found(features(word=list(WORDS[FEW]), number=FEW))
    assert [(finding.kind, finding.column) for finding in screening.findings] == [(FindingKind.RECODING, "word")]
    assert "word (is number in other words)" in screening.notes[0]


@settings(deadline=None, max_examples=30)
@given(st.permutations(range(4)), st.integers(0, 2**32 - 1), st.permutations(range(5)))
def test_copies_are_found_under_any_relabelling_and_order(labels, seed, order):
    values = np.random.default_rng(seed).integers(0, 4, (120, 4))
    columns = features(
        a=values[:, 0], b=values[:, 1], c=values[:, 2], d=values[:, 3], copy=list(WORDS[np.array(labels)[values[:, 0]]])
    )
    columns = Table(tuple(columns.columns[j] for j in order), columns.n_rows)
    findings = found(columns).findings
    assert [(finding.kind, finding.column, finding.of) for finding in findings] == [(FindingKind.RECODING, "copy", "a")]


def test_in_few_rows_columns_agree_by_chance():
    assert found(features(a=[0, 1, 1, 0, 2], b=[0, 1, 1, 0, 2], c=[1, 0, 0, 1, 3])).findings == ()


def test_rare_values_agree_by_chance():
    rare = np.zeros((2, 400))
    rare[:, 17] = 1
    rare[1, 18] = 1
    assert found(features(a=rare[0], b=rare[0], c=rare[1])).findings == ()


def test_near_copies_of_few_values_are_named_and_kept():
    other = FEW.copy()
    other[[5, 50]] = (other[[5, 50]] + 1) % 4
    (finding,) = found(features(a=list(WORDS[FEW]), b=list(WORDS[other]))).findings
    assert (finding.kind, finding.is_left_out) == (FindingKind.NEAR_COPY, False)
    assert finding.fact == "says what a says but in 2 rows"


def test_unrelated_columns_of_all_kinds_are_no_copies():
    rng = np.random.default_rng(2)
    columns = {f"x{j}": rng.normal(size=100) for j in range(300)}
    columns |= {f"b{j}": rng.integers(0, 2, 100) for j in range(300)}
    columns |= {f"w{j}": list(WORDS[rng.integers(0, 4, 100)]) for j in range(100)}
    assert found(features(**columns)).findings == ()


def test_a_column_that_is_asked_for_stands_for_its_copies():
    table = features(a=MEASURED, b=MEASURED, c=MEASURED)
    assert found(table, keep=["b"]).left_out == ["a", "c"]
    assert found(table, keep=["a", "b"]).left_out == ["c"]


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=1)))
def test_columns_of_few_values_are_numbered_together_as_alone(columns):
    codes = np.unique(np.array(columns), return_inverse=True)[1].reshape(len(columns), -1)
    together = _partitions(codes)
    for own, found_together in zip(codes, together, strict=True):
        alone = partition(np.unique(own, return_inverse=True)[1], len(np.unique(own)))
        assert found_together.tobytes() == alone.tobytes()
