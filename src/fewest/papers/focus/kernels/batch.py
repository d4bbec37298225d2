"""Run a learner on a batch of samples: draw, select, grow, score."""

from __future__ import annotations

from typing import NamedTuple

from fewest.kernels.compiled import compiled_in_place
from fewest.papers.focus.kernels.draw import Design, Examples, draw_sample, empty_examples
from fewest.papers.focus.kernels.focus import ConflictWorkspace, conflict_workspace, focus
from fewest.papers.focus.kernels.fringe import FringeWorkspace, fringe, fringe_workspace
from fewest.papers.focus.kernels.greedy import GroupWorkspace, group_workspace, split_greedy, weighted_greedy
from fewest.papers.focus.kernels.id3 import TreeWorkspace, id3, tree_workspace

ID3, MIG, SG, WG, FOCUS, FRINGE, DRAW = range(7)


class Workspaces(NamedTuple):
    """Everything that is allocated once a batch."""

    examples: Examples
    tree: TreeWorkspace
    groups: GroupWorkspace
    conflicts: ConflictWorkspace
    fringe: FringeWorkspace


def workspaces_for(learner: int, n_features: int, n_examples: int) -> Workspaces:
    """Allocate what a learner needs, and next to nothing for the others."""
    splits, compares, joins = learner in (MIG, SG), learner in (WG, FOCUS), learner == FRINGE
    return Workspaces(
        examples=empty_examples(n_features, n_examples),
        tree=tree_workspace(n_features, n_examples),
        groups=group_workspace(n_features, n_examples) if splits else group_workspace(1, 1),
        conflicts=conflict_workspace(n_features, n_examples) if compares else conflict_workspace(1, 1),
        fringe=fringe_workspace(n_features, n_examples) if joins else fringe_workspace(1, 1),
    )


@compiled_in_place
def run(learner, design, first, workspaces, wrong, chosen):
    """Run a learner on the samples ``first``, ``first`` + 1, ...

    Parameters
    ----------
    learner : int
        ``DRAW`` draws the samples and does nothing with them.
    design : Design
    first : int
    workspaces : Workspaces
    wrong : int64 array of shape (n_samples,)
        Filled with the number of instances misclassified.
    chosen : int64 array of shape (n_samples,)
        Filled with the features selected, as bits in the learner's order.
    """
    examples = workspaces.examples
    for sample in range(len(wrong)):
        draw_sample(design, first + sample, examples)
        features = (1 << design.n_features) - 1
        if learner == WG:
            features = weighted_greedy(examples, workspaces.conflicts)
        elif learner == FOCUS:
            features = focus(examples, workspaces.conflicts)
        elif learner in (MIG, SG):
            features = split_greedy(examples, learner == MIG, workspaces.tree, workspaces.groups)
        if learner == FRINGE:
            wrong[sample] = fringe(examples, workspaces.tree, workspaces.fringe)
        elif learner != DRAW:
            wrong[sample] = id3(examples, features, workspaces.tree)
        in_order = 0
        for place in range(design.n_features):
            in_order |= ((features >> examples.order[place]) & 1) << place
        chosen[sample] = in_order


__all__ = ["DRAW", "FOCUS", "FRINGE", "ID3", "MIG", "SG", "WG", "Design", "Workspaces", "run", "workspaces_for"]
