import gc
import os
import signal
from itertools import count
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, settings

# Examples are derived from each test's code alone, so that a run says the same on every machine, be it slow.
settings.register_profile(
    "fewest",
    derandomize=True,
    deadline=None,
    max_examples=60,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# `make thorough` looks for what these may have missed: more examples, others every time, and the slowest few tests.
settings.register_profile("thorough", settings.get_profile("fewest"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("FEWEST_TESTS", "fewest"))

# Where several processes of tests share the cores, the threads of a matrix product wait for each other and take twice
# the processor time. NumPy is not imported yet.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would the programs that they interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """Keep Python from going through all modules and tests, which stay until the end, in search of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def pytest_collection_modifyitems(items):
    """Leave out what takes long and is covered by quicker tests, unless a thorough run is asked for."""
    if os.environ.get("FEWEST_TESTS") != "thorough":
        for item in items:
            if item.get_closest_marker("thorough"):
                item.add_marker(pytest.mark.skip(reason="make thorough runs it"))


@pytest.fixture
def ticking(monkeypatch):
    """Let the clock of searches go on by a hundredth of a second whenever it is looked at, on every machine alike."""
    looks = count()
    monkeypatch.setattr("fewest.budget.time", SimpleNamespace(monotonic=lambda: next(looks) / 100))
