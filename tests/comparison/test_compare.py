import contextlib

import numpy as np
import pytest

from fewest import compare
from fewest.budget import TIME_LIMIT, Budget, OutOfBudgetError
from fewest.comparison.all_rows import typical_choice
from fewest.comparison.folds import Splitting
from fewest.comparison.learners import FeatureMatrix, answers, learners
from fewest.comparison.metrics import ACCURACY, ROC_AUC, Task, metrics_for, others_that_count
from fewest.comparison.recommendation import decide, worded
from fewest.comparison.selectors import SELECTORS, Selector
from fewest.comparison.training import Training
from fewest.comparison.validation import Record, Validation
from fewest.datasets import make_parity
from fewest.exceptions import ParameterError, StoppedEarlyWarning
from fewest.table import from_array, from_frame


def by_name(comparison):
    return {method["method"]: method for method in comparison.result["methods"]}


# ---------------------------------------------------------------------- planted problems


def test_parity_is_for_relief_and_the_exact_search_not_for_mutual_information():
    X, y, _ = make_parity(300, relevant=3, irrelevant=17, random_state=0)
    comparison = compare(X, y, methods=["min-features", "mig", "relieff"], n_repeats=1)
    found = by_name(comparison)
    assert comparison.recommended in ("min-features", "relieff")
    assert comparison.selected == ["x0", "x1", "x2"]
    assert min(found["min-features"]["low"], found["relieff"]["low"]) > found["mig"]["score"]
    assert found["all"]["score"] < 0.7


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
    X = np.column_stack([X, *(X[:, :2] ^ (rng.random((300, 2)) < 0.03) for _ in range(5))])  # copies, nearly
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
    assert "none predicts reliably better than" in comparison.result["recommendation"]["sentence"]


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
    task = Task.of(classes, 2)
    parts = Splitting(4, 1).outer(classes, task, 0)
    return Validation(table, classes, selectors, learners(["tree"], task, n_rows, 0), parts, **more)


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


def test_no_learner_is_chosen_by_the_rows_that_judge_it():
    record = Record(SELECTORS["all"])
    for first, second in ((0.9, 0.1), (0.2, 0.8), (0.1, 0.7)):
        record.add(np.ones(1, dtype=bool), 0.0, {"first": (first, np.empty(0)), "second": (second, np.empty(0))}, None)
    rows = np.arange(9)
    parts = [(np.delete(rows, test), test) for test in (rows[:3], rows[3:6], rows[6:])]
    # In the first fold the first learner is better, but the other two folds do not know that.
    assert record.favorites(parts) == ["second", "first", "first"]
    again = [parts[0], (np.delete(rows, rows[2:5]), rows[2:5]), parts[2]]  # shares a row with the first part
    assert record.favorites(again) == ["second", "second", "first"]


def test_without_features_the_usual_shares_are_answered():
    classes = np.array([0, 1, 1, 1, 0])
    given = answers(None, np.empty((5, 0)), classes, np.arange(4), np.array([4]), Task(2, 1))
    assert given.tolist() == [[0.25, 0.75]]


def test_as_many_features_as_in_the_folds_are_chosen_on_all_rows():
    training = Training(from_array(np.eye(6)), np.arange(6) % 2)
    n_kept = {0: 1, 1: 2, 2: 4, 3: 6}
    unlucky = Selector("unlucky", "divides rows", lambda part, budget: range(n_kept[part.seed]))
    mask, part = typical_choice(unlucky, training, Budget(), 5.0)
    assert (mask.sum(), part.seed) == (4, 2)
    fixed = Selector("fixed", "divides none", lambda part, budget: range(n_kept[part.seed]), is_discrete=True)
    assert typical_choice(fixed, training, Budget(), 5.0)[0].sum() == 1


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


def test_methods_that_take_twice_their_share_leave_while_not_all_folds_fit():
    clock = Clock()
    contest = validation([slow(f"m{k}", clock, 1) for k in range(12)], clock=clock)
    n_folds = len(contest.folds)
    for per_fold, deadline, gone in ((14, 14 * n_folds, []), (14, 5 * n_folds, ["m5"])):
        contest.too_slow.clear()
        records = [Record(selector) for selector in contest.selectors]
        for k, record in enumerate(records):
            record.add(np.array([True]), 3.0 if k == 5 else 1.0, {}, None)
        contest._drop_slow(records, 1, per_fold, deadline)
        assert contest.too_slow == gone
        assert [len(record) for record in records] == [0 if f"m{k}" in gone else 1 for k in range(12)]


def test_a_method_below_twice_its_share_stays():
    contest = validation([slow(f"m{k}", Clock(), 1) for k in range(12)], clock=Clock())
    records = [Record(selector) for selector in contest.selectors]
    for record in records:
        record.add(np.array([True]), 1.0, {}, None)
    contest._drop_slow(records, 1, 12.0, 1.0)
    assert contest.too_slow == []


def test_a_method_that_finds_no_answer_in_its_time_leaves_alone():
    clock = Clock()

    def choose(training, budget):
        clock.now += 2
        raise OutOfBudgetError

    contest = validation([slow("a", clock, 1), Selector("b", "never ends", choose), slow("c", clock, 1)], clock=clock)
    records, stopped_by = contest.run(2 + 2 * len(contest.folds) + 1, None)
    assert [len(record) for record in records] == [len(contest.folds), 0, len(contest.folds)]
    assert (stopped_by, contest.too_slow, clock.now) == (None, ["b"], 2 + 2 * len(contest.folds))


def test_a_ranking_looks_at_the_clock_in_every_inner_fold():
    training = Training(from_array(np.eye(12)), np.arange(12) % 2)
    with pytest.raises(OutOfBudgetError):
        SELECTORS["univariate"].timed(training, Budget(0.0))


def test_a_comparison_that_the_clock_ended_says_so(monkeypatch):
    run = Validation.run
    monkeypatch.setattr(Validation, "run", lambda self, *given: (run(self, *given)[0], TIME_LIMIT))
    X, y, _ = make_parity(60, relevant=2, irrelevant=3, random_state=0)
    with pytest.warns(StoppedEarlyWarning, match="another run may answer otherwise"):
        found = compare(X, y, methods=["information"], n_repeats=1)
    assert found.result["stopped_by"] == TIME_LIMIT


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


def method(name, scores, n_features, stability=1.0):
    mean = float(np.mean(scores))
    return {
        "method": name, "idea": name, "score": mean, "low": mean - 0.05, "high": mean + 0.05, "error": 0.01,
        "scores": scores, "n_features": n_features, "fewest_features": 1, "most_features": 30,
        "stability": stability, "seconds": 0.0,
    }  # fmt: skip


def verdict_of(*methods, n_chosen=3, others=(), unselective=()):
    """Return the verdict on methods, with words as if the chosen one had selected so many features."""
    guess = {"text": "guessing", "score": 0.5}
    verdict = decide(list(methods), ACCURACY, 0.5, 0.25, None, others, unselective)
    verdict["features"] = [f"x{j}" for j in range(n_chosen)] if verdict["method"] else []
    worded(verdict, list(methods), [metric.described() for metric in (ACCURACY, *others)], guess)
    return verdict


EVERYTHING = method("all", [0.9, 0.8, 0.9], 30.0, None)


def test_fewer_features_win_among_those_as_good_as_the_best():
    many, few = method("many", [0.9, 0.8, 0.9], 20.0), method("few", [0.88, 0.81, 0.89], 3.0)
    worse = method("worse", [0.7, 0.6, 0.7], 1.0)
    verdict = verdict_of(EVERYTHING, many, few, worse)
    assert (verdict["kind"], verdict["method"]) == ("selection", "few")
    assert "gives up 0.7 points against the best (all, 86.7%)" in verdict["sentence"]
    assert "many (about 20.0)" in verdict["reasons"][0]
    assert "worse (66.7%)" in verdict["reasons"][1]


def test_two_points_are_the_most_that_is_given_up():
    best = method("best", [0.95, 0.85, 0.9], 20.0)
    near, far = method("near", [0.9, 0.88, 0.875], 3.0), method("far", [0.75, 0.95, 0.91], 2.0)
    verdict = verdict_of(EVERYTHING, best, near, far)
    assert verdict["method"] == "near"
    assert verdict["given_up"] == pytest.approx(0.015)


def test_what_may_be_given_up_besides_is_told():
    best, near = method("best", [0.95, 0.85, 0.9], 20.0), method("near", [0.9, 0.88, 0.875], 3.0)
    verdict = verdict_of(EVERYTHING, best, near)
    assert verdict["given_up_at_most"] == pytest.approx(0.04626, abs=1e-5)
    assert "4.6 points may be given up" in verdict["reasons"][-1]
    assert verdict["reasons"][-1].endswith("takes best (about 20.0 features).")
    sure = verdict_of(EVERYTHING, method("best", [0.9, 0.9, 0.9], 20.0), method("same", [0.898, 0.898, 0.898], 3.0))
    assert "given up" not in sure["reasons"][-1]


def test_errors_do_not_grow_by_more_than_a_quarter():
    best = method("best", [1.0, 0.92, 0.96], 20.0)
    near, nearer = method("near", [0.94, 0.945, 0.95], 3.0), method("nearer", [0.96, 0.95, 0.945], 5.0)
    assert verdict_of(EVERYTHING, best, near)["method"] == "best"  # 1.5 points of the 4 that are lacking
    assert verdict_of(EVERYTHING, best, near, nearer)["method"] == "nearer"  # 0.8


def test_what_a_ranking_gave_up_for_its_number_counts():
    best = method("best", [0.95, 0.85, 0.9], 20.0)
    near = method("near", [0.9, 0.88, 0.875], 3.0)  # 1.5 points
    frugal, verdict = near | {"given_up_within": 0.004}, verdict_of(EVERYTHING, best, near | {"given_up_within": 0.006})
    assert verdict["method"] == "best"
    verdict = verdict_of(EVERYTHING, best, frugal)
    assert (verdict["method"], verdict["given_up_within"]) == ("near", 0.004)
    assert "More of its features would have gained 0.4 points within the training rows." in verdict["reasons"]


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (0.004, "These are behind by less than a point: other (89.6%). These predict worse: all (86.7%)."),
        (0.011, "These predict worse: all (86.7%), other (88.9%)."),
    ],
)
def test_what_lacks_less_than_a_point_is_not_called_worse(lost, said):
    best = method("best", [0.95, 0.85, 0.9], 3.0)
    always_behind = method("other", [score - lost for score in best["scores"]], 2.0)
    verdict = verdict_of(EVERYTHING, best, always_behind)
    assert verdict["method"] == "best"
    assert said in verdict["reasons"]


def with_auc(found, scores):
    return found | {"at_best": {"roc_auc": scores}}


def test_what_loses_by_another_score_is_not_as_good():
    everything = with_auc(EVERYTHING, [0.93, 0.95, 0.91])
    one = with_auc(method("one", [0.9, 0.8, 0.9], 1.0), [0.9, 0.91, 0.89])
    few = with_auc(method("few", [0.9, 0.8, 0.9], 3.0), [0.92, 0.91, 0.93])
    verdict = verdict_of(everything, one, few, others=[ROC_AUC])
    assert verdict["method"] == "few"  # 1 point of AUC, and one loses 3
    assert (verdict["outvoted"]["one"]["scoring"], verdict["outvoted"]["one"]["best"]) == ("roc_auc", "all")
    said = "As good by accuracy, but not by ROC AUC (all has 0.930): one (0.900 with about 1.0)."
    assert said in verdict["reasons"]
    assert not any("predict worse" in reason for reason in verdict["reasons"])
    assert verdict_of(everything, one, few)["method"] == "one"


def test_the_best_stays_whatever_other_scores_say():
    everything = with_auc(EVERYTHING, [0.93, 0.95, 0.91])
    one = with_auc(method("one", [0.91, 0.81, 0.91], 1.0), [0.9, 0.91, 0.89])
    verdict = verdict_of(everything, one, others=[ROC_AUC])
    assert (verdict["method"], verdict["outvoted"]) == ("one", {})


def test_a_score_that_has_no_value_is_no_loss():
    everything = with_auc(EVERYTHING, [0.93, 0.95, 0.91])
    one = with_auc(method("one", [0.9, 0.8, 0.9], 1.0), [float("nan")] * 3)
    assert verdict_of(everything, one, others=[ROC_AUC])["method"] == "one"


def test_another_score_is_of_the_learner_that_does_best_by_it():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    rare = X[:, 0] + 0.3 * rng.normal(size=300) > 1.4
    comparison = compare(X, rare, methods=["univariate"], learners=["tree", "logistic"], n_repeats=1)
    found = {one["method"]: one for one in comparison.result["methods"]}["univariate"]
    assert found["learner"] == "logistic"  # it orders rows better, and calls fewer of them rare than a tree does
    assert np.mean(found["at_best"]["balanced_accuracy"]) > found["metrics"]["balanced_accuracy"]["mean"]


def test_labels_and_the_order_of_rows_count_beside_each_other_unless_one_was_asked_for():
    balanced, rare, several = Task(2, 1), Task(2, 1, is_balanced=False), Task(3, is_balanced=False)
    assert [m.name for m in others_that_count(metrics_for(rare), None)] == ["balanced_accuracy"]
    assert [m.name for m in others_that_count(metrics_for(balanced), None)] == ["roc_auc"]
    assert [m.name for m in others_that_count(metrics_for(several), None)] == ["roc_auc"]
    assert others_that_count(metrics_for(rare, "roc_auc"), "roc_auc") == ()
    assert others_that_count(metrics_for(balanced, "accuracy"), "accuracy") == ()
    assert others_that_count(metrics_for(Task(0)), None) == ()


def test_the_best_of_many_methods_must_be_better_than_the_best_of_many_guesses():
    counts, scores = np.array([200, 200]), [0.57, 0.56, 0.58, 0.57, 0.57]
    best = method("best", scores, 2.0) | {"low": 0.52, "error": 0.01}
    others = [method(f"m{j}", [0.5] * 5, 3.0) for j in range(11)]
    assert decide([best, others[0]], ACCURACY, 0.5, 0.25, counts)["method"] == "best"
    assert decide([best, *others], ACCURACY, 0.5, 0.25, counts)["kind"] == "nothing"


def test_two_tenths_of_a_point_are_not_worse():
    best, same = method("best", [0.9, 0.9, 0.9], 20.0), method("same", [0.898, 0.898, 0.898], 3.0)
    assert verdict_of(EVERYTHING, best, same)["method"] == "same"


def test_stability_decides_between_equally_small_subsets():
    shaky, firm = method("shaky", [0.9, 0.9], 3.0, 0.5), method("firm", [0.9, 0.9], 3.2, 0.9)
    assert verdict_of(method("all", [0.9, 0.9], 30.0, None), shaky, firm)["method"] == "firm"


def test_the_better_of_equally_small_subsets_is_chosen_before_the_more_stable():
    everything = method("all", [0.9, 0.9], 30.0, None)
    better, firm = method("better", [0.9, 0.9], 3.2, 0.5), method("firm", [0.9, 0.89], 3.0, 0.9)
    assert verdict_of(everything, better, firm)["method"] == "better"


def test_what_chooses_other_features_every_time_is_no_selection():
    shaky, firm = method("shaky", [0.9, 0.8, 0.9], 3.0, 0.1), method("firm", [0.9, 0.8, 0.9], 9.0, 0.8)
    assert verdict_of(EVERYTHING, shaky, firm)["method"] == "firm"
    alone = verdict_of(EVERYTHING, shaky)
    assert (alone["kind"], alone["method"]) == ("unstable", "shaky")
    assert alone["sentence"].startswith("No stable selection")
    assert "read no meaning into each" in alone["sentence"]


def test_few_unstable_features_are_the_answer_where_stable_ones_are_far_more():
    everything, shaky = method("all", [0.9, 0.8, 0.9], 3000.0, None), method("shaky", [0.9, 0.8, 0.9], 25.0, 0.2)
    many = method("many", [0.9, 0.8, 0.9], 580.0, 0.8)
    verdict = verdict_of(everything, shaky, many)
    assert (verdict["kind"], verdict["method"]) == ("unstable", "shaky")
    assert "The fewest that are similar in every fold: many (about 580 features)." in verdict["reasons"]
    assert verdict_of(everything, shaky, method("firm", [0.9, 0.8, 0.9], 100.0, 0.8))["method"] == "firm"


def test_what_keeps_nearly_all_features_is_no_selection():
    verdict = verdict_of(EVERYTHING, method("most", [0.9, 0.81, 0.9], 28.0), n_chosen=30)
    assert (verdict["kind"], verdict["method"]) == ("all", "all")
    assert verdict["sentence"].startswith("No selection needed: all 30 features predict best")


def test_what_keeps_nearly_all_features_on_all_rows_is_no_selection():
    few, others = method("few", [0.9, 0.8, 0.9], 20.0), method("others", [0.9, 0.8, 0.9], 25.0)
    assert verdict_of(EVERYTHING, few, others, unselective=["few"])["method"] == "others"
    assert verdict_of(EVERYTHING, few, others, unselective=["few", "others"], n_chosen=30)["kind"] == "all"
    better = method("better", [0.95, 0.9, 0.95], 29.0)  # than all
    verdict = verdict_of(EVERYTHING, better, n_chosen=29)
    assert (verdict["kind"], verdict["method"]) == ("all", "better")
    assert "but keeps nearly all of the 30 features" in verdict["sentence"]


def test_a_comparison_asks_the_next_method_where_one_keeps_nearly_all_on_all_rows():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (120, 5))

    def more_with_more_rows(training, budget):
        return range(5 if training.table.n_rows == len(X) else 2)

    greedy = Selector("greedy", "all of all rows", more_with_more_rows)
    chosen = [SELECTORS["all"], greedy, Selector("steady", "three", lambda training, budget: [0, 1, 2])]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("fewest.comparison.compare.selectors", lambda *_, **__: chosen)
        comparison = compare(X, X[:, 0], methods=["wg"], n_repeats=1)
    assert (comparison.recommended, comparison.selected) == ("steady", ["x0", "x1", "x2"])


def test_another_number_on_all_rows_is_explained():
    few = method("few", [0.9, 0.8, 0.9], 4.4)
    assert "On all rows it keeps 7; in the folds" in verdict_of(EVERYTHING, few, n_chosen=7)["reasons"][0]
    assert "On all rows" not in verdict_of(EVERYTHING, few, n_chosen=4)["reasons"][0]


def test_better_than_guessing_means_surely_better():
    unsure = method("unsure", [0.4, 0.8, 0.6], 3.0) | {"low": 0.51, "error": 0.05}
    assert verdict_of(unsure)["kind"] == "nothing"  # by 99%, not only by 95%
    other = method("other", [0.5, 0.5, 0.5], 1.0)
    verdict = verdict_of(unsure, other)
    assert "Its interval alone excludes guessing, but it is the best of 2 methods" in verdict["reasons"][0]
    assert verdict_of(unsure | {"low": 0.49}, other)["reasons"] == verdict["reasons"][1:]


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
    assert repr(comparison).startswith("<Comparison of 3 methods: ")
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


SOME = np.random.default_rng(0).random((20, 2))


@pytest.mark.parametrize(
    ("X", "y", "options", "said"),
    [
        (SOME, [0] * 20, {}, "Every row has the same"),
        (SOME[:5], [0, 1, 0, 1, 0], {}, "5 rows in 5 folds"),
        (np.zeros((20, 0)), [0, 1] * 10, {}, "There is no feature"),
        (SOME, [0, 1] * 5, {}, "20 rows but classes of shape"),
        (SOME, [0, 1] * 10, {"methods": ["best"]}, "'best'"),
        (SOME, [0, 1] * 10, {"learners": ["oracle"]}, "'oracle'"),
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


def test_the_data_is_looked_at_first():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (120, 3)).astype(object)
    X = np.column_stack([X, X[:, 0], [f"key {i}" for i in range(120)]])
    comparison = compare(X, (X[:, 0] == 1) ^ (rng.random(120) < 0.1), methods=["wg"], n_splits=2, n_repeats=1)
    assert comparison.result["screening"]["left_out"] == ["x4", "x3"]
    assert (comparison.result["n_features"], len(comparison.features.columns)) == (3, 3)
    assert "Left out: x4 (names the rows); x3 (repeats x0)." in comparison.result["notes"][0]
    page = comparison.page()
    assert "What the data looks like" in [section["title"] for section in page["sections"]]
    untouched = compare(X, X[:, 1] == 1, methods=["wg"], n_splits=2, n_repeats=1, screen=False)
    assert (untouched.result["n_features"], untouched.result.get("screening")) == (5, None)


# ---------------------------------------------------------------------- what the clock decides


def _until_time_is_over(training, budget):
    """Answer with what there is when a part of the time is over, as searches do."""
    with contextlib.suppress(OutOfBudgetError):
        budget.part(0.0).check(str)
    return [0]


@pytest.mark.usefixtures("ticking")
@pytest.mark.parametrize("is_final", [False, True])
def test_what_the_clock_has_cut_short_is_noted_though_all_folds_were_run(monkeypatch, is_final):
    finally_ = _until_time_is_over if is_final else None
    choose = SELECTORS["wg"].choose if is_final else _until_time_is_over
    monkeypatch.setitem(SELECTORS, "wg", Selector("wg", "impatient", choose, True, choose_finally=finally_))
    X = np.random.default_rng(0).integers(0, 2, (40, 3))
    with pytest.warns(StoppedEarlyWarning, match="cut wg short, .* another run may answer otherwise"):
        found = compare(X, X[:, 0], methods=["wg"], n_repeats=1, time_limit=100.0)
    assert found.result["by_clock"] == ["wg"]
    assert found.result["n_folds"] == 5


@pytest.mark.filterwarnings("error::fewest.exceptions.StoppedEarlyWarning")
def test_nothing_is_noted_of_a_clock_that_decided_nothing():
    X = np.random.default_rng(0).integers(0, 2, (40, 3))
    assert compare(X, X[:, 0], methods=["wg", "relieff"], n_repeats=1).result["by_clock"] == []
