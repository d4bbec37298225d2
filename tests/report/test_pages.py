import re
from collections import Counter
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewest.cover.min_features import MinFeaturesSearch
from fewest.cover.sample import Sample
from fewest.exceptions import NotProvenError
from fewest.report.data_facts import data_facts, value_profile
from fewest.report.proof import MOST_SUBSETS, alternative_facts, path_facts, proof_facts
from fewest.report.render import number, origin, render, render_fragment
from fewest.report.sections import alternatives_section, features_section
from fewest.report.summarize import relevance_page, selection_page
from fewest.table import from_frame, split_target

HOSTILE = '<script>alert("x")</script>'


def table_of(columns, target):
    import pyarrow

    return split_target(from_frame(pyarrow.table(columns)), target)


def selection_result(features, target, search, answer, **more):
    return {
        "data": "some.csv",
        "method": "min-features",
        "target": target.name,
        "n_rows": features.n_rows,
        "n_features": len(features.columns),
        "classes": list(target.labels),
        "features": [features.names[j] for j in answer.subset],
        "cost": answer.cost,
        "lower_bound": answer.lower_bound,
        "is_minimal": answer.is_optimal,
        "stopped_by": answer.stopped_by,
        "n_sufficiency_tests": answer.n_sufficiency_tests,
        "history": list(answer.history),
        "tolerance": 0.0,
        "n_pairs": search.sample.n_pairs,
        "n_uncovered": 0,
        "n_contradictions": search.sample.n_contradictions,
        "contradiction": None,
        "explanation": [{"feature": features.names[j], "rows": None} for j in answer.subset],
        "notes": [],
        "seconds": 0.1,
        **more,
    }


@pytest.fixture
def hostile_page():
    names = [HOSTILE, '"><img src=x onerror=alert(1)>', "plain & simple"]
    columns = {
        names[0]: ["a", "b", "a", HOSTILE],
        names[1]: ["u", "u", "v", "v"],
        names[2]: [1.5, None, 2.5, 3.5],
        "class </style>": ["yes", HOSTILE, "yes", "no"],
    }
    features, target = table_of(columns, "class </style>")
    search = MinFeaturesSearch(Sample.from_table(features, target.values))
    answer = search.run()
    result = selection_result(
        features, target, search, answer, notes=[HOSTILE], core=[names[0]], minimum_subsets=[names]
    )
    proof = proof_facts(search, features, target)
    path = path_facts(search.sample, list(answer.subset), features.names)
    return selection_page(result, features, target, origin=origin(f"fewest {HOSTILE}"), proof=proof, path=path)


class Elements(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = Counter(), [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def test_whatever_comes_from_the_data_is_text(hostile_page):
    page = Elements(render(hostile_page))
    assert page.tags["script"] == 1
    assert page.tags["style"] == 1
    assert page.tags["img"] == 0
    assert HOSTILE in page.text
    assert not [name for name, _ in page.attributes if name.startswith("on")]


def test_a_frame_holds_the_whole_page_as_text(hostile_page):
    frame = Elements(render_fragment(hostile_page))
    assert frame.tags == {"iframe": 1}
    assert dict(frame.attributes)["srcdoc"] == render(hostile_page)


def test_a_page_asks_for_nothing_from_outside(hostile_page):
    text = render(hostile_page)
    assert "http://" not in text
    assert "https://" not in text
    links = [value for name, value in Elements(text).attributes if name in ("src", "href")]
    assert links
    assert all(value.startswith(("#", "data:")) for value in links)


def test_every_link_of_the_contents_leads_to_a_section(hostile_page):
    page = Elements(render(hostile_page))
    targets = [value for name, value in page.attributes if name == "id"]
    assert len(targets) == len(set(targets))
    assert {value[1:] for name, value in page.attributes if name == "href" and value[0] == "#"} <= set(targets)


def test_a_page_of_three_thousand_features_stays_below_a_megabyte():
    rng = np.random.default_rng(0)
    names = [f"a feature with quite a long name, number {j}" for j in range(3000)]
    features, target = table_of(
        {**{name: rng.random(30) for name in names}, "class": rng.choice(["a", "b"], 30)}, "class"
    )
    records = [{"feature": n, "relevance": 0.1, "standard_error": 0.01, "is_selected": True} for n in names]
    result = {
        "data": "wide.csv", "method": "relieff", "target": "class", "n_rows": 30, "n_features": 3000, "n_sampled": 30,
        "threshold": "interval", "stopped_by": None, "features": names, "relevance": records, "notes": [],
        "seconds": 1.0,
    }  # fmt: skip
    assert len(render(relevance_page(result, features, target, origin=origin()))) < 1_000_000


@given(st.lists(st.tuples(st.sampled_from([*"abcdefghijkl", None]), st.sampled_from("xyz")), min_size=1, max_size=60))
def test_profiles_count_the_rows_of_every_value_and_class(rows):
    values, labels = zip(*rows, strict=True)
    features, target = table_of({"f": values, "class": labels}, "class")
    profile = value_profile(features["f"], target)
    expected = Counter(("(missing)" if value is None else value, label) for value, label in rows)
    listed = {entry["value"] for entry in profile["values"]}
    for entry in profile["values"]:
        for label, n in zip(target.labels, entry["counts"], strict=True):
            if entry["value"] == "others":
                assert n == sum(count for (value, c), count in expected.items() if c == label and value not in listed)
            else:
                assert n == expected[entry["value"], label]
    assert sum(entry["n_rows"] for entry in profile["values"]) == len(rows)


@given(st.lists(st.one_of(st.none(), st.floats(-100, 100)), min_size=1, max_size=60))
def test_profiles_of_numbers_put_every_row_into_one_interval(numbers):
    features, target = table_of({"f": numbers, "class": ["x"] * len(numbers)}, "class")
    profile = value_profile(features.columns[0], target)
    assert sum(entry["n_rows"] for entry in profile["values"]) == len(numbers)


def test_data_facts_count_what_is_missing_and_constant():
    columns = {"a": [True, False, True], "b": [None, None, "x"], "c": [1.0, 1.0, 1.0], "class": ["u", "v", "u"]}
    facts = data_facts(*table_of(columns, "class"), "some.csv")
    assert facts["kinds"] == {"boolean": 1, "nominal": 1, "numeric": 1}
    assert (facts["n_missing"], facts["n_incomplete_rows"], facts["n_constant"]) == (2, 2, 2)
    assert facts["classes"] == [{"label": "u", "n_rows": 2}, {"label": "v", "n_rows": 1}]


def test_proof_pairs_differ_in_class_and_in_just_the_features_they_name():
    rng = np.random.default_rng(1)
    columns = {f"f{j}": rng.choice(["a", "b", "c"], 60) for j in range(8)}
    labels = [str(a == b) for a, b in zip(columns["f2"], columns["f5"], strict=True)]
    features, target = table_of({**columns, "class": labels}, "class")
    search = MinFeaturesSearch(Sample.from_table(features, target.values))
    answer = search.run()
    proof = proof_facts(search, features, target)
    assert proof["lower_bound"] == len(answer.subset) == 2
    for pair in proof["pairs"]:
        i, j = pair["rows"]
        assert labels[i] != labels[j]
        assert pair["features"] == [name for name, values in columns.items() if values[i] != values[j]]
    path = path_facts(search.sample, [2, 5], features.names)
    assert [step["feature"] for step in path] == [None, "f2", "f5"]
    assert path[0]["n_left"] == search.sample.n_pairs
    assert path[-1]["n_left"] == 0


def test_the_table_lists_the_selected_features_first():
    features, _ = table_of({"a": [1, 2], "b": ["x", "y"], "class": ["u", "v"]}, "class")
    rows = features_section(features, ["b"])["rows"]
    assert [(row["feature"], row["is_selected"], row["kind"]) for row in rows] == [
        ("b", True, "nominal"),
        ("a", False, "numeric"),
    ]


def test_numbers_are_written_for_people():
    assert [number(value) for value in (0.12345, -0.5, None, float("nan"))] == ["0.123", "−0.500", "–", "–"]


def test_origin_names_the_versions():
    made = origin("fewest select x.csv", 1.0)
    assert {"fewest", "Python", "numpy", "scikit-learn"} <= set(made["versions"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", made["made"])


def test_other_minimum_subsets_are_named_as_far_as_they_were_found():
    def too_late():
        raise NotProvenError("no time")

    assert alternative_facts(["a", "b"], lambda: [1], lambda: [(1,)]) == {
        "core": ["b"], "minimum_subsets": [["b"]], "has_more_subsets": False,
    }  # fmt: skip
    many = alternative_facts(["a", "b"], too_late, lambda: [(0,)] * (MOST_SUBSETS + 1))
    assert "core" not in many
    assert len(many["minimum_subsets"]) == MOST_SUBSETS
    assert many["has_more_subsets"]


def test_the_smallest_subset_that_predicts_best_comes_first():
    result = {"features": ["b"], "core": [], "minimum_subsets": [["a"], ["b"]], "subset_scoring": "balanced accuracy"}
    plain = alternatives_section(result)
    assert (plain["subsets"], plain["scores"], plain["is_matrix"]) == ([["a"], ["b"]], None, True)
    ranked = alternatives_section(result | {"subset_scores": [0.6, 0.9]})
    assert (ranked["subsets"], ranked["scores"]) == ([["b"], ["a"]], [0.9, 0.6])
    assert ranked["is_answer_first"]
    assert "They do not predict equally well" in rendered(ranked)
    assert "They predict equally well" in rendered(alternatives_section(result | {"subset_scores": [1.0, 1.0]}))


def rendered(section):
    answer = {"status": "found", "claim": "", "proof": None, "features": [], "facts": [], "effort": None}
    return render({"title": "t", "answer": answer, "notes": [], "sections": [section]})
