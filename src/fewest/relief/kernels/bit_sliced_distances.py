"""Distances of 256 rows at a time, from bit planes of Boolean features: sums of bits by full adders, on vectors.

A plane holds one feature, one bit a row and 64 rows a word (see `layout`). The rows that differ from a sampled row are
the plane, flipped if that row has a one there. To add up such planes, three of a weight give one of the same and one of
twice the weight (Harley and Seal's carry-save adder), until the planes left over are the bits of the distances: five
operations a feature for 256 rows, and no distance of a row that is too far is ever written out.

No sum overflows: planes are at most `layout.MOST_PLANES` < 2 ** DISTANCE_BITS, and each adds 1 at most.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fewest.relief.kernels.layout import DISTANCE_BITS, GROUP, LANES

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)


@intrinsic
def near_of_words(typing_context, planes, stride, groups, flips, limit, found):  # noqa: ARG001 (numba's signature)
    """Find which rows of LANES words of planes are no farther than a limit; return a word that is 0 if none is.

    A distance never shrinks as planes are added, so that the first groups may show that all rows are too far. It stands
    for a run of instructions: all arguments are addresses (in bytes, of uint64 words) and whole numbers, and the caller
    keeps the arrays alive and large enough.

    Parameters
    ----------
    planes : the first of LANES adjacent words of the first plane
    stride : the bytes from one plane to the next
    groups : the first group of GROUP planes to add, and where to stop; those before are in ``found`` already
    flips : a word a plane, all ones if the plane is to be flipped, else all zeros
    limit : a word a bit of the limit, all ones or all zeros, the lowest bit first: DISTANCE_BITS words
    found : room for VECTOR_WORDS words: the bit planes of the distances, the lowest first, then the near rows as ones
    """
    whole = types.intp
    signature = types.uint64(whole, whole, types.UniTuple(whole, 2), whole, whole, whole)
    return signature, _generate


def _generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
    planes, stride, groups, flips, limit, found = arguments
    begin, end = builder.extract_value(groups, 0), builder.extract_value(groups, 1)
    before = builder.block
    body, after = builder.append_basic_block("groups"), builder.append_basic_block("near")
    is_first = builder.icmp_unsigned("==", begin, ir.Constant(_WORD, 0))
    zero = ir.Constant(_VECTOR, [0] * LANES)
    loaded = [_load(builder, builder.add(found, _offset(k)), _VECTOR) for k in range(DISTANCE_BITS)]
    known = [builder.select(is_first, zero, plane) for plane in loaded]
    builder.branch(body)
    builder.position_at_end(body)
    group = builder.phi(_WORD)
    sums = [builder.phi(_VECTOR) for _ in range(DISTANCE_BITS)]
    group.add_incoming(begin, before)
    for plane, value in zip(sums, known, strict=True):
        plane.add_incoming(value, before)
    first = builder.mul(group, ir.Constant(_WORD, GROUP))

    def apart(k):
        number = builder.add(first, ir.Constant(_WORD, k))
        plane = _load(builder, builder.add(planes, builder.mul(number, stride)), _VECTOR)
        flip = _load(builder, builder.add(flips, builder.mul(number, ir.Constant(_WORD, 8))), _WORD)
        return builder.xor(plane, _splat(builder, flip))

    added = _added(builder, sums, apart)
    following = builder.add(group, ir.Constant(_WORD, 1))
    group.add_incoming(following, body)
    for plane, value in zip(sums, added, strict=True):
        plane.add_incoming(value, body)
    builder.cbranch(builder.icmp_unsigned("<", following, end), body, after)
    builder.position_at_end(after)
    near = _within(builder, added, limit)
    for k, value in enumerate([*added, near]):
        _store(builder, value, builder.add(found, _offset(k)))
    lanes = [builder.extract_element(near, ir.Constant(ir.IntType(32), k)) for k in range(LANES)]
    any_near = lanes[0]
    for lane in lanes[1:]:
        any_near = builder.or_(any_near, lane)
    return any_near


def _offset(k):
    """Return the bytes before the k-th plane of `found`."""
    return ir.Constant(_WORD, 8 * LANES * k)


def _added(builder, sums, apart):
    """Add GROUP planes, each loaded when it is needed, to the bit planes of the sums; the last carry is always 0."""
    ones, twos, fours, *others = sums
    ones, pair = _adder(builder, apart(0), apart(1), ones)
    ones, other = _adder(builder, apart(2), apart(3), ones)
    twos, four = _adder(builder, pair, other, twos)
    ones, pair = _adder(builder, apart(4), apart(5), ones)
    ones, other = _adder(builder, apart(6), apart(7), ones)
    twos, more = _adder(builder, pair, other, twos)
    fours, carry = _adder(builder, four, more, fours)
    added = []
    for plane in others:
        added.append(builder.xor(plane, carry))
        carry = builder.and_(plane, carry)
    return [ones, twos, fours, *added]


def _adder(builder, a, b, c):
    """Return the sum and the carry of three planes; the third, which may be a sum itself, is used last."""
    differ = builder.xor(a, b)
    return builder.xor(differ, c), builder.or_(builder.and_(a, b), builder.and_(differ, c))


def _within(builder, sums, limit):
    """Return the rows whose sum is no larger than the limit: compare bits from the highest, for all rows at once."""
    ones = ir.Constant(_VECTOR, [-1] * LANES)
    larger, equal = ir.Constant(_VECTOR, [0] * LANES), ones
    for k in reversed(range(DISTANCE_BITS)):
        bound = _splat(builder, _load(builder, builder.add(limit, ir.Constant(_WORD, 8 * k)), _WORD))
        beyond = builder.and_(sums[k], builder.xor(bound, ones))
        larger = builder.or_(larger, builder.and_(equal, beyond))
        equal = builder.and_(equal, builder.xor(builder.xor(sums[k], bound), ones))
    return builder.xor(larger, ones)


def _splat(builder, word):
    """Return a vector with the word in every lane."""
    single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        single, ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


def _load(builder, address, kind):
    """Load words that are aligned as words are, and not as vectors would be."""
    return builder.load(builder.inttoptr(address, kind.as_pointer()), align=8)


def _store(builder, value, address):
    builder.store(value, builder.inttoptr(address, value.type.as_pointer()), align=8)
