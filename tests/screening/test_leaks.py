"""Columns that give the target away, and good features that do not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.screening.finding import FindingKind
from fewest.screening.leaks import left_out_score, left_out_scores
from fewest.table import Column, Kind
from screening.tables import classes, features, found, random_classes

N = 400
RNG = np.random.default_rng(3)
Y = RNG.random(N) < 0.15
TARGET = classes(["gone" if gone else "here" for gone in Y], "churned")


def kinds(table, target=TARGET):
    return [(finding.column, finding.kind) for finding in found(table, target).findings]


LEAKS = {
    "the target in other words": np.where(Y, "yes", "no").tolist(),
    "filled exactly": [("price" if i % 2 else "service") if gone else None for i, gone in enumerate(Y)],
    "filled with one value": ["2024-07-03" if gone else None for gone in Y],
    "filled in no other rows": ["called" if gone and i % 2 else None for i, gone in enumerate(Y)],
    "missing exactly": [None if gone else i % 3 for i, gone in enumerate(Y)],
    "beyond a threshold": np.where(Y, 5, 0) + RNG.random(N),
    "between two": np.where(Y, 5, 10 * RNG.integers(0, 2, N)) + RNG.random(N),
    "several words": [f"{'b' if gone else 'a'}{k}" for gone, k in zip(Y, RNG.integers(0, 5, N), strict=True)],
}


@pytest.mark.parametrize("what", LEAKS)
def test_leaks_are_found_and_kept(what):
    screening = found(features(x=LEAKS[what]), TARGET)
    assert screening.leaks == ["x"]
    assert screening.left_out == []
    (alarm,) = screening.alarms
    assert alarm.startswith("Possible leak: x ")
    assert alarm.endswith("leave it out with --drop x.")


GOOD = {
    "a good feature": np.where(RNG.random(N) < 0.92, Y, ~Y).astype(int),
    "a good measurement": Y + RNG.normal(0, 0.35, N),
    "many categories": [f"town {k}" for k in RNG.integers(0, 150, N)],
    "gaps by chance": [None if gap else 1.5 * i for i, gap in enumerate(RNG.random(N) < 0.3)],
    "more gaps in one class": [None if gap else i % 3 for i, gap in enumerate(RNG.random(N) < 0.2 + 0.5 * Y)],
    "rarely filled": [1 if i == 9 else None for i in range(N)],
}


@pytest.mark.parametrize("what", GOOD)
def test_good_features_are_no_leaks(what):
    assert not {FindingKind.LEAK, FindingKind.STRONG} & {kind for _, kind in kinds(features(x=GOOD[what]))}


def test_identifiers_of_sorted_rows_are_no_leaks():
    target = classes(["a"] * 200 + ["b"] * 200)
    assert kinds(features(row=np.arange(400)), target) == [("row", FindingKind.ROW_NUMBER)]


def test_a_feature_that_is_nearly_perfect_gets_a_sober_sentence():
    odor = np.where(RNG.random(N) < 0.02, ~Y, Y)
    table = features(odor=[("foul" if bad else ["none", "anise"][i % 2]) for i, bad in enumerate(odor)])
    (sentence,) = found(table, TARGET).sentences
    assert "odor alone predicts churned right for 9" in sentence
    assert "That is fine if it is known before churned is" in sentence


def test_in_a_small_table_a_perfect_measurement_is_no_alarm():
    target = classes(["a", "b"] * 19)
    x = np.array([0.0, 1.0] * 19) + np.linspace(0, 0.5, 38)
    assert kinds(features(x=x), target) == [("x", FindingKind.STRONG)]


def test_in_five_rows_nothing_is_suspicious():
    assert kinds(features(x=[0, 0, 1, 1, 1]), classes(["a", "a", "b", "b", "b"])) == []


def test_one_rare_class_of_many_is_given_away_soberly():
    labels = [f"c{i % 19}" for i in range(380)]
    x = [None if label == "c4" else i // 19 % 3 for i, label in enumerate(labels)]
    assert kinds(features(x=x), classes(labels)) == [("x", FindingKind.STRONG)]


def test_a_numeric_target_is_given_away_by_what_follows_it():
    y = RNG.normal(100, 20, N)
    target = Column("price", Kind.NUMERIC, y)
    table = features(net=y / 1.2 + RNG.normal(0, 0.01, N), good=y + RNG.normal(0, 5, N), noise=RNG.normal(size=N))
    assert kinds(table, target) == [("net", FindingKind.LEAK)]


@pytest.mark.parametrize("n_rows", [25, 100, 1000])
def test_noise_is_silent(n_rows):
    rng = np.random.default_rng(n_rows)
    columns = {f"x{j}": rng.normal(size=n_rows) for j in range(200)}
    columns |= {f"b{j}": rng.integers(0, 2, n_rows) for j in range(200)}
    assert found(features(**columns), random_classes(n_rows, 3)).findings == ()


def naive_score(codes, labels):
    """Return the balanced share of rows to whose class the largest part of the other rows of the value belongs."""
    counts = {label: labels.count(label) for label in labels}
    asked = [label for label in sorted(counts) if counts[label] >= 5]
    n_right = dict.fromkeys(asked, 0)
    for i, own in enumerate(labels):
        if own in n_right:
            alike = [label for j, label in enumerate(labels) if j != i and codes[j] == codes[i]]
            share = alike.count(own) / (counts[own] - 1)
            n_right[own] += all(share > alike.count(label) / counts[label] for label in counts if label != own)
    return sum(n_right[label] / counts[label] for label in asked) / len(asked)


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 4))
def test_columns_are_scored_together_as_each_alone(seed, n_classes, n_values):
    rng = np.random.default_rng(seed)
    labels = np.append(np.arange(n_classes).repeat(5), rng.integers(0, n_classes, rng.integers(0, 20)))
    codes = np.where(rng.random((6, len(labels))) < 0.7, labels % n_values, rng.integers(0, n_values, (6, len(labels))))
    scores = left_out_scores(codes, labels, np.bincount(labels))
    for own, score in zip(codes, scores, strict=True):
        assert score == left_out_score(own, labels, np.bincount(labels))
        assert score == pytest.approx(naive_score(own.tolist(), labels.tolist()))


def test_leaks_are_found_among_columns_that_are_scored_together():
    shuffled = RNG.permutation(Y)
    nearly = np.where(np.arange(N) % 150 == 0, ~Y, Y)
    table = features(a=shuffled.tolist(), b=nearly.tolist(), c=Y.tolist())
    assert kinds(table) == [("c", FindingKind.LEAK), ("b", FindingKind.STRONG)]
