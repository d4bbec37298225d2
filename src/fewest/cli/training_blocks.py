"""What ``fewest train`` does where the rows are in blocks."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING, Any

from fewest.cli import rank
from fewest.cli.messages import progress
from fewest.cli.trained import Trained, TrainedPartitions, TrainedTree, TrainedWinnow
from fewest.cover.options import OPTIONS, Method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fewest.blocks.scan import Scan
    from fewest.blocks.store import Store
    from fewest.cli.train import Learner, Selection, Selector
    from fewest.table import Column, Table


def obstacle(learner: str, method: Selector | None, tolerance: object, bins: bool, report: object, limit: str | None):
    """Return what of a request needs all rows in memory, if anything does."""
    if learner == "fringe":
        return "--learner fringe"
    takes_blocks = {*rank.Method, *(name for name, options in OPTIONS.items() if options.takes_blocks)}
    if method is not None and method not in takes_blocks:
        return f"--select {method}"
    if limit is not None and limit.strip().endswith("sd"):
        return "--limit in standard deviations"
    named = {"--tolerance": tolerance, "--bins": bins, "--report": report}
    return next((name for name, value in named.items() if value), None)


def train_in_blocks(
    learner: Learner, method: Selector | None, scanned: Scan, seconds: float | None, options: dict[str, Any]
) -> tuple[Trained, dict[str, Any], Selection | None]:
    """Select and learn; return the model, what there is to tell about it, and the selection."""
    from fewest.cli.scanned import shown_parts

    store = scanned.numeric_store if learner == "cfp" else scanned.store
    features, classes = shown_parts(scanned, store)
    selection = None if method is None else _selected(method, scanned, seconds)
    chosen = list(range(store.n_features)) if selection is None else list(selection.subset)
    trained = _learned(learner, store, chosen, options)
    return trained, _described(trained, store, chosen, features, classes, selection), selection


def _selected(method: Selector, scanned: Scan, seconds: float | None) -> Selection:
    from fewest.cli.scanned import shown_parts
    from fewest.cli.train import Selection

    if method in tuple(rank.Method):
        table, target = shown_parts(scanned, scanned.numeric_store)
        found = rank.RelevanceRequest().fulfil(rank.Method(method), table, target, seconds, scanned.numeric_store)
        return Selection([table.position(name) for name in found["features"]], found["stopped_by"])
    from fewest.cover.select import select_features

    options = OPTIONS[Method(method)](time_limit=seconds)
    chosen = select_features(scanned, None, options, progress())
    return Selection(chosen.subset, chosen.answer.stopped_by)


def _learned(learner: Learner, store: Store, chosen: Sequence[int], options: dict[str, Any]) -> Trained:
    """Learn on the chosen features."""
    import numpy as np

    from fewest.cfp.blocks import learn_cfp_in_blocks
    from fewest.mistakes.blocks import learn_winnow_in_blocks
    from fewest.table.identifiers import TREE_OF_IDENTIFIERS, warn_of_identifiers
    from fewest.trees.blocks import learn_id3_in_blocks

    labels = np.array(store.labels)
    numbers = np.arange(len(labels))
    if learner == "cfp":
        from fewest.cfp.options import CFPOptions

        return TrainedPartitions(learn_cfp_in_blocks(store, chosen, labels, numbers, CFPOptions(**options)))
    if learner != "id3":
        return TrainedWinnow(*learn_winnow_in_blocks(store, chosen, learner.value))
    warn_of_identifiers(
        [store.features[f].name for f in chosen if store.features[f].is_identifier], TREE_OF_IDENTIFIERS
    )
    return TrainedTree(learn_id3_in_blocks(store, chosen, labels, numbers), 1)


def _described(
    trained: Trained,
    store: Store,
    chosen: Sequence[int],
    features: Table,
    classes: Column,
    selection: Selection | None,
) -> dict[str, Any]:
    """Turn a model into plain data."""
    from fewest.cli.train import described
    from fewest.models.model import count_right

    n_right = store.engine.fold(count_right, add, store.stacks, trained.model, store.features, chosen)
    return described(trained, n_right, features, classes, selection)
