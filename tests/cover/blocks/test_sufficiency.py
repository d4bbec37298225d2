"""Whether a subset is enough, and which rows prove that it is not, does not depend on where the rows are."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cut_into_blocks import splits, tables, write_parts
from fewest import read_table, scan
from fewest.cover import sufficiency
from fewest.exceptions import ParameterError, UnknownColumnError
from fewest.table import split_target


@st.composite
def problems(draw):
    table = draw(tables(max_rows=16))
    n_features = table.num_columns - 1
    subset = draw(st.sets(st.integers(0, n_features - 1)))
    return table, draw(splits(len(table))), draw(st.sampled_from([".csv", ".parquet"])), sorted(subset)


@given(problem=problems(), n_jobs=st.sampled_from([1, 2]), batch_bytes=st.sampled_from([1, 1 << 20]))
def test_the_verdict_is_that_of_all_rows_in_memory(problem, n_jobs, batch_bytes, tmp_path_factory):
    table, cuts, suffix, subset = problem
    folder = write_parts(table, cuts, tmp_path_factory.mktemp("parts") / "data", suffix, 5)
    features, target = split_target(read_table(f"{folder}/*{suffix}"), "y")
    scanned = scan(folder, target="y", n_jobs=n_jobs, batch_bytes=batch_bytes)
    assert sufficiency(scanned, None, subset) == sufficiency(features, target, subset)


def test_names_positions_and_what_there_is_not(tmp_path):
    table = pa.table({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["p", "q", "p", "q"]})
    scanned = scan(write_parts(table, [1], tmp_path / "data", ".csv"), target="y")
    assert sufficiency(scanned, None, ["b"]).is_sufficient
    verdict = sufficiency(scanned, None, [0])
    assert (verdict.is_sufficient, verdict.witness, verdict.n_uncovered) == (False, (0, 1), 2)
    with pytest.raises(UnknownColumnError):
        sufficiency(scanned, None, ["c"])
    with pytest.raises(ParameterError, match="needs all rows in memory"):
        sufficiency(scanned, None, ["a"], missing="cautious")
