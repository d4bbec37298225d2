"""An interrupt that comes while numba compiles is raised when that is done."""

import os
import signal
import threading

import pytest

from fewest.kernels.compiled import _HeldInterrupt


def test_an_interrupt_waits_for_the_compiler():
    listener, before = _HeldInterrupt(), signal.getsignal(signal.SIGINT)
    listener.on_start(None)
    listener.on_start(None)  # a function that calls another
    os.kill(os.getpid(), signal.SIGINT)
    listener.on_end(None)
    with pytest.raises(KeyboardInterrupt):
        listener.on_end(None)
    assert signal.getsignal(signal.SIGINT) is before
    listener.on_start(None)
    listener.on_end(None)  # what was raised is not raised again


def test_other_threads_are_never_interrupted():
    listener, before = _HeldInterrupt(), signal.getsignal(signal.SIGINT)
    handlers = []

    def compile_something():
        listener.on_start(None)
        handlers.append(signal.getsignal(signal.SIGINT))
        listener.on_end(None)

    thread = threading.Thread(target=compile_something)
    thread.start()
    thread.join()
    assert handlers == [before]
