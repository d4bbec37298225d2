"""The sentences in which results are stated."""

import pytest

from fewest.report.sentences import selection_effort


@pytest.mark.parametrize(
    ("step", "work"),
    [
        ({"n_conflicts": 15, "n_nodes": 1_234}, "15 conflicts, 1,234 nodes"),
        ({"n_conflicts": 1, "n_nodes": 1}, "1 conflict, 1 node"),
        ({"n_conflicts": 0, "n_nodes": 0}, "0 nodes"),
    ],
)
def test_what_a_search_took_is_counted_in_words_that_fit(step, work):
    result = {"method": "min-features", "history": [step], "seconds": 0.5, "is_minimal": True}
    assert selection_effort(result) == f"min-features, {work}, 0.5 s"


def test_a_search_that_never_began_says_so():
    result = {"method": "focus1", "history": [], "n_sufficiency_tests": 1, "seconds": 0.0}
    stopped = result | {"is_minimal": False, "stopped_by": "time limit"}
    assert selection_effort(stopped) == "focus1, 1 sufficiency test, 0.0 s; stopped by the time limit"
