"""A claim that cannot fail is none: break an algorithm on purpose, and see the verdict turn."""

import numpy as np
import pytest

from fewest.kernels.boolean import batch
from fewest.online.version_space import OptimalSpace
from fewest.online.winnow import Winnow
from fewest.papers.catalogue import EXPERIMENTS
from fewest.papers.cfp import complexity, description
from fewest.papers.experiment import judged
from fewest.papers.focus import table_1
from fewest.papers.relief import comparison, displays, parities
from fewest.papers.winnow import optimal
from fewest.papers.wrapper import differences
from fewest.search import boolean_batch, focus2
from fewest.selection.relief import Relief


def failing(name, keep=lambda unit: True):
    """Return the statements that are not true, measured on the units to keep of the small scale."""
    experiment = EXPERIMENTS[name]
    units = [unit for unit in experiment.grid("small") if keep(unit)]
    outcome = judged(experiment, "small", [(unit, experiment.measure(unit)) for unit in units])
    assert outcome.holds == all(check.holds for check in outcome.checks)
    return [check.statement for check in outcome.checks if not check.holds]


class SignWrong(Relief):
    """Relief with hits taken for misses."""

    def fit(self, X, y):
        super().fit(X, y)
        self.scores_ = -self.scores_
        self.support_ = ~self.support_
        self.selection_order_ = self.selection_order_[::-1]
        return self


class OneNeighbourOff(Relief):
    """Relief whose features are numbered from one too far on."""

    def fit(self, X, y):
        super().fit(X, y)
        self.scores_ = np.roll(self.scores_, 1)
        return self


def test_focus_2_with_another_tie(monkeypatch):
    """The last of the tightest conflicts, instead of the first."""

    def last(self, sizes, multiplicity):
        return np.array([np.flatnonzero(sizes == sizes.min())[-1]])

    monkeypatch.setattr(focus2._Search, "_tightest", last)
    assert "FOCUS-2 searches the tree of Figure 3, node by node." in failing("focus-figure-3")


def test_focus_2_that_forgets_the_empty_set(monkeypatch):
    before = focus2._Search.__init__

    def off_by_one(self, *arguments):
        before(self, *arguments)
        self.tests = [0, 0]

    monkeypatch.setattr(focus2._Search, "__init__", off_by_one)
    assert failing("focus-figure-3") == ["FOCUS-2 makes 7 sufficiency tests."]


def test_samples_drawn_the_other_way(monkeypatch):
    """Only without replacement does ID3 need 2236 examples."""
    design = boolean_batch.Samples._design.fget
    monkeypatch.setattr(
        boolean_batch.Samples, "_design", property(lambda self: design(self)._replace(is_replaced=True))
    )
    found = failing("focus-figure-4", lambda unit: unit["n"] == 12 and not unit["replacement"])
    assert len(found) == 1
    assert found[0].startswith("ID3 needs 2236")


def test_weighted_greedy_that_selects_nothing(monkeypatch):
    monkeypatch.setitem(boolean_batch.LEARNERS, "wg", batch.ID3)
    statements = failing("focus-figure-4", lambda unit: unit["n"] == 8 and not unit["replacement"])
    assert any("Weighted-Greedy comes closest" in statement for statement in statements)
    assert any("Weighted-Greedy is the closest" in statement for statement in failing("focus-figure-5"))
    few = failing("focus-figure-6", lambda unit: unit["concept"] < 6)
    assert any("Weighted-Greedy is the closest" in statement for statement in few)


def test_focus_2_that_is_focus_1(monkeypatch):
    monkeypatch.setitem(table_1.SEARCHES, "FOCUS-2", table_1.focus1)
    statements = failing("focus-table-1", lambda unit: unit["run"] < 2)
    assert "On average FOCUS-2 makes less than a fifth of FOCUS-1's tests." in statements


@pytest.mark.parametrize("broken", [SignWrong, OneNeighbourOff])
def test_relief_broken(monkeypatch, broken):
    for module in (displays, parities):
        monkeypatch.setattr(module, "Relief", broken)
    for name in ("relief-figure-2", "relief-figure-3"):
        assert failing(name, lambda unit: unit["data_set"] < 3)
    assert failing("relief-table-2", lambda unit: unit["identical"] == "skip")


def test_relief_broken_before_id3(monkeypatch):
    monkeypatch.setattr("fewest.selection.Relief", SignWrong)
    statements = failing("relief-figure-4", lambda unit: unit["run"] < 3 and unit["irrelevant"] in (2, 10))
    assert any("typically keeps both" in statement for statement in statements)
    few = failing("relief-table-3", lambda unit: unit["run"] < 2)
    assert {"Relief is not fooled by interaction in most runs.", "Relief tolerates noise in most runs."} <= set(few)


def test_focus_that_finds_too_much(monkeypatch):
    """A selector that keeps all features is no better than none."""
    monkeypatch.setattr(comparison, "selected_by", lambda name, X, y, seed: (np.arange(X.shape[1]), 0))
    statements = failing("relief-figure-4", lambda unit: unit["run"] < 2 and unit["irrelevant"] in (2, 10))
    assert "Without noise ID3 alone is less accurate than FOCUS+ID3 and Relief+ID3." in statements


def test_winnow_that_does_not_learn_from_false_alarms(monkeypatch):
    learns = Winnow._correct
    monkeypatch.setattr(Winnow, "_correct", lambda self, active, truth: learns(self, active, truth) if truth else None)
    assert "Winnow1 never makes more mistakes than theorem 7 allows." in failing(
        "winnow-theorem-7", lambda unit: unit["n"] < 1000
    )
    assert "Winnow2 never makes more mistakes than theorem 9 allows." in failing(
        "winnow-theorem-9", lambda unit: unit["n"] == 64
    )


def test_standard_optimal_with_the_comparison_turned_round(monkeypatch):
    monkeypatch.setattr(
        OptimalSpace, "_prefers_ones", lambda self, ones, zeros: self.trees.height(ones) < self.trees.height(zeros)
    )
    assert failing("winnow-optimal") == [
        "The standard optimal algorithm makes opt(C) = K(C) mistakes, no more (theorem 3)."
    ]


def test_one_query_too_many(monkeypatch):
    asks = optimal.ask

    def once_more(*arguments):
        found = asks(*arguments)
        return type(found)(found.hypothesis, found.n_queries + 1)

    monkeypatch.setattr(optimal, "ask", once_more)
    assert failing("winnow-queries")


def test_cfp_that_does_not_generalise(monkeypatch):
    monkeypatch.setattr(complexity.partitions, "smallest_limit", lambda epsilon: 0.0)
    assert any(
        "at most n / epsilon" in statement for statement in failing("cfp-theorem-4", lambda u: u["examples"] <= 2000)
    )
    assert any("at most 1 / epsilon" in statement for statement in failing("cfp-theorem-5"))
    monkeypatch.setattr(description, "LIMIT", 0.1)
    assert len(failing("cfp-figure-1")) == 2


def test_lemma_2_without_its_factor(monkeypatch):
    right = complexity.partitions.net_sample_size
    monkeypatch.setattr(complexity.partitions, "net_sample_size", lambda *numbers: right(*numbers) // 5)
    assert "Lemma 2's examples are always enough." in failing("cfp-lemma-2", lambda unit: unit["n"] > 1)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("wrapper-figure-2", {"features": 5}),
        ("wrapper-figure-3", {"features": 5}),
        ("wrapper-figure-4", {"examples": 200}),
        ("wrapper-figure-5", {"features": 5}),
        ("wrapper-figure-6", {"examples": 400}),
        ("wrapper-many-features", {"features": 10}),
    ],
)
def test_ordered_fs_that_orders_by_hold_out_error(monkeypatch, name, unit):
    """This is what makes it STANDARD-WRAP, section 4.1 says."""
    from fewest.selection.wrapper import OrderedFS, StandardWrap

    def is_ahead():
        statements = failing(name, lambda u: u["first"] == 0 and u.items() >= unit.items())
        return not any("errs less than STANDARD-WRAP" in statement for statement in statements)

    assert is_ahead()
    monkeypatch.setattr(OrderedFS, "_roles", StandardWrap._roles)
    assert not is_ahead()


def test_a_multiplier_with_the_logarithm_turned_round(monkeypatch):
    monkeypatch.setattr(differences, "difference_multiplier", lambda beta: np.log(2) - beta * (1 + np.log(beta)))
    assert failing("wrapper-figure-7", lambda unit: unit.get("f", 0) < 8)
