"""The processor's instruction to fetch memory before it is needed, for compiled code."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

# The instruction's operands: the memory will be written to, soon and often, and it is data.
TO_WRITE, KEEP, DATA = 1, 3, 1


@intrinsic
def prefetch(typing_context, array, position):  # noqa: ARG001 (numba's signature)
    """Let the processor fetch the cache line of ``array[position]``, and go on meanwhile.

    The address is only a hint and never read, so that a position beyond the array does no harm.
    """

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(struct.data, [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        takes = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], takes)
        builder.call(fetch, [address, word(TO_WRITE), word(KEEP), word(DATA)])
        return context.get_dummy_value()

    return types.none(array, position), generate
