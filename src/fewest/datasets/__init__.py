"""Data sets: real tables that come with the package, and generators whose relevant features are known.

Sources and licences are in ``LICENSE-DATA.md`` beside the files.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from fewest.datasets.generators import Domain, led, linear_threshold, parity
from fewest.exceptions import ParameterError
from fewest.table import read_table, split_target

__all__ = ["TARGETS", "Domain", "data_path", "led", "linear_threshold", "load_votes", "parity"]

TARGETS = {"votes": "party"}


def data_path(name: str) -> Path:
    """Return where the file of a bundled data set is."""
    if name not in TARGETS:
        raise ParameterError.from_choice("data set", name, TARGETS)
    return Path(str(files("fewest.datasets") / f"{name}.csv"))


def load_votes(*, return_X_y: bool = False) -> Any:
    """Read the 1984 House votes: 435 members, 16 votes, and the target ``party``.

    Source: UCI Machine Learning Repository, Congressional Voting Records, CC BY 4.0.

    Parameters
    ----------
    return_X_y : bool
        Return the votes as a pyarrow Table and the parties as a list, ready for ``fit``, instead of one `Table`.

    Examples
    --------
    >>> votes = load_votes()
    >>> votes.n_rows, len(votes.columns), votes["party"].labels
    (435, 17, ('democrat', 'republican'))
    >>> from fewest import MinFeatures
    >>> X, y = load_votes(return_X_y=True)
    >>> int(MinFeatures().fit(X, y).support_.sum())
    9
    """
    votes = read_table(data_path("votes"))
    if not return_X_y:
        return votes
    features, party = split_target(votes, "party")
    return features.to_arrow(), party.to_list()
