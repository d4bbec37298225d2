import numpy as np
import pytest

from fewest import MinFeatures, SimpleGreedy, scan
from fewest.cover.options import OPTIONS, CoverOptions, Focus2Options, Method, MinFeaturesOptions
from fewest.cover.select import select_features
from fewest.datasets import load_votes
from fewest.exceptions import ConflictingRowsWarning, ParameterError
from fewest.table import from_array, split_target


def table_of(X, y):
    return split_target(from_array(np.column_stack([X, y]), names=[*"abcdefghij"[: X.shape[1]], "y"]), "y")


@pytest.fixture
def votes():
    return split_target(load_votes(), "party")


@pytest.mark.parametrize("method", OPTIONS)
def test_every_method_has_options_with_the_same_defaults(method):
    options = OPTIONS[method]()
    assert options.method is method
    assert (options.tolerance, options.margin, options.missing) == (0.0, None, "value")
    assert (options.on_contradiction, options.time_limit) == ("warn", None)


@pytest.mark.parametrize("method", OPTIONS)
def test_every_method_selects_a_sufficient_subset(method):
    X = np.random.default_rng(0).integers(0, 2, (60, 6))
    features, classes = table_of(X, X[:, 1] ^ X[:, 4])
    selection = select_features(features, classes, OPTIONS[method]())
    assert {1, 4} <= set(selection.subset)
    assert selection.n_uncovered == 0
    assert selection.search is None or method is Method.MIN_FEATURES


def test_estimators_store_what_the_function_returns(votes):
    features, classes = votes
    options = MinFeaturesOptions(tolerance=0.01, exclude=["crime"], include=[0])
    selection = select_features(features, classes, options)
    fitted = MinFeatures(tolerance=0.01, exclude=["crime"], include=[0]).fit(features, classes)
    assert fitted.get_support(indices=True).tolist() == list(selection.subset)
    assert fitted.witnesses_ == selection.witnesses
    assert fitted.n_uncovered_ == selection.n_uncovered <= selection.sample.max_uncovered
    assert selection.excluded == (features.position("crime"),)


def test_a_chosen_tolerance_comes_with_the_reason():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (80, 6))
    features, classes = table_of(X, X[:, 1] ^ (rng.random(80) < 0.1))
    selection = select_features(features, classes, OPTIONS[Method.SG](tolerance="cv"))
    assert selection.sample.tolerance in [score["tolerance"] for score in selection.tolerance_scores]


def test_the_progress_is_entered_for_the_search_and_left_before_the_result(votes):
    class Watched:
        states = ()

        def __enter__(self):
            self.states += ("entered",)

        def __exit__(self, *_):
            self.states += ("left",)

    watched = Watched()
    select_features(*votes, OPTIONS[Method.SG](), watched)
    assert watched.states == ("entered", "left")


@pytest.mark.parametrize("options", [OPTIONS[Method.FOCUS1](), OPTIONS[Method.SG](tolerance="cv")])
def test_what_needs_memory_refuses_blocks_before_they_are_read(options, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,y\n0,no\n1,yes\n")
    scanned = scan(path, target="y")
    with pytest.raises(ParameterError, match="needs all rows in memory"):
        select_features(scanned, None, options)
    assert "store" not in vars(scanned)


def test_blocks_warn_of_contradictions_after_the_search(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,y\n0,0,no\n1,0,yes\n1,0,no\n0,1,yes\n")
    with pytest.warns(ConflictingRowsWarning, match="rows 1 and 2"):
        selection = select_features(scan(path, target="y"), None, OPTIONS[Method.SG]())
    with pytest.warns(ConflictingRowsWarning, match="rows 1 and 2"):
        fitted = SimpleGreedy().fit([[0, 0], [1, 0], [1, 0], [0, 1]], ["no", "yes", "no", "yes"])
    assert selection.n_uncovered == fitted.n_uncovered_ == 1
    assert list(selection.subset) == fitted.get_support(indices=True).tolist()


@pytest.mark.parametrize(
    ("kind", "parameters", "message"),
    [
        (CoverOptions, {"time_limit": "soon"}, "time_limit='soon' is no number"),
        (CoverOptions, {"missing": "drop"}, "missing='drop' is not known"),
        (CoverOptions, {"tolerance": 2}, "no fraction"),
        (Focus2Options, {"max_memory": -1}, "max_memory == -1, must be >= 0"),
    ],
)
def test_options_are_checked_when_they_are_made(kind, parameters, message):
    with pytest.raises(ParameterError, match=message):
        kind(**parameters)
