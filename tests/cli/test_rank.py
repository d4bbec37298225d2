import json

import numpy as np
import pytest

from fewest.relief.options import ReliefFOptions, ReliefOptions


def test_relief_draws_bars_and_keeps_what_reaches_the_threshold(fewest):
    assert fewest("generate", "parity", "--rows", 300, "-o", "p.csv").code == 0
    run = fewest("rank", "p.csv", "-t", "class", "-m", "relief", "--threshold", 0.1, "--max-samples", 200, "--seed", 1)
    lines = run.out.splitlines()
    assert run.code == 0
    assert lines[0].startswith("3 of 10 features are relevant to class (relief, 200 sampled rows, threshold 0.100, ")
    assert {line.split()[0] for line in lines[3:6]} == {"f1", "f2", "f3"}
    assert all(line.endswith("#") for line in lines[3:6])
    assert len({line.index("|") for line in lines[3:]}) == 1


def test_relevance_as_json_has_every_feature_and_the_history(fewest):
    run = fewest("rank", "fewest:votes", "-t", "party", "-m", "relieff", "--n-features-to-select", 2, "-f", "json")
    result = json.loads(run.out)
    assert result["features"] == ["physician-fee-freeze", "crime"] or len(result["features"]) == 2
    assert len(result["relevance"]) == 16
    assert result["history"][-1]["n_sampled"] == result["n_sampled"] == 435


def test_beside_a_rare_class_bars_show_what_is_beyond_chance(fewest, write):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [480, 20])
    driver, noise = rng.normal(size=500) + 2.5 * y, rng.choice(list("abc"), (500, 4))
    rows = "\n".join(f"{','.join(noise[i])},{driver[i]:.4f},{'ny'[y[i]]}" for i in range(500))
    data = write("rare.csv", f"a,b,c,d,driver,y\n{rows}\n")
    records = json.loads(fewest("rank", data, "-t", "y", "-f", "json").out)["relevance"]
    beyond = [record["relevance"] - record["by_chance"] for record in records]
    assert records[0]["feature"] == "driver"
    assert records[0]["relevance"] < max(record["relevance"] for record in records)
    assert beyond == sorted(beyond, reverse=True)
    lines = fewest("rank", data, "-t", "y").out.splitlines()
    assert lines[2].split() == ["feature", "relevance", "error", "chance", "p", "beyond", "chance"]
    assert lines[3].split()[0] == "driver"
    assert [line.count("#") for line in lines[3:]] == [30, 0, 0, 0, 0]


def test_a_regression_target_is_for_rrelieff(fewest, write):
    rows = "\n".join(f"{i % 7},{i * 5 % 11},{(i % 7) / 7 + 0.01}" for i in range(60))
    data = write("q.csv", f"a,b,y\n{rows}\n")
    run = fewest("rank", data, "-t", "y", "-m", "rrelieff", "--n-features-to-select", 1, "-f", "jsonl")
    assert json.loads(run.out.splitlines()[0])["feature"] == "a"
    assert fewest("rank", data, "-t", "y", "--n-features-to-select", 1, "-f", "jsonl").out == run.out
    assert json.loads(fewest("rank", data, "-t", "y", "-f", "json").out)["method"] == "rrelieff"
    assert "looks like a regression target" in fewest("rank", data, "-t", "y", "-m", "relieff").err
    assert "is nominal, with labels such as" in fewest("rank", "fewest:votes", "-t", "party", "-m", "rrelieff").err


def test_options_that_do_not_fit_are_refused(fewest):
    votes = ("rank", "fewest:votes", "-t", "party")
    assert "one neighbor of each class" in fewest(*votes, "-m", "relief", "--neighbors", 3).err
    assert "'permutation', 'interval', 'auto', 'a number'" in fewest(*votes, "-m", "relief", "--threshold", "x").err
    assert "whatever --threshold" in fewest(*votes, "-m", "relief", "--threshold", 0.1, "--n-features-to-select", 3).err
    assert "--alpha determines a threshold" in fewest(*votes, "-m", "relief", "--threshold", 0.1, "--alpha", 0.1).err
    assert "--threshold auto is for classes only" in fewest(*votes, "-m", "rrelieff", "--threshold", "auto").err
    assert "'random', 'average'" in fewest(*votes, "--ties", "fair").err
    assert "is no probability" in fewest(*votes, "--alpha", 1).err
    assert "'manhattan', 'euclidean'" in fewest(*votes, "--metric", "cosine").err
    assert "is no share of the rows" in fewest(*votes, "--max-samples", 1.5).err
    assert "a share such as 0.1" in fewest(*votes, "--max-samples", "many").err


def test_a_share_of_the_rows_can_be_sampled_and_the_metric_chosen(fewest):
    run = fewest("rank", "fewest:votes", "-t", "party", "--max-samples", 0.2, "--metric", "euclidean", "-f", "json")
    assert json.loads(run.out)["n_sampled"] == 87


@pytest.mark.parametrize(
    "option",
    [
        "--core",
        "--explain",
        "--bins",
        "--missing=cautious",
        "--tolerance=0.1",
        "--margin=1",
        "--include=crime",
        "--beam-width=3",
    ],
)
def test_options_of_other_verbs_are_unknown(fewest, option):
    run = fewest("rank", "fewest:votes", "-t", "party", option)
    assert (run.code, run.out) == (2, "")
    assert "No such option" in run.err


def test_time_limit_answers_with_the_rows_drawn_so_far(fewest):
    fewest("generate", "parity", "-n", "3000", "-o", "parity.csv")
    run = fewest("rank", "parity.csv", "-t", "class", "-m", "relieff", "--time-limit", "0")
    assert run.code == 3
    assert "500 sampled rows" in run.out  # the first of six blocks: an even number, of at most 512 rows
    assert "stopped by the time limit" in run.out
    assert "the 500 rows sampled until then" in run.err
    assert "another run may answer otherwise" in run.err
    learned = fewest("train", "parity.csv", "-t", "class", "-s", "relieff", "-o", "m", "--cv", 0, "--time-limit", "0")
    assert "another run may answer otherwise" in learned.err


def test_generate_writes_parquet_and_to_standard_output(fewest, tmp_path):
    assert fewest("generate", "led", "--digit", 6, "-n", 50, "-o", "six.parquet").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["six.parquet"]
    run = fewest("generate", "parity", "--relevant", 2, "--irrelevant", 1, "-n", 5)
    assert run.out.splitlines()[0] == '"f1","f2","f3","class"'
    assert len(run.out.splitlines()) == 6
    assert "the relevant features are f1, f2" in run.err
    assert fewest("generate", "led", "--relevant", 3).code == 2
    assert fewest("generate", "parity", "--offset", 0.5).code == 2
    assert fewest("generate", "parity", "-o", "x.txt").code == 2
    assert "no share of the values" in fewest("generate", "parity", "--noise", 5).err


def test_relevance_is_drawn(fewest, tmp_path):
    run = fewest("rank", "fewest:votes", "-t", "party", "-m", "relieff", "--plot", "votes.svg")
    assert run.code == 0
    assert "physician-fee-freeze" in (tmp_path / "votes.svg").read_text()
    assert fewest("rank", "fewest:votes", "-t", "party", "-m", "relieff", "--plot", "votes.xyz").code == 2


def test_help_shows_the_defaults_of_the_options(fewest):
    shown = " ".join(fewest("rank", "--help").out.split())
    assert f"nearest rows of each class ({ReliefFOptions.n_neighbors})" in shown
    assert f"({ReliefFOptions.alpha} if not given)" in shown
    assert f"(relief: {ReliefOptions.ties}, others: {ReliefFOptions.ties})" in shown
    assert f"{ReliefFOptions.threshold} (the default)" in shown


def test_a_mistake_names_the_option_that_was_typed(fewest):
    run = fewest("rank", "fewest:votes", "-t", "party", "--alpha", "2")
    assert run.code == 2
    assert "--alpha=2.0 is no probability" in run.err


def test_what_is_kept_comes_first_whatever_scores_more_by_chance(fewest, write):
    rng = np.random.default_rng(0)
    rare = np.arange(240) % 10 == 0
    columns = {"noise": rng.choice(["a", "b"], 240), "more": rng.choice(["a", "b"], 240)}
    columns |= {"driver": (rng.normal(size=240) + 1.4 * rare).round(2)}
    columns |= {name: rng.normal(size=240).round(2) for name in "uv"} | {"y": rare.astype(int)}
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    run = fewest("rank", write("rare.csv", "\n".join([",".join(columns), *rows])), "-t", "y", "-f", "json")
    first, *others = json.loads(run.out)["relevance"]
    assert (first["feature"], first["is_selected"]) == ("driver", True)
    assert max(other["relevance"] for other in others) > first["relevance"]
    assert not any(other["is_selected"] for other in others)


def test_rank_iterates_where_one_round_finds_nothing(fewest):
    assert fewest("generate", "parity", "--rows", 200, "--irrelevant", 77, "-o", "p.csv", "--seed", 0).code == 0
    options = ["rank", "p.csv", "-t", "class", "-f", "json"]
    one, many = (json.loads(fewest(*options, *more).out) for more in ([], ["--step", "auto"]))
    assert not any(record["p_value"] <= 0.001 for record in one["relevance"])
    assert sorted(many["features"]) == ["f1", "f2", "f3"]
    refused = fewest(*options, "--step", "half")
    assert refused.code == 2
    assert "no share of the features" in refused.err
