import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from fewest.cli.reproduce import Scale, reproduce
from fewest.papers.claims import CLAIMS
from papers import toy


def test_experiments_are_listed_with_their_claims_and_last_verdicts(fewest):
    lines = fewest("reproduce").out.splitlines()
    assert [line.split()[0] for line in lines[::2]] == list(CLAIMS)
    assert all(line.endswith("here: -") for line in lines[::2])
    assert "recorded: holds (paper)" in lines[0]
    assert all(" recorded: -" not in line for line in lines[::2])
    assert CLAIMS["focus-figure-4"].sentence in lines[3]
    assert fewest("reproduce", "focus-figure-3", "--jobs", 1).code == 0
    listed = json.loads(fewest("reproduce", "--format", "json").out)["experiments"]
    assert listed[0]["last_verdict"] == "holds (small)"


def test_an_experiment_is_run_in_processes_of_its_own(fewest, tmp_path):
    outcome = fewest("reproduce", "winnow-queries", "--jobs", 2, "--format", "json", "-o", "here")
    assert outcome.code == 0
    (document,) = json.loads(outcome.out)["outcomes"]
    assert document["verdict"] == "holds"
    assert document["command"] == "fewest reproduce winnow-queries --scale small"
    assert (tmp_path / "here" / "winnow-queries-small" / "index.html").exists()
    assert "winnow-queries: holds." in outcome.err


def test_a_claim_that_does_not_hold_is_told_by_the_exit_code(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(CLAIMS, "toy-squares", toy.CLAIM)
    with pytest.raises(typer.Exit) as end:
        reproduce(["toy"], Scale.FULL, tmp_path, jobs=1)
    assert end.value.exit_code == 1
    told = capsys.readouterr().out
    assert "DOES NOT HOLD" in told
    assert "  FALSE  All squares are below 500.\n         There are many numbers." in told
    reproduce(["toy-squares"], Scale.SMALL, tmp_path, jobs=1)
    told = capsys.readouterr().out
    assert "differs (+6%, +3.3 standard errors)" in told
    assert "  FALSE  beside it: All squares are even." in told


def test_what_is_not_decided_is_told_and_is_no_failure(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(CLAIMS, "toy-squares", toy.CLAIM)
    monkeypatch.setattr(toy, "ERROR", 10.0)
    reproduce(["toy-squares"], Scale.SMALL, tmp_path, jobs=1)
    told = capsys.readouterr()
    assert "NOT DECIDED at this scale" in told.out
    assert "  ?      Thirds are positive. (6.3)\n         What was measured is too uncertain" in told.out
    assert "toy-squares: not decided." in told.err


def test_listing_loads_nothing_that_takes_seconds(tmp_path):
    """Claims and verdicts are text; only what measures needs a compiler, and only what draws pictures matplotlib."""
    program = (
        "import sys; from fewest.cli.app import app; app(['reproduce'], standalone_mode=False);"
        "heavy = {'sklearn', 'scipy', 'numba', 'matplotlib', 'numpy', 'jinja2'};"
        "print(*sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "focus-figure-4" in done.stdout
    assert done.stderr.strip() == ""


def test_what_was_measured_is_kept_unless_asked_again(monkeypatch, tmp_path):
    calls = []

    def measure(unit):
        calls.append(unit)
        return {"square": 0, "third": 0.0}

    monkeypatch.setitem(CLAIMS, "toy-squares", toy.CLAIM)
    monkeypatch.setattr(toy, "SQUARES", toy.Experiment(**{**vars(toy.SQUARES), "measure": measure}))
    for again, n_calls in ((False, 20), (False, 20), (True, 40)):
        reproduce(["toy"], Scale.SMALL, tmp_path, jobs=1, again=again)
        assert len(calls) == n_calls


def test_an_unknown_name_is_told(fewest):
    outcome = fewest("reproduce", "focus-figure-9")
    assert outcome.code == 2
    assert "'focus-figure-9' is not known" in outcome.err


def test_an_interrupt_ends_it_in_order(tmp_path):
    command = [sys.executable, "-m", "fewest", "reproduce", "winnow-queries", "--scale", "full", "--jobs", "2"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    journal = Path(tmp_path, "reproduction", "winnow-queries-full", "units.jsonl")
    while process.poll() is None and not (journal.exists() and len(journal.read_bytes().splitlines()) > 1):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everybody
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert out == ""
    assert "go on" in err
    assert "Traceback" not in err
