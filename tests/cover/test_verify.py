"""A certificate that verifies is true, whatever was done to it."""

import base64
import copy
import warnings
import zlib

import numpy as np
import pandas as pd
import pytest

import naive
from fewest import MinFeatures
from fewest.cover import certificate
from fewest.cover.verify import verify
from fewest.exceptions import CertificateError, FewestError
from fewest.table import Column, Kind, from_frame

COLUMNS = {
    "n": ["u", "v", "u", "w", "v", "u", "w", "u"],
    "m": ["p", "p", "q", "q", None, "q", "p", "q"],
    "x": [0.0, 0.25, 0.5, 1.0, 1.25, 0.5, np.nan, 2.0],
    "z": [3.0, 3.0, 1.0, 1.0, 2.0, 2.5, 3.0, 0.0],
}
FRAME = pd.DataFrame(COLUMNS)
CLASSES = [0, 1, 0, 1, 0, 1, 2, 2]
TABLE, TARGET = from_frame(FRAME), Column("y", Kind.NOMINAL, np.array(CLASSES), ("a", "b", "c"))
VALUES = [{name: None if pd.isna(value) else value for name, value in row.items()} for row in FRAME.to_dict("records")]
FITTED = [
    {},
    {"costs": {"x": 3, "z": 2.5}, "include": ["m"]},
    {"exclude": ["x"], "costs": [1, 0.5, 9, 2]},
    {"margin": {"x": 0.5, "z": 1}},
    {"missing": "cautious", "margin": 0.3, "exclude": ["n"]},
    {"tolerance": 0.1, "costs": {"x": 2}},
    {"feature_groups": [["n", "x"]], "any_of": [["m", "z"]], "at_most": [(2, ["m", "n", "z"])], "costs": {"z": 2}},
    {"tolerance": 0.2, "missing": "cautious", "margin": {"x": 0.5}, "feature_groups": [["n", "m"]]},
]
ODD = [
    None, True, False, -1, 0, 1, 2, 1.5, -0.5, 1e308, float("nan"), float("inf"), "", "x", "cautious", "value", [], {},
    ["x"], ["n", "n"], ["n", "m", "x", "z"], {"x": -1}, {"n": 0.5}, {"x": 1e-9}, {"x": 0.5}, {"x": 9.0, "z": 9.0},
    dict.fromkeys(COLUMNS, 1.0), dict.fromkeys(COLUMNS, -1.0), dict.fromkeys(COLUMNS, 0.25), [[0, 1]], [[0, 0]],
    [[0, 99]], [[-1, 0]], [[0, 2]], [[0, True]], [["n"]], [["n", "z"], ["m"]], [["n"], ["n"]], [["stranger"]], [[]],
    [[1, ["n"]]], [[0, ["z", "x"]]], [[1, ["n", "m", "x", "z"]]], [[-1, ["n"]]], [[True, ["n"]]], [[1, ["n", "n"]]],
]  # fmt: skip


def certificates():
    """Each certificate as it is and, where it has one to show, with its tree."""
    made = []
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        for enumerated in (certificate.ENUMERATED, -1):
            patch.setattr(certificate, "ENUMERATED", enumerated)
            made += [MinFeatures(**parameters).fit(FRAME, CLASSES).certificate() for parameters in FITTED]
    return made[: len(FITTED)] + [one for one in made[len(FITTED) :] if one["tree"] is not None][1::2]


def changed_lists(value):
    """Return a list without one of its entries, with one twice, with others, and turned round."""
    shorter = [value[:k] + value[k + 1 :] for k in range(len(value))]
    return [*shorter, value + value[:1], value[::-1], *([*value, name] for name in (*COLUMNS, "stranger"))]


def changed_nodes(text):
    """Return the packed numbers of a tree with each changed or left out, cut short, and spoiled."""
    numbers = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<u4")
    changed = [np.delete(numbers, k) for k in range(len(numbers))]
    changed += [
        np.concatenate([numbers[:k], [other], numbers[k + 1 :]]) for k in range(len(numbers)) for other in range(4)
    ]
    packed = [base64.b64encode(zlib.compress(some.astype("<u4").tobytes())).decode() for some in changed]
    return [
        *packed,
        text[:-4],
        text[4:],
        text + "AAAA",
        "",
        "AAAA",
        base64.b64encode(zlib.compress(b"abc")).decode(),
        3,
    ]


def mutations(certificate):
    """Yield certificates with one field gone, replaced, or changed a little."""
    for field, value in certificate.items():
        yield {name: other for name, other in certificate.items() if name != field}
        replacements = list(ODD)
        if isinstance(value, list):
            replacements += changed_lists(value)
        elif field == "tree" and value is not None:
            replacements += [{**value, "order": order} for order in changed_lists(value["order"])]
            replacements += [{**value, "nodes": nodes} for nodes in changed_nodes(value["nodes"])]
        elif isinstance(value, dict):
            for name in value:
                replacements += [
                    value | {name: changed} for changed in (-value[name], 0, value[name] / 2, 5 * value[name])
                ]
                replacements.append({other: value[other] for other in value if other != name})
            replacements.append(value | {"stranger": 1.0})
        elif isinstance(value, int | float):
            replacements += [value + 1, value - 1, value / 2, str(value)]
        for replacement in replacements:
            yield copy.deepcopy(certificate) | {field: replacement}


CERTIFICATES = certificates()


@pytest.mark.parametrize("certificate", CERTIFICATES, ids=lambda one: f"{one['cost']}, tree {one['tree'] is not None}")
def test_no_change_of_a_certificate_makes_a_false_one_verify(certificate):
    assert all(finding.holds for finding in verify(certificate, TABLE, TARGET))
    assert naive.certificate_is_true(certificate, VALUES, CLASSES)
    n_refused = n_accepted = 0
    for changed in mutations(certificate):
        try:
            findings = verify(changed, TABLE, TARGET)
        except FewestError:
            n_refused += 1
            continue
        if all(finding.holds for finding in findings):
            n_accepted += 1
            assert naive.certificate_is_true(changed, VALUES, CLASSES), changed
    assert n_refused > 100
    assert n_accepted > 10  # a lower bound, another target, pairs that are not needed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"costs": {**dict.fromkeys(COLUMNS, 1.0), "n": -1.0}}, "all are positive"),
        ({"margins": {"x": -0.5}}, "all are positive"),
        ({"margins": {"n": 0.5}}, "cannot lie a margin apart"),
        ({"margins": {"stranger": 0.5}}, "none of its columns"),
        ({"features": ["n", "n"]}, "twice"),
        ({"missing": "perhaps"}, "neither 'value' nor 'cautious'"),
    ],
)
def test_fields_that_cannot_be(change, message):
    with pytest.raises(CertificateError, match=message):
        verify(CERTIFICATES[0] | change, TABLE, TARGET)


def test_trees_are_read_to_their_end():
    with_tree = CERTIFICATES[-1]
    assert with_tree["tree"] is not None
    numbers = np.frombuffer(zlib.decompress(base64.b64decode(with_tree["tree"]["nodes"])), dtype="<u4")
    assert 0 < len(numbers) < 200
    longer = base64.b64encode(zlib.compress(np.append(numbers, numbers[:1]).astype("<u4").tobytes())).decode()
    changed = with_tree | {"tree": {**with_tree["tree"], "nodes": longer}}
    assert not all(finding.holds for finding in verify(changed, TABLE, TARGET))


def test_other_data_is_noticed():
    same_but_one = FRAME.assign(z=[3.0, 3.0, 1.0, 1.0, 2.0, 2.5, 3.0, 0.5])
    holds = [finding.holds for finding in verify(CERTIFICATES[3], from_frame(same_but_one), TARGET)]
    assert holds[0] is False  # compared by a margin, the numbers themselves matter
    renamed = FRAME.assign(n=["U" + value for value in FRAME["n"]])
    assert all(finding.holds for finding in verify(CERTIFICATES[0], from_frame(renamed), TARGET))


def test_a_margin_may_be_as_large_as_numbers_are():
    certificate = CERTIFICATES[3]
    far = certificate | {"margins": {"x": 1e300}}
    assert not all(finding.holds for finding in verify(far, TABLE, TARGET))


@pytest.mark.parametrize("extreme", [np.inf, -np.inf, 1.7e308])
def test_an_excluded_column_with_a_margin_is_not_there_whatever_it_holds(extreme):
    spoiled = FRAME.assign(x=[extreme, *FRAME["x"][1:6], -1.7e308, 2.0])
    selector = MinFeatures(margin=0.5, exclude=["x"]).fit(spoiled, CLASSES)
    without = MinFeatures(margin=0.5).fit(spoiled.drop(columns="x"), CLASSES)
    assert selector.get_feature_names_out().tolist() == without.get_feature_names_out().tolist()
    assert all(finding.holds for finding in verify(selector.certificate(), from_frame(spoiled), TARGET))


@pytest.mark.parametrize("values", [(np.inf, 0.0), (-np.inf, np.inf), (1.7e308, -1.7e308)])
def test_an_excluded_column_with_a_margin_that_alone_would_do_is_not_there(values):
    """Whatever its values are apart: infinity is an infinite margin from any number."""
    a, b = np.arange(4) % 2.0, np.arange(4) // 2.0
    spoiled = pd.DataFrame({"x": np.where(a == b, *values), "a": a, "b": b})
    for exclude, expected in ((["x"], ["a", "b"]), ([], ["x"])):
        selector = MinFeatures(margin=0.5, exclude=exclude).fit(spoiled, a != b)
        assert selector.get_feature_names_out().tolist() == expected
        target = Column("y", Kind.NOMINAL, (a != b).astype(int), ("p", "q"))
        assert all(finding.holds for finding in verify(selector.certificate(), from_frame(spoiled), target))
