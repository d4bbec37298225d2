"""Whether to compile: the one decision of the house.

Most kernels exist twice, in NumPy (or plain Python) and compiled, with the same answers. NumPy starts at once;
compiled code is many times faster, but numba must be imported and machine code loaded before its first step. So the
caller predicts what the work would cost its NumPy twin, and here it is decided. The decision depends on that work
alone, never on what the process did before: the same call takes the same way every time.

``FEWEST_COMPILE=always`` or ``never`` overrides it.
"""

from __future__ import annotations

import os

from fewest.exceptions import ParameterError

VARIABLE = "FEWEST_COMPILE"
CHOICES = ("auto", "always", "never")
# Importing numba and loading machine code that is kept on disk take about a second.
PAYS_FROM = 1.0


def compiles(seconds: float) -> bool:
    """Return whether compiled code should do work that would take its NumPy twin about so many seconds."""
    choice = os.environ.get(VARIABLE, "auto") or "auto"
    if choice not in CHOICES:
        raise ParameterError.from_choice(VARIABLE, choice, CHOICES)
    return choice == "always" or (choice == "auto" and seconds > PAYS_FROM)


class Work:
    """The work of one search, fit or learner whose end nobody knows beforehand, added up as it goes on."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def compiles(self, n_steps: float, nanoseconds: float) -> bool:
        """Add steps that take the NumPy twin so long each; return whether compiled code should do them."""
        self.seconds += n_steps * nanoseconds * 1e-9
        return compiles(self.seconds)
