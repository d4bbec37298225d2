"""A table as businesses have them, with identifiers, copies, leaks, dates, gaps and noise, through the program."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

DRIVERS = ["contract", "tenure", "calls"]
LEAKS = ["ended_on", "reason"]


@pytest.fixture(scope="module")
def customers():
    rng, n = np.random.default_rng(7), 700
    contract = rng.choice(["monthly", "yearly"], n)
    tenure, calls = rng.integers(1, 72, n), rng.poisson(1.5, n)
    odds = -2.6 + 1.6 * (contract == "monthly") - 0.05 * (tenure - 30) + 0.8 * (calls - 1.5)
    leaves = rng.random(n) < 1 / (1 + np.exp(-odds))
    charge = rng.gamma(5, 12, n).round(2)
    return pd.DataFrame(
        {
            "id": [f"C{k:05d}" for k in rng.permutation(n)],
            "email": [f"user{k}@example.com" for k in range(n)],
            "country": "AT",
            "contract": contract,
            "tenure": tenure,
            "calls": calls,
            "calls_copy": calls,
            "charge": [f"{value:,.2f} €" for value in charge],
            "discount": [f"{value} %" for value in rng.integers(0, 40, n)],
            "age": np.where(rng.random(n) < 0.2, np.nan, rng.integers(18, 90, n)),
            "noise": rng.normal(size=n).round(4),
            "gender": rng.choice(["F", "M"], n),
            "ended_on": np.where(leaves, "2024-07-03", ""),
            "reason": np.where(leaves, rng.choice(["price", "moved"], n), ""),
            "left": np.where(leaves, "yes", "no"),
        }
    )


def test_what_is_wrong_with_the_columns_is_named(fewest, customers, tmp_path):
    customers.to_csv(tmp_path / "customers.csv", index=False)
    run = fewest("rank", "customers.csv", "-t", "left", "-f", "json")
    told = run.err
    assert "Possible leak: ended_on and reason are filled exactly where left is yes" in told
    assert "id and email (names the rows)" in told
    assert "country (one value only)" in told
    assert "calls_copy (repeats calls)" in told
    found = json.loads(run.out)
    assert not {"id", "email", "country", "calls_copy"} & set(found["features"])
    leaks = [one for one in found["screening"]["findings"] if "leak" in str(one).lower()]
    assert leaks, found["screening"]


def test_the_drivers_are_found_and_predict_as_well_as_they_can(fewest, customers, tmp_path):
    customers.to_csv(tmp_path / "customers.csv", index=False)
    options = ("--drop", "ended_on", "--drop", "reason", "-m", "mrmr,l1", "-l", "logistic", "--repeats", "1")
    result = json.loads(fewest("compare", "customers.csv", "-t", "left", *options, "-f", "json").out)
    recommendation = result["recommendation"]
    assert result["scoring"] == "roc_auc"
    assert len(set(recommendation["features"]) - set(DRIVERS)) <= 1
    assert {"contract", "tenure", "calls"} <= set(recommendation["features"])
    chosen = next(one for one in result["methods"] if one["method"] == recommendation["method"])
    learner = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["contract"]), (StandardScaler(), ["tenure", "calls"])),
        LogisticRegression(),
    )
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    best = cross_val_score(learner, customers, customers["left"] == "yes", cv=folds, scoring="roc_auc").mean()
    assert chosen["score"] > best - 0.01


def test_of_noise_every_verb_says_that_there_is_nothing(fewest, tmp_path):
    rng = np.random.default_rng(5)
    numbers = {f"x{j}": rng.normal(size=120).round(3) for j in range(3)}
    names = {f"c{j}": rng.choice(list("abc"), 120) for j in range(2)}
    pd.DataFrame({**numbers, **names, "y": rng.choice(["p", "q"], 120)}).to_csv(tmp_path / "noise.csv", index=False)
    for verb, options, said in (
        ("select", (), "So they predict no better than guessing"),
        ("rank", (), "None of 5 features is relevant"),
        ("wrap", ("--estimator", "nb"), "None of 5 features is kept"),
        ("train", (), "So it predicts no better than the most frequent class"),
        ("compare", ("-m", "wg,univariate", "-l", "tree", "--repeats", "1"), "No method is recommended"),
    ):
        run = fewest(verb, "noise.csv", "-t", "y", *options)
        assert said in run.out + run.err, (verb, run.out, run.err)
