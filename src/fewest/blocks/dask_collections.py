"""Dask DataFrames and Arrays as sources of blocks: partitions are encoded where they are.

A partition is computed and encoded by a worker, and not kept. One that is lost is computed again. Types are those of
a frame or an array in memory: a numeric column of zeros and ones stays numeric.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np

from fewest.blocks.engine import Engine, Threads
from fewest.blocks.scan import Scan
from fewest.blocks.schema import BOOLEAN_LABELS, AgreedColumn, LabelPart, SeenColumn, TypedPart
from fewest.blocks.typed_batches import Matters
from fewest.exceptions import ParameterError, TargetError
from fewest.table import Column, Kind, Table, from_array, from_sparse
from fewest.table.arrow_columns import spell
from fewest.table.builder import ColumnBuilder, NominalBuilder
from fewest.table.formats import TextOptions
from fewest.table.frames import typed_frame
from fewest.table.reader import Layout, Names


@dataclass(frozen=True)
class Partition:
    """Some rows, computed: a frame, an array or a sparse matrix, and their classes."""

    number: int
    X: Any
    y: Any = None

    def read(self, layout: Layout, nominal: Sequence[int]) -> Iterator[tuple[int, list[TypedPart | LabelPart]]]:
        """Yield the rows, typed by themselves, the classes last; ``nominal`` are positions of nominal columns."""
        table = self.table(layout, nominal)
        parts: list[TypedPart | LabelPart] = [TypedPart(column, _family(column)) for column in table]
        if self.y is not None:
            labels = np.asarray(self.y)
            labels = labels[:, 0] if labels.ndim == 2 and labels.shape[1] == 1 else labels
            if labels.ndim != 1 or len(labels) != table.n_rows:
                raise ParameterError(
                    f"Partition {self.number} has {table.n_rows} rows and classes of shape {labels.shape}, so it is "
                    "not known which class is whose. Let both have the same partitions."
                )
            parts.append(LabelPart(labels))
        yield table.n_rows, parts

    def table(self, layout: Layout, nominal: Sequence[int] = ()) -> Table:
        """Type the features; the columns at the positions ``nominal`` are nominal."""
        unique = layout.names.unique
        if isinstance(self.X, np.ndarray):
            table = from_array(self.X, categorical=list(nominal) or None)
        elif hasattr(self.X, "tocsc"):
            table = from_sparse(self.X)
        else:
            kinds = {unique[i]: str(kind) for i, kind in layout.kinds.items()}
            table = typed_frame(self.X, {**kinds, **{unique[i]: "nominal" for i in nominal}}, ())
        wanted = [i for i in layout.kept if i < len(table.columns)]
        return Table(tuple(table.columns[i] for i in wanted), table.n_rows)


def _family(column: Column) -> str:
    if column.kind is Kind.NUMERIC:
        return "numeric"
    return "boolean" if column.kind is Kind.BOOLEAN and column.labels == BOOLEAN_LABELS else "nominal"


@dataclass(frozen=True)
class Delayed:
    """A partition that is computed here, when it is read."""

    task: Any

    def read(self, layout: Layout, nominal: Sequence[int]) -> Iterator[Any]:
        """Compute it, and yield its rows."""
        return self.task.compute(scheduler="synchronous").read(layout, nominal)


class CollectionScan(Scan):
    """A scan of a Dask collection.

    Parameters
    ----------
    X : dask DataFrame or Array
    y : dask Series or Array, optional
    names : Names
        Those of the features.
    has_names : bool
    engine : Engine
    """

    def __init__(self, X: Any, y: Any, names: Names, layout: Layout, engine: Engine, has_names: bool):
        super().__init__((), TextOptions(), layout, None, "raise", engine)
        self._X, self._y, self.has_names = X, y, has_names
        self.feature_names = tuple(names.unique[i] for i in layout.kept)
        if y is not None:
            own = str(getattr(y, "name", None) or "y")
            self.target_name = own if own not in names.unique else f"{own} (classes)"
            self._target = len(layout.kept)
            everything = Names((*names.unique, self.target_name))
            self._layout = Layout(everything, (*layout.kept, len(names.unique)), layout.kinds)

    def __repr__(self) -> str:
        return f"Scan of a Dask collection, {len(self.feature_names)} features, target {self.target_name!r}"

    def header(self) -> Table:
        """Return the features as columns without any row."""
        none = np.empty(0)
        return Table(tuple(Column(name, Kind.NOMINAL, none) for name in self.feature_names), 0)

    def _tasks(self, with_classes: bool) -> list[Any]:
        """Return a delayed partition for each."""
        xs = _parts(self._X)
        ys = _parts(self._y) if with_classes and self._y is not None else [None] * len(xs)
        if len(xs) != len(ys):
            raise ParameterError(
                f"X has {len(xs)} partitions and y has {len(ys)}, so it is not known which class is whose. Let both "
                "have the same partitions: take them from one frame, or repartition one as the other."
            )
        make = dask.delayed(Partition, pure=False)
        return [make(number, x, y) for number, (x, y) in enumerate(zip(xs, ys, strict=True))]

    def _pieces(self) -> list[Any]:
        tasks = self._tasks(with_classes=True)
        client = getattr(self.engine, "client", None)
        return [Delayed(task) for task in tasks] if client is None else client.compute(tasks)

    def _builder(self, i: int) -> ColumnBuilder:
        return NominalBuilder(self._layout.names.unique[i], spell, self._layout.kinds.get(i))

    def _agree(self, i: int, seen: SeenColumn, n_rows: int) -> AgreedColumn:
        agreed = super()._agree(i, seen, n_rows)
        if not seen.is_empty:
            return agreed
        if seen.family == "boolean":  # a column without any value still has the kind of its type
            return replace(agreed, kind=Kind.BOOLEAN, labels=BOOLEAN_LABELS, keys=BOOLEAN_LABELS)
        return replace(agreed, kind=seen.kind)

    def _classes(self, target: AgreedColumn, seen: SeenColumn, n_rows: int) -> tuple[np.ndarray, tuple]:
        labels = np.array(target.labels)
        if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
            raise TargetError.from_numeric(target.name, len(labels), n_rows)
        return super()._classes(target, seen, n_rows)

    def batches(self, names: Iterable[str], matters: Matters, as_text: Collection[str] = ()) -> Iterable[Table]:  # noqa: ARG002
        """Return some columns, partition by partition."""
        wanted = [self.feature_names.index(name) for name in names if name in self.feature_names]
        return _Batches(self._tasks(with_classes=False), self._layout, wanted)


@dataclass(frozen=True)
class _Batches:
    tasks: list[Any]
    layout: Layout
    wanted: Sequence[int]

    def __iter__(self) -> Iterator[Table]:
        for task in self.tasks:
            table = task.compute().table(self.layout)
            if table.n_rows:
                yield Table(tuple(table.columns[j] for j in self.wanted), table.n_rows)


def _parts(collection: Any) -> list[Any]:
    parts = collection.to_delayed()
    return np.ravel(parts).tolist() if isinstance(parts, np.ndarray) else list(parts)


def scan_collection(
    X: Any,
    y: Any = None,
    *,
    kinds: Any = None,
    drop: Any = (),
    client: Any = None,
    n_jobs: int | None = None,
    memory: float | None = None,
) -> CollectionScan:
    """Prepare a Dask collection for ``fit``: on its cluster, or on threads where there is none.

    ``y`` is a collection with the same partitions, or the name of a column of a DataFrame.
    """
    engine = _engine(client, n_jobs, memory)
    if isinstance(X, da.Array):
        if X.ndim != 2:
            raise ParameterError(f"X has {X.ndim} dimensions. Let it have rows and columns.")
        X = X.rechunk({1: -1})
        if isinstance(y, da.Array) and not np.isnan(np.sum(X.chunks[0])) and not np.isnan(np.sum(y.chunks[0])):
            y = y.rechunk({0: X.chunks[0]})
        names, has_names = Names(tuple(f"x{j}" for j in range(int(X.shape[1])))), False
    elif isinstance(X, dd.DataFrame):
        if isinstance(y, str):
            header = Layout.from_request(Names.from_written([str(name) for name in X.columns]), None, ()).header()
            y = X.columns[header.position(y)]
            X, y = X.drop(columns=[y]), X[y]
        names, has_names = Names.from_written([str(name) for name in X.columns]), True
    else:
        raise ParameterError(f"A Dask {type(X).__name__} has no columns to learn from. Give a DataFrame or an Array.")
    if y is not None and not dask.is_dask_collection(y):
        raise ParameterError(
            f"X is a Dask collection and y is a {type(y).__name__}, so it is not known which class is in which "
            "partition. Give y as a Dask Series or Array with the partitions of X."
        )
    return CollectionScan(X, y, names, Layout.from_request(names, kinds, drop), engine, has_names)


def _engine(client: Any, n_jobs: int | None, memory: float | None) -> Engine:
    """Work on the cluster that was named, or on the one in use, or here."""
    try:
        from fewest.blocks.on_dask import OnDask
    except ParameterError:  # Dask without its scheduler
        return Threads(n_jobs, memory)
    if client is None:
        import distributed

        with suppress(ValueError):
            client = distributed.default_client()
    return Threads(n_jobs, memory) if client is None else OnDask.from_client(client)
