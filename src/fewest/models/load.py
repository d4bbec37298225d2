"""Models from files, whatever kind of model they hold."""

from __future__ import annotations

from pathlib import Path

from fewest.exceptions import ModelFileError
from fewest.models.files import load_file
from fewest.models.partition_model import KIND as FEATURE_PARTITIONS
from fewest.models.partition_model import PartitionModel
from fewest.models.tree_model import KIND as DECISION_TREE
from fewest.models.tree_model import TreeModel
from fewest.models.truths_model import KIND as WINNOW_OVER_TRUTHS
from fewest.models.truths_model import TruthsModel
from fewest.models.winnow_model import KIND as WINNOW
from fewest.models.winnow_model import WinnowModel

Model = TreeModel | PartitionModel | WinnowModel | TruthsModel

MODELS: dict[str, type[Model]] = {
    DECISION_TREE: TreeModel,
    FEATURE_PARTITIONS: PartitionModel,
    WINNOW: WinnowModel,
    WINNOW_OVER_TRUTHS: TruthsModel,
}
"""What each kind of model is made by: a class with ``from_file(document, arrays)``."""


def load_model(path: str | Path) -> Model:
    """Read a model that ``save`` or ``fewest train`` wrote.

    The result predicts for frames of any library, arrays and tables, and
    needs no scikit-learn.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    TreeModel, PartitionModel, WinnowModel or TruthsModel
        With ``predict``, ``predict_proba``, ``classes_``, ``export_text`` and ``target``, and the ``tree``, the
        ``concept`` or the ``committee`` that was learned.

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
    model_class = MODELS.get(str(document.get("kind")))
    if model_class is None:
        raise ModelFileError(
            f"{str(path)!r} holds a model of kind {document.get('kind')!r}, which this program does not know. "
            "Install a newer fewest, or train the model again."
        )
    try:
        return model_class.from_file(document, arrays)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelFileError.from_damage(path, error) from None
