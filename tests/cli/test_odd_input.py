"""Odd but legal input, and users' mistakes: each has an answer or a sentence, and never ends in the last resort."""

import pytest

from fewest.cli import ExitCode
from in_process import run_inside

LIMITED = ("compare", "rank", "report", "select", "train", "verify", "wrap")

ALTERNATING = "a,b,y\n" + "".join(f"{(-1) ** k * 1e308},{k % 5},{'pq'[k % 2]}\n" for k in range(30))
HUGE_TARGET = "a,b,y\n" + "".join(f"{k % 7},{k % 5},{(-1) ** k * 1.7e308}\n" for k in range(30))
SHORT = "a,b,c,y\n" + "".join(f"{k % 3},{k * 7 % 11},{k % 2},{'pq'[k // 2 % 2]}\n" for k in range(12))


@pytest.fixture
def fewest(tmp_path):
    def run(*arguments):
        limit = ("--time-limit", "none") if arguments[0] in LIMITED and "--time-limit" not in arguments else ()
        return run_inside([*map(str, arguments), *limit], tmp_path)

    return run


def answers_or_explains(outcome):
    assert outcome.code in (ExitCode.DONE, ExitCode.NEGATIVE_FINDING, ExitCode.BAD_INPUT, ExitCode.STOPPED_EARLY)
    assert outcome.out or outcome.err
    return outcome


@pytest.mark.parametrize("method", ["sg", "mig", "wg", "focus1", "focus2", "min-features", "min-description"])
def test_no_time_at_all(fewest, weather, method):
    outcome = fewest("select", weather, "-t", "play", "-m", method, "--time-limit", "0")
    assert outcome.code == ExitCode.STOPPED_EARLY
    assert "windy" in outcome.out or method == "min-description"


@pytest.mark.parametrize("verb", ["wrap", "rank", "compare", "report"])
def test_a_seed_that_no_generator_takes(fewest, weather, verb):
    more = ("-o", "page.html") if verb == "report" else ()
    outcome = fewest(verb, weather, "-t", "play", "--seed", "4294967296", *more)
    assert outcome.code == ExitCode.BAD_INPUT
    assert "--seed" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("rank",), ("rank", "-m", "relief"), ("rank", "--engine", "stream"), ("wrap",), ("select",),
        ("select", "-m", "min-description"), ("train", "-o", "model"), ("compare", "--methods", "information"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", [ALTERNATING, HUGE_TARGET], ids=["features", "target"])
def test_values_that_cannot_be_subtracted_from_each_other(fewest, write, arguments, text):
    verb, *options = arguments
    answers_or_explains(fewest(verb, write("huge.csv", text), "-t", "y", *options))


COSTS = {
    "deep.json": b"[" * 100_000,
    "long.json": b'{"windy": ' + b"9" * 5_000 + b"}",
    "list.json": b"[1]",
    "words.json": b'{"windy": "dear"}',
    "nested.json": b'{"windy": [1]}',
    "latin.csv": b"windy,\xff\n",
    "latin.json": b'{"windy\xff": 1}',
    "field.csv": b'"' + b"x" * 200_000 + b'",1\n',
    "nul.csv": b"feature,cost\nwindy,\0\n",
    "infinite.csv": b"windy,inf\n",
    "digits.csv": b"windy," + b"9" * 400 + b"\n",
}


@pytest.mark.parametrize("name", COSTS)
def test_costs_that_are_none(fewest, weather, tmp_path, name):
    (tmp_path / name).write_bytes(COSTS[name])
    outcome = fewest("select", weather, "-t", "play", "--costs", name)
    assert outcome.code == ExitCode.BAD_INPUT
    assert name in outcome.err or "cost" in outcome.err


def test_costs_that_never_end(fewest, weather):
    outcome = fewest("select", weather, "-t", "play", "--costs", "/dev/zero")
    assert outcome.code == ExitCode.BAD_INPUT
    assert "goes on after" in outcome.err


def test_models_and_certificates_that_never_end(fewest, weather):
    for command in (["predict", "/dev/zero", weather], ["verify", "/dev/zero", weather]):
        outcome = fewest(*command)
        assert outcome.code == ExitCode.BAD_INPUT
        assert "goes on after" in outcome.err


@pytest.mark.parametrize("content", ["[" * 100_000, "9" * 5_000, "[]", '{"format": "fewest certificate"}'])
def test_certificates_that_are_none(fewest, weather, write, content):
    assert fewest("verify", write("c.json", content), weather).code == ExitCode.BAD_INPUT


@pytest.mark.parametrize("value", ["[" * 100_000, "9" * 5_000])
def test_lines_that_no_parser_takes(fewest, write, value):
    lines = f'{{"y": 1, "a": 1}}\n{{"y": 1, "a": {value}\n{{"y": 1, "b": 1}}\n'
    outcome = fewest("stream", write("s.ndjson", lines), "-t", "y", "--on-error", "skip")
    assert outcome.code == ExitCode.DONE
    assert "1 lines skipped" in outcome.err


@pytest.mark.parametrize("verb", ["select", "rank", "wrap", "compare", "report", "train", "sufficient", "explain"])
def test_a_table_of_the_target_alone(fewest, write, verb):
    more = {
        "report": ("-o", "r.html"), "train": ("-o", "m"), "sufficient": ("--features", "y"), "explain": ("--row", "0"),
    }  # fmt: skip
    answers_or_explains(fewest(verb, write("only.csv", "y\n1\n2\n"), "-t", "y", *more.get(verb, ())))


@pytest.mark.parametrize("n_rows", [1, 2, 3, 11])
@pytest.mark.parametrize("verb", ["rank", "wrap", "train", "compare"])
def test_few_rows(fewest, write, verb, n_rows):
    path = write("short.csv", "".join(SHORT.splitlines(keepends=True)[: n_rows + 1]))
    more = {"train": ("-o", "m"), "compare": ("--methods", "information")}
    answers_or_explains(fewest(verb, path, "-t", "y", *more.get(verb, ())))


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "led", "--irrelevant"), ("generate", "parity", "--relevant"), ("generate", "parity", "-n"),
        ("stream", "s.csv", "-t", "y", "--relevant"), ("stream", "s.csv", "-t", "y", "--every"),
        ("rank", "s.csv", "-t", "y", "--neighbors"), ("wrap", "s.csv", "-t", "y", "--beam-width"),
        ("select", "s.csv", "-t", "y", "--all"), ("explain", "s.csv", "-t", "y", "--row"),
    ],
)  # fmt: skip
def test_numbers_of_hundreds_of_digits(fewest, write, arguments):
    write("s.csv", "a,y\n1,p\n0,q\n")
    outcome = fewest(*arguments, "9" * 400)
    assert outcome.code == ExitCode.BAD_INPUT
    assert "is a number of 400 digits" in outcome.err


def test_more_rows_than_any_memory_holds(fewest):
    for option in ("--rows", "--irrelevant", "--relevant"):
        outcome = fewest("generate", "parity", option, 10**18)
        assert outcome.code == ExitCode.BAD_INPUT
        assert "more than any memory holds" in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("select",), ("select", "-m", "min-description"), ("select", "-m", "sg"), ("wrap",),
        ("train", "--select", "focus1", "-o", "m"),
    ],
)  # fmt: skip
def test_an_answer_under_a_time_limit_says_that_the_clock_decides(fewest, weather, arguments):
    verb, *options = arguments
    outcome = fewest(verb, weather, "-t", "play", "--time-limit", "0", *options)
    assert outcome.code == ExitCode.STOPPED_EARLY
    assert "another run may answer otherwise" in outcome.err


def test_an_explanation_under_a_time_limit_says_that_the_clock_decides(fewest):
    outcome = fewest("explain", "fewest:votes", "-t", "party", "--row", "0", "--time-limit", "0")
    assert outcome.code == ExitCode.STOPPED_EARLY
    assert "another run may answer otherwise" in outcome.err


FAR = {
    "infinite": [float("inf"), 1.5, 2.5, float("-inf")],
    "huge": [1.5e308, -1.5e308, 1.5, 2.5],
    "squares": [1e200, 2.5, -1e200, 3.5],
}


@pytest.mark.parametrize("values", FAR.values(), ids=FAR)
@pytest.mark.parametrize(
    "arguments",
    [
        ("rank", "-m", "rrelieff"), ("rank", "-m", "rrelieff", "--engine", "stream", "--max-samples", "5"),
        ("wrap", "--estimator", "linear"), ("train", "-o", "m"), ("train", "-l", "linear", "-o", "m"),
        ("compare", "--methods", "information"), ("report", "-o", "r.html"),
    ],
)  # fmt: skip
def test_a_regression_target_that_has_no_mean_is_refused(fewest, write, arguments, values):
    verb, *options = arguments
    text = "a,b,y\n" + "".join(f"{k * 7 % 11},{k % 3},{values[k % 4] if k < 4 else k / 7}\n" for k in range(40))
    outcome = fewest(verb, write("far.csv", text), "-t", "y", *options)
    assert outcome.code == ExitCode.BAD_INPUT
    assert "The target column 'y' holds" in outcome.err


@pytest.mark.parametrize("learner", ["logistic", "linear"])
@pytest.mark.parametrize("size", [1e308, 1e-310, 5e-324], ids=str)
def test_features_whose_squares_are_beyond_floats(fewest, write, learner, size):
    values = [f"{(k * 7 % 11 - 5) * (size / 5)}" for k in range(40)]
    y = ["pq"[k % 2] if learner == "logistic" else f"{k / 7}" for k in range(40)]
    path = write("t.csv", "a,b,y\n" + "".join(f"{value},{k % 3},{y[k]}\n" for k, value in enumerate(values)))
    outcome = fewest("train", path, "-t", "y", "-l", learner, "-o", "m", "--keep-all")
    assert outcome.code == ExitCode.DONE
    assert "Warning" not in outcome.err
    predicted = fewest("predict", "m", path)
    assert predicted.code == ExitCode.DONE
    assert len(predicted.out.splitlines()) == 41
    assert not {"nan", "inf", "-inf"} & set(predicted.out.split())


def test_a_page_about_a_table_of_the_target_alone(fewest, write, tmp_path):
    outcome = fewest("select", write("only.csv", "y\np\nq\np\n"), "-t", "y", "--report", "r.html")
    assert outcome.code == ExitCode.NEGATIVE_FINDING
    assert (tmp_path / "r.html").exists()


@pytest.mark.parametrize("n_features", [0, 100])
def test_rules_of_feature_partitions_of_none_and_of_many_features(fewest, write, n_features):
    """NumPy has no more than 64 dimensions. All features but one are the same in both classes, and predict nothing."""
    rows = [[k % 2 if j == 7 else j for j in range(n_features)] + ["pq"[k % 2]] for k in range(10)]
    text = "\n".join(",".join(map(str, row)) for row in [[*(f"f{j}" for j in range(n_features)), "y"], *rows])
    outcome = fewest("train", write("t.csv", text + "\n"), "-t", "y", "-l", "cfp", "-o", "m", "--keep-all", "--show")
    assert outcome.code == ExitCode.DONE
    assert ("f7" in outcome.out) == bool(n_features)


@pytest.mark.parametrize("value", ["5.5", "{tiny}"])
def test_a_regression_target_that_does_not_vary_has_no_score(fewest, write, value):
    text = "a,b,y\n" + "".join(f"{k},{k % 3},{value.format(tiny=1e-310 * k)}\n" for k in range(50))
    outcome = fewest("train", write("t.csv", text), "-t", "y", "-l", "linear", "-o", "m", "--keep-all")
    assert outcome.code == ExitCode.DONE
    assert "Warning" not in outcome.err
    assert "is not defined where the target does not vary" in outcome.out


@pytest.mark.parametrize("margin", [(), ("--margin", "0.1")])
def test_a_tolerance_by_cross_validation_of_one_row(fewest, write, margin):
    outcome = fewest("select", write("one.csv", "a,b,y\n1,2,p\n"), "-t", "y", "--tolerance", "cv", *margin)
    assert outcome.code == ExitCode.DONE
    assert "No feature is needed" in outcome.out


def test_a_learner_that_there_was_no_time_to_choose(fewest, write):
    path = write("t.csv", "a,y\n" + "".join(f"{k * 7 % 47 / 10},{'pq'[k % 2]}\n" for k in range(120)))
    outcome = fewest("train", path, "-t", "y", "-o", "m", "--time-limit", "0")
    assert "id3 is taken" in outcome.err
    assert "another run may answer otherwise" in outcome.err
