"""A small version of every benchmark: its contestants must agree."""

import subprocess
import sys
from pathlib import Path

import pytest

from warm import run_warm

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def lines_of(tmp_path):
    """Return what runs a benchmark and returns the words of its lines."""

    def lines_of(script, *options):
        code, out, err = run_warm(["--quick", *options], tmp_path, 900, script=str(BENCHMARKS / script))
        assert code == 0, err
        return [line.split() for line in out.splitlines()]

    return lines_of


def test_min_features_and_its_peers_agree_on_small_instances(lines_of):
    _, *lines = lines_of("min_features.py", "--cap", "600")
    assert {line[1] for line in lines} == {"MinFeatures", "Focus2", "simple", "HiGHS"}
    for instance in {line[0] for line in lines}:
        assert len({line[2] for line in lines if line[0] == instance}) == 1


def test_long_searches_are_shown_at_moments_and_at_the_end(lines_of):
    _, line = lines_of("long_searches.py")
    assert line[:2] == ["30:noise:60", "here"]
    assert line[2] == line[4] == "7"  # the best, and the bound


def test_table_1_finds_exact_searches_that_agree(lines_of):
    _, _, *lines = lines_of("table_1.py")
    n_tests = {name: [float(line[3]) for line in lines if line[1] == name] for name in ("FOCUS-1", "FOCUS-2")}
    assert all(one > two for one, two in zip(*n_tests.values(), strict=True))


def test_greedy_selectors_run_beside_their_floors(lines_of):
    _, *lines = lines_of("greedy.py")
    assert [line[3] for line in lines] == ["WG", "MIG", "SG"]


def test_small_samples_are_learned_and_measured(lines_of):
    _, *lines = lines_of("small_samples.py")
    assert {line[4] for line in lines} == {"id3", "mig", "sg", "wg", "focus", "fringe"}
    assert {line[3] for line in lines} == {"with", "without"}


def test_trees_fit_as_well_as_their_peer(lines_of):
    _, *lines = lines_of("trees.py")
    assert len(lines) == 4


@pytest.mark.thorough
def test_both_metrics_rank_what_is_relevant():
    command = [sys.executable, BENCHMARKS / "relief_metrics.py", "--quick"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ranks = next(line for line in shown.splitlines() if line.startswith("ring"))
    assert ranks.split()[1:] == ["1.50", "±0.00", "1.50", "±0.00", "1.5"]


@pytest.mark.thorough
def test_an_interval_keeps_more_noise_than_permutations_where_classes_are_unequal():
    command = [sys.executable, BENCHMARKS / "relief_level.py", "--quick"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    tenth = [float(value) for value in shown.splitlines()[3].split()[2:]]
    assert tenth[0] > 0.5 > tenth[1]


@pytest.mark.thorough
def test_relieff_finds_what_was_planted_in_small_data():
    command = [sys.executable, BENCHMARKS / "relief.py", "--quick", "--cap", "600"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    contestants = {line[28:48].strip() for line in done.stdout.splitlines()[1:]}
    assert contestants == {"fewest", "euclidean", "floor-popcount", "floor-product", "mutual-information"}
    assert "Without skrebate" in done.stderr


def test_cfp_runs_beside_its_peers_and_keeps_to_theorem_4(lines_of):
    lines = lines_of("cfp.py")
    assert [line[1] for line in lines[1:7]] == ["CFP", "GaussianNB", "KNeighbors"] * 2
    growth = [line for line in lines[12:] if line[0] == "striped"]
    assert all(int(line[6].replace(",", "")) <= int(line[7].replace(",", "")) for line in growth)
    assert len(growth) == 10


@pytest.mark.thorough
def test_cfp_is_compared_with_other_learners(lines_of):
    _, *lines = lines_of("cfp_comparison.py")
    assert [line[4] for line in lines] == ["CFP", "CFP-divided", "GA-CFP", "KNN", "GaussianNB", "DecisionTree", "ID3"]
    assert all(float(line[5]) > 0.85 for line in lines)


def test_winnow_and_its_peers_run_and_keep_to_the_bound(lines_of):
    lines = lines_of("winnow.py")
    grown = [[float(cell.replace(",", "")) for cell in line] for line in lines[1:3]]
    assert [line[0] for line in grown] == [100, 1000]
    assert all(winnow <= bound for _, _, winnow, bound, _ in grown)
    learners = {cell for line in lines[4:] for cell in line}
    assert {"Winnow1", "Winnow2", "BalancedWinnow", "Perceptron", "SGDClassifier"} <= learners


def test_wrappers_choose_as_their_peer_and_irrelevant_features_hurt_the_usual_one_more(lines_of):
    lines = lines_of("wrappers.py")
    few, many = ([float(cell) for cell in line[3::3]] for line in lines[1:3])
    assert many[2] - few[2] < many[1] - few[1]
    who = [" ".join(line[3:-2]) for line in lines[4:-1]]
    assert sum("SFS" in name for name in who) == 4
    assert sum("generic" in name for name in who) == 4
    assert sum("beam 50" in name for name in who) == 3


@pytest.mark.thorough
def test_selecting_from_files_finds_what_was_planted():
    command = [sys.executable, BENCHMARKS / "scale.py", "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    _, *lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.endswith("[3, 21, 42, 77, 95]") for line in lines)


@pytest.mark.thorough
def test_the_advice_keeps_few_features_that_predict(lines_of):
    _, *lines = lines_of("advice.py", "--contestants", "all,advice,l1")
    assert [line[0] for line in lines] == ["iris", "wine", "mean", "worst", "seconds"]
    n_all, n_advised = (float(lines[2][k]) for k in (2, 4))
    assert n_advised < n_all
    assert float(lines[2][3]) > -10  # points of balanced accuracy against all features


@pytest.mark.thorough
def test_first_calls_are_measured_beside_second_ones(lines_of):
    _, *lines = lines_of("first_call.py")
    assert [line[3:5] for line in lines] == [["fewest", "select"], ["fewest", "rank"], ["import", "fewest"]]
    assert all(float(first) > 0 and float(second) > 0 for first, second, *_ in lines)


def test_the_shortest_description_finds_known_truths_and_keeps_no_noise(lines_of):
    header, shortest, _f_test, _noise, *shares = lines_of("known_truth.py")
    assert header[:3] == ["method", "F1", "+-"]
    assert shortest[:4] == ["MinDescription", "1.00", "0.00", "1.00"]
    assert [line[1] for line in shares] == ["2"] * 4


@pytest.mark.thorough
def test_the_fewest_of_the_relevant_lose_little_where_features_repeat_each_other(lines_of):
    _, every, _relieff, fewest, _mrmr = lines_of("redundancy.py")
    assert (every[2], fewest[2]) == ("all", "ReliefThenCover")
    assert float(fewest[3]) < float(every[3]) / 3
    assert all(float(kept) > float(all_of_them) - 0.05 for kept, all_of_them in zip(fewest[4:], every[4:], strict=True))


def test_wide_tables_are_read_and_measured(lines_of):
    _, *lines = lines_of("wide.py")
    assert [line[:3] for line in lines] == [["3", "2,000", "bits"], ["3", "2,000", "numbers"]]
