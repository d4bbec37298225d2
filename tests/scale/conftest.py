"""A real cluster: two worker processes, one of which may die."""

import pytest


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Two worker processes, restarted when one dies."""
    distributed = pytest.importorskip("distributed")
    import dask

    settings = {
        "distributed.scheduler.allowed-failures": 2,
        "distributed.scheduler.no-workers-timeout": "60s",
        "distributed.worker.daemon": False,
    }
    folder = tmp_path_factory.mktemp("dask")
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(folder)
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
