"""Distances of 256 rows at a time, from columns of truths: sums of bits by full adders, on vectors.

A column is a plane of bits, 64 rows a word. Where a drawn row differs is the
plane, flipped if the row has a one there. To add up such planes, three of a
weight become one of the same and one of twice the weight (Harley and Seal's
carry-save adder), until the planes left over are the digits of the distances:
five operations a feature for 256 rows, and no row is looked at that is too far.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from fewest.relief.kernels.layout import DIGITS, GROUP, LANES

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(_WORD, LANES)


@intrinsic
def near_of_words(typing_context, planes, stride, begin, end, flips, limit, found):  # noqa: ARG001 (numba's signature)
    """Find which rows of four words of planes are no farther than a limit; return 0 if none is.

    All arguments are addresses and whole numbers. A distance never shrinks as planes are added, so that the first
    groups may show that all rows are too far.

    Parameters
    ----------
    planes : the first word of the first plane
    stride : the bytes from one plane to the next
    begin, end : which groups of eight planes to add; those before are in ``found`` already
    flips : a word a plane, all ones if it is to be flipped
    limit : a word a digit of the limit, all ones or all zeros, the lowest first
    found : room for four words a digit of the distances, and four in which the near rows are ones
    """
    signature = types.uint64(*[types.intp] * 7)
    return signature, _generate


def _generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's signature)
    planes, stride, begin, end, flips, limit, found = arguments
    before = builder.block
    body, after = builder.append_basic_block("groups"), builder.append_basic_block("near")
    is_first = builder.icmp_unsigned("==", begin, ir.Constant(_WORD, 0))
    zero = ir.Constant(_VECTOR, [0] * LANES)
    known = [
        builder.select(is_first, zero, _load(builder, builder.add(found, _place(k)), _VECTOR)) for k in range(DIGITS)
    ]
    builder.branch(body)
    builder.position_at_end(body)
    group = builder.phi(_WORD)
    digits = [builder.phi(_VECTOR) for _ in range(DIGITS)]
    group.add_incoming(begin, before)
    for digit, value in zip(digits, known, strict=True):
        digit.add_incoming(value, before)
    first = builder.mul(group, ir.Constant(_WORD, GROUP))

    def apart(k):
        number = builder.add(first, ir.Constant(_WORD, k))
        plane = _load(builder, builder.add(planes, builder.mul(number, stride)), _VECTOR)
        flip = _load(builder, builder.add(flips, builder.mul(number, ir.Constant(_WORD, 8))), _WORD)
        return builder.xor(plane, _splat(builder, flip))

    summed = _added(builder, digits, apart)
    following = builder.add(group, ir.Constant(_WORD, 1))
    group.add_incoming(following, body)
    for digit, value in zip(digits, summed, strict=True):
        digit.add_incoming(value, body)
    builder.cbranch(builder.icmp_unsigned("<", following, end), body, after)
    builder.position_at_end(after)
    near = _within(builder, summed, limit)
    for k, value in enumerate([*summed, near]):
        _store(builder, value, builder.add(found, _place(k)))
    lanes = [builder.extract_element(near, ir.Constant(ir.IntType(32), k)) for k in range(LANES)]
    any_near = lanes[0]
    for lane in lanes[1:]:
        any_near = builder.or_(any_near, lane)
    return any_near


def _place(k):
    return ir.Constant(_WORD, 8 * LANES * k)


def _added(builder, digits, apart):
    """Add eight planes, made one after the other, to the digits."""
    ones, twos, fours, *others = digits
    ones, pair = _adder(builder, apart(0), apart(1), ones)
    ones, other = _adder(builder, apart(2), apart(3), ones)
    twos, four = _adder(builder, pair, other, twos)
    ones, pair = _adder(builder, apart(4), apart(5), ones)
    ones, other = _adder(builder, apart(6), apart(7), ones)
    twos, more = _adder(builder, pair, other, twos)
    fours, carry = _adder(builder, four, more, fours)
    summed = []
    for digit in others:
        summed.append(builder.xor(digit, carry))
        carry = builder.and_(digit, carry)
    return [ones, twos, fours, *summed]


def _adder(builder, a, b, c):
    """Return the sum and the carry of three planes; the last may be known last."""
    differ = builder.xor(a, b)
    return builder.xor(differ, c), builder.or_(builder.and_(a, b), builder.and_(differ, c))


def _within(builder, digits, limit):
    """Return the rows whose number is no larger than the limit."""
    ones = ir.Constant(_VECTOR, [-1] * LANES)
    larger, equal = ir.Constant(_VECTOR, [0] * LANES), ones
    for k in reversed(range(DIGITS)):
        bound = _splat(builder, _load(builder, builder.add(limit, ir.Constant(_WORD, 8 * k)), _WORD))
        beyond = builder.and_(digits[k], builder.xor(bound, ones))
        larger = builder.or_(larger, builder.and_(equal, beyond))
        equal = builder.and_(equal, builder.xor(builder.xor(digits[k], bound), ones))
    return builder.xor(larger, ones)


def _splat(builder, word):
    single = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        single, ir.Constant(_VECTOR, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


def _load(builder, address, kind):
    return builder.load(builder.inttoptr(address, kind.as_pointer()), align=8)


def _store(builder, value, address):
    builder.store(value, builder.inttoptr(address, value.type.as_pointer()), align=8)
