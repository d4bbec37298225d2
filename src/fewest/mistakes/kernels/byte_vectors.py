"""What processors do with vectors of bytes, for compiled code: looking up the halves of many bytes at once.

Everything is plain LLVM but the lookup itself, which x86 has an instruction for; others look up byte by byte.

Layout. A vector is 32 bytes, and a *lane* is half of it, sixteen bytes: the instruction looks up each lane in a table
of sixteen bytes of its own. One step takes four words (32 bytes, 256 features) of sixteen rows and turns them, so that
bytes of the same place in all rows stand together: of the sixteen turned vectors, vector b has byte b of the sixteen
rows in its first lane, and byte 16 + b in its second. In a lane the rows come in the order 0, 8, 1, 9, ..., 7, 15: even
places hold the first eight rows, odd places the other eight, and so do the sums.

Invariants. The caller keeps at least sixteen rows, and the bytes that a step reads beyond a row, inside the array.
Words beyond the end of a row are those of the next row, and their tables are 0, as are those of bits beyond the last
feature. Entries of the tables of `look_up_words` are at most 63, so that four of them, added as bytes, are at most
252: no carry reaches the next byte. Sums have 16 bits, and the caller moves them on before they are full.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fewest.mistakes.kernels.layout import LANE, LANES, VECTOR

_VECTOR, _PAIRS = ir.VectorType(ir.IntType(8), VECTOR), ir.VectorType(ir.IntType(16), LANE)
_FIFTEEN, _FOUR = (ir.Constant(_VECTOR, [number] * VECTOR) for number in (15, 4))
_LOW_BYTE, _EIGHT = (ir.Constant(_PAIRS, [number] * LANE) for number in (255, 8))


@intrinsic
def look_up_words(typing_context, rows, first_row, step, turned, tables, sums):  # noqa: ARG001 (numba's signature)
    """Look up the halves of all bytes in four words of sixteen rows, and add what is found to sums of 16 bits.

    The words are those from ``4 * step`` on. The turned vectors are written to ``turned[step]``. ``tables[step]`` has
    two vectors for each of these, one for the low halves and one for the high ones, with a table of sixteen bytes, 63
    at the most, for each lane. The 32 sums are of the first eight rows by the first lane, by the second, and so of the
    other eight.
    """

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = cgutils.unpack_tuple(builder, array.strides)[0]
        offset = builder.add(builder.mul(arguments[1], stride), builder.mul(arguments[2], _integer(VECTOR)))
        vectors = _turned(builder, _loaded_rows(builder, array.data, offset, stride))
        found = []
        for b, vector in enumerate(vectors):
            place = _row(context, builder, signature.args[3], arguments[3], arguments[2], VECTOR * b)
            _store(builder, vector, place)
            for k, half in enumerate((builder.and_(vector, _FIFTEEN), builder.lshr(vector, _FOUR))):
                table = _row(context, builder, signature.args[4], arguments[4], arguments[2], VECTOR * (2 * b + k))
                found.append(_looked_up(context, builder, table, half))
        together = []
        for four in zip(*[iter(found)] * 4, strict=True):  # four times 63 is less than 256
            one, other = (builder.add(*two) for two in (four[:2], four[2:]))
            together.append(builder.add(one, other))
        _add_bytes(context, builder, together, signature.args[5], arguments[5])
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64, turned, tables, sums), generate


@intrinsic
def look_up_vector(typing_context, turned, place, shift, tables, row, sums):  # noqa: ARG001 (numba's signature)
    """Look up a half of each byte of one turned vector, after a shift to the right, in tables of any bytes; add that.

    Vectors are numbered through all steps; the tables are ``tables[row]``. The shift is one of 16-bit pairs: what it
    brings from one byte into the other is above the four bits that are kept.
    """

    def generate(context, builder, signature, arguments):
        pairs = _load(builder, _row(context, builder, signature.args[0], arguments[0], arguments[1]), _PAIRS)
        shifts = ir.Constant(_PAIRS, ir.Undefined)
        for k in range(LANE):
            by = builder.trunc(arguments[2], ir.IntType(16))
            shifts = builder.insert_element(shifts, by, ir.Constant(ir.IntType(32), k))
        halves = builder.and_(builder.bitcast(builder.lshr(pairs, shifts), _VECTOR), _FIFTEEN)
        table = _row(context, builder, signature.args[3], arguments[3], arguments[4])
        found = _looked_up(context, builder, table, halves)
        _add_bytes(context, builder, [found], signature.args[5], arguments[5])
        return context.get_dummy_value()

    return types.void(turned, types.int64, types.int64, tables, types.int64, sums), generate


@intrinsic
def move_sums(typing_context, sums, worth, scores, first):  # noqa: ARG001 (numba's signature)
    """Add the sums of sixteen rows, times their worth, to their scores, and begin new ones."""

    def generate(context, builder, signature, arguments):
        worths = ir.Constant(ir.VectorType(ir.DoubleType(), 8), ir.Undefined)
        for k in range(8):
            worths = builder.insert_element(worths, arguments[1], ir.Constant(ir.IntType(32), k))
        for half in (0, 1):
            place = _row(context, builder, signature.args[0], arguments[0], None, LANE * half)
            pairs = _load(builder, place, _PAIRS)
            lanes = [ir.Constant(ir.VectorType(ir.IntType(32), 8), [*range(8 * k, 8 * k + 8)]) for k in (0, 1)]
            by_lane = [builder.shuffle_vector(pairs, pairs, lane) for lane in lanes]
            wide = [builder.zext(some, ir.VectorType(ir.IntType(32), 8)) for some in by_lane]
            more = builder.sitofp(builder.add(*wide), worths.type)
            at = builder.gep(_row(context, builder, signature.args[2], arguments[2], None, 8 * half), [arguments[3]])
            _store(builder, builder.fadd(_load(builder, at, worths.type), builder.fmul(more, worths)), at)
            _store(builder, ir.Constant(_PAIRS, [0] * LANE), place)
        return context.get_dummy_value()

    return types.void(sums, types.float64, scores, types.int64), generate


@intrinsic
def prefetch(typing_context, rows, row, word):  # noqa: ARG001 (numba's signature)
    """Ask for a word, and what is in memory beside it, that will be read soon; there may be none."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        width = cgutils.unpack_tuple(builder, array.shape)[1]
        place = builder.gep(array.data, [builder.add(builder.mul(arguments[1], width), arguments[2])])
        kinds = [ir.IntType(8).as_pointer(), *[ir.IntType(32)] * 3]
        ask = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), kinds), "llvm.prefetch.p0i8"
        )
        to_read, often, data_cache = (ir.Constant(ir.IntType(32), number) for number in (0, 3, 1))
        builder.call(ask, [builder.bitcast(place, kinds[0]), to_read, often, data_cache])
        return context.get_dummy_value()

    return types.void(rows, types.int64, types.int64), generate


def _loaded_rows(builder, data, offset, stride) -> list:
    """Load a vector of each of sixteen rows.

    Rows of the second half follow those of the first in turns, so that the sums of each half stand together.
    """
    first = builder.bitcast(data, ir.IntType(8).as_pointer())
    vectors = []
    for _ in range(LANE):
        vectors.append(_load(builder, builder.gep(first, [offset]), _VECTOR))
        offset = builder.add(offset, stride)
    return [vectors[row] for pair in zip(range(8), range(8, 16), strict=True) for row in pair]


def _turned(builder, vectors: list) -> list:
    """Transpose the 16 x 16 bytes of each lane.

    A place is eight bits, four of the row and four of the column, and every round rotates them by one.
    """
    for _ in range(4):
        pairs = zip(vectors[: LANE // 2], vectors[LANE // 2 :], strict=True)
        vectors = [_interleaved(builder, *pair, half) for pair in pairs for half in (0, 1)]
    return vectors


def _interleaved(builder, one, other, half: int):
    """Take the bytes of the same half of each lane in turns from two vectors."""
    places = [LANE * lane + LANE // 2 * half + k for lane in range(LANES) for k in range(LANE // 2)]
    mask = [place + VECTOR * which for place in places for which in (0, 1)]
    return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(ir.IntType(32), VECTOR), mask))


def has_instruction(context) -> bool:
    """Return whether code is made for a processor that looks up a vector at once."""
    return "+avx2" in context.codegen().magic_tuple()[2]


def _looked_up(context, builder, table, halves):
    """Look up the numbers of a vector, below 16, in the tables of its lanes."""
    if has_instruction(context):
        kind = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR])
        shuffle = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx2.pshuf.b")
        return builder.call(shuffle, [_load(builder, table, _VECTOR), halves])
    found = ir.Constant(_VECTOR, ir.Undefined)
    for k in range(VECTOR):
        place = ir.Constant(ir.IntType(32), k)
        number = builder.zext(builder.extract_element(halves, place), ir.IntType(64))
        entry = builder.gep(table, [builder.add(number, _integer(k // LANE * LANE))])
        found = builder.insert_element(found, builder.load(entry), place)
    return found


def _add_bytes(context, builder, vectors: list, kind, sums) -> None:
    """Add bytes in even and in odd places, which are of different rows, to sums of 16 bits."""
    places = [_row(context, builder, kind, sums, None, LANE * odd) for odd in (0, 1)]
    even, odd = (_load(builder, place, _PAIRS) for place in places)
    for vector in vectors:
        pairs = builder.bitcast(vector, _PAIRS)
        even = builder.add(even, builder.and_(pairs, _LOW_BYTE))
        odd = builder.add(odd, builder.lshr(pairs, _EIGHT))
    _store(builder, even, places[0])
    _store(builder, odd, places[1])


def _row(context, builder, kind, array, row=None, offset: int = 0):
    """Return the address of an item of a row of an array."""
    made = context.make_array(kind)(context, builder, array)
    start = made.data
    if row is not None:
        length = cgutils.unpack_tuple(builder, made.shape)[-1]
        start = builder.gep(start, [builder.mul(row, length)])
    return builder.gep(start, [_integer(offset)])


def _integer(number: int):
    return ir.Constant(ir.IntType(64), number)


def _load(builder, place, kind):
    loaded = builder.load(builder.bitcast(place, kind.as_pointer()))
    loaded.align = 1
    return loaded


def _store(builder, vector, place) -> None:
    builder.store(vector, builder.bitcast(place, vector.type.as_pointer())).align = 1
