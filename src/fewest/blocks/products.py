"""Matrix products that run on the thread that asks for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@contextmanager
def serial_products() -> Iterator[None]:
    """Keep NumPy's matrix products from starting threads of their own.

    Where blocks already run on all cores, products that spread over these
    cores as well wait for each other, and take up to three times as long.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> Any:
    """Find the library that NumPy multiplies with, once: it takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
