import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from fewest.cover import sufficiency
from fewest.datasets import load_votes
from fewest.table import split_target


def test_the_answer_for_people(fewest, weather):
    run = fewest("select", weather, "--target", "play", "--method", "focus2")
    headline, blank, *features = run.out.splitlines()
    assert headline.startswith(
        "1 of 3 features separates the classes of play; no fewer do (focus2, 2 sufficiency tests"
    )
    assert (blank, features) == ("", ["  windy"])
    assert (run.code, run.err) == (0, "")


def test_explain_shows_a_pair_that_only_the_feature_separates(fewest, weather):
    run = fewest("select", weather, "--target", "play", "--explain", "--method", "focus1")
    assert run.out.splitlines()[2:] == [
        "  feature  only it separates               values",
        "  windy    row 0 (no)         row 2 (yes)  yes     no",
    ]


def test_json_carries_everything(fewest, weather):
    run = fewest("select", weather, "-t", "play", "-m", "focus2", "--format", "json")
    result = json.loads(run.out)
    assert result.pop("seconds") >= 0
    assert result == {
        "schema_version": 1,
        "command": "select",
        "data": "weather.csv",
        "screening": {"leaks": [], "alarms": [], "left_out": [], "findings": [], "sentences": []},
        "method": "focus2",
        "target": "play",
        "n_rows": 4,
        "n_features": 3,
        "classes": ["no", "yes"],
        "features": ["windy"],
        "cost": 1,
        "lower_bound": 1,
        "is_minimal": True,
        "stopped_by": None,
        "n_sufficiency_tests": 2,
        "history": [{"size": 0, "n_sufficiency_tests": 1}, {"size": 1, "n_sufficiency_tests": 1}],
        "tolerance": 0.0,
        "criterion": "pairs",
        "n_pairs": 4,
        "n_uncovered": 0,
        "n_contradictions": 0,
        "contradiction": None,
        "explanation": [{"feature": "windy", "rows": [0, 2], "classes": ["no", "yes"], "values": ["yes", "no"]}],
        "n_cut": 0,
        "cuts": {},
        "validation": None,  # four rows are too few
        "under_noise": None,
        "notes": [],
    }


def test_jsonl_is_a_line_a_feature(fewest, weather):
    run = fewest("select", weather, "-t", "play", "--drop", "windy", "--format", "jsonl")
    assert run.code == 1  # rows 1 and 3 differ in nothing else
    assert [json.loads(line)["feature"] for line in run.out.splitlines()] == ["outlook", "humidity"]


@pytest.mark.parametrize("method", ["focus1", "focus2", "min-features"])
def test_the_bundled_votes(fewest, method):
    run = fewest("select", "fewest:votes", "-t", "party", "-m", method, "--format", "json", "--no-validation")
    result = json.loads(run.out)
    features, party = split_target(load_votes(), "party")
    assert (run.code, result["is_minimal"], len(result["features"])) == (0, True, 9)
    assert sufficiency(features, party, result["features"])
    for left_out in result["features"]:
        assert not sufficiency(features, party, set(result["features"]) - {left_out})


@pytest.mark.parametrize("method", ["mig", "sg", "wg"])
def test_greedy_methods_promise_no_proof(fewest, method):
    run = fewest("select", "fewest:votes", "--target", "party", "--method", method)
    assert run.code == 0
    assert "fewer might do, too" in run.out
    features = [line.strip() for line in run.out.splitlines() if line.startswith("  ")]
    table, party = split_target(load_votes(), "party")
    assert sufficiency(table, party, features)


def test_standard_input(fewest):
    run = fewest("select", "-", "-t", "c", "--format", "json", stdin="a,b,c\n0,0,x\n0,1,y\n1,1,y\n")
    assert json.loads(run.out)["features"] == ["b"]


def test_contradictions_are_said_plainly_and_exit_1(fewest, write):
    name = write("noisy.csv", "a,b,class\n0,0,x\n0,0,y\n0,1,x\n1,1,y\n")
    run = fewest("select", name, "-t", "class")
    assert run.code == 1
    assert "2 of 2 features separate the classes of class in every pair of rows but 1, which no features" in run.out
    assert "rows 0 and 1 are 'x' and 'y'" in run.err


def test_noise_makes_every_feature_look_needed_and_the_few_that_matter_are_named(fewest, write):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 6))
    y = (X[:, 1] | X[:, 4]) ^ (rng.random(300) < 0.1)
    lines = [",".join(map(str, [*row, label])) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    path = write("noisy.csv", "a,b,c,d,e,f,y\n" + "\n".join(lines))
    found = json.loads(fewest("select", path, "--target", "y", "--format", "json").out)
    assert (found["n_features"], len(found["features"])) == (6, 6)
    assert found["under_noise"]["features"] == ["b", "e"]
    assert found["under_noise"]["n_unseparated"] > 100
    shown = fewest("select", path, "--target", "y").out
    assert "If noise is allowed for, b and e alone describe the classes best: --method min-description" in shown
    for options in (
        ["--tolerance", "0.2"],
        ["--include", "a"],
        ["--no-validation"],
    ):  # who knows better is told nothing
        run = fewest("select", path, "--target", "y", "--format", "json", *options)
        assert json.loads(run.out)["under_noise"] is None


def test_nothing_but_contradictions(fewest, write):
    run = fewest("select", write("blank.csv", "a,b,class\n,,x\n,,y\n,,y\n"), "-t", "class")
    assert run.code == 2
    assert "No column is left to predict class with. Left out: a and b (no value)." in run.err
    run = fewest("select", "blank.csv", "-t", "class", "--keep-all")
    assert (run.code, run.out) == (1, "No feature separates any of the 2 pairs of rows of different class.\n")


def test_one_class_needs_no_feature(fewest, write):
    run = fewest("select", write("one.csv", "a,class\n0,x\n1,x\n"), "-t", "class")
    assert (run.code, run.out) == (0, "No feature is needed: every row has class = x.\n")


def test_identifiers_are_noted(fewest, write):
    rows = "".join(f"n{i},{i % 2},{'xy'[i % 2]}\n" for i in range(40))
    run = fewest("select", write("ids.csv", "name,a,class\n" + rows), "-t", "class")
    assert "Left out: name (names the rows). --keep name brings it back." in run.err
    assert "Left out" not in fewest("select", "ids.csv", "-t", "class", "--drop", "na*").err


def test_time_limit_answers_with_exit_3(fewest, tmp_path):
    random_table(tmp_path / "random.csv", n_rows=120, n_features=60)
    run = fewest("select", "random.csv", "-t", "y", "-m", "focus2", "--time-limit", "1s", "--format", "json")
    result = json.loads(run.out)
    assert (run.code, result["stopped_by"], result["is_minimal"]) == (3, "time limit", False)
    assert 1 <= result["lower_bound"] < len(result["features"])
    assert all(reason["rows"] for reason in result["explanation"])


def read_out(terminal):
    """Read until the end, which Linux tells by an error."""
    with contextlib.suppress(OSError):
        while os.read(terminal, 4096):
            pass


LOSES_AN_INTERRUPT = """
import signal, sys, time
from fewest.cli import repeat_lost_interrupts

class Careless:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)  # Python cannot raise in a destructor

repeat_lost_interrupts()
careless = Careless()
try:
    del careless
    print("lost")
    time.sleep(3600)
except KeyboardInterrupt:
    print("found")
"""


def test_an_interrupt_that_python_drops_comes_again():
    run = subprocess.run([sys.executable, "-c", LOSES_AN_INTERRUPT], capture_output=True, text=True, timeout=300)
    assert (run.stdout.split(), run.stderr) == (["lost", "found"], "")


@pytest.mark.parametrize("method", ["focus1", "focus2", "min-features"])
def test_interrupt_answers_with_exit_3(tmp_path, method):
    random_table(tmp_path / "random.csv", n_rows=400, n_features=120)
    options = ["-t", "y", "--method", method, "--format", "json", "--time-limit", "none"]
    command = [sys.executable, "-m", "fewest", "select", "random.csv", *options]
    watched, terminal = os.openpty()  # on a terminal it tells of its progress, so that one knows when it searches
    program = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=terminal, text=True)
    os.close(terminal)
    told = ""
    while not any(word in told for word in ("tests", "nodes", "conflicts")):
        told += os.read(watched, 4096).decode(errors="replace")
    os.kill(program.pid, signal.SIGINT)
    threading.Thread(target=read_out, args=(watched,), daemon=True).start()  # a full terminal would block the program
    out, _ = program.communicate(timeout=300)
    os.close(watched)
    assert program.returncode == 3, told
    assert json.loads(out)["stopped_by"] == "interrupt"


def test_the_tree_as_text_and_drawing(fewest, write, tmp_path):
    rows = ["010100+", "110010+", "101111+", "011000-", "101001-", "100101-"]
    write("paper.csv", "x1,x2,x3,x4,x5,x6,class\n" + "".join(",".join(row) + "\n" for row in rows))
    focus2 = ("select", "paper.csv", "-t", "class", "--method", "focus2", "--tree")
    assert fewest(*focus2, "tree.txt").code == 0
    lines = (tmp_path / "tree.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7  # the root and six tests
    assert lines[3].endswith("{x1, x3, x4} is sufficient")
    assert fewest(*focus2, "tree.svg").code == 0
    assert "<svg" in (tmp_path / "tree.svg").read_text(encoding="utf-8")
    run = fewest(*focus2, "tree.nonsense")
    assert run.code == 2
    assert "Cannot draw into 'tree.nonsense'" in run.err


def test_unicode_names_and_values(fewest, write):
    run = fewest(
        "select", write("größe.csv", "größe,farbe 🎨,klasse\nklein,rot,ä\ngroß,rot,ö\n"), "-t", "klasse", "--explain"
    )
    assert run.code == 0
    assert "größe    row 0 (ä)" in run.out


@pytest.mark.usefixtures("weather")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv", "-t", "play"], "There is no file 'nowhere.csv'"),
        (["weather.csv", "-t", "Plai"], "There is no column 'Plai'. Did you mean 'play'?"),
        (["weather.csv", "-t", "play", "--drop", "wind"], "There is no column 'wind'. Did you mean 'windy'?"),
        (["weather.csv", "-t", "play", "--method", "magic"], "'magic' is not one of"),
        (["weather.csv", "-t", "play", "--threshold", "0.1"], "No such option: --threshold"),
        (["weather.csv", "-t", "play", "--beam-width", "3"], "No such option: --beam-width"),
        (["weather.csv", "-t", "play", "--time-limit", "soon"], "--time-limit soon is no time"),
        (["weather.csv", "-t", "play", "--kind", "windy"], "is no COL=KIND"),
        (["weather.csv", "-t", "play", "--kind", "windy=fast"], "is not known. Choose one of"),
        (
            ["weather.csv", "-t", "play", "--kind", "outlook=numeric"],
            "Column 'outlook' was declared numeric, but row 0",
        ),
        (["empty.csv", "-t", "play"], "no rows of data"),
        (["ragged.csv", "-t", "c"], "line 3: 1 field where the header has 2"),
        (["unlabelled.csv", "-t", "c"], "1 row has no label in the target column 'c' (the first is row 1)"),
        (["price.csv", "-t", "price"], "looks like a regression target, not like classes: 3 distinct numbers"),
        (["fewest:mails", "-t", "c"], "data set='mails' is not known. Choose one of 'votes'"),
        (["weather.csv", "-t", "play", "--tree", "x.svg"], "--tree is for --method focus2 only"),
        (["weather.csv", "-t", "play", "-m", "focus2", "--tree", "no/x.svg"], "Cannot write 'no/x.svg'"),
        (["weather.csv", "-t", "play", "-m", "focus1", "--core"], "--core is for --method min-features only"),
        (["weather.csv", "-t", "play", "--certificate", "."], "Cannot write '.'"),
        (["weather.csv", "-t", "play", "--include", "windy", "--exclude", "w*"], "match both --include and --exclude"),
        (
            ["weather.csv", "-t", "play", "--costs", "costs.csv"],
            "entry 1: 'windy,dear' is no feature,cost",
        ),
        (["weather.csv", "-t", "play", "--costs", "costs.json"], "The cost of 'windy' is 'dear'; costs must be"),
        (["weather.csv", "-t", "play", "--encoding", "klingon"], "klingon"),
        (["."], "Missing option"),
        ([".", "-t", "c"], "folder"),
    ],
)
def test_mistakes_end_in_a_sentence_and_exit_2(fewest, write, arguments, message):
    write("empty.csv", "a,play\n")
    write("ragged.csv", "a,c\n0,x\n1\n")
    write("unlabelled.csv", "a,c\n0,x\n1,\n")
    write("costs.csv", "feature,cost\nwindy,dear\n")
    write("costs.json", '{"windy": "dear"}')
    write("price.csv", "a,price\n0,1.5\n1,2.25\n1,3.75\n")
    run = fewest("select", *arguments)
    assert (run.code, run.out) == (2, "")
    assert message in " ".join(run.err.split())


def test_unlabelled_rows_can_be_left_out(fewest, write):
    write("unlabelled.csv", "a,c\n0,x\n1,\n1,y\n")
    run = fewest("select", "unlabelled.csv", "-t", "c", "--drop-unlabelled", "-f", "json")
    assert json.loads(run.out)["n_rows"] == 2


def test_a_reader_that_leaves_is_no_error(tmp_path):
    random_table(tmp_path / "wide.csv", n_rows=30, n_features=10)
    command = f"{sys.executable} -m fewest select wide.csv -t y --format json | head -c 10"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""


def random_table(path, n_rows, n_features):
    rng = np.random.default_rng(0)
    header = ",".join([*(f"f{j}" for j in range(n_features)), "y"])
    np.savetxt(path, rng.integers(0, 2, (n_rows, n_features + 1)), fmt="%d", delimiter=",", header=header, comments="")


class TestMinFeatures:
    @pytest.fixture
    def xor(self, write):
        """Four classes that any two of the features a, b and c tell apart; d is a copy of a."""
        return write("xor.csv", "a,b,c,d,class\n0,0,0,0,p\n1,0,1,1,q\n1,1,0,1,r\n0,1,1,0,s\n")

    def test_groups_limits_and_what_must_be_chosen_from(self, fewest, xor):
        asked = ("--group", "a,b", "--at-most", "0:c", "--any-of", "d", "--certificate", "c.json", "--format", "json")
        run = fewest("select", xor, "-t", "class", "--keep-all", *asked)
        result = json.loads(run.out)
        assert (result["features"], result["cost"]) == (["a", "b", "d"], 2)
        assert fewest("verify", "c.json", xor).code == 0

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--group", "a,z"], "'z'"),
            (["--at-most", "a,b"], "no N:A,B"),
            (["--at-most", "1:a,b,c,d"], "at_most allows"),
            (["--any-of", "a", "--method", "sg"], "--any-of is for --method min-features only"),
        ],
    )
    def test_groups_that_cannot_be(self, fewest, xor, options, message):
        run = fewest("select", xor, "-t", "class", "--keep-all", *options)
        assert run.code == 2
        assert message in run.err

    def test_all_subsets_and_the_core(self, fewest, xor):
        run = fewest("select", xor, "-t", "class", "--all", "9", "--core", "--format", "json")
        result = json.loads(run.out)
        assert sorted(map(tuple, result["minimum_subsets"])) == [
            ("a", "b"),
            ("a", "c"),
            ("b", "c"),
            ("b", "d"),
            ("c", "d"),
        ]
        assert result["core"] == []
        text = fewest("select", xor, "-t", "class", "--all", "2", "--core", "--exclude", "b").out
        assert "2 subsets of the least cost" in text
        assert "In every subset of the least cost: c." in text

    def test_include_exclude_and_costs(self, fewest, xor, write):
        run = fewest("select", xor, "-t", "class", "--include", "d", "--exclude", "b", "-f", "json")
        assert json.loads(run.out)["features"] == ["c", "d"]
        write("costs.csv", "feature,cost\na,0.5\nb,7\n")
        run = fewest("select", xor, "-t", "class", "--costs", "costs.csv")
        assert run.out.startswith("2 of 4 features, for 1.5 in all, separate the classes of class; none cheaper do")

    def test_an_included_feature_that_is_not_needed_says_so(self, fewest, xor):
        run = fewest("select", xor, "-t", "class", "--include", "a,b,d", "--explain")
        assert "(it was asked for)" in run.out

    def test_excluded_features_can_leave_contradictions(self, fewest, xor):
        run = fewest("select", xor, "-t", "class", "--exclude", "b,c")
        assert run.code == 1
        assert "alike in every feature" in run.err

    def test_certificate_is_verified_and_a_forged_one_is_not(self, fewest, xor, tmp_path):
        assert fewest("select", xor, "-t", "class", "--certificate", "c.json").code == 0
        run = fewest("verify", "c.json", xor)
        assert run.code == 0
        assert [line.split()[0] for line in run.out.splitlines()] == ["true"] * 5
        forged = json.loads((tmp_path / "c.json").read_text())
        forged["lower_bound"] = 3
        (tmp_path / "c.json").write_text(json.dumps(forged))
        run = fewest("verify", "c.json", xor, "--format", "json")
        assert run.code == 1
        assert [finding["holds"] for finding in json.loads(run.out)["findings"]] == [True, True, True, True, False]

    def test_certificates_that_are_none(self, fewest, xor, write):
        assert "There is no certificate 'no.json'" in fewest("verify", "no.json", xor).err
        assert "is no certificate" in fewest("verify", write("x.json", "{"), xor).err
        run = fewest("verify", write("y.json", '{"format": "fewest certificate", "version": 99}'), xor)
        assert run.code == 2
        assert "version 99" in run.err

    def test_a_certificate_for_other_data(self, fewest, xor, weather):
        fewest("select", xor, "-t", "class", "--certificate", "c.json")
        run = fewest("verify", "c.json", weather, "--target", "play")
        assert run.code == 2
        assert "There is no column 'a'" in run.err

    def test_time_limit_tells_the_gap(self, fewest, tmp_path):
        random_table(tmp_path / "random.csv", n_rows=400, n_features=120)
        run = fewest("select", "random.csv", "-t", "y", "--time-limit", "2s", "--all", "3", "--certificate", "c.json")
        assert run.code == 3
        assert "might do, too" in run.out
        assert "stopped by the time limit" in run.out
        assert fewest("verify", "c.json", "random.csv", "--time-limit", "5s").code in (0, 3)


def test_infinite_values_are_spelled_in_json(fewest, write):
    run = fewest("select", write("inf.csv", "b,y\ninf,p\n-inf,q\n2,p\n"), "-t", "y", "-f", "json")
    values = json.loads(run.out, parse_constant=pytest.fail)["explanation"][0]["values"]
    assert set(values) & {"inf", "-inf"}


def test_rows_keep_their_numbers_when_others_are_left_out(fewest, write):
    write("unlabelled.csv", "a,b,y\n9,9,\n9,9,\n1,1,p\n1,1,q\n2,1,q\n")
    run = fewest("select", "unlabelled.csv", "-t", "y", "--drop-unlabelled", "-f", "json")
    assert "rows 2 and 3 are 'p' and 'q'" in run.err
    assert json.loads(run.out)["contradiction"] == [2, 3]


def test_one_class_whose_label_has_an_opposite(fewest, write):
    run = fewest("select", write("yes.csv", "a,y\n1,yes\n2,yes\n"), "-t", "y")
    assert run.out == "No feature is needed: every row has y = yes.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs Linux's device that is always full")
def test_a_disk_that_is_full_is_said(weather, tmp_path):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "fewest", "select", weather, "-t", "play"]
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr


ANNOUNCED = """
from fewest import cli

repeat = cli.repeat_lost_interrupts

def announce():
    repeat()
    print("begun", flush=True)

cli.repeat_lost_interrupts = announce
cli.main()
"""


@pytest.mark.parametrize("delay", [0.0, 0.3, 0.8])
def test_an_interrupt_at_any_moment_leaves_no_stack_trace(tmp_path, delay):
    random_table(tmp_path / "random.csv", n_rows=3000, n_features=200)
    command = [sys.executable, "-c", ANNOUNCED, "select", "random.csv", "-t", "y", "--time-limit", "none"]
    program = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "begun\n"  # before that it is Python that starts, and not ours
    time.sleep(delay)
    os.kill(program.pid, signal.SIGINT)
    _, err = program.communicate(timeout=300)
    assert program.returncode in (3, 130)
    assert "Traceback" not in err


def test_minimal_subsets_and_what_can_replace_each_feature(fewest, write):
    write("table.csv", "a,b,c,d,y\n0,0,0,0,no\n0,1,1,1,yes\n1,0,1,1,yes\n1,1,0,1,yes\n")
    run = fewest("select", "table.csv", "-t", "y", "--keep-all", "--minimal", 10, "--no-validation")
    assert run.code == 0
    assert "4 subsets from which nothing can be left out (all there are):\n\n  d\n  a, b\n  a, c\n  b, c\n" in run.out
    assert "could be replaced by" in run.out
    some = json.loads(fewest("select", "table.csv", "-t", "y", "--keep-all", "--minimal", 2, "-f", "json").out)
    assert (len(some["minimal_subsets"]), some["minimal_is_complete"], some["substitutes"]) == (2, False, {"d": []})
    wrong = fewest("select", "table.csv", "-t", "y", "--minimal", 2, "--method", "wg")
    assert (wrong.code, "--minimal is for --method min-features only" in wrong.err) == (2, True)


def test_permuted_classes_tell_whether_it_could_be_chance(fewest, write):
    rows = [(i >> 3 & 1, i >> 2 & 1, i >> 1 & 1, i & 1) for i in range(16)]
    write("told.csv", "a,b,c,d,y\n" + "\n".join(f"{a},{b},{c},{d},{'yes' if b else 'no'}" for a, b, c, d in rows))
    run = fewest("select", "told.csv", "-t", "y", "--keep-all", "--permutations", 19, "-f", "json", "--no-validation")
    chance = json.loads(run.out)["chance"]
    assert (chance["n_permutations"], chance["pvalue"]) == (19, 0.05)
    assert min(chance["lower_bounds"]) > 1
    text = fewest("select", "told.csv", "-t", "y", "--keep-all", "--permutations", 19, "--no-validation").out
    assert "yours need 1 (19 permutations, p = 0.05)." in text
