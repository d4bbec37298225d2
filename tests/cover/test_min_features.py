import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from fewest.budget import Budget, OutOfBudgetError
from fewest.cover import min_features
from fewest.cover.certificate import load_certificate, make_certificate, save_certificate
from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import focus2
from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.cover.solver import CoverProblem, solve_cover_with_highs
from fewest.cover.verify import verify, verify_batches
from fewest.datasets import load_votes
from fewest.exceptions import CertificateError, StoppedEarlyWarning
from fewest.table import Column, Kind, Table
from problems import codes_of, samples

any_samples = st.one_of(samples(), samples(missing=True), samples(max_values=2, max_features=7))


@pytest.fixture(params=[400, 1], ids=["seeds", "one seed"], scope="class")
def seeds(request):
    """With one seed, nearly every conflict has to be learned from a subset that fails."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(min_features, "N_SEEDS", request.param)
        patch.setattr(min_features, "LEARNED", 2)
        yield


def sample_of(problem):
    rows, classes, n_features = problem
    return Sample(codes_of(rows, n_features), np.array(classes))


@given(problem=any_samples)
def test_smallest_subset_all_of_them_and_their_core(seeds, problem):
    rows, classes, n_features = problem
    smallest = naive.smallest_sufficient_subsets(rows, classes, n_features)
    sample = sample_of(problem)
    search = MinFeaturesSearch(sample)
    answer = search.run()
    assert answer.subset in smallest
    assert answer.is_optimal
    assert len(answer.subset) == len(focus1(sample).subset) == len(focus2(sample).subset)
    assert sorted(search.minimum_subsets()) == smallest
    assert search.core() == tuple(sorted(set.intersection(*map(set, smallest))))


@given(problem=any_samples, data=st.data())
def test_cheapest_subset_with_features_that_must_be_in(seeds, problem, data):
    rows, classes, n_features = problem
    costs = data.draw(st.lists(st.integers(1, 9), min_size=n_features, max_size=n_features))
    include = data.draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    sets = [c for c in naive.all_conflicts(rows, classes) if c]
    best, cheapest = naive.cheapest_covers(sets, n_features, costs, include)
    search = MinFeaturesSearch(sample_of(problem), costs, tuple(include))
    answer = search.run()
    assert answer.subset in cheapest
    assert answer.cost == answer.lower_bound == best
    assert sorted(search.minimum_subsets()) == cheapest


@pytest.mark.parametrize("seed", range(6))
def test_highs_agrees_on_the_explicit_cover(seed):
    rng = np.random.default_rng(seed)
    n_features = int(rng.integers(8, 40))
    codes = rng.integers(0, int(rng.integers(2, 5)), (int(rng.integers(10, 60)), n_features)).astype(np.int8)
    sample = Sample(codes, rng.integers(0, int(rng.integers(2, 5)), len(codes)))
    explicit = CoverProblem(sample.conflicts().words, n_features)
    assert MinFeaturesSearch(sample).run().cost == solve_cover_with_highs(explicit).cost


def test_a_planted_concept_among_many_features_is_found_and_proven():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (1000, 120)).astype(np.int8)
    search = MinFeaturesSearch(Sample(codes, codes[:, [5, 60, 61, 110]].sum(axis=1) % 2))  # parity: no greedy sees it
    answer = search.run()
    assert (answer.subset, answer.lower_bound) == ((5, 60, 61, 110), 4)
    assert search.n_conflicts < 2000  # of a quarter of a million
    assert answer.history[-1]["lower_bound"] == 4


def test_time_limit_keeps_a_sufficient_subset_and_a_true_bound_and_goes_on_when_asked():
    rng = np.random.default_rng(0)
    sample = Sample(rng.integers(0, 2, (80, 30)).astype(np.int8), rng.integers(0, 2, 80))
    search = MinFeaturesSearch(sample)
    answer = search.run(Budget(0.0))
    assert answer.stopped_by == "time limit"
    assert sample.witness(answer.subset) is None
    assert answer.lower_bound < answer.cost
    finished = search.run()
    assert finished.is_optimal
    assert answer.lower_bound <= finished.cost <= answer.cost


class NoTime(Budget):
    """A budget that is spent at the first look at it."""

    def check(self, status):
        assert status() == "writing the tree of the proof"
        raise OutOfBudgetError


def test_a_tree_that_there_is_no_time_for_leaves_the_pairs(monkeypatch):
    monkeypatch.setattr("fewest.cover.certificate.ENUMERATED", -1)
    rng = np.random.default_rng(0)
    sample = Sample(rng.integers(0, 2, (40, 12)).astype(np.int8), rng.integers(0, 2, 40))
    search = MinFeaturesSearch(sample)
    search.run()
    names = [f"x{j}" for j in range(12)]
    whole = make_certificate(search, names, missing="cautious")
    with pytest.warns(StoppedEarlyWarning, match="too little time to write the tree"):
        pairs_alone = make_certificate(search, names, missing="cautious", budget=NoTime())
    assert whole["tree"] is not None
    assert pairs_alone["tree"] is None
    assert pairs_alone["pairs"] == [list(pair) for pair in search.proof()]
    columns = tuple(Column(name, Kind.NOMINAL, sample.codes[:, j], ("0", "1")) for j, name in enumerate(names))
    target = Column("y", Kind.NOMINAL, sample.classes, ("x", "y"))
    for certificate in (whole, pairs_alone):
        findings = verify(json.loads(json.dumps(certificate)), Table(columns, 40), target)
        assert all(finding.holds for finding in findings), findings


class TestCertificate:
    NAMES = ("a", "b", "c", "d", "e", "f", "g")

    def certified(self, problem, missing="cautious", costs=None, include=()):
        rows, classes, n_features = problem
        sample = sample_of(problem)
        search = MinFeaturesSearch(sample, costs, include)
        search.run()
        names = list(self.NAMES[:n_features])
        certificate = make_certificate(search, names, missing=missing, target="class")
        columns = tuple(Column(name, Kind.NOMINAL, sample.codes[:, j], ("0", "1", "2")) for j, name in enumerate(names))
        target = Column("class", Kind.NOMINAL, np.array(classes), ("x", "y", "z"))
        return certificate, Table(columns, len(rows)), target

    @given(problem=any_samples, data=st.data())
    def test_every_certificate_made_is_accepted(self, problem, data):
        costs = data.draw(st.none() | st.lists(st.integers(1, 5), min_size=problem[2], max_size=problem[2]))
        include = data.draw(st.sets(st.integers(0, problem[2] - 1), max_size=1))
        certificate, features, target = self.certified(problem, costs=costs, include=tuple(include))
        findings = verify(json.loads(json.dumps(certificate)), features, target)
        assert [finding.holds for finding in findings] == [True] * 5, findings

    @given(problem=any_samples, data=st.data())
    def test_tampered_certificates_are_rejected(self, problem, data):
        certificate, features, target = self.certified(problem)
        tampering = data.draw(st.sampled_from(["bound", "pair", "subset", "cost"]))
        if tampering == "bound":
            certificate["lower_bound"] += 1
            certificate["cost"] += 1
        elif tampering == "pair":
            certificate["pairs"] = [*certificate["pairs"], [0, 0]]
        elif tampering == "cost":
            certificate["cost"] -= 1
        elif certificate["features"]:
            certificate["features"] = certificate["features"][1:]
            certificate["cost"] -= 1
        else:
            return
        assert False in [finding.holds for finding in verify(certificate, features, target)]

    @given(problem=any_samples, data=st.data())
    def test_rows_may_come_in_batches(self, problem, data):
        certificate, features, target = self.certified(problem, missing="value")
        if certificate["features"] and data.draw(st.booleans()):
            certificate["features"] = certificate["features"][1:]
        ends = sorted(data.draw(st.lists(st.integers(0, features.n_rows), max_size=4)))
        parts = np.split(np.arange(features.n_rows), ends)
        batches = [(features.take(rows), target.values[rows]) for rows in parts]
        assert verify_batches(certificate, lambda: batches) == verify(certificate, features, target)

    @pytest.mark.parametrize(
        ("key", "value", "message"),
        [
            ("pairs", [[0]], "lists no pairs of rows"),
            ("pairs", [[0, "1"]], "lists no pairs of rows"),
            ("pairs", [[0, [1]]], "lists no pairs of rows"),
            ("columns", None, "lists no columns"),
            ("lower_bound", None, "lower_bound is None, which is no number"),
            ("cost", float("nan"), "cost is nan, which is no number"),
            ("cost", 10**400, "which is no number"),
            ("costs", [1, 2], "not numbers by name"),
            ("costs", {"a": "dear"}, "costs of 'a' is 'dear', which is no number"),
            ("costs", {"a": 1}, "costs have none for 'b'"),
            ("n_rows", 7, "speaks of 7 rows, the data has 3"),
        ],
    )
    def test_damage_is_named(self, key, value, message):
        certificate, features, target = self.certified(([(0, 1), (1, 1), (1, 0)], [0, 1, 1], 2))
        with pytest.raises(CertificateError, match=message):
            verify({**certificate, key: value}, features, target)

    def test_time_may_run_out(self):
        rng = np.random.default_rng(0)
        problem = [tuple(row) for row in rng.integers(0, 2, (30, 7)).tolist()], rng.integers(0, 2, 30).tolist(), 7
        certificate, features, target = self.certified(problem)
        holds = [finding.holds for finding in verify(certificate, features, target, time_limit=-1)]
        assert holds == [True, True, None, True, None]

    def test_saved_and_loaded_unchanged(self, tmp_path):
        problem = [(0, 1), (1, 1), (1, 0)], [0, 1, 1], 2
        certificate, *_ = self.certified(problem)
        (tmp_path / "c.json").write_text("earlier")
        save_certificate(certificate, tmp_path / "c.json")
        assert load_certificate(tmp_path / "c.json") == json.loads(json.dumps(certificate))
        assert [path.name for path in tmp_path.iterdir()] == ["c.json"]

    def test_a_write_that_fails_leaves_what_was_there(self, tmp_path):
        (tmp_path / "c.json").write_text("earlier")
        with pytest.raises(TypeError):
            save_certificate({"not": {1, 2}}, tmp_path / "c.json")
        assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("c.json", "earlier")]


@given(samples(max_rows=30, max_features=7))
def test_a_long_search_starts_from_a_good_subset(problem):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(min_features, "quick_nodes", lambda _: -1)
        search = MinFeaturesSearch(sample_of(problem))
        answer = search.run()
    assert answer.is_optimal
    assert len(answer.subset) == len(focus2(sample_of(problem)).subset)


def test_minimal_subsets_of_known_problems_are_as_many_as_is_known():
    features, party = load_votes(return_X_y=True)
    columns = [[2 if vote is None else int(vote) for vote in column.to_pylist()] for column in features.columns]
    votes = MinFeaturesSearch(Sample(np.column_stack(columns), np.unique(party, return_inverse=True)[1]))
    assert sorted(map(len, votes.minimal_subsets())) == [9, 10, 13]
    robots = np.array(list(product(range(3), range(3), range(2), range(3), range(4), range(2))))
    monk_1 = (robots[:, 0] == robots[:, 1]) | (robots[:, 4] == 0)
    assert list(MinFeaturesSearch(Sample(robots, monk_1.astype(int))).minimal_subsets()) == [(0, 1, 4)]
