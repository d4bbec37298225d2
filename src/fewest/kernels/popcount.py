"""What processors do with bits in one instruction or few, for compiled code."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fewest.kernels.compiled import compiled_in_place


@intrinsic
def popcount(typing_context, word):  # noqa: ARG001 (numba's signature)
    """Count the bits of a word in one instruction."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
        count = builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)])
        return builder.call(count, arguments)

    return types.uint64(types.uint64), generate


@compiled_in_place
def lowest_bit(word):
    """Return the index of the lowest bit of a word that is not zero."""
    return np.int64(popcount((word & (~word + np.uint64(1))) - np.uint64(1)))


@intrinsic
def bits_of_float(typing_context, number):  # noqa: ARG001 (numba's signature)
    """Take the bits of a single-precision number for a whole number."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
        return builder.bitcast(arguments[0], ir.IntType(32))

    return types.int32(types.float32), generate


@intrinsic
def float_of_bits(typing_context, bits):  # noqa: ARG001 (numba's signature)
    """Take a whole number for the bits of a single-precision one."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.int32), generate


@intrinsic
def truths_of_octets(typing_context, octets, start):  # noqa: ARG001 (numba's signature)
    """Return 64 octets of an array, from a place on, as bits that say which are not 0."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        some = ir.VectorType(ir.IntType(8), 64)
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), some.as_pointer())
        loaded = builder.load(place)
        loaded.align = 1
        is_true = builder.icmp_unsigned("!=", loaded, ir.Constant(some, [0] * 64))
        return builder.bitcast(is_true, ir.IntType(64))

    return types.uint64(octets, types.int64), generate


LANES = 32


@intrinsic
def no_more_than(typing_context, numbers, start, most):  # noqa: ARG001 (numba's signature)
    """Return which of `LANES` numbers of an array, from a place on, are at most so large, as bits."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        some = ir.VectorType(ir.IntType(32), LANES)
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), some.as_pointer())
        loaded = builder.load(place)
        loaded.align = 4
        limit = builder.insert_element(ir.Constant(some, ir.Undefined), arguments[2], ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        limits = builder.shuffle_vector(limit, ir.Constant(some, ir.Undefined), zeros)
        bits = builder.bitcast(builder.icmp_signed("<=", loaded, limits), ir.IntType(LANES))
        return builder.zext(bits, ir.IntType(64))

    return types.uint64(numbers, types.int64, types.int32), generate
