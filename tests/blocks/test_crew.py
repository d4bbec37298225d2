"""Fits of a wrapper's candidates and units of an experiment as tasks of a cluster."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

pytest.importorskip("distributed")

from joblib import parallel_config

from cut_into_blocks import Deadly, DyingOnce
from fewest import OrderedFS, OrderedFS2, StandardWrap
from fewest.blocks.on_dask import Crew
from fewest.datasets import make_linear_threshold
from fewest.exceptions import WorkerError
from fewest.papers.runner import JOURNAL, run
from papers import toy


def attributes(selector):
    names = ("support_", "history_", "n_subsets_evaluated_", "training_error_", "holdout_error_", "search_")
    found = {name: getattr(selector, name) for name in names}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in found.items()}


@pytest.fixture(scope="module")
def examples():
    X, y, _ = make_linear_threshold(80, irrelevant=6, random_state=0)
    return X, y


@pytest.mark.parametrize("which", [OrderedFS, OrderedFS2, StandardWrap])
def test_a_cluster_finds_what_this_process_finds(which, examples, cluster):
    selector = which(DecisionTreeClassifier(random_state=0), beam_width=4, search="forward", random_state=0)
    expected = attributes(selector.fit(*examples))
    with parallel_config("dask", client=cluster):
        assert attributes(selector.fit(*examples)) == expected


def test_a_worker_that_dies_of_a_fit_changes_nothing(examples, cluster, tmp_path):
    flag = tmp_path / "died"
    plain = OrderedFS(GaussianNB(), fast=False, beam_width=4, search="forward", random_state=0)
    expected = attributes(plain.fit(*examples))
    mortal = OrderedFS(DyingOnce(str(flag), os.getpid()), beam_width=4, search="forward", random_state=0)
    with parallel_config("dask", client=cluster):
        assert attributes(mortal.fit(*examples)) == expected
    assert flag.exists()


def test_a_fit_that_kills_every_worker_ends_in_words(examples, cluster):
    with parallel_config("dask", client=cluster), pytest.raises(WorkerError, match="workers died one after the other"):
        OrderedFS(Deadly(), beam_width=2, search="forward", random_state=0).fit(*examples)


def test_units_of_an_experiment_are_tasks(cluster, tmp_path):
    here, there = (
        run(toy.SQUARES, "small", tmp_path / name, pool, 2) for name, pool in (("a", None), ("b", Crew(cluster)))
    )
    assert there.rows == here.rows
    assert there.verdict == "holds"
    assert sorted((tmp_path / "a" / JOURNAL).read_text().splitlines()) == sorted(
        (tmp_path / "b" / JOURNAL).read_text().splitlines()
    )


def test_what_fails_on_a_worker_is_raised_here(cluster):
    crew = Crew(cluster)
    with pytest.raises(FileNotFoundError):
        crew.run(_read, [Path("/nowhere/at/all")])


def _read(path):
    return path.read_text()
