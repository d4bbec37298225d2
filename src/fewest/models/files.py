"""Model files: one file with a document of plain data and named arrays, for every kind of model, and `load_model`.

The file is an npz, a zip of .npy arrays, that also holds ``model.json``.
Nothing in it is executed when it is read: arrays are loaded without pickle.
"""

from __future__ import annotations

import io
import json
import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from importlib import import_module
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fewest.exceptions import ModelFileError, OtherVersionWarning, UnreadableFileError
from fewest.reading import parsed_json, read_whole
from fewest.version import __version__
from fewest.writing import written_beside

if TYPE_CHECKING:
    from fewest.models.encoder import Encoder, KnownColumn
    from fewest.models.model import Model

FORMAT = "fewest model"
VERSION = 1

_DOCUMENT = "model.json"
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, TypeError, MemoryError, NotImplementedError,
    SyntaxError, tokenize.TokenError, RecursionError, OverflowError, RuntimeError,
)  # fmt: skip
# An archive that is larger than this, and this many times larger than its file, is made to fill the memory.
MOST_BYTES, MOST_GROWTH = 1 << 28, 200
_PIECE = 1 << 20
_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}

# A room's model is loaded when a file holds one: a tree needs no code of Winnow's, and this package none of the rooms'.
MODELS = {
    "decision tree": ("fewest.trees.model", "TreeModel"),
    "feature partitions": ("fewest.cfp.model", "PartitionModel"),
    "linear regression": ("fewest.wrapper.model", "LinearModel"),
    "logistic regression": ("fewest.wrapper.logistic_model", "LogisticModel"),
    "winnow": ("fewest.mistakes.model", "WinnowModel"),
    "winnow classifier": ("fewest.mistakes.saved_classifier", "WinnowClassifierModel"),
    "winnow over truths": ("fewest.mistakes.saved_classifier", "WinnowClassifierModel"),  # the same, written before
}
"""Where the class of each kind of model is; it has ``from_file(document, arrays)``."""


def save_file(path: str | Path, document: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write a model; an interrupted write leaves what was there before.

    Parameters
    ----------
    path : str or Path
    document : mapping
        Plain data about the model, for JSON. Format, version and the version of the package are added.
    arrays : mapping of str to ndarray
        Numeric arrays, or arrays of text.
    """
    header = {"format": FORMAT, "version": VERSION, "fewest": __version__}
    with written_beside(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, _DOCUMENT, json.dumps({**header, **document}, ensure_ascii=False, indent=1).encode())
        for name, array in arrays.items():
            stored = io.BytesIO()
            np.lib.format.write_array(stored, np.asarray(array), allow_pickle=False)
            _add(archive, f"{name}.npy", stored.getvalue())


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a member without the time of day, so that equal models make equal files."""
    archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def load_file(path: str | Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read a model that `save_file` wrote: its document and its arrays."""
    try:
        content = read_whole(path)
    except FileNotFoundError:
        raise ModelFileError.from_missing(path) from None
    except IsADirectoryError:
        raise ModelFileError.from_stranger(path) from None
    except UnreadableFileError as error:
        raise ModelFileError(str(error)) from None
    if not content.startswith(b"PK"):
        raise ModelFileError.from_stranger(path)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = _members(archive, max(MOST_BYTES, MOST_GROWTH * len(content)))
            document = _document(path, members)
            names = [name for name in members if name.endswith(".npy")]
            return document, {name.removesuffix(".npy"): _array(members[name]) for name in names}
    except ModelFileError:
        raise
    except _DAMAGE as error:
        raise ModelFileError.from_damage(path, error) from None


def _members(archive: zipfile.ZipFile, most: int) -> dict[str, bytes]:
    """Unpack an archive; raise ValueError once that makes more bytes than allowed, whatever its directory promises."""
    members: dict[str, bytes] = {}
    promised, left = sum(member.file_size for member in archive.infolist()), most
    if promised > most:
        raise ValueError(f"it would be {promised:,} bytes, unpacked")
    for member in archive.infolist():
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{member.filename!r} is compressed in a way that fewest does not write")
        pieces = []
        with archive.open(member) as stream:
            while piece := stream.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    raise ValueError(f"it is more than {most:,} bytes, unpacked")
                pieces.append(piece)
        members[member.filename] = b"".join(pieces)
    return members


def _document(path: str | Path, members: Mapping[str, bytes]) -> dict[str, Any]:
    if _DOCUMENT not in members:
        raise ModelFileError.from_stranger(path)
    document = parsed_json(members[_DOCUMENT])
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError.from_stranger(path)
    version = document.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise ModelFileError.from_version(path, version, VERSION, document.get("fewest"))
    return document


def _array(content: bytes) -> np.ndarray:
    """Return the array of a .npy file, if it is of numbers or text and as long as its header says."""
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version not in _HEADERS:
        raise ValueError("an array is in a format that fewest does not write")
    shape, is_fortran, dtype = _HEADERS[version](stream)
    if dtype.kind not in "biufU" or any(length < 0 for length in shape):
        raise ValueError(f"an array of {dtype} is none of numbers or text")
    if prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise ValueError("an array is shorter or longer than it says")
    flat = np.frombuffer(content, dtype, offset=stream.tell()) if prod(shape) * dtype.itemsize else np.empty(0, dtype)
    return flat.reshape(shape, order="F" if is_fortran else "C").copy(order="K")


def classes_to_record(classes: np.ndarray) -> dict[str, Any]:
    """Return class labels and their dtype as plain data; raise ModelFileError when JSON cannot hold them."""
    labels = classes.tolist()
    for label in labels:
        if not isinstance(label, str | int | float):
            raise ModelFileError(
                f"The class {label!r} is a {type(label).__name__}, which a model file cannot hold, so nothing was "
                "written. Let the classes be text, numbers or Booleans."
            )
    return {"type": classes.dtype.str, "labels": labels}


def classes_from_record(record: Mapping[str, Any]) -> np.ndarray:
    """Return the class labels of a record that `classes_to_record` made."""
    return np.array(record["labels"], dtype=record["type"])


def header_of(kind: str, target: str | None, classes: np.ndarray, encoder: Encoder) -> dict[str, Any]:
    """Return what every classifier's model writes about itself: its kind, its target, its classes and its columns."""
    return {
        "kind": kind,
        "target": target,
        "classes": classes_to_record(classes),
        "columns": [vars(column) for column in encoder.columns],
    }


def columns_and_classes(header: Mapping[str, Any]) -> tuple[tuple[KnownColumn, ...], np.ndarray]:
    """Return the columns and the class labels of a header that `header_of` made."""
    from fewest.models.encoder import KnownColumn

    columns = tuple(KnownColumn.from_record(record) for record in header["columns"])
    return columns, classes_from_record(header["classes"])


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
    TreeModel, PartitionModel, WinnowModel, WinnowClassifierModel, LinearModel or LogisticModel
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
