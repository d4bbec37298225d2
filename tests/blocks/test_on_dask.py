"""A real cluster: two worker processes, one of which may die."""

import os
import signal
from concurrent.futures import CancelledError
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

pytest.importorskip("distributed")

import dask
from distributed import Client, KilledWorker, LocalCluster

from cut_into_blocks import attributes, deadly, dying_once, write_parts
from fewest import MinDescription, MinFeatures, MutualInformationGreedy, Relief, ReliefF, RReliefF, SimpleGreedy, scan
from fewest.blocks.on_dask import OnDask, connected
from fewest.exceptions import ParameterError, UnreadableFileError, WorkerError


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (12_000, 9)).astype(bool)
    y = (X[:, 1] & X[:, 4]) | X[:, 6]
    table = pa.table({**{f"f{j}": X[:, j] for j in range(9)}, "y": np.where(y, "pos", "neg")})
    return write_parts(table, [5_000, 9_000], tmp_path / "data", ".parquet", 1_000)


@pytest.mark.parametrize("which", [MinFeatures, MinDescription, SimpleGreedy, MutualInformationGreedy])
def test_a_cluster_finds_the_same_as_this_process(which, folder, cluster):
    expected = which().fit(scan(folder, target="y"))
    found = which().fit(scan(folder, target="y", client=cluster))
    assert attributes(found) == attributes(expected)
    assert found.get_feature_names_out().tolist() == ["f1", "f4", "f6"]


def pids(client):
    return list(client.run(os.getpid).values())


def test_a_worker_that_is_killed_takes_no_data_with_it(folder, cluster):
    expected = attributes(MinFeatures().fit(scan(folder, target="y")))
    scanned = scan(folder, target="y", client=cluster)
    assert scanned.store.n_rows == 12_000  # the blocks are on the workers now
    os.kill(pids(cluster)[0], signal.SIGKILL)
    assert attributes(MinFeatures().fit(scanned)) == expected


def of_numbers(folder, tmp_path):
    """The same with numbers and gaps."""
    rng = np.random.default_rng(1)
    table = pyarrow.parquet.read_table(folder)
    numbers = pa.array(rng.random(len(table)), mask=rng.random(len(table)) < 0.1)
    return write_parts(table.append_column("x", numbers), [4_000], tmp_path / "numbers", ".parquet", 1_000)


@pytest.mark.parametrize(
    ("selector", "has_numbers"),
    [
        (MinFeatures(), False),
        pytest.param(SimpleGreedy(), False, marks=pytest.mark.thorough),
        pytest.param(MutualInformationGreedy(), False, marks=pytest.mark.thorough),
        pytest.param(Relief(max_samples=60, random_state=0), False, marks=pytest.mark.thorough),
        (ReliefF(max_samples=60, random_state=0), True),
    ],
    ids=str,
)
def test_a_worker_that_dies_at_work_changes_nothing(selector, has_numbers, folder, cluster, tmp_path, monkeypatch):
    folder = of_numbers(folder, tmp_path) if has_numbers else folder
    expected = attributes(selector.fit(scan(folder, target="y")))
    scanned = scan(folder, target="y", client=cluster)
    store = scanned.numeric_store if isinstance(selector, Relief | ReliefF) else scanned.store
    assert store.n_rows == 12_000
    fold, flag = scanned.engine.fold, tmp_path / "died"

    def folded(work, merge, stacks, *arguments):
        return fold(partial(dying_once, work, flag), merge, stacks, *arguments)

    monkeypatch.setattr(scanned.engine, "fold", folded)
    assert attributes(selector.fit(scanned)) == expected
    assert flag.exists()


@pytest.mark.thorough
def test_a_worker_that_dies_at_a_regression_changes_nothing(folder, cluster, tmp_path, monkeypatch):
    options = {"target": "x", "missing_target": "drop"}
    data, selector = of_numbers(folder, tmp_path), RReliefF(max_samples=60, random_state=0, threshold="interval")
    expected = attributes(selector.fit(scan(data, **options)))
    scanned = scan(data, client=cluster, **options)
    assert scanned.regression_store.is_regression
    fold, flag = scanned.engine.fold, tmp_path / "died"
    monkeypatch.setattr(scanned.engine, "fold", lambda work, *rest: fold(partial(dying_once, work, flag), *rest))
    assert attributes(selector.fit(scanned)) == expected
    assert flag.exists()


def test_a_block_that_always_fails_is_named_with_its_rows(folder, cluster):
    path = folder / "part-1.parquet"
    content = bytearray(path.read_bytes())
    place = pyarrow.parquet.ParquetFile(path).metadata.row_group(2).column(0).data_page_offset
    content[place : place + 60] = b"\xff" * 60
    path.write_bytes(content)
    with pytest.raises(UnreadableFileError, match=r"part-1\.parquet.*rows 0 to 3,999"):
        MinFeatures().fit(scan(folder, target="y", client=cluster))


def test_a_piece_that_kills_its_workers_is_named(folder, cluster, monkeypatch):
    scanned = scan(folder, target="y", client=cluster)
    engine = scanned.engine
    monkeypatch.setattr(engine, "read", lambda read, pieces: type(engine).read(engine, deadly, pieces))
    with pytest.raises(WorkerError, match=r"read .*part-0\.parquet, rows 0 to 4,999"):
        _ = scanned.store


def test_all_pieces_that_dead_workers_had_are_named():
    """The one that Dask raises may only have waited behind the one that kills."""
    killed = {name: KilledWorker(f"read {name} 0123-0", None, 2) for name in ("a.parquet", "b.parquet")}

    class Innocent:
        def submit(self, *arguments, **options):
            return None

        def gather(self, futures):
            raise killed["b.parquet"]

    class Stack:
        def __init__(self, name):
            self.name, self.status = name, "error" if name in killed else "finished"

        def exception(self):
            return killed[self.name]

    engine = OnDask(Innocent())
    with pytest.raises(WorkerError, match=r"of one of these tasks \('read a\.parquet', 'read b\.parquet'\)"):
        engine.fold(len, max, [Stack("a.parquet"), Stack("b.parquet"), Stack("c.parquet")])


def test_a_cluster_without_workers_is_not_waited_for(folder):
    with (
        dask.config.set({"distributed.scheduler.no-workers-timeout": "1s"}),
        LocalCluster(n_workers=0, processes=False, dashboard_address=None) as empty,
        Client(empty, set_as_default=False) as client,
        pytest.raises(WorkerError, match=r"no worker for 1 seconds.*read .*part-0\.parquet, rows 0 to 4,999"),
    ):
        MinFeatures().fit(scan(folder, target="y", client=client))


@pytest.mark.usefixtures("cluster")
def test_a_second_cluster_is_no_reason_to_complain(recwarn):
    with connected(None, 1) as client:
        assert client.submit(abs, -1).result() == 1
    assert not [warning for warning in recwarn if "Port" in str(warning.message)]


def test_an_address_where_nobody_answers_is_an_error(folder, monkeypatch):
    monkeypatch.setattr("fewest.blocks.on_dask.PATIENCE", "1s")
    with pytest.raises(ParameterError, match="No Dask scheduler answers"):
        scan(folder, target="y", client="tcp://127.0.0.1:9")


class AloneClient:
    """A client of a scheduler without workers."""

    status = "running"

    def nthreads(self):
        return {}

    def close(self, timeout=None):
        self.status = "closed"


@pytest.mark.parametrize("is_alone", [True, False])
def test_a_cluster_that_is_gone_is_an_error_in_words(monkeypatch, is_alone):
    """Its scheduler, or the last of its workers: whatever waits is given up, by whatever Dask raises."""
    from fewest.blocks import on_dask

    client = AloneClient()
    monkeypatch.setattr(on_dask, "LOOK", 0.0 if is_alone else 60.0)
    monkeypatch.setattr(on_dask, "ALONE", -1.0)
    monkeypatch.setattr(on_dask.OnDask, "from_client", lambda _: on_dask.OnDask(client))
    words = "has no worker any more" if is_alone else "does not answer any more"

    def lose():
        while is_alone and client.status == "running":
            os.sched_yield()
        client.status = "connecting"
        raise CancelledError  # what a future raises whose client was closed

    with pytest.raises(WorkerError, match=words), on_dask.connected("tcp://somewhere", None):
        lose()


def test_other_errors_on_a_cluster_stay_as_they_are(monkeypatch):
    from fewest.blocks import on_dask

    monkeypatch.setattr(on_dask.OnDask, "from_client", lambda _: on_dask.OnDask(AloneClient()))
    with pytest.raises(ZeroDivisionError), on_dask.connected("tcp://somewhere", None):
        raise ZeroDivisionError
