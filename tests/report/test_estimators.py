import numpy as np
import pytest

from fewest import (
    CFPClassifier,
    ID3Classifier,
    MinFeatures,
    OrderedFS,
    ReliefF,
    RReliefF,
    WeightedGreedy,
    make_learner,
    make_report,
)
from fewest.datasets import load_votes
from fewest.exceptions import ParameterError
from fewest.plot import plot_path
from fewest.report.render import render


@pytest.fixture(scope="module")
def votes():
    return load_votes(return_X_y=True)


def titles(report):
    return [section["title"] for section in report.page["sections"]]


def test_the_exact_selector_shows_reasons_proof_and_core(votes, tmp_path):
    report = make_report(MinFeatures().fit(*votes), *votes)
    sections = {section["kind"]: section for section in report.page["sections"]}
    assert report.page["answer"]["status"] == "proven"
    assert len(sections["reasons"]["reasons"]) == 9
    assert len(sections["alternatives"]["core"]) == 9
    assert all(pair["features"] for pair in sections["proof"]["pairs"])
    report.save(tmp_path / "page.html")
    assert "physician-fee-freeze" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert report._repr_html_().startswith("<iframe")


def test_a_greedy_selector_shows_its_path(votes):
    report = make_report(WeightedGreedy().fit(*votes), *votes)
    path = next(section for section in report.page["sections"] if section["kind"] == "path")
    left = [step["n_left"] for step in path["steps"]]
    assert left == sorted(left, reverse=True)
    assert (left[0], left[-1]) == (267 * 168, 0)


def test_relevance_is_shown_most_relevant_first(votes):
    report = make_report(ReliefF(n_features_to_select=3).fit(*votes), *votes)
    assert titles(report)[0] == "How relevant every feature is"
    assert report.page["answer"]["features"][0] == "physician-fee-freeze"


def test_a_regression_target_is_shown_in_thirds():
    X = np.random.default_rng(0).random((60, 4))
    report = make_report(RReliefF().fit(X, X[:, 2]), X, X[:, 2])
    profiles = next(section for section in report.page["sections"] if section["kind"] == "profiles")
    assert (profiles["groups_name"], len(profiles["classes"])) == ("thirds", 3)
    counts = np.array([value["counts"] for value in profiles["profiles"][0]["values"]])
    assert counts.sum(axis=0).tolist() == [20, 20, 20]
    assert counts[0].tolist() == [12, 0, 0]  # the lowest fifth of the feature is the lowest fifth of the target


def test_the_relevance_of_a_regression_speaks_of_no_class():
    X = np.random.default_rng(0).random((60, 3))
    page = render(make_report(RReliefF().fit(X, X[:, 2]), X, X[:, 2]).page)
    assert "between neighbors whose targets differ much" in page
    assert "of different class" not in page
    page = render(make_report(ReliefF().fit(X, X[:, 2] > 0.5), X, X[:, 2] > 0.5).page)
    assert "between neighbors of different class" in page


@pytest.mark.parametrize(
    ("learner", "first"), [(ID3Classifier(), "The tree"), (CFPClassifier(), "How much each feature's vote counts")]
)
def test_a_learner_shows_its_model(votes, learner, first):
    report = make_report(learner.fit(*votes), *votes)
    assert titles(report)[0] == first
    assert report.page["answer"]["facts"][1]["value"] == f"{learner.score(*votes):.1%}"


def test_a_pipeline_shows_its_selector(votes):
    report = make_report(make_learner("WG+ID3").fit(*votes), *votes)
    assert "The path" in titles(report)


def test_selectors_of_other_libraries_show_what_they_chose_and_know():
    from sklearn.feature_selection import SelectKBest

    rng = np.random.default_rng(0)
    X = rng.random((60, 5))
    y = X[:, 3] > 0.5
    report = make_report(SelectKBest(k=1).fit(X, y), X, y)
    table = next(section for section in report.page["sections"] if section["kind"] == "table")
    assert report.page["answer"]["claim"] == "SelectKBest selected 1 of 5 features."
    assert [column["title"] for column in table["columns"]][:4] == ["feature", "selected", "scores", "pvalues"]
    assert table["rows"][0]["feature"] == "x3"


def test_a_wrapper_shows_its_errors_by_the_number_of_features():
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    y = X[:, 1] + X[:, 2] > 0
    selector = OrderedFS(GaussianNB(), random_state=0).fit(X, y)
    report = make_report(selector, X, y)
    path = report.page["sections"][0]
    assert (path["kind"], path["n_chosen"]) == ("errors", selector.n_features_selected_)
    assert [step["n_features"] for step in path["steps"]] == [0, 1, 2, 3, 4]
    assert report._repr_html_().startswith("<iframe")


def test_what_has_nothing_to_show_is_refused():
    from sklearn.linear_model import LogisticRegression

    X, y = np.eye(4), [0, 1, 0, 1]
    with pytest.raises(ParameterError, match="selects no features"):
        make_report(LogisticRegression().fit(X, y), X, y)
    with pytest.raises(ParameterError, match="was fitted to 4"):
        make_report(MinFeatures().fit(X, y), X[:, :2], y)


def test_a_path_needs_one():
    X, y = np.eye(4), [0, 1, 0, 1]
    with pytest.raises(ParameterError, match="keeps no path"):
        plot_path(MinFeatures().fit(X, y))


def test_a_page_names_leaks_above_the_answer():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 150)
    X = np.column_stack([rng.integers(0, 3, (150, 2)), 1 - y])
    page = make_report(MinFeatures().fit(X, y), X, y).page
    assert page["alarms"][0].startswith("Possible leak: x2 is y in other words.")
    assert make_report(MinFeatures().fit(X, y), X, y, screen=False).page["alarms"] == []
