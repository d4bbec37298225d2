import threading
import time

import pytest

from fewest.blocks.threads import in_order, n_workers
from fewest.exceptions import ParameterError


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_shares(n_threads):
    def work(share):
        time.sleep(0.002 * (share % 3))  # later shares are often ready first
        return share**2

    assert list(in_order(work, range(40), n_threads)) == [share**2 for share in range(40)]


def test_few_shares_are_under_way_at_a_time():
    started = []

    def work(share):
        started.append(share)
        return share

    results = in_order(work, range(1000), 2)
    next(results)
    assert len(started) <= 4
    results.close()


def test_the_thread_that_asks_works_too():
    workers, both = set(), threading.Event()

    def work(share):
        workers.add(threading.get_ident())
        if len(workers) == 2:
            both.set()
        assert both.wait(300)  # one alone would wait in vain; the other may be slow

    list(in_order(work, range(30), 2))
    assert threading.get_ident() in workers


def test_an_error_ends_the_work():
    def work(share):
        if share == 3:
            raise KeyError(share)
        return share

    results = in_order(work, range(1000), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]  # whoever met the error, it has its place in the order
    with pytest.raises(KeyError):
        next(results)
    assert threading.active_count() < 50


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
def test_what_is_no_number_of_threads_is_refused(n_jobs):
    with pytest.raises(ParameterError, match="no number of threads"):
        n_workers(n_jobs)


def test_counting_as_scikit_learn_does():
    assert (n_workers(None), n_workers(3)) == (1, 3)
    assert n_workers(-1) >= 1
    assert n_workers(-1000) == 1
