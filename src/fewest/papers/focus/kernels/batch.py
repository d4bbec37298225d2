"""Run a learner on a batch of samples: draw, select, grow, score."""

from __future__ import annotations

from typing import NamedTuple

from fewest.kernels.compiled import compiled_in_place
from fewest.papers.focus.kernels.draw import Design, Examples, draw_sample, empty_examples
from fewest.papers.focus.kernels.essential import ConflictRoom, conflict_room
from fewest.papers.focus.kernels.focus import focus
from fewest.papers.focus.kernels.fringe import FringeRoom, fringe, fringe_room
from fewest.papers.focus.kernels.id3 import TreeRoom, id3, tree_room
from fewest.papers.focus.kernels.split_greedy import GroupRoom, group_room, split_greedy
from fewest.papers.focus.kernels.weighted_greedy import weighted_greedy

ID3, MIG, SG, WG, FOCUS, FRINGE, DRAW = range(7)


class Rooms(NamedTuple):
    """Everything that is allocated once a batch."""

    examples: Examples
    tree: TreeRoom
    groups: GroupRoom
    conflicts: ConflictRoom
    fringe: FringeRoom


def rooms_for(learner: int, n_features: int, n_examples: int) -> Rooms:
    """Allocate what a learner needs, and next to nothing for the others."""
    splits, compares, joins = learner in (MIG, SG), learner in (WG, FOCUS), learner == FRINGE
    return Rooms(
        examples=empty_examples(n_features, n_examples),
        tree=tree_room(n_features, n_examples),
        groups=group_room(n_features, n_examples) if splits else group_room(1, 1),
        conflicts=conflict_room(n_features, n_examples) if compares else conflict_room(1, 1),
        fringe=fringe_room(n_features, n_examples) if joins else fringe_room(1, 1),
    )


@compiled_in_place
def run(learner, design, first, rooms, wrong, chosen):
    """Run a learner on the samples ``first``, ``first`` + 1, ...

    Parameters
    ----------
    learner : int
        ``DRAW`` draws the samples and does nothing with them.
    design : Design
    first : int
    rooms : Rooms
    wrong : int64 array of shape (n_samples,)
        Filled with the number of instances misclassified.
    chosen : int64 array of shape (n_samples,)
        Filled with the features selected, as bits in the learner's order.
    """
    examples = rooms.examples
    for sample in range(len(wrong)):
        draw_sample(design, first + sample, examples)
        features = (1 << design.n_features) - 1
        if learner == WG:
            features = weighted_greedy(examples, rooms.conflicts)
        elif learner == FOCUS:
            features = focus(examples, rooms.conflicts)
        elif learner in (MIG, SG):
            features = split_greedy(examples, learner == MIG, rooms.tree, rooms.groups)
        if learner == FRINGE:
            wrong[sample] = fringe(examples, rooms.tree, rooms.fringe)
        elif learner != DRAW:
            wrong[sample] = id3(examples, features, rooms.tree)
        in_order = 0
        for place in range(design.n_features):
            in_order |= ((features >> examples.order[place]) & 1) << place
        chosen[sample] = in_order


__all__ = ["DRAW", "FOCUS", "FRINGE", "ID3", "MIG", "SG", "WG", "Design", "Rooms", "rooms_for", "run"]
