"""Models from files, whatever kind of model they hold."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path

from fewest.exceptions import ModelFileError, OtherVersionWarning
from fewest.models.files import load_file
from fewest.models.model import Model
from fewest.version import __version__

# A room's model is loaded when a file holds one: a tree needs no code of Winnow's, and this package none of the rooms'.
MODELS = {
    "decision tree": ("fewest.trees.model", "TreeModel"),
    "feature partitions": ("fewest.cfp.model", "PartitionModel"),
    "linear regression": ("fewest.wrapper.model", "LinearModel"),
    "winnow": ("fewest.mistakes.model", "WinnowModel"),
    "winnow over truths": ("fewest.mistakes.saved_classifier", "WinnowClassifierModel"),
}
"""Where the class of each kind of model is; it has ``from_file(document, arrays)``."""


def load_model(path: str | Path) -> Model:
    """Read a model that ``save`` or ``fewest train`` wrote.

    The result predicts for frames of any library, arrays and tables, and
    needs no scikit-learn.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    TreeModel, PartitionModel, WinnowModel, WinnowClassifierModel or LinearModel
        With ``predict``, ``predict_proba``, ``classes_``, ``export_text`` and ``target``, and the ``tree``, the
        ``concept`` or the ``committee`` that was learned.

    Raises
    ------
    ModelFileError
        If there is no such file, or it is no model, damaged, or of a newer format.

    Warns
    -----
    OtherVersionWarning
        If another version of the package wrote it.

    See Also
    --------
    fewest.read_table : Read the rows to predict for.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> from fewest import ID3Classifier, load_model
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "xor.model")
    ...     ID3Classifier().fit(X, ["same", "other", "other", "same"]).save(path)
    ...     model = load_model(path)
    >>> model.predict([[1, 1], [0, 1]]).tolist()
    ['same', 'other']
    """
    document, arrays = load_file(path)
    if document.get("fewest") != __version__:
        warning = OtherVersionWarning.from_versions(f"The model {str(path)!r}", document.get("fewest"), __version__)
        warnings.warn(warning, stacklevel=2)
    home = MODELS.get(str(document.get("kind")))
    if home is None:
        raise ModelFileError(
            f"{str(path)!r} holds a model of kind {document.get('kind')!r}, which this program does not know. "
            "Install a newer fewest, or train the model again."
        )
    try:
        return getattr(import_module(home[0]), home[1]).from_file(document, arrays)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelFileError.from_damage(path, error) from None
