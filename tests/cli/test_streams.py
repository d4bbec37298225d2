"""Standard streams that are closed or full, and files that the disk has no room for."""

import contextlib
import fcntl
import json
import os
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from fewest.budget import INTERRUPT, Budget
from fewest.cli import ExitCode
from fewest.comparison import selection
from fewest.cover import chance
from fewest.cover.min_features import MinFeaturesSearch
from in_process import run_inside
from warm import run_warm


def run(folder, arguments, **options):
    command = [sys.executable, "-m", "fewest", *arguments]
    return subprocess.run(command, cwd=folder, capture_output="stdout" not in options, timeout=600, **options)


def shell(folder, line):
    """Run a line of shell, in which ``fewest`` is the program."""
    program = f'fewest() {{ {sys.executable} -m fewest "$@"; }}; {line}'
    return subprocess.run(["sh", "-c", program], cwd=folder, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize(
    "arguments",
    [
        "select weather.csv -t play", "stream s.csv -t y", "generate parity", "bound winnow1 -f json", "--help",
        "select --help", "--version",
    ],
)  # fmt: skip
def test_an_answer_without_a_standard_output_is_an_error(tmp_path, weather, arguments):
    (tmp_path / "s.csv").write_text("a,y\n1,1\n")
    done = shell(tmp_path, f"fewest {arguments} >&-")
    assert done.returncode == ExitCode.BAD_INPUT
    assert "Standard output is closed" in done.stderr or "bound" in arguments


@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize("arguments", ["select nowhere.csv -t y", "select --nonsense", "nonsense"])
def test_an_error_that_nobody_hears_keeps_its_code(tmp_path, arguments, where):
    done = shell(tmp_path, f"fewest {arguments} {where}")
    assert (done.returncode, done.stdout) == (ExitCode.BAD_INPUT, "")


@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-"])
def test_a_note_that_nobody_hears_costs_no_answer(tmp_path, where):
    (tmp_path / "t.csv").write_text("a,b,y\n" + "1,1,p\n0,0,q\n" * 10)  # b is a in other words, which is noted
    done = shell(tmp_path, f"fewest select t.csv -t y {where}")
    assert done.returncode == ExitCode.DONE
    assert "no fewer do" in done.stdout


def test_a_standard_input_that_is_closed(tmp_path):
    for verb in ("select", "stream"):
        done = shell(tmp_path, f"fewest {verb} - -t y <&-")
        assert done.returncode == ExitCode.BAD_INPUT
        assert "standard input is closed" in done.stderr


def limited_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.mark.parametrize("name", ["x.parquet", "x.csv"])
def test_a_file_that_the_disk_has_no_room_for(tmp_path, name):
    done = run(tmp_path, ["generate", "parity", "--rows", "5000", "-o", name], preexec_fn=limited_files)
    assert done.returncode == ExitCode.BAD_INPUT
    assert os.strerror(27).encode() in done.stderr  # as a full disk would be called by its own name
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("megabytes", [100, 200, 350])
def test_little_memory_ends_in_a_sentence(tmp_path, megabytes):
    """Whether an import, a thread or a buffer is what there is no memory for."""
    (tmp_path / "t.csv").write_text("a,b,y\n" + "1,0,p\n0,1,p\n0,0,q\n1,1,q\n" * 100_000)  # nothing to remark on

    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    done = run(tmp_path, ["select", "t.csv", "-t", "y"], preexec_fn=limited)
    assert done.returncode == ExitCode.BAD_INPUT or (done.returncode, done.stderr) == (ExitCode.DONE, b"")
    assert b"Traceback" not in done.stderr
    assert done.stdout or b"not enough memory" in done.stderr or b"launch worker thread" in done.stderr


def limited_but_amply():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


@pytest.mark.parametrize(("arguments", "code"), [("select weather.csv -t play", 0), ("select nowhere.csv -t y", 2)])
def test_a_limit_that_is_not_reached_changes_nothing(tmp_path, weather, arguments, code):
    done = run(tmp_path, arguments.split(), preexec_fn=limited_but_amply)
    free = run(tmp_path, [*arguments.split()])
    assert done.returncode == free.returncode == code
    assert done.stdout.split(b"(")[0] == free.stdout.split(b"(")[0]
    assert done.stderr == free.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_a_run_under_a_limit(tmp_path, number):
    os.mkfifo(tmp_path / "s.csv")
    command = [sys.executable, "-m", "fewest", "stream", "s.csv", "-t", "y"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limited_but_amply
    )
    with (tmp_path / "s.csv").open("w") as lines:
        lines.write("a,y\n1,p\n")
        lines.flush()
        assert process.stdout.readline().startswith(b"line,")
        process.send_signal(number)
        _, err = process.communicate(timeout=300)
    assert process.returncode == ExitCode.STOPPED_EARLY
    assert b"Stopped" in err


def test_signals_end_a_run_whose_complaints_nobody_reads(tmp_path):
    (tmp_path / "s.csv").write_text("a,y\n" + "7,p\n" * 50_000)  # 7 is not Boolean
    command = [sys.executable, "-m", "fewest", "stream", "s.csv", "-t", "y", "--on-error", "skip", "-o", "out"]
    reader, writer = os.pipe()
    process = subprocess.Popen(command, cwd=tmp_path, stderr=writer)
    try:
        while len(os.read(reader, 1)) and not os.path.exists(tmp_path / "out"):
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=300) == ExitCode.STOPPED_EARLY
    finally:
        process.kill()
        os.close(reader)
        os.close(writer)


def test_a_signal_ends_a_run_that_has_only_to_say_so_where_nobody_reads_that(tmp_path):
    command = [sys.executable, "-m", "fewest", "stream", "-", "-t", "y"]
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    os.set_blocking(writer, True)
    process = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=writer)
    try:
        process.stdin.write(b"a,y\n1,p\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"line,")
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=300) == ExitCode.STOPPED_EARLY
    finally:
        process.kill()
        process.communicate()
        os.close(reader)
        os.close(writer)


AFTER_AN_INTERRUPT = """
import os, signal
from fewest.cli import repeat_unsafe_interrupts
from fewest.cli.output import say

repeat_unsafe_interrupts()
try:
    os.kill(os.getpid(), signal.SIGINT)
except KeyboardInterrupt:
    {work}
os._exit(0)
"""


@pytest.mark.parametrize("work", ["say('x' * 1_000_000)", "say('x' * 1_000_000, err=True)", "say('answer')"])
def test_what_is_said_after_an_interrupt_waits_for_no_reader(work):
    (reader, writer), program = os.pipe(), AFTER_AN_INTERRUPT.format(work=work)
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    try:
        process = subprocess.Popen([sys.executable, "-c", program], stdout=writer, stderr=writer)
        assert process.wait(timeout=300) == (ExitCode.DONE if "answer" in work else ExitCode.INTERRUPTED)
    finally:
        process.kill()
        os.close(reader)
        os.close(writer)


@pytest.mark.parametrize("source", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize("options", [(), ("--engine", "stream")])
def test_tables_that_never_end(tmp_path, source, options):
    done = run(tmp_path, ["select", source, "-t", "y", *options])
    assert done.returncode == ExitCode.BAD_INPUT
    assert b"goes on after" in done.stderr or b"a line of it is longer" in done.stderr


def test_a_pipe_that_never_ends(tmp_path):
    done = shell(tmp_path, "tr '\\0' 1 < /dev/zero | fewest select - -t y")
    assert done.returncode == ExitCode.BAD_INPUT
    assert "a line of it is longer than" in done.stderr


def test_a_read_only_file_is_not_written_to(tmp_path):
    (tmp_path / "s.csv").write_text("a,y\n1,p\n")
    (tmp_path / "out").write_text("kept")
    (tmp_path / "out").chmod(0o400)
    done = run(tmp_path, ["stream", "s.csv", "-t", "y", "-o", "out"])
    assert done.returncode == ExitCode.BAD_INPUT
    assert b"read-only" in done.stderr
    assert (tmp_path / "out").read_text() == "kept"


VERBS = {
    "select": ("select", "t.csv", "-t", "y"),
    "rank": ("rank", "t.csv", "-t", "y"),
    "sufficient": ("sufficient", "t.csv", "-t", "y", "--features", "a"),
    "explain": ("explain", "t.csv", "-t", "y", "--row", "0"),
    "train": ("train", "t.csv", "-t", "y", "-o", "m"),
    "wrap": ("wrap", "t.csv", "-t", "y", "--checkpoint", "j"),
    "stream": ("stream", "t.csv", "-t", "y", "--checkpoint", "k", "-o", "out"),
    "compare": ("compare", "t.csv", "-t", "y", "--methods", "information"),
    "report": ("report", "t.csv", "-t", "y", "-o", "r.html"),
    "generate": ("generate", "parity"),
    "bound": ("bound", "winnow1"),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("number", "n_calls"),
    [(signal.SIGINT, 15), (signal.SIGINT, 3_000), (signal.SIGINT, 30_000), (signal.SIGTERM, 9_000)],
)
def test_a_signal_at_any_moment_ends_every_verb(tmp_path, verb, number, n_calls):
    """A moment is a number of calls, so that no clock decides; what hangs is killed after ten minutes."""
    (tmp_path / "t.csv").write_text("a,b,y\n" + "1,0,p\n0,1,q\n1,1,p\n0,0,q\n" * 10)
    code, _, err = run_warm([*VERBS[verb]], tmp_path, 600, n_calls, number=number)
    assert code in (ExitCode.DONE, ExitCode.STOPPED_EARLY, ExitCode.INTERRUPTED, -signal.SIGTERM)
    assert "Traceback" not in err
    again, _, err = run_warm([*VERBS[verb]], tmp_path, 600)  # whatever was kept is whole
    assert again == ExitCode.DONE, err


def test_an_interrupt_before_and_after_all_else_is_no_stack_trace(tmp_path):
    for n_calls in range(1, 40, 3):
        code, _, err = run_warm(["bound", "winnow1"], tmp_path, 600, n_calls, number=signal.SIGINT)
        assert (code, err) == (ExitCode.INTERRUPTED, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "t.csv", "-t", "y", "-o", "out.html"), ("train", "t.csv", "-t", "y", "-o", "out", "--select", "wg"),
        ("train", "t.csv", "-t", "y", "-o", "out", "--select", "focus1"),
        ("train", "t.csv", "-t", "y", "-o", "out", "--select", "sg", "--engine", "stream"),
    ],
)  # fmt: skip
def test_an_interrupt_of_a_part_ends_all_of_a_verb(tmp_path, monkeypatch, arguments):
    looks = []

    def check(self, status):
        looks.append(status())
        if len(looks) == 1:
            raise KeyboardInterrupt

    (tmp_path / "t.csv").write_text("a,b,y\n" + "1,0,p\n0,1,p\n1,1,q\n0,0,q\n" * 10)
    monkeypatch.setattr(Budget, "check", check)
    assert run_inside([*arguments, "--time-limit", "none"], tmp_path).code == ExitCode.INTERRUPTED
    assert len(looks) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def interrupt(*_, **__):
    raise KeyboardInterrupt


def interrupted(function):
    """Return a search that has an answer, though somebody pressed Ctrl-C."""

    def run(*arguments, **more):
        found = function(*arguments, **more)
        if hasattr(found, "answer"):
            return replace(found, answer=replace(found.answer, stopped_by=INTERRUPT))
        return replace(found, stopped_by=INTERRUPT)

    return run


@pytest.mark.parametrize(
    ("options", "patched", "instead"),
    [
        (("--all", "9"), (MinFeaturesSearch, "minimum_subsets"), interrupt),
        (("--core",), (MinFeaturesSearch, "core"), interrupt),
        (("--minimal", "9"), (MinFeaturesSearch, "minimal_subsets"), interrupt),
        (
            ("--permutations", "9"), (chance, "MinFeaturesSearch"),
            lambda *parts: SimpleNamespace(run=interrupted(MinFeaturesSearch(*parts).run)),
        ),
        ((), (selection, "select_features"), interrupted(selection.select_features)),
    ],
    ids=["all", "core", "minimal", "permutations", "validation"],
)  # fmt: skip
def test_an_interrupt_after_the_proof_leaves_the_answer_and_what_was_to_follow_out(
    tmp_path, monkeypatch, options, patched, instead
):
    rows = "".join(f"{k % 2},{k // 2 % 2},{k % 2},{k * 7 % 5},{'pq'[k % 2 ^ k // 2 % 2]}\n" for k in range(80))
    (tmp_path / "t.csv").write_text("a,b,c,d,y\n" + rows)
    monkeypatch.setattr(*patched, instead)
    arguments = ["select", "t.csv", "-t", "y", "--keep-all", "--time-limit", "none", "-f", "json", *options]
    outcome = run_inside(arguments, tmp_path)
    assert outcome.code == ExitCode.STOPPED_EARLY, outcome.err
    assert "Interrupted once the answer was proven" in outcome.err
    answer = json.loads(outcome.out)
    assert (answer["is_minimal"], answer["stopped_by"], answer["validation"]) == (True, INTERRUPT, None)
    assert not {"minimum_subsets", "minimal_subsets", "chance", "core"} & answer.keys()
