import subprocess
import sys

import numpy as np
import pytest

from fewest.kernels.compile_or_not import answered_once
from fewest.mistakes.examples import Dense
from fewest.mistakes.options import OPTIONS, Rule
from fewest.mistakes.trials import SampleInMemory, Trials, run_passes
from fewest.mistakes.winnow import BlockWork, Committee
from looks import Looks

RNG = np.random.default_rng(0)
ROWS = (RNG.random((300, 20)) < 0.3).astype(np.uint8)
CODES = ROWS[:, [2, 11]].any(axis=1).astype(np.int8)


class InPieces:
    """A sample that comes in several pieces, each with a copy of the trials before, as blocks do."""

    def __init__(self, size):
        self.size = size

    def run(self, trials):
        for start in range(0, len(ROWS), self.size):
            trials = trials.copy()
            trials.learn(Dense(ROWS[start : start + self.size]), CODES[start : start + self.size])
        return trials


@pytest.mark.parametrize("kind", [*OPTIONS])
@pytest.mark.parametrize("size", [1, 7, 300])
def test_one_block_and_many_are_the_same_trials(kind, size):
    rule = OPTIONS[kind]().rule(20)
    begun = Trials(Committee(rule, 20, 2))
    whole, n_passes, _ = run_passes(Trials(Committee(rule, 20, 2)), SampleInMemory(Dense(ROWS), CODES), 50)
    pieces, n_same, _ = run_passes(begun, InPieces(size), 50)
    assert n_same == n_passes
    assert pieces.n_trials == whole.n_trials == 300 * n_passes
    assert pieces.mistakes.tolist() == whole.mistakes.tolist()
    assert pieces.learner.exponents.tolist() == whole.learner.exponents.tolist()
    assert (begun.n_trials, begun.pieces) == (0, [])  # work that is given again starts where it started


def test_passes_end_with_one_without_mistake_or_with_the_last():
    sample = SampleInMemory(Dense(ROWS), CODES)
    trials, n_passes, has_converged = run_passes(Trials(Committee(Rule("winnow2", 1.5, 20.0), 20, 2)), sample, 50)
    assert 1 < n_passes < 50
    assert has_converged
    assert trials.mistakes.max() < 300 * (n_passes - 1)
    again, n_more, _ = run_passes(trials, sample, 50)
    assert (n_more, again.n_mistakes) == (1, trials.n_mistakes)
    assert run_passes(Trials(Committee(Rule("winnow2", 1.5, 20.0), 20, 2)), sample, 1)[1:] == (1, False)


def test_passes_end_with_their_budget():
    sample, rule = SampleInMemory(Dense(ROWS), CODES), Rule("winnow2", 1.5, 20.0)
    for n in (1, 2):
        trials, n_passes, has_converged = run_passes(Trials(Committee(rule, 20, 2)), sample, 50, Looks(n - 1))
        expected = run_passes(Trials(Committee(rule, 20, 2)), sample, n)
        assert (n_passes, has_converged) == (n, False)
        assert trials.learner.exponents.tolist() == expected.trials.learner.exponents.tolist()


def test_what_is_compiled_depends_on_the_work_of_the_learner(monkeypatch):
    monkeypatch.delenv("FEWEST_COMPILE", raising=False)
    monkeypatch.setattr("fewest.kernels.compile_or_not.is_kept", lambda _: True)
    small, large = Dense(np.zeros((100, 50), np.uint8)), Dense(np.zeros((2000, 50), np.uint8))
    work = BlockWork()
    with answered_once():  # as the program does
        assert not any(work.compiles_block(small) for _ in range(100))
        assert work.compiles_block(large)
        assert work.compiles_block(small)  # what has paid for itself stays
        assert not BlockWork().compiles_block(small)
        assert BlockWork(n_learners=20).compiles_block(small)  # for so many classes


def test_little_is_learned_without_numba():
    code = """
import sys
import numpy as np
from fewest.mistakes.examples import Dense
from fewest.mistakes.options import Rule
from fewest.mistakes.winnow import Committee
rows = np.eye(9, dtype=np.uint8)[:, :5]
Committee(Rule("winnow1", 2.0, 2.5), 5, 2).learn(Dense(rows), rows[:, 1].astype(np.int8))
print("numba" in sys.modules, "sklearn" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
