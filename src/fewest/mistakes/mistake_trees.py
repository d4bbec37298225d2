"""The largest complete mistake tree of a class, and with it the best possible mistake bound (section 3).

K(S) is 0 for one concept and, for more, 1 plus the best min(K(S0), K(S1)) over
the instances that split S into S0 and S1; -1 for none. Asked is not "what is
K(S)?" but "does K(S) reach d?": a side with fewer than 2^(d-1) concepts cannot
reach d - 1, which excludes most instances at once, and d = 1 needs no more than two
concepts. What is known of a set of concepts, bounds from below and above, is
kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fewest.exceptions import ParameterError
from fewest.mistakes.concepts import ConceptClass


class MistakeTrees:
    """Answers questions about the mistake trees of the subsets of a class, and remembers."""

    def __init__(self, concepts: ConceptClass) -> None:
        self.concepts = concepts
        everything = concepts.everything
        # An instance and its opposite split alike.
        self._columns = [*{min(ones, everything ^ ones): ones for ones in concepts.ones}.values()]
        self._known: dict[int, tuple[int, int]] = {}

    def height(self, subset: int) -> int:
        """Return K of a set of concepts."""
        if not subset:
            return -1
        least, most = self._bounds(subset)
        while least < most and self.reaches(subset, least + 1):
            least += 1
        return least

    def _bounds(self, subset: int) -> tuple[int, int]:
        size = subset.bit_count()
        return self._known.get(subset) or (min(1, size - 1), size.bit_length() - 1)

    def reaches(self, subset: int, height: int) -> bool:
        """Return whether a set of concepts has a complete mistake tree of this height."""
        if not subset:
            return height < 0
        least, most = self._bounds(subset)
        if height <= least or height > most:
            return height <= least
        found = any(
            self.reaches(smaller, height - 1) and self.reaches(subset ^ smaller, height - 1)
            for smaller in self._splits(subset, height)
        )
        self._known[subset] = (height, most) if found else (least, height - 1)
        return found

    def _splits(self, subset: int, height: int) -> list[int]:
        """Return the smaller sides of the splits both of whose sides may reach one less, the most even first."""
        size, enough = subset.bit_count(), 1 << (height - 1)
        sides = {}
        for ones in self._columns:
            side = subset & ones
            count = side.bit_count()
            if 2 * count > size:
                side, count = subset ^ side, size - count
            if count >= enough:
                sides[side] = -count
        return sorted(sides, key=sides.__getitem__)

    def split_at(self, subset: int, height: int) -> int | None:
        """Return an instance at which both sides reach one less than a height, if there is one."""
        for place, ones in enumerate(self.concepts.ones):
            if self.reaches(subset & ones, height - 1) and self.reaches(subset & ~ones, height - 1):
                return place
        return None


@dataclass(frozen=True, eq=False)
class MistakeTree:
    """A complete mistake tree: an adversary who walks down it forces a mistake at every node.

    Nodes are numbered from the root, 0. The left child of a node holds the
    concepts that are 0 on its instance, the right child those that are 1.

    Attributes
    ----------
    concepts : ConceptClass
    height : int
    instance : list of int
        The instance of every inner node; -1 for leaves.
    subset : list of int
        The set of concepts of every node, as bits.
    first_child : list of int
        The left child, after which the right one follows; -1 for leaves.
    """

    concepts: ConceptClass
    height: int
    instance: list[int]
    subset: list[int]
    first_child: list[int]

    def __len__(self) -> int:
        return len(self.instance)

    def children(self, node: int) -> Sequence[int]:
        """Return the numbers of a node's children."""
        child = self.first_child[node]
        return () if child < 0 else (child, child + 1)

    def label(self, node: int) -> str:
        """Return the instance of an inner node; of a leaf, the concepts that are left."""
        if self.instance[node] >= 0:
            return self.concepts.instance_name(self.instance[node])
        left = self.concepts.members(self.subset[node])
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        return f"{self.concepts.names[left[0]]}{more}"

    def to_text(self) -> str:
        """Draw the tree with lines, a node a line."""
        lines: list[str] = []

        def draw(node: int, branch: str, lead: str, below: str) -> None:
            lines.append(f"{lead}{branch}{self.label(node)}{'?' if self.first_child[node] >= 0 else ''}")
            for value, child in enumerate(self.children(node)):
                corner, bar = ("└── ", "    ") if value else ("├── ", "│   ")
                draw(child, f"{value}: ", below + corner, below + bar)

        draw(0, "", "", "")
        return "\n".join(lines)


def largest_mistake_tree(concepts: ConceptClass) -> MistakeTree:
    """Return a complete mistake tree of the greatest height K(C), which is the best possible mistake bound (theorem 3).

    Parameters
    ----------
    concepts : ConceptClass
        Not empty.

    Returns
    -------
    MistakeTree
        Its path for any learner's answers is a sequence of instances on which it is always wrong.

    See Also
    --------
    opt : The height of the tree alone.
    fewest.plot.plot_mistake_tree : Draw it.

    Examples
    --------
    >>> from fewest.mistakes import ConceptClass, largest_mistake_tree
    >>> tree = largest_mistake_tree(ConceptClass.monotone_disjunctions(2))
    >>> print(tree.to_text())
    01?
    ├── 0: 10?
    │   ├── 0: 0
    │   └── 1: x0
    └── 1: 10?
        ├── 0: x1
        └── 1: x0 | x1
    """
    if not len(concepts):
        raise ParameterError("A class without concepts has no mistake tree. Give at least one concept.")
    trees = MistakeTrees(concepts)
    height = trees.height(concepts.everything)
    instance, subset, first_child, heights = [-1], [concepts.everything], [-1], [height]
    for node in _counting(subset):
        if heights[node] > 0:
            place = trees.split_at(subset[node], heights[node])
            assert place is not None  # the height was reached
            instance[node], first_child[node] = place, len(subset)
            ones = concepts.ones[place]
            subset += [subset[node] & ~ones, subset[node] & ones]
            instance += [-1, -1]
            first_child += [-1, -1]
            heights += [heights[node] - 1] * 2
    return MistakeTree(concepts, height, instance, subset, first_child)


def _counting(growing: list[int]):
    """Count the items of a list that grows meanwhile."""
    node = 0
    while node < len(growing):
        yield node
        node += 1


def opt(concepts: ConceptClass) -> int:
    """Return the best worst-case number of mistakes that any learner of the class can promise: opt(C) = K(C).

    -1 for the empty class.

    Parameters
    ----------
    concepts : ConceptClass
        All concepts that may be true.

    Returns
    -------
    int
        The number of mistakes.

    See Also
    --------
    largest_mistake_tree : The tree that proves it.
    vc_dimension : A lower bound that is often easier to find.
    fewest.StandardOptimal : The learner that keeps to it.

    Examples
    --------
    >>> from fewest.mistakes import ConceptClass, opt
    >>> opt(ConceptClass.monotone_disjunctions(6)), opt(ConceptClass.intervals(20))
    (6, 7)
    """
    return MistakeTrees(concepts).height(concepts.everything)
