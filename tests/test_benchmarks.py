"""A small version of every benchmark: its contestants must agree."""

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def test_min_features_and_its_peers_agree_on_small_instances():
    command = [sys.executable, BENCHMARKS / "min_features.py", "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()[1:]]
    assert {line[1] for line in lines} == {"MinFeatures", "Focus2", "simple", "HiGHS"}
    for instance in {line[0] for line in lines}:
        assert len({line[2] for line in lines if line[0] == instance}) == 1
