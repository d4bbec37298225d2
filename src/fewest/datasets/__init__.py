"""Real data that comes with the package, so that examples need no network.

Sources and licences are in ``LICENSE-DATA.md`` beside the files.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fewest.exceptions import ParameterError
from fewest.table import Table, read_table

TARGETS = {"votes": "party"}


def data_path(name: str) -> Path:
    """Return where the file of a bundled data set is."""
    if name not in TARGETS:
        raise ParameterError.from_choice("data set", name, TARGETS)
    return Path(str(files("fewest.datasets") / f"{name}.csv"))


def load_votes() -> Table:
    """Read the 1984 House votes: 435 members, 16 votes, and the target ``party``.

    Source: UCI Machine Learning Repository, Congressional Voting Records, CC BY 4.0.

    >>> votes = load_votes()
    >>> votes.n_rows, len(votes.columns), votes["party"].labels
    (435, 17, ('democrat', 'republican'))
    """
    return read_table(data_path("votes"))
