import json

import numpy as np
import pytest

METHOD = ("--method", "min-description")


@pytest.fixture
def noisy_xor(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 8))
    y = X[:, 1] ^ X[:, 4] ^ (rng.random(200) < 0.05)
    path = tmp_path / "xor.csv"
    np.savetxt(path, np.column_stack([X, y]), "%d", ",", header="a,b,c,d,e,f,g,h,y", comments="")
    return path


def test_the_answer_has_bits_probabilities_and_other_subsets(fewest, noisy_xor):
    done = fewest("select", noisy_xor, "--target", "y", *METHOD, "--format", "json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["features"] == ["b", "e"]
    assert found["is_optimal"]
    assert {score["feature"] for score in found["scores"] if score["is_selected"]} == {"b", "e"}
    assert found["alternatives"][0]["features"] == ["b", "e"]
    assert found["alternatives"][0]["probability"] > 0.5


def test_people_read_a_sentence_and_a_table(fewest):
    done = fewest("select", "fewest:votes", "--target", "party", *METHOD)
    assert "3 of 16 features describe the classes best, by a sum of what each contributes: " in done.out
    assert "Other subsets, by probability" in done.out


def test_features_can_be_asked_for_and_left_out(fewest, noisy_xor):
    done = fewest("select", noisy_xor, "--target", "y", *METHOD, "--include", "a", "--exclude", "b", "--format", "json")
    assert json.loads(done.out)["features"] == ["a"]


@pytest.mark.parametrize(
    "option", [["--tolerance", "0.1"], ["--margin", "0.5"], ["--bins"], ["--all", "3"], ["--tree", "t.txt"]]
)
def test_options_of_other_methods_are_refused(fewest, noisy_xor, option):
    done = fewest("select", noisy_xor, "--target", "y", *METHOD, *option)
    assert done.code == 2
    assert "--method" in done.err
