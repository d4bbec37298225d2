"""A certificate that verifies is true, whatever was done to it."""

import copy
import warnings

import numpy as np
import pandas as pd
import pytest

import naive
from fewest import MinFeatures
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
]
ODD = [
    None, True, False, -1, 0, 1, 2, 1.5, -0.5, 1e308, float("nan"), float("inf"), "", "x", "cautious", "value", [], {},
    ["x"], ["n", "n"], ["n", "m", "x", "z"], {"x": -1}, {"n": 0.5}, {"x": 1e-9}, {"x": 0.5}, {"x": 9.0, "z": 9.0},
    dict.fromkeys(COLUMNS, 1.0), dict.fromkeys(COLUMNS, -1.0), dict.fromkeys(COLUMNS, 0.25), [[0, 1]], [[0, 0]],
    [[0, 99]], [[-1, 0]], [[0, 2]], [[0, True]],
]  # fmt: skip


def certificates():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [MinFeatures(**parameters).fit(FRAME, CLASSES).certificate() for parameters in FITTED]


def mutations(certificate):
    """Yield certificates with one field gone, replaced, or changed a little."""
    for field, value in certificate.items():
        yield {name: other for name, other in certificate.items() if name != field}
        replacements = list(ODD)
        if isinstance(value, list):
            replacements += [value[:k] + value[k + 1 :] for k in range(len(value))] + [value + value[:1]]
            replacements += [[*value, name] for name in (*COLUMNS, "stranger")]
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


@pytest.mark.parametrize("certificate", certificates(), ids=map(str, FITTED))
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
        verify(certificates()[0] | change, TABLE, TARGET)


def test_a_margin_may_be_as_large_as_numbers_are():
    certificate = certificates()[3]
    far = certificate | {"margins": {"x": 1e300}}
    assert not all(finding.holds for finding in verify(far, TABLE, TARGET))


@pytest.mark.parametrize("extreme", [np.inf, -np.inf, 1.7e308])
def test_an_excluded_column_with_a_margin_is_not_there_whatever_it_holds(extreme):
    spoiled = FRAME.assign(x=[extreme, *FRAME["x"][1:6], -1.7e308, 2.0])
    selector = MinFeatures(margin=0.5, exclude=["x"]).fit(spoiled, CLASSES)
    without = MinFeatures(margin=0.5).fit(spoiled.drop(columns="x"), CLASSES)
    assert selector.get_feature_names_out().tolist() == without.get_feature_names_out().tolist()
    assert all(finding.holds for finding in verify(selector.certificate(), from_frame(spoiled), TARGET))
