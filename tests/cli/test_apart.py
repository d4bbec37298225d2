"""Rows of one group, or the past and the future, are kept apart by every verb that judges by rows left out."""

import json

import numpy as np
import pytest

from fewest.exceptions import ParameterError
from fewest.wrapper.splits import holdout_fold

JUDGED = {
    "select": lambda found: found["validation"]["mean"],
    "train": lambda found: found["cross_validation"]["mean"],
    "wrap": lambda found: 1 - found["holdout_error"],
}


@pytest.fixture
def visits(tmp_path):
    """Eight visits of each of 20 patients, of whom all is noise but three columns that say who it is."""
    rng = np.random.default_rng(1)
    patient = np.repeat(np.arange(20), 8)
    ill, a, b, c = (rng.integers(0, n, 20)[patient] for n in (2, 3, 3, 3))
    day, x = rng.permutation(160), rng.integers(0, 2, 160)
    rows = [",".join(map(str, row)) for row in zip(patient, day, a, b, c, x, ill, strict=True)]
    (tmp_path / "visits.csv").write_text("\n".join(["patient,day,a,b,c,x,ill", *rows]) + "\n", encoding="utf-8")
    return "visits.csv"


def found_by(fewest, verb, path, *options):
    run = fewest(verb, path, "-t", "ill", *options, "--format", "json")
    assert run.code in (0, 1), run.err
    return json.loads(run.out)


@pytest.mark.parametrize("verb", JUDGED)
def test_rows_of_a_group_are_on_one_side(fewest, visits, verb):
    own = ("--estimator", "tree") if verb == "wrap" else ()
    mixed = found_by(fewest, verb, visits, "--drop", "patient", "--drop", "day", *own)
    apart = found_by(fewest, verb, visits, "--groups", "patient", "--drop", "day", *own)
    assert apart["n_features"] == 4
    assert JUDGED[verb](mixed) > 0.9 > 0.75 > JUDGED[verb](apart)


@pytest.mark.parametrize("verb", JUDGED)
def test_earlier_rows_predict_later_ones(fewest, tmp_path, verb):
    rng = np.random.default_rng(0)
    day, x = rng.permutation(120), rng.integers(0, 2, 120)
    y = np.where(day < 60, x, 1 - x)  # what the first half says is wrong of the second
    rows = [f"{d},{a},{b},{c}" for d, a, b, c in zip(day, x, rng.integers(0, 2, 120), y, strict=True)]
    (tmp_path / "drift.csv").write_text("\n".join(["day,x,noise,ill", *rows]) + "\n", encoding="utf-8")
    share = ("--validation-fraction", "0.5") if verb == "wrap" else ()
    found = found_by(fewest, verb, "drift.csv", "--time", "day", *share)
    assert found["n_features"] == 2
    if verb == "wrap":  # it learned from the first half alone, where x says all
        assert next(step for step in found["history"] if step["features"] == ["x"])["training_error"] == 0
        assert next(step for step in found["history"] if step["features"] == ["x"])["holdout_error"] == 1
    else:
        assert JUDGED[verb](found) < 0.6


def test_a_wrapper_within_training_keeps_groups_together_too(fewest, visits):
    train = ("--groups", "patient", "--drop", "day", "--select", "ordered-fs")
    assert found_by(fewest, "train", visits, *train)["cross_validation"]["mean"] < 0.75


@pytest.mark.parametrize("verb", ["select", "train", "wrap", "compare"])
def test_what_cannot_be_kept_apart_is_refused(fewest, visits, verb):
    run = fewest(verb, visits, "-t", "ill", "--groups", "patient", "--time", "day")
    assert (run.code, "not by both" in run.err) == (2, True)


@pytest.mark.parametrize("options", [("--tolerance", "cv"), ("--method", "min-description"), ("--engine", "stream")])
def test_select_refuses_to_mix_rows_that_are_to_be_kept_apart(fewest, visits, options):
    run = fewest("select", visits, "-t", "ill", "--groups", "patient", *options)
    assert (run.code, run.out, "--groups" in run.err) == (2, "", True)


def test_a_note_names_what_the_verb_can_do_about_groups(fewest, tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"P{k % 40:03},{rng.integers(0, 3)},{rng.integers(0, 3)},{k % 2}" for k in range(160)]
    (tmp_path / "rows.csv").write_text("\n".join(["patient_id,a,b,y", *rows]) + "\n", encoding="utf-8")
    for verb in ("select", "train", "wrap"):
        assert "--groups patient_id keeps them on one side of every split" in fewest(verb, "rows.csv", "-t", "y").err
    said = fewest("rank", "rows.csv", "-t", "y").err
    assert "p-values are too small, since all rows count as independent here" in said
    assert "--groups" not in said
    assert "--groups" not in fewest("explain", "rows.csv", "-t", "y", "--row", "0").err


def test_the_last_rows_are_held_out_where_rows_are_not_shuffled():
    rng = np.random.RandomState(0)
    fold = holdout_fold((0.5, 0.3, 0.2), np.zeros(10), None, rng, stratify=False, shuffle=False)
    assert (fold.training.tolist(), fold.holdout.tolist(), fold.second.tolist()) == ([0, 1, 2, 3, 4], [5, 6, 7], [8, 9])
    with pytest.raises(ParameterError, match="by group or by class"):
        holdout_fold((0.5, 0.5), np.zeros(10), np.arange(10), rng, stratify=False, shuffle=False)
