"""The tree that FOCUS-2 searches, kept as its queue.

Almuallim and Dietterich (1994), Figures 2 and 3. A node is a space M(A, B):
all feature subsets that include A and avoid B. Nodes are numbered in the
order in which they enter the queue, the root first, so that the children of a
node are neighbours. That makes A and B redundant: A is the path from the
root, and B the older siblings of everyone on that path. Two numbers a node
are enough.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

ROOT = 0


@dataclass(eq=False)
class SearchTree:
    """Nodes in queue order.

    Attributes
    ----------
    parent, feature : array of int
        Node k was made from ``parent[k]`` by choosing ``feature[k]``; -1 for the root.
    first_child : array of int
        For every expanded node, the first of its children. Nodes are expanded in order.
    conflict : dict
        For every expanded node, if conflicts are kept, the pair of cells or rows whose conflict it branched on.
    solution : int or None
        The node whose A is sufficient; the last one.
    """

    parent: array = field(default_factory=lambda: array("q", [-1]))
    feature: array = field(default_factory=lambda: array("q", [-1]))
    first_child: array = field(default_factory=lambda: array("q"))
    conflict: dict[int, tuple[int, int]] = field(default_factory=dict)
    solution: int | None = None

    def __len__(self) -> int:
        return len(self.parent)

    def expand(self, conflict: tuple[int, int] | None) -> None:
        """Begin the children of the next node in order."""
        if conflict is not None:
            self.conflict[len(self.first_child)] = conflict
        self.first_child.append(len(self))

    def add(self, parent: int, feature: int) -> int:
        """Append a child of the node expanded last."""
        self.parent.append(parent)
        self.feature.append(feature)
        return len(self) - 1

    def space(self, node: int) -> tuple[list[int], list[int]]:
        """Return A and B of a node."""
        inside: list[int] = []
        outside: list[int] = []
        while node != ROOT:
            parent = self.parent[node]
            inside.append(self.feature[node])
            outside.extend(self.feature[self.first_child[parent] : node])
            node = parent
        return inside, outside

    def children(self, node: int) -> range:
        """Return the numbers of a node's children."""
        if node >= len(self.first_child):
            return range(0)
        is_last = node + 1 == len(self.first_child)
        return range(self.first_child[node], len(self) if is_last else self.first_child[node + 1])

    def to_text(self, names: Sequence[str] | None = None, pair: Callable[[int, int], str] | None = None) -> str:
        """Draw the tree with lines, a node a line.

        Parameters
        ----------
        names : sequence of str, optional
            Feature names; x1, x2, ... as the document writes them otherwise.
        pair : callable, optional
            Says what a conflict is; by default its two rows are named.
        """
        say = pair or (lambda i, j: f"rows {i} and {j}")
        lines: list[str] = []

        def draw(node: int, lead: str, branch: str) -> None:
            lines.append(f"{lead}{branch}{self._line(node, names, say)}")
            inner = lead + {"": "", "├── ": "│   ", "└── ": "    "}[branch]
            children = self.children(node)
            for child in children:
                draw(child, inner, "└── " if child == children[-1] else "├── ")

        draw(ROOT, "", "")
        return "\n".join(lines)

    def space_text(self, node: int, names: Sequence[str] | None = None) -> str:
        """Write the space of a node as the document does: M(A, B)."""
        inside, outside = self.space(node)
        return f"M({_set_text(inside, names)}, {_set_text(outside, names)})"

    def _line(self, node: int, names: Sequence[str] | None, say: Callable[[int, int], str]) -> str:
        text = self.space_text(node, names)
        if node == self.solution:
            return f"{text}  {_set_text(self.space(node)[0], names)} is sufficient"
        if node in self.conflict:
            text += f"  split by the conflict of {say(*self.conflict[node])}"
        return text


def _set_text(features: Sequence[int], names: Sequence[str] | None) -> str:
    listed = (names[f] if names is not None else f"x{f + 1}" for f in sorted(features))
    return "{" + ", ".join(listed) + "}" if features else "∅"
