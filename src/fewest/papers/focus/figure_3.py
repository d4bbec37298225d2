"""The worked example of sections 5.2 and 5.3, and Figure 3, the tree that FOCUS-2 searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.cover.focus1 import focus1
from fewest.cover.focus2 import SearchTree, focus2
from fewest.cover.sample import Sample
from fewest.cover.sufficient import conflicts
from fewest.papers.claims import CLAIMS
from fewest.papers.experiment import Comparison, Experiment, Measured, Row, Unit
from fewest.papers.plots import new_figure
from fewest.papers.verdict import Check, exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POSITIVE = ("010100", "110010", "101111")
NEGATIVE = ("011000", "101001", "100101")
CONFLICTS = ("001100", "111101", "110001", "101010", "011011", "010111", "110111", "000110", "001010")
# Section 5.3 tells the tree: every space, and the number of the conflict that it was split by.
TREE = (
    ("M(∅, ∅)", 1),
    ("M({x3}, ∅)", 8),
    ("M({x4}, {x3})", 9),
    ("M({x3, x4}, ∅)", 3),
    ("M({x3, x5}, {x4})", None),
    ("M({x4, x5}, {x3})", None),
    ("M({x1, x3, x4}, ∅)", None),
)


def measure(unit: Unit) -> Any:  # noqa: ARG001
    """Run both searches on the example, and keep the tree."""
    X = np.array([[int(bit) for bit in word] for word in POSITIVE + NEGATIVE], dtype=np.int8)
    y = np.array([1] * 3 + [0] * 3)
    sample = Sample(np.asfortranarray(X), y)
    found, first = focus2(sample, keep_tree=True), focus1(sample)
    tree = found.tree
    assert tree is not None
    as_bits = conflicts(X, y).to_array().astype(int)
    return {
        "conflicts": ["".join(map(str, row)) for row in as_bits],
        "focus1_tests": first.n_sufficiency_tests,
        "focus2_tests": found.n_sufficiency_tests,
        "sizes": [len(first.subset), len(found.subset)],
        "parent": list(tree.parent),
        "feature": list(tree.feature),
        "first_child": list(tree.first_child),
        "split_by": [list(tree.conflict[node]) if node in tree.conflict else None for node in range(len(tree))],
        "solution": tree.solution,
    }


def summarise(measured: Measured) -> list[Row]:
    """Return a row a node."""
    ((_, found),) = measured
    tree = _tree(found)
    # Positives are the outer loop: the conflict of positive i and negative j is number 3 i + j + 1.
    numbers = [None if pair is None else 3 * pair[0] + pair[1] - 3 + 1 for pair in found["split_by"]]
    return [
        {
            "node": node,
            "parent": found["parent"][node],
            "feature": found["feature"][node],
            "first_child": found["first_child"][node] if node < len(found["first_child"]) else None,
            "space": tree.space_text(node),
            "conflict": numbers[node],
            "is_solution": node == found["solution"],
            "conflicts": " ".join(found["conflicts"]),
            "focus1_tests": found["focus1_tests"],
            "focus2_tests": found["focus2_tests"],
            "sizes": " ".join(map(str, found["sizes"])),
        }
        for node in range(len(tree))
    ]


def holds(rows: list[Row]) -> list[Check]:
    """Compare everything that the sections tell."""
    first = rows[0]
    tree = tuple((row["space"], row["conflict"]) for row in rows)
    return [
        exact("The nine conflicts are those listed.", set(first["conflicts"].split()) == set(CONFLICTS)),
        exact("FOCUS-2 searches the tree of Figure 3, node by node.", tree == TREE),
        exact("FOCUS-2 makes 7 sufficiency tests.", first["focus2_tests"] == 7),
        exact("FOCUS-1 makes at least 23.", first["focus1_tests"] >= 23),
        exact("Both find three features, and no two are sufficient.", first["sizes"] == "3 3"),
        exact(
            "The solution is {x1, x3, x4}.", rows[-1]["is_solution"] and rows[-1]["space"].startswith("M({x1, x3, x4}")
        ),
    ]


def compare(rows: list[Row]) -> list[Comparison]:
    """Put the one number of the example beside ours."""
    return [Comparison("sufficiency tests of FOCUS-2", 7, rows[0]["focus2_tests"], 0.0)]


def draw(rows: list[Row]) -> Figure:
    """Draw the tree; rectangles are sufficiency tests."""
    from fewest.cover.plots import plot_search_tree

    found = {name: [row[name] for row in rows] for name in ("parent", "feature", "first_child")}
    found["first_child"] = [child for child in found["first_child"] if child is not None]
    figure, (ax,) = new_figure(width=8, height=4.4)
    pairs = [None if r["conflict"] is None else ((r["conflict"] - 1) // 3, 3 + (r["conflict"] - 1) % 3) for r in rows]
    tree = _tree({**found, "split_by": pairs, "solution": len(rows) - 1})
    plot_search_tree(tree, ax=ax)
    return figure


def _tree(found: dict[str, Any]) -> SearchTree:
    from array import array

    return SearchTree(
        array("q", found["parent"]),
        array("q", found["feature"]),
        array("q", found["first_child"]),
        {node: tuple(pair) for node, pair in enumerate(found["split_by"]) if pair is not None},
        found["solution"],
    )


FIGURE_3 = Experiment(
    claim=CLAIMS["focus-figure-3"],
    grid=lambda scale: [{}],  # noqa: ARG005 (one unit at every scale)
    measure=measure,
    summarise=summarise,
    holds=holds,
    compare=compare,
    draw=draw,
    assumptions=(
        "Of several conflicts with the fewest features left, the first one generated is taken, positives in the outer "
        "loop, and features go in ascending order: only so the tree is the paper's.",
        "The test of the empty set counts, in both algorithms: only so there are 7.",
    ),
)
