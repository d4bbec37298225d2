"""Section 7's learners by name: a selector, then a learner on the features that it keeps."""

from __future__ import annotations

from sklearn.pipeline import Pipeline

from fewest.cover.estimators import Focus1, Focus2, MinFeatures, MutualInformationGreedy, SimpleGreedy, WeightedGreedy
from fewest.exceptions import ParameterError
from fewest.relief.estimators import Relief, ReliefF
from fewest.trees.estimators import FringeClassifier, ID3Classifier

SELECTORS = {
    "FOCUS": Focus2,  # section 7 does not distinguish FOCUS-1 and FOCUS-2; the second is faster
    "FOCUS-1": Focus1,
    "FOCUS-2": Focus2,
    "MIN-FEATURES": MinFeatures,
    "MIG": MutualInformationGreedy,
    "SG": SimpleGreedy,
    "WG": WeightedGreedy,
    "RELIEF": Relief,
    "RELIEFF": ReliefF,
}
LEARNERS = {"ID3": ID3Classifier, "FRINGE": FringeClassifier}


def make_learner(name: str) -> Pipeline:
    """Return a learner, or a selector and a learner, as Almuallim and Dietterich (1994), section 7, call them.

    Parameters
    ----------
    name : str
        A learner, ID3 or FRINGE, alone or after a selector and a plus sign:
        FOCUS+ID3, MIG+ID3, SG+ID3 and WG+ID3 are the paper's, and
        RELIEF+ID3 is that of Kira and Rendell (1992). Selectors are FOCUS
        (which is FOCUS-2), FOCUS-1, FOCUS-2, MIN-FEATURES, MIG, SG, WG, RELIEF
        and RELIEFF.

    Returns
    -------
    sklearn.pipeline.Pipeline
        With the steps ``select``, if there is one, and ``learn``.

    See Also
    --------
    ID3Classifier : The learner of most of these.
    FringeClassifier : The other one.
    compare : Selectors before learners of any kind, side by side.

    Examples
    --------
    >>> import numpy as np
    >>> from fewest import make_learner
    >>> X = np.random.default_rng(0).integers(0, 2, (600, 16))
    >>> y = X[:, 3] ^ X[:, 8] ^ X[:, 11]
    >>> [float(make_learner(name).fit(X[:300], y[:300]).score(X[300:], y[300:])) for name in ("ID3", "WG+ID3")]
    [0.62, 1.0]
    """
    *selector, learner = (part.strip() for part in name.split("+"))
    steps = [("select", _made(SELECTORS, part, name)) for part in selector]
    steps.append(("learn", _made(LEARNERS, learner, name)))
    if len(steps) > 2:
        raise ParameterError(f"{name!r} names more than one selector. Write one selector and one learner: WG+ID3.")
    return Pipeline(steps)


def _made(classes: dict, part: str, name: str):
    """Make the estimator of that name, however it is spelled."""
    by_spelling = {_plain(known): made for known, made in classes.items()}
    if _plain(part) not in by_spelling:
        what = "learner" if classes is LEARNERS else "selector"
        raise ParameterError(
            f"There is no {what} {part!r} in {name!r}. Write a learner ({', '.join(LEARNERS)}), or a selector and a "
            f"learner with a plus sign between them, such as WG+ID3. The selectors are {', '.join(SELECTORS)}."
        )
    return by_spelling[_plain(part)]()


def _plain(name: str) -> str:
    return name.upper().replace("-", "").replace("_", "").replace(" ", "")
