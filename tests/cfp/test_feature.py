"""The partitions of a feature against the twin that was written from the paper."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.cfp.feature import FeaturePartitions
from fewest.cfp.options import Settings

CHOICES = st.builds(
    Settings,
    inclusive=st.booleans(),
    between=st.sampled_from(["merge", "nearer"]),
    end_points=st.sampled_from(["all", "points"]),
    silence=st.sampled_from(["neutral", "wrong"]),
)
LIMITS = st.sampled_from([0.0, 1.0, 2.0, 3.5, 100.0])


@st.composite
def columns(draw, max_rows=40, max_classes=3, largest=12):
    """The values of one feature, None among them, and their classes."""
    value = st.one_of(st.integers(0, largest), st.integers(0, largest), st.none())
    values = draw(st.lists(value, max_size=max_rows))
    classes = draw(st.lists(st.integers(0, max_classes - 1), min_size=len(values), max_size=len(values)))
    return values, classes


def as_arrays(values, classes):
    return np.array([np.nan if v is None else v for v in values], dtype=float), np.array(classes, dtype=np.int32)


def learned(values, classes, limit, settings, **options):
    return FeaturePartitions.empty().learned(*as_arrays(values, classes), limit, settings.rules, **options)


def expected(values, classes, limit, settings):
    choices = (settings.inclusive, settings.between, settings.end_points, settings.silence)
    ((partitions, tally),) = naive.cfp([(v,) for v in values], classes, [limit], *choices)
    return [tuple(p) for p in partitions], tally


@pytest.mark.parametrize("compiled", [False, True])
@given(columns(), LIMITS, CHOICES)
def test_a_feature_learns_what_the_paper_says(compiled, column, limit, settings):
    feature = learned(*column, limit, settings, compiled=compiled)
    partitions, tally = expected(*column, limit, settings)
    assert [tuple(p) for p in feature.partitions()] == partitions
    assert [feature.right, feature.wrong] == tally
    assert len(feature) == len(partitions)
    probes = np.arange(-1, 14, 0.5)
    guesses = [naive.cfp_feature_prediction(partitions, x, settings.end_points) for x in probes.tolist()]
    assert feature.predict(probes, settings.end_points).tolist() == [-1 if g is None else g for g in guesses]


@given(columns(), LIMITS, CHOICES)
def test_partitions_never_overlap_but_for_points_at_one_value(column, limit, settings):
    partitions = learned(*column, limit, settings).partitions()
    for i, p in enumerate(partitions):
        for q in partitions[i + 1 :]:
            assert p.upper <= q.lower
    points = [(p.lower, p.label) for p in partitions if p.lower == p.upper]
    assert len(set(points)) == len(points)


@given(columns(), LIMITS, CHOICES)
def test_counts_add_up_to_the_examples_seen(column, limit, settings):
    feature = learned(*column, limit, settings)
    values, classes = column
    for c in range(3):
        n_examples = sum(v is not None and own == c for v, own in zip(values, classes, strict=True))
        assert sum(p.n_examples for p in feature.partitions() if p.label == c) == n_examples


@given(columns(), LIMITS, CHOICES, st.integers(0, 40))
def test_examples_in_two_batches_or_one(column, limit, settings, cut):
    whole = learned(*column, limit, settings)
    values, classes = as_arrays(*column)
    first = FeaturePartitions.empty().learned(values[:cut], classes[:cut], limit, settings.rules)
    parts = first.learned(values[cut:], classes[cut:], limit, settings.rules)
    assert parts.partitions() == whole.partitions()
    assert (parts.right, parts.wrong) == (whole.right, whole.wrong)


@pytest.mark.parametrize("compiled", [False, True])
@given(columns(max_rows=60, largest=100), st.sampled_from([5.0, 30.0, 100.0]), CHOICES, st.integers(5, 25))
def test_ranges_that_keep_their_splits(compiled, column, limit, settings, n_rows):
    """A batch begins with a guide, whose ranges keep splits until these are too many or in the way."""
    feature = FeaturePartitions.empty()
    values, classes = as_arrays(*column)
    for start in range(0, len(values), n_rows):
        batch = slice(start, start + n_rows)
        feature = feature.learned(values[batch], classes[batch], limit, settings.rules, compiled=compiled)
    partitions, tally = expected(*column, limit, settings)
    assert [tuple(p) for p in feature.partitions()] == partitions
    assert [feature.right, feature.wrong] == tally


@pytest.mark.parametrize("limit", [0.0, 0.01, 0.3])
@pytest.mark.parametrize("rules", [Settings().rules, Settings(between="nearer", end_points="points").rules])
def test_lists_and_compiled_code_learn_the_same_of_many_values(limit, rules):
    rng = np.random.default_rng(0)
    values, classes = rng.random(3000).round(3), rng.integers(0, 3, 3000).astype(np.int32)
    values[rng.random(3000) < 0.05] = np.nan
    found = []
    for compiled in (False, True):
        first = FeaturePartitions.empty().learned(values[:2000], classes[:2000], limit, rules, compiled=not compiled)
        found.append(first.learned(values[2000:], classes[2000:], limit, rules, compiled=compiled))
    for field in fields(FeaturePartitions):
        np.testing.assert_array_equal(*(getattr(feature, field.name) for feature in found))


@pytest.mark.parametrize("room", [1, 2, 7])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_line_without_room_is_moved_to_a_larger_one(room, compiled, monkeypatch):
    rng = np.random.default_rng(room)
    values, classes = rng.random(400).round(2), rng.integers(0, 3, 400).astype(np.int32)
    whole = FeaturePartitions.empty().learned(values, classes, 0.1, Settings().rules)
    monkeypatch.setattr("fewest.cfp.feature.FIRST_ROOM", room)
    moved = FeaturePartitions.empty().learned(values, classes, 0.1, Settings().rules, compiled=compiled)
    assert moved.partitions() == whole.partitions()
    assert (moved.right, moved.wrong) == (whole.right, whole.wrong)


@given(columns(max_classes=1), LIMITS, st.booleans(), st.randoms(use_true_random=False))
def test_one_class_in_any_order_gives_the_same_ranges_when_they_merge(column, limit, inclusive, random):
    values, classes = column
    settings = Settings(inclusive=inclusive)
    one = learned(values, classes, limit, settings).partitions()
    random.shuffle(values)
    assert learned(values, classes, limit, settings).partitions() == one


@given(columns(), CHOICES, st.randoms(use_true_random=False))
def test_points_alone_are_the_same_in_any_order(column, settings, random):
    examples = list(zip(*column, strict=True))
    one = learned(*column, 0.0, settings).partitions()
    random.shuffle(examples)
    values, classes = ([e[k] for e in examples] for k in range(2))
    assert learned(values, classes, 0.0, settings).partitions() == one


@given(columns(), LIMITS, CHOICES)
def test_a_missing_value_changes_nothing(column, limit, settings):
    values, classes = column
    present = [(v, c) for v, c in zip(values, classes, strict=True) if v is not None]
    known = [[pair[k] for pair in present] for k in range(2)]
    with_missing, without = learned(values, classes, limit, settings), learned(*known, limit, settings)
    assert with_missing.partitions() == without.partitions()
    assert (with_missing.right, with_missing.wrong) == (without.right, without.wrong)
    assert with_missing.predict(np.array([np.nan])).tolist() == [-1]


@given(columns(), LIMITS, CHOICES)
def test_a_prediction_comes_from_a_determined_partition(column, limit, settings):
    feature = learned(*column, limit, settings)
    probes = np.arange(-1, 14, 0.25)
    for x, guess in zip(probes, feature.predict(probes, settings.end_points), strict=True):
        here = {p.label for p in feature.partitions() if p.lower <= x <= p.upper}
        assert guess in here or guess == -1
        assert here or guess == -1


@pytest.mark.parametrize("order", ["ascending", "descending", "random"])
def test_many_partitions_stay_in_order(order):
    """Values of alternating classes, so that every example splits or adds."""
    rng = np.random.default_rng(0)
    values = np.arange(20_000.0) if order != "random" else rng.random(20_000)
    values = values[::-1].copy() if order == "descending" else values
    classes = rng.integers(0, 2, 20_000).astype(np.int32)
    feature = FeaturePartitions.empty().learned(values, classes, 0.5, Settings().rules, compiled=True)
    assert (np.diff(feature.boundary) > 0).all()
    counts = feature.point_count.sum() + feature.after_count[feature.after_class >= 0].sum()
    assert counts == 20_000
