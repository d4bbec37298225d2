"""The online protocol as a program: what it says, what it survives."""

import fcntl
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import termios
from fractions import Fraction

import numpy as np
import pytest

import naive
from fewest.mistakes import bounds as mistakes
from fewest.models.files import load_file, save_file
from in_process import run_inside

HEADER = "line,predicted,label,mistakes,bound"


def program(*arguments):
    return [sys.executable, "-m", "fewest", "stream", *map(str, arguments)]


def boolean_lines(n_rows, n_features=30, seed=0):
    rng = np.random.default_rng(seed)
    rows = (rng.random((n_rows, n_features)) < 0.15).astype(int)
    labels = rows[:, [2, 7]].any(axis=1).astype(int)
    return rows, labels


@pytest.fixture
def disjunction(write):
    rows, labels = boolean_lines(300)
    names = [*(f"f{i}" for i in range(30)), "y"]
    lines = [",".join(names), *(",".join(map(str, [*row, y])) for row, y in zip(rows, labels, strict=True))]
    records = [
        json.dumps({**dict(zip(names, row, strict=False)), "y": bool(y)}, default=int)
        for row, y in zip(rows, labels, strict=True)
    ]
    return write("d.csv", "\n".join(lines) + "\n"), write("d.ndjson", "\n".join(records) + "\n")


def test_predictions_are_the_document_s(fewest, disjunction):
    rows, labels = boolean_lines(300)
    examples = [(tuple(map(int, row)), bool(y)) for row, y in zip(rows, labels, strict=True)]
    wrong, _ = naive.winnow(examples, 30, "winnow1", Fraction(2), Fraction(15))
    run = fewest("stream", disjunction[0], "-t", "y", "-l", "winnow1", "--theta", "15", "--relevant", "2")
    header, *lines = [line.split(",") for line in run.out.splitlines()]
    assert ",".join(header) == HEADER
    assert [t for t, line in enumerate(lines) if line[1] != line[2]] == wrong
    assert lines[-1][3:] == [str(len(wrong)), str(round(mistakes.winnow1(30, 2, 2.0, 15.0), 1))]
    assert all(int(line[3]) <= float(line[4]) for line in lines)
    assert f"{len(wrong)} mistakes (at most" in run.err


@pytest.mark.parametrize("learner", ["winnow1", "winnow2", "balanced"])
def test_csv_and_ndjson_and_standard_input_say_the_same(fewest, disjunction, tmp_path, learner):
    options = ["-t", "y", "-l", learner, "--relevant", "2"]
    csv_out, json_out = (fewest("stream", name, *options).out for name in disjunction)
    assert [line.split(",")[3:] for line in csv_out.splitlines()] == [
        line.split(",")[3:] for line in json_out.splitlines()
    ]
    piped = fewest("stream", "-", *options, stdin=(tmp_path / disjunction[1]).read_text())
    assert piped.out == json_out
    records = [json.loads(line) for line in fewest("stream", disjunction[1], *options, "-f", "jsonl").out.splitlines()]
    assert [str(record["mistakes"]) for record in records] == [line.split(",")[3] for line in json_out.splitlines()[1:]]


def test_hashed_features_learn_too(fewest, disjunction):
    run = fewest("stream", disjunction[0], "-t", "y", "-l", "winnow1", "--theta", "15", "--buckets", "4096")
    grown = fewest("stream", disjunction[0], "-t", "y", "-l", "winnow1", "--theta", "15")
    assert run.out == grown.out  # no two of thirty names collide in 4,096 buckets


def test_names_classes_and_missing_values(fewest, write):
    lines = ["colour,wet,kind", "red,1,a", "blue,,b", "?,0,c", 'red,1,"a"', "blue,0,", "blue,0,b"]
    run = fewest("stream", write("n.csv", "\n".join(lines)), "-t", "kind", "--theta", "2")
    predicted = [line.split(",")[1:3] for line in run.out.splitlines()[1:]]
    assert [label for _, label in predicted] == ["a", "b", "c", "a", "", "b"]
    assert predicted[0][0] == ""
    assert predicted[3][0] == "a"
    assert predicted[5][0] == "b"
    assert "5 trials, 1 without a label" in run.err
    one = fewest("stream", "n.csv", "-t", "kind", "--theta", "2", "--positive", "b")
    assert {line.split(",")[1] for line in one.out.splitlines()[1:]} <= {"b", "other"}


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("a.csv", ["x,y", "1,0,1", "0,0"], "line 2: 3 fields where the header has 2"),
        ("b.csv", ["x,y", "2.5,0", "0,0"], "line 2: 'x' is '2.5', which is neither"),
        ("c.csv", ["x,y", '"open,0', "0,0"], "line 2: this is no CSV"),
        ("d.ndjson", ['{"x": 1, "y": 0', '{"x": 1, "y": 0}'], "line 1: this is no JSON"),
        ("e.ndjson", ['{"x": 1, "y": 0}', "[1]"], "line 2: this is no JSON object"),
        ("f.ndjson", ['{"x": 0.5, "y": 0}', '{"y": 1}'], "line 1: 'x' is 0.5"),
        (
            "g.ndjson",
            ['{"x": 1, "y": 0}', '{"x": 1, "y": "maybe"}'],
            "line 2: the label 'maybe' is neither '0' nor '1'",
        ),
        ("h.ndjson", ['{"x": 1, "y": 0}', '{"x": 1, "y": 1.5}'], "line 2: the label 1.5 is no class"),
    ],
)
def test_malformed_lines_are_named_and_stop_the_run_or_are_skipped(fewest, write, name, lines, message):
    write(name, "\n".join(lines) + "\n")
    more = ["--input", "ndjson"] if name.endswith("ndjson") else []
    stopped = fewest("stream", name, "-t", "y", *more)
    assert stopped.code == 2
    assert message[1:] in stopped.err
    skipped = fewest("stream", name, "-t", "y", "--on-error", "skip", *more)
    assert (skipped.code, len(skipped.out.splitlines())) == (0, 2)
    assert message in skipped.err
    assert "1 trials, 1 lines skipped" in skipped.err


def test_undecodable_lines_are_malformed(fewest, tmp_path):
    (tmp_path / "l.csv").write_bytes(b"\xef\xbb\xbfx,y\r\n\r\n1,1\r\n\xff,0\r\n0,0")
    run = fewest("stream", "l.csv", "-t", "y", "--on-error", "skip")
    assert [line.split(",")[0] for line in run.out.splitlines()[1:]] == ["3", "5"]
    assert "line 4: this is not UTF-8" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv", "-t", "y"], "There is no file"),
        (["d.csv", "-t", "z"], "no column 'z'"),
        (["d.csv", "-t", "y", "--update-factor", "1"], "--update-factor=1.0 leaves"),
        (["d.csv", "-t", "y", "--theta", "-1"], "theta=-1.0"),
        (["d.csv", "-t", "y", "--checkpoint", "no/where"], "Cannot write"),
    ],
)
def test_mistakes_are_explained(fewest, disjunction, arguments, message):
    run = fewest("stream", *arguments)
    assert run.code == 2
    assert message in run.err


# ---------------------------------------------------------------------- checkpoints


def state(path):
    document, arrays = load_file(path)
    document.pop("written")
    return document, {name: array.tolist() for name, array in arrays.items()}


def test_a_checkpoint_goes_on_at_the_exact_line(fewest, disjunction, tmp_path):
    whole = fewest("stream", "d.csv", "-t", "y", "--checkpoint", "whole.ckpt")
    lines = (tmp_path / "d.csv").read_text().splitlines(keepends=True)
    (tmp_path / "part.csv").write_text("".join(lines[:120]))
    first = fewest("stream", "part.csv", "-t", "y", "--checkpoint", "part.ckpt")
    (tmp_path / "part.csv").write_text("".join(lines))
    second = fewest("stream", "part.csv", "-t", "y", "--checkpoint", "part.ckpt")
    assert first.out + second.out == whole.out
    assert state(tmp_path / "part.ckpt") == state(tmp_path / "whole.ckpt")
    again = fewest("stream", "part.csv", "-t", "y", "--checkpoint", "part.ckpt")
    assert (again.code, again.out) == (0, "")


def test_standard_input_is_passed_by_up_to_the_checkpoint(fewest, disjunction, tmp_path):
    text = (tmp_path / "d.ndjson").read_text()
    lines = text.splitlines(keepends=True)
    whole = fewest("stream", "-", "-t", "y", stdin=text)
    first = fewest("stream", "-", "-t", "y", "--checkpoint", "c", stdin="".join(lines[:77]))
    second = fewest("stream", "-", "-t", "y", "--checkpoint", "c", stdin=text)
    assert first.out + second.out == whole.out
    other = fewest("stream", "-", "-t", "y", "--checkpoint", "c", stdin=text[::-1])
    assert other.code == 2
    assert "does not begin as" in other.err


def test_checkpoints_of_other_runs_are_refused(fewest, disjunction, tmp_path):
    fewest("stream", "d.csv", "-t", "y", "--checkpoint", "c", "-o", "out.csv")
    other = fewest("stream", "d.csv", "-t", "y", "--checkpoint", "c", "--theta", "3")
    assert other.err.startswith("fewest: error: The checkpoint 'c' was made with other options (rule)")
    (tmp_path / "d.csv").write_text("f0,y\n1,1\n")
    assert "does not begin as" in fewest("stream", "d.csv", "-t", "y", "--checkpoint", "c").err
    (tmp_path / "c").write_bytes((tmp_path / "c").read_bytes()[:-30])
    assert "damaged" in fewest("stream", "d.csv", "-t", "y", "--checkpoint", "c").err
    (tmp_path / "c").write_text("hello")
    assert "'c' is no checkpoint of a stream" in fewest("stream", "d.csv", "-t", "y", "--checkpoint", "c").err


@pytest.mark.parametrize("text", ["", "f0,y\n", "f0,y\n1,\n0,\n", '{"f0": 1}\n'])
def test_a_checkpoint_may_come_before_the_first_label(fewest, text):
    options = ("stream", "-", "-t", "y", "--checkpoint", "c", "--every", "1")
    first = fewest(*options, stdin=text)
    assert first.code == 0, first.err
    more = '{"f0": 1, "y": 1}\n{"f0": 0, "y": 0}\n' if text.startswith("{") else "1,1\n0,0\n"
    whole = (text or "f0,y\n") + more
    second = fewest(*options, stdin=whole)
    assert first.out + second.out == fewest("stream", "-", "-t", "y", stdin=whole).out


@pytest.mark.parametrize(
    "text", ["a;b;y\n1;0;p\n0;1;q\n", "a\tb\ty\n1\t0\tp\n0\t1\tq\n", "a,b,y\n1.0,0.0,p\n0,1e0,q\n"]
)
def test_csv_is_read_as_other_commands_read_it(fewest, write, tmp_path, text):
    plain = fewest("stream", write("plain.csv", "a,b,y\n1,0,p\n0,1,q\n"), "-t", "y")
    assert plain.code == 0, plain.err
    assert fewest("stream", write("other.csv", text), "-t", "y").out == plain.out
    named = "tab" if "\t" in text else text[1]
    assert fewest("stream", "other.csv", "-t", "y", "--delimiter", named).out == plain.out
    (tmp_path / "other.csv.gz").write_bytes(gzip.compress(text.encode()))
    assert fewest("stream", "other.csv.gz", "-t", "y").out == plain.out
    (tmp_path / "other.csv.gz").write_bytes(gzip.compress(text.encode())[:-9])
    assert "its compression is damaged" in fewest("stream", "other.csv.gz", "-t", "y").err


def test_columns_without_a_name_of_their_own_get_one(fewest):
    run = fewest("stream", "-", "-t", "y", stdin="a,a,y,,\n1,0,p,,\n0,1,q,,\n")
    assert run.code == 0, run.err
    assert "column 1 is now 'a.1', column 2 is now 'a.2', column 4 is now 'column_4'" in run.err
    assert run.out == fewest("stream", "-", "-t", "y", stdin="a,b,y\n1,0,p\n0,1,q\n").out
    twice = fewest("stream", "-", "-t", "y", stdin="a,y,y\n1,0,p\n")
    assert (twice.code, "names the target 'y' more than once" in twice.err) == (2, True)


def test_results_do_not_overwrite_what_is_read_or_each_other(fewest, disjunction, tmp_path):
    before = (tmp_path / "d.csv").read_bytes()
    (tmp_path / "link.csv").symlink_to("d.csv")
    for command in (
        ("stream", "d.csv", "-t", "y", "-o", "d.csv"),
        ("stream", "d.csv", "-t", "y", "-o", "link.csv"),
        ("stream", "d.csv", "-t", "y", "--checkpoint", "d.csv"),
        ("train", "d.csv", "-t", "y", "-o", "./d.csv"),
        ("train", "*.csv", "-t", "y", "-o", "d.csv"),
        ("select", "d.csv", "-t", "y", "--certificate", "d.csv"),
    ):
        run = fewest(*command)
        assert (run.code, "is read, and would be overwritten" in run.err) == (2, True), command
    assert "Two results are to go into" in fewest("stream", "d.csv", "-t", "y", "-o", "x", "--checkpoint", "x").err
    assert fewest("train", "d.csv", "-t", "y", "-o", "m.model").code == 0
    for name in ("m.model", "d.csv"):
        assert "is read, and would be" in fewest("predict", "m.model", "d.csv", "-o", name).err
    assert (tmp_path / "d.csv").read_bytes() == before
    assert fewest("stream", "d.csv", "-t", "y", "-o", "/dev/null").code == 0
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "1.csv").write_bytes(before)
    for _ in range(2):  # what lies in a folder of data is not data for that
        written = fewest("select", "parts", "-t", "y", "--engine", "stream", "--certificate", "parts/c.json")
        assert written.code == 0, written.err
    assert "is read" in fewest("select", "parts", "-t", "y", "--engine", "stream", "--certificate", "parts/1.csv").err


def test_a_stop_at_a_malformed_line_can_be_mended(fewest, write, tmp_path):
    write("m.csv", "x,y\n1,1\n2,0\n0,0\n")
    broken = fewest("stream", "m.csv", "-t", "y", "--checkpoint", "c", "-o", "out.csv")
    assert (broken.code, (tmp_path / "out.csv").read_text()) == (2, f"{HEADER}\n2,0,1,1,\n")
    write("m.csv", "x,y\n1,1\n0,0\n0,0\n")
    assert fewest("stream", "m.csv", "-t", "y", "--checkpoint", "c", "-o", "out.csv").code == 0
    assert (tmp_path / "out.csv").read_text() == f"{HEADER}\n2,0,1,1,\n3,0,0,1,\n4,0,0,1,\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_save_and_end(tmp_path, number, disjunction, fewest):
    """A program that waits for input is told to stop; another goes on."""
    lines = (tmp_path / "d.ndjson").read_text().splitlines(keepends=True)
    process = subprocess.Popen(
        program("-", "-t", "y", "--checkpoint", "c"),
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write("".join(lines[:50]))
    process.stdin.flush()
    seen = [process.stdout.readline() for _ in range(51)]  # predictions come as lines do
    process.send_signal(number)
    rest, err = process.communicate(timeout=300)
    assert (process.returncode, rest) == (3, "")
    assert "goes on from 'c'" in err
    second = fewest("stream", "-", "-t", "y", "--checkpoint", "c", stdin="".join(lines))
    assert "".join(seen) + second.out == fewest("stream", "d.ndjson", "-t", "y").out


KILLED = """
import os, signal, sys
from fewest.cli import main
from fewest.models import files

left, save = int(sys.argv.pop(1)), files.save_file

def count(*_):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

def saved(*arguments):
    save(*arguments)
    sys.setprofile(count)

files.save_file = saved
main()
"""


def kill_at_work(options, folder, n_calls):
    """Start a run and kill it so many calls and returns after it has saved something; return the line last saved."""
    command = [sys.executable, "-c", KILLED, str(n_calls), *program(*options)[3:]]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
    assert done.returncode == -signal.SIGKILL
    return load_file(folder / "c")[0]["line"]


def test_kill_at_any_moment_loses_nothing_that_was_saved(tmp_path, fewest):
    """SIGKILL at random moments, again and again: weights, mistakes and output end as those of an unbroken run."""
    rng = np.random.default_rng(1)
    rows, labels = boolean_lines(3_000, 12, seed=3)
    labels = labels ^ (rng.random(3_000) < 0.1)  # noise keeps the weights moving
    lines = [",".join([*(f"f{i}" for i in range(12)), "y"])]
    lines += [",".join(map(str, [*row, y])) for row, y in zip(rows.tolist(), labels.tolist(), strict=True)]
    (tmp_path / "k.csv").write_text("\n".join(lines) + "\n")
    options = ["k.csv", "-t", "y", "--theta", "20", "--every", "37"]
    assert fewest("stream", *options, "--checkpoint", "whole", "-o", "whole.csv").code == 0
    moments, options = random.Random(0), [*options, "--checkpoint", "c", "-o", "out.csv"]
    places = [kill_at_work(options, tmp_path, moments.randrange(1, 40_000)) for _ in range(8)]
    assert places == sorted(places)
    assert len(set(places)) > 1
    assert places[-1] < 3_001
    assert subprocess.run(program(*options), cwd=tmp_path, capture_output=True, timeout=300).returncode == 0
    assert state(tmp_path / "c") == state(tmp_path / "whole")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


# ---------------------------------------------------------------------- nothing lost


ROWS = "a,b,y\n1,0,1\n0,1,0\n1,1,1\n"


def test_a_hard_link_of_the_input_is_not_written_to(fewest, tmp_path):
    data, link = tmp_path / "data.csv", tmp_path / "link.csv"
    data.write_text(ROWS)
    link.hardlink_to(data)
    run = fewest("stream", data, "-t", "y", "-o", link)
    assert run.code == 2
    assert "is read, and would be overwritten by the result" in run.err
    assert data.read_text() == ROWS


@pytest.mark.parametrize(
    "arguments",
    [
        ("select", "{data}", "--target", "y", "--certificate", "{link}"),
        ("train", "{data}", "--target", "y", "-o", "{link}"),
        ("rank", "{data}", "--target", "y", "--report", "{link}"),
        ("report", "{data}", "--target", "y", "-o", "{link}"),
        ("stream", "{data}", "-t", "y", "--checkpoint", "{link}"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_verb_writes_to_another_name_of_what_it_reads(fewest, tmp_path, arguments):
    data, link = tmp_path / "data.csv", tmp_path / "link.html"
    data.write_text(ROWS)
    link.hardlink_to(data)
    run = fewest(*(each.format(data=data, link=link) for each in arguments))
    assert run.code == 2
    assert "Name another file" in run.err
    assert data.read_text() == ROWS


@pytest.mark.parametrize("shell", ["{program} - -t y -o {data} < {data}", "{program} {data} -t y >> {data}"])
def test_the_files_of_standard_streams_are_compared_too(tmp_path, shell):
    data = tmp_path / "data.csv"
    data.write_text(ROWS)
    command = shell.format(program=f"{sys.executable} -m fewest stream", data=data)
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 2
    assert "is read, and would be overwritten by the result" in done.stderr
    assert data.read_text() == ROWS


@pytest.mark.parametrize("cut", [1, 3, 4])
def test_an_unfinished_last_line_waits_for_the_next_run(fewest, tmp_path, cut):
    data, out, checkpoint = tmp_path / "log.csv", tmp_path / "out.csv", tmp_path / "run.ckpt"
    arguments = ("stream", data, "-t", "y", "-o", out, "--checkpoint", checkpoint)
    data.write_text(ROWS[: -len("1,1,1\n")] + "1,1,1\n"[:cut])
    run = fewest(*arguments)
    assert run.code == 0
    assert "waits for the next run" in run.err
    assert len(out.read_text().splitlines()) == 3
    data.write_text(ROWS + "0,0,0\n")
    run = fewest(*arguments)
    assert run.code == 0, run.err
    assert "waits" not in run.err
    whole = fewest("stream", data, "-t", "y")
    assert out.read_text() == whole.out


def test_without_a_checkpoint_the_last_line_needs_no_line_break(fewest, write):
    whole, cut = (
        fewest("stream", write(name, text), "-t", "y") for name, text in (("a.csv", ROWS), ("b.csv", ROWS[:-1]))
    )
    assert whole.out == cut.out


def test_a_second_run_of_one_checkpoint_is_refused_while_the_first_is_at_work(fewest, tmp_path):
    checkpoint, out = tmp_path / "run.ckpt", tmp_path / "out.csv"
    arguments = ("-", "-t", "y", "--checkpoint", checkpoint, "-o", out)
    first = subprocess.Popen(program(*arguments), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        first.stdin.write(ROWS.encode())
        first.stdin.flush()
        while not out.exists() or not out.read_bytes():  # until it is at work
            assert first.poll() is None
        data = tmp_path / "data.csv"
        data.write_text(ROWS)
        second = fewest("stream", data, "-t", "y", "--checkpoint", checkpoint, "-o", tmp_path / "other.csv")
        assert second.code == 2
        assert "Another run is at work on" in second.err
        assert not (tmp_path / "other.csv").exists()
    finally:
        first.kill()
        first.communicate()
    assert fewest("stream", data, "-t", "y", "--checkpoint", checkpoint, "-o", out).code == 0


# ---------------------------------------------------------------------- signals, wherever it waits


def taken(reader):
    """Return how many bytes wait in a pipe."""
    return int.from_bytes(fcntl.ioctl(reader, termios.FIONREAD, b"\0" * 4), "little")


def wait_until_full(reader, process):
    """Wait until a program has filled a pipe that nobody reads, or has ended."""
    full = fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ) - 4096
    while taken(reader) < full and process.poll() is None:
        os.sched_yield()
    assert process.poll() is None


@pytest.fixture
def many_lines(tmp_path):
    rows, labels = boolean_lines(20_000, 8, seed=1)
    lines = ["a,b,c,d,e,f,g,h,y"]
    lines += [",".join(map(str, [*row, y])) for row, y in zip(rows.tolist(), labels.tolist(), strict=True)]
    (tmp_path / "many.csv").write_text("\n".join(lines) + "\n")
    return "many.csv"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("place", ["stdout", "fifo"])
def test_signals_end_a_run_whose_output_nobody_reads(tmp_path, many_lines, number, place):
    os.mkfifo(tmp_path / "out")
    options = [many_lines, "-t", "y", "--checkpoint", "c", "--every", "100"]
    options += ["-o", "out"] if place == "fifo" else []
    reader, writer = os.pipe()
    if place == "fifo":
        os.close(reader)
        reader = os.open(tmp_path / "out", os.O_RDONLY | os.O_NONBLOCK)
    process = subprocess.Popen(program(*options), cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, text=True)
    try:
        wait_until_full(reader, process)
        process.send_signal(number)
        _, err = process.communicate(timeout=300)
        assert process.returncode == 3
        assert "'c' is as it was last saved" in err or "goes on from 'c'" in err  # it may not have been waiting yet
        assert 0 < load_file(tmp_path / "c")[0]["line"] < 20_001
    finally:
        process.kill()
        os.close(reader)
        os.close(writer)


def test_signals_end_a_run_that_waits_for_a_reader(tmp_path, many_lines):
    """It holds its checkpoint, and is about to open a pipe that nobody reads."""
    os.mkfifo(tmp_path / "out")
    command = program(many_lines, "-t", "y", "--checkpoint", "c", "-o", "out")
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / ".c.lock").exists() and process.poll() is None:
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode in (3, 130)
    assert "Traceback" not in err
    assert not (tmp_path / "c").exists()


# ---------------------------------------------------------------------- checkpoints that somebody changed


CHANGES = {
    "names": [None, "abc", [1, 2, 3], ["a", "a", "b"], [["a"]] * 3],
    "labels": [None, "p", [1], ["p", "p"], [[]]],
    "n_buckets": [0, -1, 10**30, "3", True, 2.5],
    "positive": [3, [], "q"],
    "negative": [None, 3],
    "n_relevant": [0, "x", 10**30],
    "tally": [None, {}, {"n_trials": -1}, {"n_trials": "x"}, {"other": 1}, []],
    "rule": [None, {}, {"kind": "winnow9", "alpha": 2, "theta": 1}, {"kind": "winnow2", "alpha": "x", "theta": 1}],
}
ARRAYS = [
    np.zeros((1, 4)), np.zeros(4, dtype=np.int32), np.zeros((1, 3), dtype=np.int32), np.zeros((2, 4), dtype=np.int32),
    np.full((1, 4), -(1 << 31), dtype=np.int32), np.full((1, 4), 1 << 29, dtype=np.int32), np.array("x"),
]  # fmt: skip


@pytest.fixture
def checkpoint(tmp_path):
    (tmp_path / "s.csv").write_text("a,b,c,y\n1,0,1,p\n0,1,1,q\n1,1,1,p\n")
    command = ["stream", "s.csv", "-t", "y", "--positive", "p", "--checkpoint", "c"]
    assert run_inside(command, tmp_path).code == 0
    return lambda: run_inside(command, tmp_path), tmp_path / "c"


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in CHANGES.items() for value in values])
def test_a_changed_learner_is_refused(checkpoint, key, value):
    run, path = checkpoint
    document, arrays = load_file(path)
    save_file(path, {**document, "learner": {**document["learner"], key: value}}, arrays)
    assert run().code == 2


@pytest.mark.parametrize("array", ARRAYS)
def test_changed_weights_are_refused(checkpoint, array):
    run, path = checkpoint
    document, _ = load_file(path)
    save_file(path, document, {"exponents": array})
    assert run().code == 2
    save_file(path, document, {})
    assert run().code == 2


@pytest.mark.parametrize("key", ["line", "offset", "tail", "written", "header", "options", "learner", "is_json"])
def test_a_changed_place_is_refused(checkpoint, key):
    run, path = checkpoint
    document, arrays = load_file(path)
    for value in (-1, 10**30, "x", [], 1.5, {"target": 1}):
        save_file(path, {**document, key: value}, arrays)
        assert run().code == 2
    save_file(path, {name: held for name, held in document.items() if name != key}, arrays)
    assert run().code == 2


def test_a_checkpoint_that_is_no_file_is_refused(tmp_path):
    (tmp_path / "s.csv").write_text("a,y\n1,1\n")
    os.mkfifo(tmp_path / "pipe")
    for path in ("pipe", "/dev/zero", "/dev/full"):
        outcome = run_inside(["stream", "s.csv", "-t", "y", "--checkpoint", path], tmp_path)
        assert outcome.code == 2
        assert "is a pipe or a device" in outcome.err


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("fewest.cli.stream.LONGEST_LINE", 1000)
    with gzip.open(tmp_path / "long.csv.gz", "wb") as file:
        file.write(b"a,y\n1,1\n" + b"0" * 5000)
    outcome = run_inside(["stream", "long.csv.gz", "-t", "y"], tmp_path)
    assert outcome.code == 2
    assert "A line is longer than 1,000 bytes" in outcome.err
