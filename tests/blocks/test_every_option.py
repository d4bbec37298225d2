"""Blocks of any size and memory: the same answer from every method, with all options that both take."""

import tempfile
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cut_into_blocks import attributes, learned, splits, tables, write_parts
from fewest import (
    BalancedWinnow,
    CFPClassifier,
    ID3Classifier,
    MinDescription,
    MinFeatures,
    MutualInformationGreedy,
    Relief,
    ReliefF,
    RReliefF,
    SimpleGreedy,
    Winnow1,
    Winnow2,
    read_table,
    scan,
)
from fewest.exceptions import FewestError
from fewest.table import split_regression_target, split_target

# What permuting classes shows needs all rows in memory, as do `step` and `neighborhood`.
RELEVANCE = {
    "n_features_to_select": [None, 1],
    "min_features_to_select": [0, 1],
    "threshold": ["interval", 0.0, 0.2],
    "alpha": [0.05, 0.4],
    "correction": ["fdr", "bonferroni", None],
    "max_samples": [None, 3, 0.5, 40],
    "replace": [False, True],
    "ties": ["average", "random"],
    "identical": ["count", "skip"],
    "metric": ["manhattan", "euclidean"],
    "missing": ["expected", "class"],
    "random_state": [0, 1],
}
NEIGHBORS = {**RELEVANCE, "n_neighbors": [1, 2, 5]}
COVER = {"tolerance": [0.0, 0.05, 0.3, 1.0], "on_contradiction": ["warn", "raise"]}
CHOICES = {
    **COVER,
    "include": [(), [0], ["number0"]],
    "exclude": [(), [1], ["name0"]],
    "costs": [None, {"number0": 3, "name1": 0.5}, {"truth0": 2}],
    "feature_groups": [None, [[0, 1]]],
    "at_most": [None, [(1, [0, 1])]],
    "any_of": [None, [[0, 1]]],
}
DESCRIPTION = {
    **{name: CHOICES[name] for name in ("include", "exclude", "costs", "feature_groups")},
    "model": ["auto", "cells"],
    "max_row_visits": [0, 100, 3e7],
}
CFP = {
    "limit": ["2%", "60%", 1.5, 0],
    "delta": [0.0, 2.0, 50.0],
    "inclusive": [False, True],
    "between": ["merge", "nearer"],
    "end_points": ["all", "points"],
    "silence": ["neutral", "wrong"],
    "vote": ["winner", "shares"],
}
WINNOW = {"update_factor": [1.5, 3.0], "theta": [1.0, 2.5], "max_iter": [1, 4], "positive_class": [None, "p"]}
METHODS = [
    (Relief, RELEVANCE),
    (ReliefF, NEIGHBORS),
    (RReliefF, NEIGHBORS),
    (MinFeatures, CHOICES),
    (MinDescription, DESCRIPTION),
    (MutualInformationGreedy, COVER),
    (SimpleGreedy, COVER),
    (ID3Classifier, {}),
    (CFPClassifier, CFP),
    (Winnow1, {**WINNOW, "n_relevant": [None, 2]}),
    (Winnow2, WINNOW),
    (BalancedWinnow, WINNOW),
]


@st.composite
def problems(draw, is_boolean):
    """A table with classes ``y`` and numbers ``z``, files, a format, and how it is cut into blocks."""
    table = draw(tables(max_rows=20, missing=not is_boolean))
    if is_boolean:
        kept = [name for name in table.column_names if name.startswith(("truth", "digit", "y"))]
        table = table.select(kept)
    targets = draw(st.lists(st.sampled_from([-1.5, 0.0, 0.1, 2.0]), min_size=len(table), max_size=len(table)))
    table = table.append_column("z", pa.array(targets))
    engine = {
        "batch_bytes": draw(st.sampled_from([1, 7, 40, 1 << 20])),
        "memory": draw(st.sampled_from([0, 1e9])),
        "n_jobs": draw(st.sampled_from([1, 2])),
    }
    layout = draw(splits(len(table))), draw(st.sampled_from([".csv", ".parquet"])), draw(st.integers(1, 20))
    return table, layout, engine


def outcome(fit, describe):
    """Return what a fit has stored, or the kind of its complaint."""
    try:
        return describe(fit())
    except FewestError as error:
        return type(error)
    except ValueError as error:  # scikit-learn's own words, such as for a table without columns
        return type(error)


@pytest.mark.parametrize(("method", "space"), METHODS, ids=[method.__name__ for method, _ in METHODS])
def test_blocks_answer_as_memory_does(method, space):
    target, other = ("z", "y") if method is RReliefF else ("y", "z")
    describe = attributes if "exclude" in space or hasattr(method, "get_support") else learned
    n_answers = 0

    @settings(deadline=None, max_examples=20)
    @given(
        problems("Winnow" in method.__name__),
        st.fixed_dictionaries({name: st.sampled_from(values) for name, values in space.items()}),
        st.sampled_from(["never", "always"]),
    )
    def check(problem, options, compiles):
        nonlocal n_answers
        table, (cuts, suffix, row_group), engine = problem
        with (
            tempfile.TemporaryDirectory() as folder,
            warnings.catch_warnings(),
            pytest.MonkeyPatch.context() as patch,
        ):
            patch.setenv("FEWEST_COMPILE", compiles)
            warnings.simplefilter("ignore")
            data = write_parts(table.drop_columns([other]), cuts, Path(folder) / "data", suffix, row_group)
            split = split_regression_target if method is RReliefF else split_target
            features, column = split(read_table(f"{data}/*{suffix}"), target)
            y = column.values if method is RReliefF else np.array(column.to_list())
            expected = outcome(lambda: method(**options).fit(features, y), describe)
            found = outcome(lambda: method(**options).fit(scan(data, target=target, **engine)), describe)
        np.testing.assert_equal(found, expected)  # NaN equals NaN here
        n_answers += not isinstance(expected, type)

    check()
    assert n_answers > 0
