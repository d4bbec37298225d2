"""What processors do with bits and vectors in one instruction or few, as LLVM code for compiled kernels.

numba types the arguments; nothing checks them again. A vector is loaded from the address of an array's element, so
that the array must be contiguous and hold a full vector from that element on: callers pad, or load the last full one.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum

# How many int32 `at_most` compares at a time: 32 lanes are two AVX-512 or four AVX2 registers.
LANES = 32
_BYTES = ir.VectorType(ir.IntType(8), 64)
_INTEGERS = ir.VectorType(ir.IntType(32), LANES)


@intrinsic
def popcount(typing_context, word):  # noqa: ARG001 (numba's signature)
    """Count the bits that are set in a 64-bit word."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
        count = builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)])
        return builder.call(count, arguments)

    return types.uint64(types.uint64), generate


@compiled_in_place
def lowest_bit(word):
    """Return the index of the lowest bit that is set in a word other than zero."""
    # word & -word keeps the lowest set bit alone; less one, it has as many ones as there are bits below.
    return np.int64(popcount((word & (~word + np.uint64(1))) - np.uint64(1)))


@compiled
def count_common_ones(columns, masks, counts):
    """Count the bits that are set in both, for every column and every mask; both are rows of uint64 words."""
    for c in range(len(columns)):
        for m in range(len(masks)):
            counts[c, m] = _common(columns[c], masks[m])


@compiled_in_place_sum
def _common(column, mask):
    total = np.uint64(0)
    for w in range(len(column)):
        total += popcount(column[w] & mask[w])
    return np.int64(total)


@intrinsic
def bits_of_float(typing_context, number):  # noqa: ARG001 (numba's signature)
    """Return the int32 with the bits of a float32; non-negative floats keep their order as integers."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
        return builder.bitcast(arguments[0], ir.IntType(32))

    return types.int32(types.float32), generate


@intrinsic
def float_of_bits(typing_context, bits):  # noqa: ARG001 (numba's signature)
    """Return the float32 with the bits of an int32: undo `bits_of_float`."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.int32), generate


@intrinsic
def nonzero_bytes(typing_context, array, start):  # noqa: ARG001 (numba's signature)
    """Return a word whose bit ``b`` is set where ``array[start + b]`` is not 0, for 64 bytes.

    ``array`` is one-dimensional, contiguous, of one-byte elements, with at least ``start + 64`` of them. LLVM numbers
    the lanes of a vector from the lowest bit on a little-endian machine, as `fewest.kernels.bits` numbers features.
    """

    def generate(context, builder, signature, arguments):
        loaded = _load(context, builder, signature, arguments, _BYTES, alignment=1)
        is_set = builder.icmp_unsigned("!=", loaded, ir.Constant(_BYTES, [0] * 64))
        return builder.bitcast(is_set, ir.IntType(64))

    return types.uint64(array, types.int64), generate


@intrinsic
def at_most(typing_context, array, start, limit):  # noqa: ARG001 (numba's signature)
    """Return a word whose bit ``b`` is set where ``array[start + b] <= limit``, for `LANES` int32; higher bits are 0.

    ``array`` is one-dimensional, contiguous, int32, with at least ``start + LANES`` elements.
    """

    def generate(context, builder, signature, arguments):
        loaded = _load(context, builder, signature, arguments, _INTEGERS, alignment=4)
        undefined = ir.Constant(_INTEGERS, ir.Undefined)
        first = builder.insert_element(undefined, arguments[2], ir.Constant(ir.IntType(32), 0))
        limits = builder.shuffle_vector(first, undefined, ir.Constant(_INTEGERS, [0] * LANES))  # lane 0 in every lane
        bits = builder.bitcast(builder.icmp_signed("<=", loaded, limits), ir.IntType(LANES))
        return builder.zext(bits, ir.IntType(64))

    return types.uint64(array, types.int64, types.int32), generate


def _load(context, builder, signature, arguments, vector, alignment):
    """Load a vector from element ``arguments[1]`` of the array ``arguments[0]`` on; only an element is aligned."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    address = builder.bitcast(builder.gep(array.data, [arguments[1]]), vector.as_pointer())
    loaded = builder.load(address)
    loaded.align = alignment
    return loaded


@intrinsic
def prefetch_to_write(typing_context, array, position):  # noqa: ARG001 (numba's signature)
    """Let the processor fetch the cache line of ``array[position]``, to be written to soon, and go on meanwhile.

    The address is only a hint and never read, so that a position beyond the array does no harm.
    """

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(struct.data, [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        takes = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], takes)
        to_write, often, data_cache = word(1), word(3), word(1)
        builder.call(fetch, [address, to_write, often, data_cache])
        return context.get_dummy_value()

    return types.none(array, position), generate
