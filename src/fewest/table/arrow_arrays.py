"""Arrow's arrays to and from NumPy and Python, by their buffers.

pyarrow's own conversions first import pandas, wherever it is installed: an eighth of a short command's time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa


def as_numpy(array: pa.Array, null: float | None = None) -> np.ndarray:
    """Return the values of an array of numbers or Booleans, with another for null: as floats, with NaN, by default.

    Numbers of which none is null share the memory of the array, and cannot be written to.
    """
    validity, values = array.buffers()
    if len(array) == 0:
        return np.empty(0, dtype=_dtype(array.type))
    if pa.types.is_boolean(array.type):
        found = _bits(values, array.offset, len(array))
    else:
        dtype = _dtype(array.type)
        found = np.frombuffer(values, dtype, len(array), array.offset * dtype.itemsize)
    if not array.null_count:
        return found
    filled = found.copy() if null is not None or found.dtype.kind == "f" else found.astype(np.float64)
    filled[~_bits(validity, array.offset, len(array))] = np.nan if null is None else null
    return filled


def from_numpy(values: np.ndarray) -> pa.Array:
    """Return numbers or Booleans, none of them missing, as an array; numbers in one piece share their memory."""
    if values.dtype == bool:
        bits = np.packbits(values, bitorder="little")
        return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])
    one_piece = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(one_piece)])


def from_texts(texts: Sequence[str]) -> pa.StringArray:
    """Return texts, of less than 2 GiB together, as an array."""
    encoded = [text.encode() for text in texts]
    ends = np.zeros(len(encoded) + 1, dtype=np.int32)
    np.cumsum([len(each) for each in encoded], out=ends[1:])
    return pa.StringArray.from_buffers(len(encoded), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))


def _dtype(of_arrow: pa.DataType) -> np.dtype:
    """Return the type of NumPy's with the same layout; a Boolean has a byte there and a bit in Arrow."""
    if pa.types.is_boolean(of_arrow):
        return np.dtype(bool)
    kind = "f" if pa.types.is_floating(of_arrow) else "u" if pa.types.is_unsigned_integer(of_arrow) else "i"
    return np.dtype(f"{kind}{of_arrow.bit_width // 8}")


def _bits(buffer: pa.Buffer, offset: int, n_bits: int) -> np.ndarray:
    """Return some bits of a buffer, least significant first in each byte, as Booleans."""
    packed = np.frombuffer(buffer, np.uint8)
    return np.unpackbits(packed, count=offset + n_bits, bitorder="little")[offset:].view(bool)
