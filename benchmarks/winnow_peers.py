"""River's Perceptron or Vowpal Wabbit on a file of examples; run by the interpreter that has them.

Prints a JSON object of names and examples a second. `winnow.py` starts it.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

# One by one in Python; more would only take longer.
MOST_FOR_RIVER = 3_000


def river_rates(path: Path) -> dict[str, float]:
    """Learn one by one from dictionaries."""
    import river
    from river import linear_model

    with path.open() as file:
        lines = [line.split(" | ") for _, line in zip(range(MOST_FOR_RIVER), file, strict=False)]
    examples = [(dict.fromkeys(features.split(), 1), label == "1") for label, features in lines]
    learner = linear_model.Perceptron()
    started = time.perf_counter()
    for x, y in examples:
        learner.learn_one(x, y)
    return {f"river {river.__version__} Perceptron": len(examples) / (time.perf_counter() - started)}


def vw_rates(path: Path) -> dict[str, float]:
    """Learn from the text, and again from the cache that this leaves."""
    import vowpalwabbit

    with path.open() as file:
        n_examples = sum(1 for _ in file)
    rates = {}
    command = f"-d {path} --cache_file {path}.cache --loss_function hinge --binary -b 20 --quiet"
    for what in ("text", "cache", "cache"):
        started = time.perf_counter()
        vowpalwabbit.Workspace(command).finish()
        name = f"VW {vowpalwabbit.__version__} {what}"
        rates[name] = max(rates.get(name, 0.0), n_examples / (time.perf_counter() - started))
    return rates


if __name__ == "__main__":
    print(json.dumps({"river": river_rates, "vw": vw_rates}[sys.argv[1]](Path(sys.argv[2]))))
