"""The tree of a proof: the same plain and compiled, and every node of it is needed to say why."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import naive
from fewest.cover.solver.problem import CoverProblem
from fewest.cover.solver.proof_tree import proof_tree


@st.composite
def problems(draw):
    n_features = draw(st.integers(1, 7))
    features = st.sets(st.integers(0, n_features - 1), min_size=1)
    sets = draw(st.lists(features, max_size=10))
    costs = draw(st.lists(st.integers(1, 4), min_size=n_features, max_size=n_features))
    include = draw(st.sets(st.integers(0, n_features - 1), max_size=1))
    return sets, n_features, costs, include


def walk(tree, sets, costs, chosen, banned, left):
    """Read one node, and all below it; return what is left of the tree, None where it proves nothing."""
    cheapest = min(costs[x] for x in tree[1])
    common = {x for x in tree[1] if costs[x] <= left} - banned
    numbers = tree[0]
    if not numbers:
        return None
    if left < 2 * cheapest:
        while numbers and not sets[numbers[0]] & chosen:
            common &= sets[numbers[0]]
            numbers = numbers[1:]
            if not common:
                return numbers
        return None
    own, numbers = sets[numbers[0]], numbers[1:]
    if own & chosen:
        return None
    for x in tree[1]:
        if x in own - banned and costs[x] <= left:
            numbers = walk((numbers, tree[1]), sets, costs, chosen | {x}, banned, left - costs[x])
            if numbers is None:
                return None
            banned = banned | {x}
    return numbers


@settings(deadline=None)
@given(problem=problems(), way=st.sampled_from(["always", "never"]))
def test_a_tree_proves_the_bound_that_enumeration_finds(problem, way):
    sets, n_features, costs, include = problem
    best, _ = naive.cheapest_covers(sets, n_features, costs, include)
    base = sum(costs[x] for x in include)
    assume(best > base)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FEWEST_COMPILE", way)
        tree = proof_tree(CoverProblem.from_sets(sets, n_features, costs=costs, include=include), best)
    named = [sets[c] for c in tree.kept.tolist()]
    assert not any(one & include for one in named)
    assert walk((tree.conflicts.tolist(), tree.order), named, costs, set(), set(), best - 1 - base) == []
    assert sorted(set(tree.conflicts.tolist())) == list(range(len(named)))


def test_a_tree_that_would_be_too_large_is_none(monkeypatch):
    monkeypatch.setattr("fewest.cover.solver.proof_tree.MOST_NAMED", 50)
    monkeypatch.setattr("fewest.cover.solver.proof_tree.PART", 20)
    rows = np.random.default_rng(0).random((300, 20)) < 0.4
    problem = CoverProblem.from_sets([np.flatnonzero(row).tolist() for row in rows if row.any()], 20)
    assert proof_tree(problem, 6) is None


@settings(deadline=None)
@given(problem=problems())
def test_plain_and_compiled_code_write_the_same_tree(problem):
    sets, n_features, costs, include = problem
    best, _ = naive.cheapest_covers(sets, n_features, costs, include)
    assume(best > sum(costs[x] for x in include))
    trees = []
    for way in ("always", "never"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FEWEST_COMPILE", way)
            tree = proof_tree(CoverProblem.from_sets(sets, n_features, costs=costs, include=include), best)
        trees.append((tree.kept.tolist(), tree.conflicts.tolist(), [*tree.order]))
    assert trees[0] == trees[1]
