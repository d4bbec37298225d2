"""Real tables that come with the package. Sources and licences are in ``LICENSE-DATA.md`` beside the files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from fewest.exceptions import ParameterError
from fewest.table import split_target
from fewest.table.files import read_table

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
    return_X_y : bool, default=False
        Return the votes as a pyarrow Table and the parties as a list, ready for ``fit``, instead of one `Table`.

    Returns
    -------
    Table or (pyarrow.Table, list of str)
        All 17 columns, or the 16 votes and the target apart. Who did not vote has a missing value.

    See Also
    --------
    fewest.read_table : Read a file of one's own.
    make_parity : Data whose relevant features are known.

    Examples
    --------
    >>> from fewest.datasets import load_votes
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
