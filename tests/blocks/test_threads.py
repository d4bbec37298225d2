import inspect
import threading
import time
from inspect import signature

import numpy as np
import pytest
from joblib import effective_n_jobs, parallel_config

import fewest
from fewest.blocks.threads import in_order, n_workers
from fewest.budget import work_clock
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


@pytest.mark.parametrize("compiles", [True, False])
def test_who_asks_for_no_more_waits_for_the_others_but_not_for_a_compiler(compiles):
    begun, released, ended = threading.Event(), threading.Event(), threading.Event()

    def work(share):
        if share and threading.current_thread() is not threading.main_thread():
            begun.set()
            assert released.wait(300)
            ended.set()
        elif share:
            assert begun.wait(300)
        return share

    results = in_order(work, range(1000), 2)
    assert next(results) == 0
    assert begun.wait(300)
    if compiles:
        with work_clock.standing():
            results.close()
        assert not ended.is_set()
    released.set()
    results.close()
    assert compiles or ended.is_set()


@pytest.mark.parametrize("n_jobs", [0, 1.5, "two", True])
def test_what_is_no_number_of_threads_is_refused(n_jobs):
    with pytest.raises(ParameterError, match="no number of threads"):
        n_workers(n_jobs)


def test_counting_as_scikit_learn_does():
    assert (n_workers(None), n_workers(3), n_workers(np.int64(2))) == (1, 3, 2)
    assert n_workers(-1) == effective_n_jobs(-1)
    assert n_workers(-1000) == 1


def test_joblib_and_its_environment_decide(monkeypatch):
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    assert n_workers(-1) == 1
    with parallel_config("threading", n_jobs=3):
        assert (n_workers(None), n_workers(2)) == (3, 2)


def parallel_estimators():
    classes = [getattr(fewest, name) for name in fewest.__all__]
    return [made for made in classes if isinstance(made, type) and "n_jobs" in signature(made).parameters]


@pytest.mark.parametrize("estimator", parallel_estimators())
def test_users_choose_the_number_of_threads(estimator):
    assert signature(estimator).parameters["n_jobs"].default is None
    assert "n_jobs" in inspect.getdoc(estimator)


def test_estimators_that_take_threads_are_found():
    assert {"ReliefF", "CFPClassifier", "OrderedFS"} <= {estimator.__name__ for estimator in parallel_estimators()}
