"""Names that are missing or repeated, and how they can be asked for."""

import pytest

from fewest.exceptions import AmbiguousColumnError
from fewest.table.files import read_table
from fewest.table.reader import Names


def test_names_are_made_unique():
    names = Names.from_written(["a", "", "a", "a.2", "column_2", "a", ""])
    assert names.unique == ("a.1", "column_2.1", "a.3", "a.2", "column_2", "a.4", "column_7")
    assert names.ambiguous == (("a", ("a.1", "a.3", "a.4")),)
    assert names.renamed == (0, 1, 2, 5, 6)


@pytest.mark.parametrize("written", [[f"x{i // 2}" for i in range(40_000)], ["x"] * 40_000, [""] * 40_000])
def test_many_names_stay_unique(written):
    assert len(set(Names.from_written(written).unique)) == 40_000  # comparing all with all would take minutes


@pytest.mark.filterwarnings("ignore::fewest.exceptions.ColumnNameWarning")
def test_dropping_all_but_one_makes_a_shared_name_clear(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,a\n2,3,4\n")
    with pytest.raises(AmbiguousColumnError, match=r"Call it 'a\.1' or 'a\.2', or rename one of them"):
        read_table(path, kinds={"a": "nominal"})
    assert read_table(path, drop="a.2", kinds={"a": "nominal"})["a"].labels == ("2",)
    assert read_table(path, drop="a.1", kinds={"a": "nominal"})["a"].labels == ("4",)
    assert read_table(path, drop="b", kinds={"b": "nominal"}).names == ("a.1", "a.2")
