"""Every experiment at its small scale, in this process: its claim holds, and it leaves a page and a picture."""

import json

import pytest

from fewest.papers.catalogue import EXPERIMENTS
from fewest.papers.folder import PAGE, PNG, RESULTS, SVG, TABLE, write
from fewest.papers.runner import run


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_claim_holds_at_small_scale(name, tmp_path):
    experiment = EXPERIMENTS[name]
    outcome = run(experiment, "small", tmp_path)
    write(outcome, tmp_path)
    assert outcome.checks
    assert [check.statement for check in outcome.checks if not check.holds] == []
    assert {RESULTS, TABLE, PAGE, SVG, PNG} <= {path.name for path in tmp_path.iterdir()}
    assert json.loads((tmp_path / RESULTS).read_text())["rows"]
    for compared in outcome.comparisons:
        assert compared.agrees or compared.note or not compared.error >= 0, compared


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_grids_grow_and_units_differ(name):
    sizes = []
    for scale in ("small", "paper", "full"):
        units = EXPERIMENTS[name].grid(scale)
        assert len({json.dumps(unit, sort_keys=True) for unit in units}) == len(units)
        sizes.append(sum(EXPERIMENTS[name].cost(unit) for unit in units))
    assert sizes == sorted(sizes)
