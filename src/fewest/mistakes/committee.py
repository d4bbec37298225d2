"""Winnow's machines in a model file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fewest.mistakes.kernels.rules import ELIMINATED
from fewest.mistakes.winnow import Committee, rule_from

# Exponents beyond this are of no weight that learning comes to.
FURTHEST = 1 << 24


def committee_to_record(committee: Committee) -> dict[str, Any]:
    """Return all but the weights, as plain data."""
    rule = committee.rule
    return {
        "rule": {"kind": rule.kind, "alpha": float(rule.alpha), "theta": float(rule.theta)},
        "positive": committee.positive,
    }


def committee_from_record(
    record: Mapping[str, Any], exponents: np.ndarray, n_features: int, n_classes: int
) -> Committee:
    """Return the machines that `committee_to_record` and ``exponents`` told; raise ValueError when these are none."""
    positive = record["positive"]
    if positive not in (0, 1):
        raise ValueError("it tells no class from the others")
    n_machines = n_classes if n_classes > 2 else n_classes - 1
    shapes = {(n_machines, n_features + 1)} | ({(0,)} if not n_machines else set())
    if exponents.dtype.kind != "i" or exponents.shape not in shapes:
        raise ValueError("its weights are not those of its features and classes")
    if ((np.abs(exponents.astype(np.int64)) > FURTHEST) & (exponents != ELIMINATED)).any():
        raise ValueError("its weights are beyond what is ever learned")
    committee = Committee(rule_from(record["rule"]), n_features, n_classes, int(positive))
    for machine, own in zip(committee.machines, exponents, strict=True):
        machine.restore(own)
    return committee
