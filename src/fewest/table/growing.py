"""An array that grows at its end, for columns whose length is known only once they are read."""

from __future__ import annotations

from typing import Any

import numpy as np


class GrowingArray:
    """Values appended chunk by chunk, in one piece of memory.

    A list of chunks would have to be joined in the end, and would hold every
    column twice by then.
    """

    def __init__(self, dtype: Any):
        self._values = np.empty(0, dtype=dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def dtype(self) -> np.dtype:
        """Return the type of the values."""
        return self._values.dtype

    def append(self, chunk: np.ndarray) -> None:
        """Put a chunk at the end."""
        end = self._length + len(chunk)
        if end > len(self._values):
            # By a quarter, so that all copying together stays linear; no view of the old memory ever leaves this class.
            self._values.resize(end + end // 4, refcheck=False)
        self._values[self._length : end] = chunk
        self._length = end

    def convert(self, values: np.ndarray) -> None:
        """Go on with other values, of another type, in place of the present ones."""
        self._values, self._length = values, len(values)

    def present(self) -> np.ndarray:
        """Return a copy of the values so far."""
        return self._values[: self._length].copy()

    def finish(self) -> np.ndarray:
        """Return the values without a copy; nothing can be appended afterwards."""
        self._values.resize(self._length, refcheck=False)
        return self._values
