"""Features that enter together, and how many of some may and must be selected, against enumeration."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from fewest import MinFeatures
from fewest.cover import certificate as certificates
from fewest.cover.verify import verify
from fewest.exceptions import NoSubsetError, ParameterError, UnknownColumnError
from fewest.table import Column, Kind, from_frame

NAMES = ["a", "b", "c", "d", "e"]
SOME = st.sets(st.sampled_from(NAMES), min_size=1, max_size=3).map(sorted)
CLASSES_OF = {"p": 0, "q": 1, "r": 2}


@st.composite
def requests(draw):
    n_rows = draw(st.integers(2, 9))
    values = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=5 * n_rows, max_size=5 * n_rows))
    classes = draw(st.lists(st.sampled_from("pqr"), min_size=n_rows, max_size=n_rows))
    frame = pd.DataFrame(np.array(values).reshape(n_rows, 5), columns=NAMES)
    split = draw(st.integers(0, 3))
    groups = draw(st.sampled_from([None, [["a", "b"]], [["b", "d", "e"]], [["a", "e"], ["c", "d"]]]))
    asked = {
        "feature_groups": groups,
        "any_of": draw(st.none() | st.lists(SOME, max_size=2)),
        "costs": draw(st.none() | st.lists(st.sampled_from([1, 2, 2.5]), min_size=5, max_size=5)),
        "exclude": draw(st.sampled_from([(), ("c",)])),
        "tolerance": draw(st.sampled_from([0.0, 0.0, 0.2])),
        "margin": draw(st.sampled_from([None, {"a": 1.5}])),
    }
    if split:
        asked["at_most"] = [(draw(st.integers(0, 2)), draw(SOME)) for _ in range(split - 1)]
    return frame, classes, asked


def plain_claims(frame, asked, features, cost):
    """What a true certificate states, for the enumeration to judge."""
    excluded = list(asked["exclude"])
    groups = [[name for name in group if name not in excluded] for group in asked["feature_groups"] or []]
    return {
        "columns": NAMES, "exclude": excluded, "include": [], "missing": "value", "n_rows": len(frame),
        "margins": asked["margin"], "costs": asked["costs"] and dict(zip(NAMES, asked["costs"], strict=True)),
        "tolerance": asked["tolerance"], "feature_groups": [group for group in groups if group],
        "at_most": asked.get("at_most"), "any_of": asked["any_of"], "features": features,
        "cost": cost, "lower_bound": cost,
    }  # fmt: skip


@settings(deadline=None)
@given(request=requests())
def test_what_is_selected_is_the_cheapest_and_its_certificate_true(request):
    frame, classes, asked = request
    rows = frame.to_dict("records")
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.setenv("FEWEST_COMPILE", "never")
        patch.setattr(certificates, "ENUMERATED", -1)
        try:
            fitted = MinFeatures(**asked).fit(frame, classes)
        except NoSubsetError:
            all_of_them = plain_claims(frame, asked, [], 0)
            assert not naive.allowed_subsets(all_of_them, rows, classes)
            return
        except ParameterError:
            assert any(set(some) <= set(asked["exclude"]) for some in asked["any_of"])
            return
        certificate = fitted.certificate()
    features = fitted.get_feature_names_out().tolist()
    claims = plain_claims(frame, asked, features, fitted.cost_)
    assert naive.certificate_is_true(claims, rows, classes)
    assert naive.certificate_is_true(certificate, rows, classes)
    target = Column("y", Kind.NOMINAL, np.array([CLASSES_OF[one] for one in classes]), ("p", "q", "r"))
    assert all(finding.holds for finding in verify(certificate, from_frame(frame), target))
    if not fitted.tolerance_:
        cheapest = {subset for cost, subset in naive.allowed_subsets(claims, rows, classes) if cost == fitted.cost_}
        listed = [frozenset(NAMES[j] for j in subset) for subset in fitted.minimum_subsets()]
        assert set(listed) == cheapest
        assert frozenset(NAMES[j] for j in fitted.core()) == frozenset.intersection(*cheapest)


X = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "c": [0, 1, 1, 0]})
Y = [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"feature_groups": [["a", "z"]]}, UnknownColumnError, "'z'"),
        ({"feature_groups": [["a", "b"], ["b", "c"]]}, ParameterError, "in two groups"),
        ({"at_most": [(1, ["a", "z"])]}, UnknownColumnError, "'z'"),
        ({"at_most": [("a", "b")]}, ParameterError, "no pair of a number and features"),
        ({"at_most": [(-1, ["b"])]}, ParameterError, "no pair of a number and features"),
        ({"at_most": [(0, ["a"])], "include": ["a"]}, ParameterError, "more features than at_most allows"),
        ({"any_of": [["z"]]}, UnknownColumnError, "'z'"),
        ({"any_of": [["a"]], "exclude": ["a"]}, ParameterError, "excluded"),
        ({"at_most": [(1, ["a", "b", "c"])], "exclude": ["c"]}, NoSubsetError, "Allow more of them"),
    ],
)
def test_requests_that_cannot_be(asked, error, message):
    with pytest.raises(error, match=message):
        MinFeatures(**asked).fit(X, Y)


def test_a_panel_is_paid_once_and_enters_whole():
    assert MinFeatures().fit(X, Y).get_feature_names_out().tolist() == ["c"]
    dear = {"costs": {"c": 3, "a": 2, "b": 2}}
    assert MinFeatures(**dear).fit(X, Y).cost_ == 3
    panel = MinFeatures(**dear, feature_groups=[["a", "b"]]).fit(X, Y)
    assert (panel.cost_, panel.get_feature_names_out().tolist()) == (2, ["a", "b"])
    assert panel.substitutes() == {0: (2,), 1: (2,)}
    assert sorted(panel.minimal_subsets()) == [(0, 1), (2,)]


def test_at_most_and_any_of():
    assert MinFeatures(any_of=[["a", "b"]], costs={"a": 2}).fit(X, Y).get_feature_names_out().tolist() == ["b", "c"]
    assert MinFeatures(at_most=[(0, ["c"])]).fit(X, Y).get_feature_names_out().tolist() == ["a", "b"]
