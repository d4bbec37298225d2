"""What is an identifier, and what only looks like one."""

import numpy as np
import pytest

from fewest.screening.finding import FindingKind
from fewest.screening.identifiers import says_identifier
from screening.tables import classes, features, found

N = 200
RNG = np.random.default_rng(0)
SHUFFLED = RNG.permutation(N)

IDENTIFIERS = {
    "row numbers from 0": np.arange(N),
    "row numbers from 1": np.arange(1, N + 1),
    "shuffled row numbers": SHUFFLED,
    "numbers in steps": 1000 + 10 * SHUFFLED,
    "sorted numbers with holes": np.sort(RNG.choice(N * 8, N, replace=False)),
    "long numbers": RNG.integers(10**11, 10**12, N),
    "keys": [f"C{i:06}" for i in SHUFFLED],
    "hashes": [f"{value:016x}" for value in RNG.integers(0, 2**62, N)],
    "labels of digits": [f"{i:05}" for i in SHUFFLED],
    "e-mail addresses": [f"user{i}@example.com" for i in SHUFFLED],
    "texts": [f"The customer no {i} called and said that it was late" for i in SHUFFLED],
    "nearly all different": [f"K{min(i, N - 3)}" for i in SHUFFLED],
}

OTHERS = {
    "measurement": RNG.normal(size=N),
    "sorted measurement": np.sort(RNG.normal(size=N)),
    "amounts of two digits": np.round(RNG.uniform(0, 9000, N), 2),
    "wide whole numbers": RNG.integers(0, 10**7, N),
    "populations": np.round(np.exp(RNG.normal(12, 2, N))),
    "counts": RNG.poisson(40, N),
    "years": 2000 + np.arange(N) % 24,
    "a year a row": 1800 + np.arange(N),
    "seconds since 1970": 1_600_000_000 + np.cumsum(RNG.integers(1, 10**5, N)),
    "categories": [f"City{i:04}" for i in RNG.integers(0, 40, N)],
    "amounts as text": [f"${value:,.2f}" for value in RNG.uniform(0, 9000, N)],
    "percentages": [f"{value:.3f} %" for value in RNG.uniform(0, 100, N)],
    "dates": [f"20{i % 20:02}-{i % 12 + 1:02}-{i % 28 + 1:02}" for i in range(N)],
    "boolean": np.arange(N) % 2,
}


@pytest.mark.parametrize("what", IDENTIFIERS)
def test_identifiers_are_left_out(what):
    screening = found(features(x=IDENTIFIERS[what]))
    assert screening.left_out == ["x"]


@pytest.mark.parametrize("what", OTHERS)
def test_what_only_has_many_values_is_kept(what):
    assert found(features(x=OTHERS[what])).left_out == []


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("row numbers from 1", FindingKind.ROW_NUMBER),
        ("keys", FindingKind.KEY),
        ("e-mail addresses", FindingKind.EMAIL),
        ("texts", FindingKind.FREE_TEXT),
    ],
)
def test_kinds_of_identifiers(what, kind):
    assert [finding.kind for finding in found(features(x=IDENTIFIERS[what])).findings] == [kind]


def test_in_few_rows_all_values_may_be_different():
    few = features(name=["ann", "bob", "eve", "joe", "sue", "tom"], age=[31, 32, 33, 34, 35, 36])
    assert found(few).left_out == []


def test_a_name_is_evidence_in_few_rows():
    few = features(patient_id=[11, 31, 17, 19, 12, 14], key=["a", "b", "c", "d", "e", "f"])
    assert found(few).left_out == ["patient_id", "key"]


@pytest.mark.parametrize("name", ["id", "ID", "user_id", "userId", "UserID", "customerid", "order no", "row_no", "key"])
def test_names_of_identifiers(name):
    assert says_identifier(name)


@pytest.mark.parametrize("name", ["humid", "acid", "paid", "no", "monkey", "grid", "number", "valid", "x1", "", "42"])
def test_names_of_other_columns(name):
    assert not says_identifier(name)


def test_an_identifier_that_repeats_may_be_a_group():
    patients = np.repeat(np.arange(50), 4)
    screening = found(features(patient_id=patients))
    assert screening.left_out == ["patient_id"]
    assert "patient_id has 50 values in 200 rows: do rows with the same value belong together?" in screening.notes[1]
    assert "--groups patient_id" in screening.notes[1]


def test_a_repeating_column_without_such_a_name_is_kept():
    screening = found(
        features(town=[f"town {i}" for i in np.repeat(np.arange(50), 4)], dose=np.repeat(SHUFFLED[:50], 4)[SHUFFLED])
    )
    assert screening.left_out == []
    assert screening.notes == ["town has 50 categories in 200 rows, too many to learn about each."]


def test_few_stores_are_no_identifiers():
    assert found(features(store_id=np.arange(N) % 8)).findings == ()


def test_the_last_of_two_equal_names_in_a_zoo_asks_for_no_groups():
    names = [f"animal {min(i, N - 2)}" for i in range(N)]
    assert [finding.kind for finding in found(features(animal=names)).findings] == [FindingKind.KEY]


def test_rows_of_one_owner_are_asked_about_by_the_name_of_the_column():
    owners = np.repeat([f"n{i:02}" for i in range(30)], 5)
    screening = found(features(patient=owners))
    assert screening.left_out == []
    assert "patient has 30 values in 150 rows: do rows with the same value belong together?" in screening.notes[0]
    assert FindingKind.GROUP not in {one.kind for one in found(features(who=owners)).findings}
    assert found(features(visit=np.repeat(np.arange(30), 5) + 0.5)).findings == ()  # a number of them


def test_a_leak_whose_values_are_many_names_may_be_a_group():
    owners, states = np.repeat([f"n{i:02}" for i in range(30)], 5), np.repeat([f"s{i % 2}" for i in range(30)], 5)
    screening = found(features(who=owners), classes(states.tolist()))
    assert [one.kind for one in screening.findings] == [FindingKind.LEAK, FindingKind.GROUP]
    assert "--groups who keeps them on one side of every split" in " ".join(screening.notes)
