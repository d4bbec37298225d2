import numpy as np
import pytest

from fewest import compare
from fewest.comparison.learners import FeatureMatrix, favourite, folds, learners, predicted
from fewest.comparison.recommendation import recommend
from fewest.comparison.selectors import SELECTORS, Selector
from fewest.comparison.validation import Validation
from fewest.datasets import make_parity
from fewest.exceptions import ParameterError
from fewest.table import from_array, from_frame


def by_name(comparison):
    return {method["method"]: method for method in comparison.result["methods"]}


# ---------------------------------------------------------------------- planted problems


def test_parity_is_for_relief_and_the_exact_search_not_for_mutual_information():
    X, y, _ = make_parity(200, relevant=3, irrelevant=17, random_state=0)
    comparison = compare(X, y, methods=["min-features", "mig", "relieff"], n_repeats=1)
    found = by_name(comparison)
    assert comparison.recommended in ("min-features", "relieff")
    assert comparison.selected == ["x0", "x1", "x2"]
    assert min(found["min-features"]["low"], found["relieff"]["low"]) > found["mig"]["accuracy"]
    assert found["all"]["accuracy"] < 0.7


def test_noise_is_not_for_the_strict_search():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 15))
    y = np.where(rng.random(300) < 0.15, X[:, :3].sum(axis=1) < 2, X[:, :3].sum(axis=1) >= 2)
    comparison = compare(X, y, methods=["min-features", "tolerant", "relieff"], n_repeats=1)
    found = by_name(comparison)
    assert comparison.recommended in ("tolerant", "relieff")
    assert comparison.selected == ["x0", "x1", "x2"]
    assert found["min-features"]["n_features"] > 8
    assert found["min-features"]["stability"] < 0.4


def test_redundant_features_are_not_for_relief_alone():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 12))
    y = X[:, 0] ^ X[:, 1]
    X = np.column_stack([X, *[X[:, :2]] * 5])
    comparison = compare(X, y, methods=["relieff", "relief+fewest"], n_repeats=1)
    assert comparison.recommended == "relief+fewest"
    assert len(comparison.selected) == 2
    assert by_name(comparison)["relieff"]["n_features"] >= 12


def test_the_wrapper_takes_names_as_a_whole():
    import pyarrow

    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue", "grey"], 150)
    frame = pyarrow.table({"noise": rng.normal(size=150), "colour": colour, "more": rng.normal(size=150)})
    comparison = compare(frame, colour == "red", methods=["ordered-fs"], learners=["tree"], n_repeats=1)
    assert comparison.selected == ["colour"]


def test_nothing_is_recommended_where_nothing_predicts():
    rng = np.random.default_rng(0)
    comparison = compare(rng.random((60, 5)), rng.integers(0, 2, 60), methods=["relieff", "wg"], n_repeats=1)
    assert comparison.recommended is None
    assert comparison.selected == []
    assert "none predicts reliably better than always answering" in comparison.result["recommendation"]["sentence"]


# ---------------------------------------------------------------------- honesty


def spying(seen):
    def choose(training, budget):
        seen.append(training.table.row_numbers)
        return [0]

    return Selector("spy", "looks on", choose)


def validation(selectors, n_rows=40, **more):
    rng = np.random.default_rng(0)
    table = from_array(rng.integers(0, 2, (n_rows, 4)))
    classes = rng.integers(0, 2, n_rows)
    return Validation(table, classes, selectors, learners(["tree"], 0), folds(classes, 4, 1, 0), **more)


def test_no_method_sees_a_row_that_judges_it():
    seen = []
    contest = validation([spying(seen)])
    contest.run(None, None)
    assert len(seen) == 4
    for rows, (training, test) in zip(seen, contest.folds, strict=True):
        assert set(rows.tolist()) == set(training.tolist())
        assert not set(rows.tolist()) & set(test.tolist())


def test_scaling_and_learning_know_the_training_rows_only():
    numbers = FeatureMatrix(from_array(np.array([[0.0, 1], [2, 3], [1000, 5], [np.nan, 7]])))
    X = numbers.of(np.array([True, False]), np.array([0, 1]))
    assert X[:, 0].tolist() == [-1, 1, 999, 0]  # the mean of the first two rows is 1, and so is their spread
    assert X.shape[1] == 2  # whether it is known


def test_the_favourite_is_chosen_on_training_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 2)).astype(float)
    y = (X[:, 0] != X[:, 1]).astype(int)
    y[60:] = 1 - y[60:]  # whoever looked at the last rows would be misled
    assert favourite(learners(["logistic", "tree"], 0), X, y, np.arange(60), 0) == "tree"


def test_without_features_the_most_frequent_class_is_predicted():
    classes = np.array([0, 1, 1, 1, 0])
    told = predicted(None, np.empty((5, 0)), classes, np.arange(4), np.array([4]))
    assert told.tolist() == [1]


# ---------------------------------------------------------------------- time


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def slow(name, clock, seconds):
    def choose(training, budget):
        clock.now += seconds
        return [0]

    return Selector(name, "takes its time", choose)


def test_a_fold_that_there_is_no_time_for_is_not_begun():
    clock = Clock()
    contest = validation([slow("a", clock, 1), slow("b", clock, 2)], clock=clock)
    records, stopped_by = contest.run(10, None)
    assert [len(record) for record in records] == [3, 3]
    assert (stopped_by, clock.now) == ("time limit", 9)


def test_methods_without_time_on_the_first_fold_are_named():
    clock = Clock()
    contest = validation([slow("a", clock, 5), slow("b", clock, 1)], clock=clock)
    records, stopped_by = contest.run(4, None)
    assert [len(record) for record in records] == [1, 0]
    assert stopped_by == "time limit"


def test_an_interrupt_leaves_whole_folds():
    calls = []

    def choose(training, budget):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return [0]

    contest = validation([SELECTORS["all"], Selector("b", "is interrupted", choose)])
    records, stopped_by = contest.run(None, None)
    assert [len(record) for record in records] == [3, 3]
    assert stopped_by == "interrupt"


# ---------------------------------------------------------------------- the verdict


def method(name, accuracies, n_features, stability=1.0):
    mean = float(np.mean(accuracies))
    return {
        "method": name, "idea": name, "accuracy": mean, "low": mean - 0.05, "high": mean + 0.05,
        "accuracies": accuracies, "n_features": n_features, "fewest_features": 1, "most_features": 30,
        "stability": stability, "seconds": 0.0,
    }  # fmt: skip


GUESS = {"label": "no", "accuracy": 0.5}


def test_fewer_features_win_among_those_as_good_as_the_best():
    many, few = method("many", [0.9, 0.8, 0.9], 20.0), method("few", [0.88, 0.82, 0.89], 3.0)
    worse = method("worse", [0.7, 0.6, 0.7], 1.0)
    verdict = recommend([many, few, worse], GUESS, 0.25)
    assert verdict["method"] == "few"
    assert "many (about 20.0)" in verdict["reasons"][0]
    assert "worse (66.7%)" in verdict["reasons"][1]


def test_few_rows_excuse_no_large_loss():
    best, worse = method("best", [1.0, 0.9, 1.0], 20.0), method("worse", [0.7, 1.0, 0.8], 2.0)
    assert recommend([best, worse], GUESS, 0.25)["method"] == "best"


def test_stability_decides_between_equally_small_subsets():
    shaky, firm = method("shaky", [0.9, 0.9], 3.0, 0.2), method("firm", [0.9, 0.9], 3.2, 0.9)
    assert recommend([shaky, firm], GUESS, 0.25)["method"] == "firm"


def test_an_unstable_choice_is_called_that():
    verdict = recommend([method("shaky", [0.9, 0.9], 3.0, 0.1)], GUESS, 0.25)
    assert "read no meaning into each" in verdict["reasons"][-1]


# ---------------------------------------------------------------------- the door


def test_names_numbers_and_missing_values_side_by_side():
    import pyarrow

    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 120).tolist()
    size = rng.normal(size=120)
    label = [c == "red" or s > 1 for c, s in zip(colour, size, strict=True)]
    frame = pyarrow.table(
        {
            "colour": [None if k % 20 == 0 else c for k, c in enumerate(colour)],
            "size": np.where(np.arange(120) % 15 == 0, np.nan, size),
            "noise": rng.normal(size=120),
        }
    )
    comparison = compare(frame, label, methods=["wg", "relieff"], learners=["tree"], n_repeats=1)
    assert comparison.recommended is not None
    assert "colour" in comparison.selected
    assert repr(comparison).startswith("<Comparison of 3 methods: Use ")
    assert comparison._repr_html_().startswith("<iframe")


def test_selectors_and_learners_of_other_libraries():
    from sklearn.feature_selection import SelectKBest, mutual_info_classif
    from sklearn.naive_bayes import BernoulliNB

    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (150, 6))
    methods = {"kbest": SelectKBest(mutual_info_classif, k=1), "wg": None}
    comparison = compare(X, X[:, 4], methods=methods, learners={"bayes": BernoulliNB()}, n_repeats=1)
    assert [m["method"] for m in comparison.result["methods"]] == ["all", "kbest", "wg"]
    assert comparison.selected == ["x4"]


def test_the_same_seed_gives_the_same_figures():
    X, y, _ = make_parity(80, relevant=2, irrelevant=4, random_state=1)
    runs = [compare(X, y, methods=["relief"], learners=["tree"], n_repeats=1, random_state=3) for _ in range(2)]
    first, second = ([{k: v for k, v in m.items() if k != "seconds"} for m in run.result["methods"]] for run in runs)
    assert first == second


@pytest.mark.parametrize(
    ("X", "y", "options", "said"),
    [
        (np.zeros((20, 2)), [0] * 20, {}, "Every row has the same"),
        (np.zeros((5, 2)), [0, 1, 0, 1, 0], {}, "5 rows in 5 folds"),
        (np.zeros((20, 0)), [0, 1] * 10, {}, "There is no feature"),
        (np.zeros((20, 2)), [0, 1] * 5, {}, "20 rows but classes of shape"),
        (np.zeros((20, 2)), [0, 1] * 10, {"methods": ["best"]}, "'best'"),
        (np.zeros((20, 2)), [0, 1] * 10, {"learners": ["oracle"]}, "'oracle'"),
    ],
)
def test_what_cannot_be_compared_is_refused(X, y, options, said):
    with pytest.raises(ParameterError, match=said):
        compare(X, y, **options)


def test_many_rows_are_compared_on_a_sample(monkeypatch):
    monkeypatch.setattr("fewest.comparison.compare.MOST_ROWS", 100)
    X, y, _ = make_parity(400, relevant=2, irrelevant=2, random_state=0)
    result = compare(X, y, methods=["wg"], learners=["tree"], n_repeats=1).result
    assert (result["n_rows"], result["n_rows_used"]) == (400, 100)


def test_a_frame_of_any_library_is_compared():
    import pandas

    X, y, _ = make_parity(100, relevant=2, irrelevant=2, random_state=0)
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    comparison = compare(frame, pandas.Series(y, name="odd"), methods=["wg"], learners=["tree"], n_repeats=1)
    assert comparison.result["target"] == "odd"
    assert comparison.selected == ["a", "b"]
    assert from_frame(frame).names == ("a", "b", "c", "d")
