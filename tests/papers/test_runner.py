"""Running experiments: in one process or several, at once or in pieces, the result is the same."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fewest.exceptions import CheckpointError, DamagedJournalWarning
from fewest.papers.experiment import Comparison
from fewest.papers.results import (
    PAGE,
    RESULTS,
    SVG,
    TABLE,
    as_results,
    folder_of,
    in_short,
    last_verdict,
    merged,
    needed,
    write,
)
from fewest.papers.runner import IMPORTS, JOURNAL, Journal, run, workers
from fewest.papers.verdict import Verdict
from papers import toy

PROGRAM = """
import sys
from pathlib import Path
from papers import toy
from fewest.papers.results import write
from fewest.papers.runner import run, workers
if __name__ == "__main__":
    with workers(2) as pool:
        write(run(toy.SQUARES, "slow", Path(sys.argv[1]), pool, 2), Path(sys.argv[1]))
"""

INTERRUPTED = """
import os, signal
from fewest.papers.runner import workers
if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: print("heard", flush=True))
    with workers(2) as pool:
        tasks = [pool.submit(abs, -number) for number in range(3)]
        os.killpg(0, signal.SIGINT)  # as a terminal does: to everybody
        print([task.result() for task in tasks])
"""


def files_of(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.name != JOURNAL}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unbroken")
    write(run(toy.SQUARES, "paper", folder), folder)
    return files_of(folder)


def test_a_run_leaves_numbers_pictures_and_a_page(tmp_path):
    seen = []
    outcome = run(toy.SQUARES, "small", tmp_path, on_progress=seen.append)
    write(outcome, tmp_path)
    assert outcome.verdict is Verdict.HOLDS
    document = json.loads((tmp_path / RESULTS).read_text())
    assert document["rows"][19] == {"number": 19, "seconds": 0.0, "square": 361, "third": 19 / 3}
    assert (tmp_path / TABLE).read_text().splitlines()[:2] == ["number,seconds,square,third", "0,0.0,0,0.0"]
    assert (tmp_path / SVG).read_text().lstrip().startswith("<?xml")
    page = (tmp_path / PAGE).read_text()
    assert "The claim holds" in page
    assert "Squares are &lt; 500." in page
    assert "2 of 2" in page  # what is told beside the claim does not count
    assert "NOT TRUE: All squares are even. Odd ones are not." in page
    assert "differs (+6%, +3.3 standard errors). Thirds are hard." in page
    assert "<svg" in page
    assert [(p.n_done, p.n_units) for p in seen] == [(k, 20) for k in range(21)]
    assert seen[0].seconds_left is None
    assert seen[-1].seconds_left == 0


def test_a_claim_can_fail(tmp_path):
    assert last_verdict(tmp_path, "toy-squares") == "-"
    folder = tmp_path / "toy-squares-full"
    write(run(toy.SQUARES, "full", folder), folder)
    assert last_verdict(tmp_path, "toy-squares") == "does not hold (full)"
    page = (folder / PAGE).read_text()
    assert "The claim does not hold" in page
    assert "NOT TRUE: All squares are below 500. There are many numbers." in page


def test_a_claim_can_be_undecided(tmp_path, monkeypatch):
    monkeypatch.setattr(toy, "ERROR", 10.0)
    folder = tmp_path / "toy-squares-small"
    write(run(toy.SQUARES, "small", folder), folder)
    assert last_verdict(tmp_path, "toy-squares") == "not decided (small)"
    page = (folder / PAGE).read_text()
    assert "The claim is not decided at this scale" in page
    assert "not decided: Thirds are positive. (6.3) What was measured is too uncertain" in page


def test_a_failure_is_not_hidden_by_what_is_not_decided(tmp_path, monkeypatch):
    monkeypatch.setattr(toy, "ERROR", 10.0)
    assert run(toy.SQUARES, "full", tmp_path).verdict is Verdict.FAILS


def test_a_plan_goes_on_until_the_claim_is_decided(tmp_path):
    outcome = run(toy.COINS, "decide", tmp_path)
    assert [look.runs for look in outcome.looks] == [20 * 2**k for k in range(len(outcome.looks))]
    assert 1 < len(outcome.looks) < 5  # decided before the last look, and not at the first
    assert all(look.undecided for look in outcome.looks[:-1])
    assert outcome.looks[-1].undecided == ()
    assert outcome.verdict is outcome.words is Verdict.HOLDS
    assert len(outcome.rows) == outcome.looks[-1].runs
    write(outcome, tmp_path)
    page = (tmp_path / PAGE).read_text()
    assert "After 20 runs: " in page
    assert "By threshold, in units: does not at 0.01; holds at 2 (ours), 5." in page
    measured = len(known_units(tmp_path))
    assert run(toy.COINS, "decide", tmp_path) == outcome  # what is known is not measured again
    assert len(known_units(tmp_path)) == measured


def test_a_plan_that_decides_nothing_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(toy, "LEAD", 0.0)
    outcome = run(toy.COINS, "decide", tmp_path)
    assert len(outcome.looks) == 5
    assert outcome.verdict is Verdict.UNDECIDED
    assert "would decide: It is positive." in needed(as_results(outcome)["looks"])[-1]


def test_a_decision_takes_the_place_of_what_was_not_decided(tmp_path):
    first = as_results(run(toy.COINS, "small", tmp_path / "a"))
    decided = as_results(run(toy.COINS, "decide", tmp_path / "b"))
    both = merged(first, decided)
    assert first["verdict"] == "not decided"
    assert (both["verdict"], both["words"], both["scale"]) == ("holds", "holds", "small")
    assert both["decided_by"] == "fewest reproduce toy-coins --scale decide"
    assert both["rows"] == first["rows"]
    assert in_short({**both, "words": "does not hold"}) == "holds; its words: does not hold (small)"


def test_results_that_cannot_be_read_are_told(tmp_path):
    folder = tmp_path / "toy-squares-small"
    folder.mkdir()
    (folder / RESULTS).write_text('{"verdict": "perhaps"}')
    assert last_verdict(tmp_path, "toy-squares") == "unreadable"


def test_processes_give_the_same_result(tmp_path, unbroken):
    folder = tmp_path / "two"
    with workers(2) as pool:
        write(run(toy.SQUARES, "paper", folder, pool, 2), folder)
    assert files_of(folder) == unbroken


def test_a_run_that_was_killed_goes_on_to_the_same_result(tmp_path):
    """SIGKILL can be caught by nobody: what was measured must be on the disk, and nobody may be left behind."""
    folder, whole = tmp_path / "killed", tmp_path / "whole"
    write(run(toy.SQUARES, "slow", whole), whole)
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]),
    }
    for _ in range(50):
        n_known = len(known_units(folder))
        process = subprocess.Popen(
            [sys.executable, script, folder], env=environment, stdout=subprocess.PIPE, start_new_session=True
        )
        while process.poll() is None and len(known_units(folder)) < n_known + 7:
            time.sleep(0.01)
        if process.poll() is not None:
            break
        process.kill()
        wait_until_nobody_is_left(process)
    assert process.returncode == 0
    assert files_of(folder) == files_of(whole)
    assert len(known_units(folder)) == 20  # no unit was measured twice


def test_processes_leave_an_interrupt_to_their_parent_even_while_they_start(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run([sys.executable, script], start_new_session=True, capture_output=True, text=True, timeout=300)
    assert (done.stdout.splitlines(), done.stderr) == (["heard", "[0, 1, 2]"], "")


def known_units(folder):
    journal = Path(folder) / JOURNAL
    return journal.read_text().splitlines()[1:] if journal.exists() else []


def wait_until_nobody_is_left(process):
    """Wait for the workers of a parent that was killed: they end by themselves, and with the last its output ends."""
    try:
        process.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("workers outlive their parent")


def test_half_a_line_is_measured_again(tmp_path, unbroken):
    folder = tmp_path / "torn"
    run(toy.SQUARES, "paper", folder)
    journal = folder / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-10])
    write(run(toy.SQUARES, "paper", folder), folder)
    assert files_of(folder) == unbroken


GARBAGE = [b"\0" * 40, b"", b"{", b"[1, 2]", b"3", b'{"unit": 1}', b"\xff\xfe", b"[" * 100_000]
GARBAGE += [b'{"unit": {}, "measured": {}}']


@pytest.mark.parametrize("line", GARBAGE, ids=range(len(GARBAGE)))
def test_what_is_whole_of_a_damaged_journal_is_used(tmp_path, unbroken, line):
    folder = tmp_path / "damaged"
    run(toy.SQUARES, "paper", folder)
    journal = folder / JOURNAL
    lines = journal.read_bytes().splitlines()
    journal.write_bytes(b"\n".join([*lines[:3], line, *lines[4:]]) + b"\n")
    with pytest.warns(DamagedJournalWarning, match="1 line of"):
        write(run(toy.SQUARES, "paper", folder), folder)
    assert files_of(folder) == unbroken
    assert journal.read_bytes().splitlines()[:3] == lines[:3]
    write(run(toy.SQUARES, "paper", folder), folder)  # nothing is left to measure, and nothing to be said
    journal.write_bytes(b"\n".join([line or b"\0", *lines[1:]]) + b"\n")
    with pytest.warns(DamagedJournalWarning, match="The first line of"):
        write(run(toy.SQUARES, "paper", folder), folder)
    assert files_of(folder) == unbroken


def test_a_changed_measurement_is_measured_again(tmp_path, unbroken):
    folder = tmp_path / "changed"
    run(toy.SQUARES, "paper", folder)
    journal = folder / JOURNAL
    first, *lines = journal.read_text().splitlines()
    record = json.loads(lines[0])
    lines[0] = json.dumps({**record, "measured": [record["measured"]]})
    journal.write_text("\n".join([first, *lines]) + "\n")
    with pytest.warns(DamagedJournalWarning, match="1 line of"):
        write(run(toy.SQUARES, "paper", folder), folder)
    assert files_of(folder) == unbroken


def test_a_folder_in_place_of_a_journal_is_refused(tmp_path):
    (tmp_path / JOURNAL).mkdir()
    with pytest.raises(CheckpointError, match="is no checkpoint"):
        run(toy.SQUARES, "paper", tmp_path)


@pytest.mark.parametrize("content", ["[]", "3", "[" * 100_000, "", "\0"])
def test_results_that_somebody_changed_are_unreadable(tmp_path, content):
    folder = folder_of(tmp_path, "toy", "small")
    folder.mkdir(parents=True)
    (folder / RESULTS).write_text(content)
    assert last_verdict(tmp_path, "toy") == "unreadable"


def test_a_journal_of_something_else_is_begun_again(tmp_path):
    run(toy.SQUARES, "full", tmp_path)
    other = Journal(tmp_path / JOURNAL, toy.SQUARES, [{"number": 1, "seconds": 0}])
    other.close()
    assert other.known == {}


def test_a_journal_of_another_text_is_begun_again(tmp_path, monkeypatch):
    """What measures decides, and what it uses; what draws does not."""
    run(toy.SQUARES, "small", tmp_path)
    units = toy.SQUARES.grid("small")
    otherwise_drawn = toy.Experiment(**{**vars(toy.SQUARES), "draw": print, "holds": print})
    journal = Journal(tmp_path / JOURNAL, otherwise_drawn, units)
    journal.close()
    assert len(journal.known) == 20
    monkeypatch.setattr(toy, "POWER", 3)
    journal = Journal(tmp_path / JOURNAL, toy.SQUARES, units)
    journal.close()
    assert journal.known == {}


def test_a_journal_does_not_mind_where_things_are_imported_from():
    imports = "    from here import (\n        b,\n        c,\n    )\n    from there import d\n    import a\n"
    text = f"def measure(unit):\n{imports}\n    return a(b, c)\n"
    assert IMPORTS.sub("", text) == "def measure(unit):\n\n    return a(b, c)\n"


@pytest.mark.thorough
def test_a_journal_is_of_the_same_text_in_every_process():
    """Or a run that was killed would begin again: functions have addresses, and sets an order, of one process only."""
    program = (
        "from fewest.papers.claims import EXPERIMENTS; from fewest.papers.runner import _code_of, _digest;"
        "print([_digest(_code_of(experiment)) for experiment in EXPERIMENTS.values()])"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_measurements_that_fail_are_not_swallowed(tmp_path):
    with workers(2) as pool, pytest.raises(KeyError):
        run(toy.Experiment(**{**vars(toy.SQUARES), "grid": lambda scale: [{}]}), "small", tmp_path, pool, 2)


def test_comparisons_are_honest():
    assert Comparison("q", 10, 10, 0.0).sentence() == "agrees"
    assert Comparison("q", 10, 11, 1.0).sentence() == "agrees (+1.0 standard errors)"
    assert Comparison("q", 10, 13, 1.0).sentence() == "differs (+30%, +3.0 standard errors)"
    assert Comparison("q", 10, 13, 0.0).sentence() == "differs (+30%)"
    assert Comparison("q", 0, 13, 1.0).sentence() == "differs (not 0, +13.0 standard errors)"
    assert Comparison("q", 10, 13, float("nan")).sentence() == "not comparable"
