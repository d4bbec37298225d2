"""Whether it is worth compiling: a short search should not wait for a compiler."""

from __future__ import annotations

import sys

# Numbers that NumPy gets through in about a second.
LITTLE_WORK = 10_000_000


class _Work:
    """What has been done in this process."""

    done = 0


def is_much(n_children: int, size: int, n_rows: int) -> bool:
    """Add to the work of this process; return whether compiled code should do it from now on."""
    _Work.done += n_children * size * n_rows
    return _Work.done > LITTLE_WORK or "numba" in sys.modules
