"""Data that is read when it is needed, a block at a time: ``fewest.scan``."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from fewest.blocks.engine import Engine, Threads
from fewest.blocks.scanned import Scan
from fewest.exceptions import ParameterError, UnreadableFileError
from fewest.table.files import open_source, sources_of
from fewest.table.formats import BATCH_BYTES, NULL_SPELLINGS, TextOptions, refuse_unknown_encoding
from fewest.table.layout import Layout
from fewest.table.reader import refuse_different_columns


def scan(
    source: Any,
    *,
    target: str | None = None,
    kinds: Mapping[str, str] | None = None,
    drop: str | Iterable[str] = (),
    missing_target: str = "raise",
    null_values: Iterable[str] = NULL_SPELLINGS,
    delimiter: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    batch_bytes: int = BATCH_BYTES,
    memory: float | None = None,
    n_jobs: int | None = -1,
    client: Any = None,
) -> Scan:
    r"""Prepare data larger than memory for ``fit`` and ``predict``.

    For ``fit``, files are read in blocks, once, and kept as bits; what is learned is the same, to the last bit, as from
    the same data in memory. For ``predict``, they are read batch by batch and not kept.

    Parameters
    ----------
    source : str, Path, dask DataFrame or dask Array
        A file, a folder, a pattern such as ``"data/part-*.parquet"``, or ``"-"`` for the standard input. A Dask
        collection is read by the workers of its cluster, or on threads where there is none; ``fit`` takes one as it is.
    target : str, optional
        The column with the classes; `fit` needs it.
    kinds, drop, null_values, delimiter, header, encoding, batch_bytes
        As for `read_table`.
    missing_target : {"raise", "drop"}
        What to do with rows that have no label.
    memory : float, optional
        Bytes that the encoded rows may take in memory; what is beyond goes to
        temporary files. Half of the memory that is free by default.
    n_jobs : int, optional
        Threads; -1 is one a core.
    client : dask.distributed.Client or str, optional
        Read and compute on the workers of a Dask cluster, given by its client
        or by the address of its scheduler. The workers must find the files
        under the same paths.

    Returns
    -------
    Scan

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from fewest import MinFeatures, scan
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part in range(2):
    ...         path = pathlib.Path(folder, f"part-{part}.csv")
    ...         _ = path.write_text("windy,humid,play\nno,no,yes\nno,yes,yes\nyes,no,no\n")
    ...     selector = MinFeatures().fit(scan(folder, target="play"))
    >>> selector.get_feature_names_out().tolist()
    ['windy']
    """
    if is_dask(source):
        from fewest.blocks.dask_collections import scan_collection

        return scan_collection(source, target, kinds=kinds, drop=drop, client=client, n_jobs=n_jobs, memory=memory)
    if missing_target not in ("raise", "drop"):
        raise ParameterError.from_choice("missing_target", missing_target, ("raise", "drop"))
    if batch_bytes < 1:
        raise ParameterError(f"batch_bytes={batch_bytes} leaves no room to read. Give at least 1.")
    refuse_unknown_encoding(encoding)
    null_values = (null_values,) if isinstance(null_values, str) else tuple(null_values)
    options = TextOptions(null_values, delimiter, header, encoding, batch_bytes)
    with ExitStack() as resources:
        sources = resources.enter_context(sources_of(_in_folder(source)))
        readers = [open_source(file, options) for file in sources]
        refuse_different_columns(readers)
        layout = Layout.from_request(readers[0].names, kinds, drop)
        layout.names.warn(readers[0].source)
        engine = Threads(n_jobs, memory) if client is None else _on_dask(client)
        scanned = Scan(readers, options, layout, target, missing_target, engine)
        scanned._resources = resources.pop_all()
    return scanned


def is_dask(source: object) -> bool:
    """Return whether something is a Dask collection, without importing Dask to find out."""
    return hasattr(source, "__dask_graph__") and hasattr(source, "to_delayed")


SUFFIXES = (".csv", ".tsv", ".txt", ".data", ".parquet", ".pq", ".arff")


def _in_folder(source: str | Path) -> str | Path:
    """Return the pattern of the data files in a folder; other sources as they are."""
    path = Path(source)
    if not path.is_dir():
        return source
    found = {file.name.lower().removesuffix(".gz") for file in path.iterdir() if file.is_file()}
    kinds = sorted({Path(name).suffix for name in found} & set(SUFFIXES))
    if len(kinds) != 1:
        reason = f"the folder holds {'files of several kinds: ' + ', '.join(kinds) if kinds else 'no data files'}"
        raise UnreadableFileError.from_reason(source, reason, f"Name the files: {str(path / '*.csv')!r}.")
    return f"{glob.escape(str(path))}/*{kinds[0]}*"


def _on_dask(client: Any) -> Engine:
    from fewest.blocks.on_dask import OnDask

    return OnDask.from_client(client)
