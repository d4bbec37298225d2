"""A real cluster: two worker processes, one of which may die."""

from contextlib import ExitStack, suppress

import pytest

SETTINGS = {
    "distributed.scheduler.allowed-failures": 1,  # two deaths: those of workers that are known to have started
    "distributed.scheduler.no-workers-timeout": "300s",
    "distributed.worker.daemon": False,
}


class TwoProcesses:
    """A cluster that is started when it is asked for, and again when workers are missing that nobody restarts.

    A worker that dies while Dask still starts it is gone for good.
    """

    def __init__(self, folder):
        self._folder, self._open, self._client = str(folder), ExitStack(), None

    def client(self):
        """Return a client of two workers that live."""
        if self._client is not None:
            try:
                self._client.wait_for_workers(2, timeout=60)
            except TimeoutError:
                self.close()
        return self._client or self._start()

    def _start(self):
        import dask
        from distributed import Client, LocalCluster

        self._open.enter_context(dask.config.set(SETTINGS))
        options = {"processes": True, "dashboard_address": None, "local_directory": self._folder}
        cluster = self._open.enter_context(LocalCluster(n_workers=2, threads_per_worker=1, **options))
        self._client = self._open.enter_context(Client(cluster))
        return self._client

    def close(self):
        """Send everybody home."""
        self._client = None
        with suppress(TimeoutError):  # on a busy machine workers end late, which is no fault of a test
            self._open.close()


@pytest.fixture(scope="session")
def two_processes(tmp_path_factory):
    pytest.importorskip("distributed")
    processes = TwoProcesses(tmp_path_factory.mktemp("dask"))
    yield processes
    processes.close()


@pytest.fixture
def cluster(two_processes):
    """Two worker processes, restarted when one dies."""
    return two_processes.client()
