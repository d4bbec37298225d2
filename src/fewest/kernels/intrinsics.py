"""What processors do with bits and vectors in one instruction or few, as LLVM code for compiled kernels.

numba types the arguments; nothing checks them again. A vector is loaded from the address of an array's element, so
that the array must be contiguous and hold a full vector from that element on: callers pad, or load the last full one.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fewest.kernels.compiled import compiled, compiled_in_place, compiled_in_place_sum

# How many int32 `at_most` compares at a time: 32 lanes are two AVX-512 or four AVX2 registers.
LANES = 32
_BYTES = ir.VectorType(ir.IntType(8), 64)
_INTEGERS = ir.VectorType(ir.IntType(32), LANES)
# How many bytes `absolute_bytes` compares at a time: one AVX2 register.
BYTES = 32
_SOME_BYTES, _QUARTERS = ir.VectorType(ir.IntType(8), BYTES), ir.VectorType(ir.IntType(64), 4)
# How many 16-bit words are in a vector of `larger_words`, one AVX2 register, and vectors that are added up as words.
WORDS, WORD_VECTORS = 16, 16
_SOME_WORDS, _WIDE = ir.VectorType(ir.IntType(16), WORDS), ir.VectorType(ir.IntType(32), WORDS)


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


@intrinsic
def absolute_bytes(typing_context, one, start, others, first, n_vectors):  # noqa: ARG001 (numba's signature)
    """Return the sums of absolute differences between a row of bytes and each of four rows that follow each other.

    Both arrays are one-dimensional, contiguous and uint8. Rows have ``BYTES * n_vectors`` bytes; the one begins at
    ``start``, the four others at ``first``. A sum is below 2 ** 63 / 2 ** 8 bytes, so that nothing overflows.
    """
    sums = types.UniTuple(types.int64, 4)

    def generate(context, builder, signature, arguments):
        one, start, others, first, n_vectors = arguments
        has_avx2 = "+avx2" in context.codegen().magic_tuple()[2]  # the features that code is made for
        length = builder.mul(n_vectors, ir.IntType(64)(BYTES))
        totals = [cgutils.alloca_once_value(builder, ir.Constant(_QUARTERS, [0] * 4)) for _ in range(4)]
        with cgutils.for_range(builder, n_vectors) as loop:
            offset = builder.mul(loop.index, ir.IntType(64)(BYTES))
            own = _load_bytes(context, builder, signature.args[0], one, builder.add(start, offset))
            for r, total in enumerate(totals):
                at = builder.add(builder.add(first, builder.mul(length, ir.IntType(64)(r))), offset)
                other = _load_bytes(context, builder, signature.args[2], others, at)
                apart = (_byte_sums if has_avx2 else _byte_sums_anywhere)(builder, own, other)
                builder.store(builder.add(builder.load(total), apart), total)
        found = [_call(builder, "llvm.vector.reduce.add.v4i64", ir.IntType(64), builder.load(t)) for t in totals]
        return context.make_tuple(builder, sums, found)

    return sums(one, types.int64, others, types.int64, types.int64), generate


@intrinsic
def larger_words(typing_context, one, start, others, first, length, n_groups):  # noqa: ARG001 (numba's signature)
    """Return the sums of the larger of two numbers, of a row of words and each of four rows that follow each other.

    Both arrays are one-dimensional, contiguous and uint16, and their numbers have 12 bits: a group of ``WORD_VECTORS``
    of them sums to 16 * 4095 < 2 ** 16 in each lane, and is then added to sums of 32 bits, of which there may be 2 **
    15 groups. The one begins at ``start``, the first other at ``first``, the next ones ``length`` words later each;
    of each row, ``n_groups`` groups of ``WORD_VECTORS * WORDS`` words are looked at.
    """
    sums = types.UniTuple(types.int64, 4)

    def generate(context, builder, signature, arguments):
        one, start, others, first, length, n_groups = arguments
        totals = [cgutils.alloca_once_value(builder, ir.Constant(_WIDE, [0] * WORDS)) for _ in range(4)]
        rows = [builder.add(first, builder.mul(length, ir.IntType(64)(r))) for r in range(4)]
        with cgutils.for_range(builder, n_groups) as loop:
            offset = builder.mul(loop.index, ir.IntType(64)(WORDS * WORD_VECTORS))
            narrow = [ir.Constant(_SOME_WORDS, [0] * WORDS)] * 4
            for vector in range(WORD_VECTORS):
                at = builder.add(offset, ir.IntType(64)(vector * WORDS))
                own = _load_words(context, builder, signature.args[0], one, builder.add(start, at))
                for r, row in enumerate(rows):
                    other = _load_words(context, builder, signature.args[2], others, builder.add(row, at))
                    larger = _call(builder, f"llvm.umax.v{WORDS}i16", _SOME_WORDS, own, other)
                    narrow[r] = builder.add(narrow[r], larger)
            for total, part in zip(totals, narrow, strict=True):
                builder.store(builder.add(builder.load(total), builder.zext(part, _WIDE)), total)
        wide = [builder.zext(builder.load(total), ir.VectorType(ir.IntType(64), WORDS)) for total in totals]
        found = [_call(builder, f"llvm.vector.reduce.add.v{WORDS}i64", ir.IntType(64), each) for each in wide]
        return context.make_tuple(builder, sums, found)

    return sums(one, types.int64, others, types.int64, types.int64, types.int64), generate


def _load_words(context, builder, array_type, array, position):
    return _load(context, builder, array_type(array_type), (array, position), _SOME_WORDS, alignment=2)


def _load_bytes(context, builder, array_type, array, position):
    return _load(context, builder, array_type(array_type), (array, position), _SOME_BYTES, alignment=1)


def _byte_sums(builder, own, other):
    """Return the sums of absolute differences of eight bytes each, by the instruction that AVX2 has for it."""
    return _call(builder, "llvm.x86.avx2.psad.bw", _QUARTERS, own, other)


def _byte_sums_anywhere(builder, own, other):
    """Return the sum of all absolute differences in the first of four numbers, by what every processor can do."""
    larger = _call(builder, f"llvm.umax.v{BYTES}i8", _SOME_BYTES, own, other)
    smaller = _call(builder, f"llvm.umin.v{BYTES}i8", _SOME_BYTES, own, other)
    apart = builder.zext(builder.sub(larger, smaller), _INTEGERS)
    total = _call(builder, f"llvm.vector.reduce.add.v{BYTES}i32", ir.IntType(32), apart)
    return builder.insert_element(
        ir.Constant(_QUARTERS, [0] * 4), builder.zext(total, ir.IntType(64)), ir.IntType(32)(0)
    )


def _call(builder, name, returned, *arguments):
    takes = ir.FunctionType(returned, [each.type for each in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, takes, name), arguments)


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
