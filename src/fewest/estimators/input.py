"""What all estimators share: from what a scikit-learn user passes to ``fit`` to typed columns and classes.

Every estimator begins here. Rows in memory go through `validated_examples` in ``fit`` and `validated_features` in
``predict`` and ``transform``, which return a `Table`. Rows in blocks go through `as_scan`: where it returns a scan,
`remember_columns` and `refuse_other_columns` do what validation does for rows in memory.

The bases stand here with it: `VersionedState` remembers which version of `fewest` fitted an estimator,
`DiscreteEstimator` encodes columns by value, and `KeepsFeatures`, that of all selectors, keeps the columns that
``support_`` marks.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from numbers import Real
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import narwhals.stable.v1 as nw
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d, validate_data

from fewest.blocks.scan import Scan, is_dask
from fewest.blocks.store import Store
from fewest.exceptions import OtherVersionWarning, ParameterError
from fewest.table import Table, from_array, from_frame, from_sparse
from fewest.table.frames import columns_once
from fewest.version import __version__

if TYPE_CHECKING:
    from fewest.models.encoder import Encoder

_KEY = "_fewest_version"
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


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


class AnyColumnsMixin(VersionedState):
    """The scikit-learn tags of estimators that take columns of any kind, with missing values, and need a target.

    Put it before `BaseEstimator` among the bases.
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # the estimator's, which comes after
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags


def validated_examples(estimator, X, y, *, min_features: int = 1, reset: bool = True) -> tuple[Table, np.ndarray]:
    """Check the features and classes of training data, and return them as a table and an array.

    Frames keep the types of their columns, whatever library they come from;
    everything else goes through scikit-learn's own validation. The estimator
    gets ``n_features_in_`` and, where columns have names, ``feature_names_in_``.

    Parameters
    ----------
    estimator : estimator
    X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Table
    y : array-like of shape (n_samples,)
    min_features : int, default=1
        0 accepts a table without columns, which a selector leaves of data that needs no feature.
    reset : bool, default=True
        False asks for the columns that the estimator knows already, as ``partial_fit`` does.

    Returns
    -------
    table : Table
    y : ndarray of shape (n_samples,)

    Raises
    ------
    ParameterError
        If ``X`` is in blocks, which this estimator cannot take.
    ValueError
        If there are no rows or columns, or ``y`` does not look like classes.
    """
    refuse_blocks(estimator, X)
    given, X = X, as_frame(X)
    if is_frame(X):
        table = given if isinstance(given, Table) else from_frame(X)
        validate_data(estimator, X, y, skip_check_array=True, reset=reset)
        refuse_empty_table(estimator, table, min_features)
        y = column_or_1d(check_array(y, ensure_2d=False, dtype=None), warn=True)
        check_consistent_length(X, y)
    else:
        X, y = validate_data(estimator, _as_objects(X), y, ensure_min_features=min_features, reset=reset, **ANY_ARRAY)
        table = _from_array(X)
    refuse_regression_target(y)
    return table, y


def validated_features(estimator, X) -> Table:
    """Return new data as a table, once it has the columns of the data that the estimator was fitted to.

    Parameters
    ----------
    estimator : fitted estimator
    X : dataframe, array-like or sparse matrix of shape (n_samples, n_features), or Table

    Returns
    -------
    Table
    """
    given, X = X, as_frame(X)
    if is_frame(X):
        table = given if isinstance(given, Table) else from_frame(X)
        validate_data(estimator, X, skip_check_array=True, reset=False)
        refuse_empty_table(estimator, table, min_features=0)
        return table
    return _from_array(validate_data(estimator, _as_objects(X), reset=False, ensure_min_features=0, **ANY_ARRAY))


def as_scan(X, y=None) -> Scan | None:
    """Return rows in blocks as a scan, and None for rows in memory.

    Parameters
    ----------
    X : object
        A scan is returned as it is; a Dask collection is scanned together with ``y``.
    y : Dask collection, optional
        The classes of a collection; a scan has its own.
    """
    if isinstance(X, Scan):
        return X
    if not is_dask(X):
        return None
    from fewest.blocks.dask_collections import scan_collection

    return scan_collection(X, y)


def refuse_blocks(estimator, X) -> None:
    """Raise ParameterError when an estimator that needs all rows at once is given rows in blocks."""
    if isinstance(X, Scan) or is_dask(X):
        raise ParameterError.from_blocks(type(estimator).__name__)


def refuse_other_columns(estimator, scanned: Scan) -> None:
    """Raise, in scikit-learn's words, unless a scan has the columns of the data that the estimator was fitted to."""
    header = scanned.header().to_arrow()
    shown = header if scanned.has_names else np.empty((0, header.num_columns))
    validate_data(estimator, shown, skip_check_array=True, reset=False)


def remember_columns(estimator, scanned: Scan, min_features: int = 1) -> None:
    """Set ``n_features_in_`` and ``feature_names_in_`` as validation would have, had the blocks been a frame."""
    estimator.n_features_in_ = len(scanned.feature_names)
    if scanned.has_names:
        estimator.feature_names_in_ = np.array(scanned.feature_names, dtype=object)
    if len(scanned.feature_names) < min_features:
        raise ParameterError.from_no_columns(type(estimator).__name__)


def sorted_classes(store: Store) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes in scikit-learn's order, and the number in it of each of the store's classes."""
    labels = np.array(store.labels)
    order = np.argsort(labels)
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.arange(len(order))
    return labels[order], numbers


ANY_ARRAY = {"dtype": None, "accept_sparse": "csc", "ensure_all_finite": "allow-nan"}


def _as_objects(X):
    """Return a list of numbers and strings as objects; NumPy would turn the numbers into strings."""
    return np.array(X, dtype=object) if isinstance(X, list | tuple) and np.asarray(X).dtype.kind == "U" else X


def _from_array(X) -> Table:
    return from_sparse(X) if hasattr(X, "tocsc") else from_array(X)


def as_frame(X):
    """Return a `Table`, which `read_table` returns, as a dataframe with its column names, and all else as it is.

    Raises
    ------
    ParameterError
        If it is a lazy frame, a dict, or a frame that uses a column name twice, which no estimator takes.
    """
    if isinstance(X, np.ndarray):
        return X
    if isinstance(X, Table):
        return X.to_arrow()
    if isinstance(X, Mapping) and not hasattr(X, "tocsr"):  # a sparse matrix of the format dok is a dict, too
        raise ParameterError(
            f"A {type(X).__name__} of columns is no table, so no feature can be read from it. Pass "
            "pandas.DataFrame(X), polars.DataFrame(X) or pyarrow.table(X)."
        )
    if is_frame(X):
        columns_once(X)
    return X


def as_frame_with_columns(estimator, X):
    """Return what `as_frame` does; raise `ParameterError` if it is a frame without a column."""
    X = as_frame(X)
    if is_frame(X) and not columns_once(X):
        raise ParameterError.from_no_columns(type(estimator).__name__, X.shape[0])
    return X


def is_frame(X: object) -> bool:
    """Return whether ``X`` is a dataframe of some library; a lazy one counts, and is refused with the remedy later."""
    if isinstance(X, np.ndarray):  # asking all dataframe libraries takes longer than some searches
        return False
    return nw.dependencies.is_into_dataframe(X) or nw.dependencies.is_polars_lazyframe(X)


def refuse_regression_target(y: np.ndarray) -> None:
    """Raise, or warn, in scikit-learn's words, where a target does not look like classes.

    Integers with repetitions always do, which scikit-learn takes longer to find out than some searches take.
    """
    if y.dtype.kind not in "biu" or 2 * len(np.unique(y)) > len(y):
        check_classification_targets(y)


def refuse_empty_table(estimator, table: Table, min_features: int = 1) -> None:
    """Raise, in scikit-learn's words, when a frame has no rows or no columns."""
    if len(table.columns) < min_features:
        raise ParameterError.from_no_columns(type(estimator).__name__, table.n_rows)
    if table.n_rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=(0, {len(table.columns)})) while a minimum of 1 is required by "
            f"{type(estimator).__name__}."
        )


def checked_names(estimator, input_features) -> list[str]:
    """Return ``input_features`` if they fit the columns of training, and the names of these if there are none."""
    check_is_fitted(estimator)
    known = getattr(estimator, "feature_names_in_", None)
    if input_features is None:
        return [f"x{i}" for i in range(estimator.n_features_in_)] if known is None else list(known)
    if len(input_features) != estimator.n_features_in_:
        raise ValueError(f"input_features should have length equal to number of features: {estimator.n_features_in_}.")
    if known is not None and not np.array_equal(known, input_features):
        raise ValueError("input_features is not equal to feature_names_in_")
    return list(input_features)


def checked_weights(sample_weight, n_rows: int) -> np.ndarray | None:
    """Return sample weights as one non-negative float a row, some of them positive; None for none."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n_rows, sample_weight)
    weights = check_array(sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
    if weights.ndim != 1:
        raise ValueError(f"sample_weight has {weights.ndim} dimensions. Give one number a row.")
    check_consistent_length(weights, np.empty(n_rows))
    if weights.min() < 0 or weights.max() <= 0:
        raise ValueError(
            "Sample weights are negative, or all zero. Give every row a weight of at least 0, and some a larger."
        )
    return weights


def without_weights(
    reason: str, remedy: str = "Repeat the rows that count for more, or leave it out."
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Let ``fit`` or ``partial_fit`` of a method without weights refuse ``sample_weight`` with the reason.

    The signature stays that of the method, by which scikit-learn's metadata routing, `has_fit_parameter` and its checks
    know that there are no weights.
    """

    def refusing(learn: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @wraps(learn)
        def learn_without(*args: Parameters.args, **params: Parameters.kwargs) -> Result:
            if params.get("sample_weight") is not None:
                raise ParameterError.from_weights(type(args[0]).__name__, reason, remedy)
            params.pop("sample_weight", None)
            return learn(*args, **params)

        return learn_without

    return refusing


class DiscreteEstimator(AnyColumnsMixin, BaseEstimator):
    """An estimator of discrete columns: nominal, Boolean, numeric by value, each with missing values."""

    def _encoded(self, X, y) -> tuple[Encoder, np.ndarray, np.ndarray]:
        """Return the encoder, the codes and the class numbers of training data; store ``classes_``."""
        from fewest.models.encoder import Encoder
        from fewest.screening.distinct_values import TREE_OF_IDENTIFIERS, warn_of_distinct_values

        table, y = validated_examples(self, X, y, min_features=0)
        self.classes_, classes = np.unique(y, return_inverse=True)
        warn_of_distinct_values(table, TREE_OF_IDENTIFIERS)
        return *Encoder.fit(table), classes


class KeepsFeatures(SelectorMixin):
    """Keep the columns of ``support_``, a Boolean for every feature, which ``fit`` of the subclass sets."""

    support_: np.ndarray
    _none_is_an_answer = True  # one class needs no feature; a threshold that none reaches may be a mistake

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.support_

    def transform(self, X):
        """Keep the selected columns of ``X``.

        Parameters
        ----------
        X : dataframe, array-like or sparse matrix of shape (n_samples, n_features)
            Rows with the columns of the training data.

        Returns
        -------
        array or dataframe of shape (n_samples, n_selected)
            As `set_output` asks.
        """
        X = as_frame(X)
        if not self._none_is_an_answer or self._get_support_mask().any():
            return super().transform(X)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="No features were selected")
            return super().transform(X)
