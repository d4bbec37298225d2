"""Fitted estimators that remember which version of `fewest` they were fitted with."""

from __future__ import annotations

import warnings
from typing import Any

from fewest.exceptions import OtherVersionWarning
from fewest.version import __version__

_KEY = "_fewest_version"


class VersionedState:
    """Keep the version in pickles and copies; put it before `BaseEstimator` among the bases.

    A pickle holds the attributes of one version, which another may read otherwise. Loading it there warns with
    `OtherVersionWarning`, as scikit-learn does for its own estimators.
    """

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()  # that of scikit-learn's BaseEstimator
        return {**state, _KEY: __version__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        version = state.pop(_KEY, None)
        if version != __version__:
            warning = OtherVersionWarning.from_versions(f"The {type(self).__name__}", version, __version__)
            warnings.warn(warning, stacklevel=2)
        super().__setstate__(state)  # type: ignore[misc]  # that of scikit-learn's BaseEstimator
