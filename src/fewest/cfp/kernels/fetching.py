"""Asking for memory before it is needed, for compiled code."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

# What the instruction is told: the memory will be written to, soon and often, and it is data.
TO_WRITE, KEEP, DATA = 1, 3, 1


@intrinsic
def ask_for(typing_context, numbers, position):  # noqa: ARG001 (numba's signature)
    """Let the processor fetch the line of its cache with one of an array's numbers, and go on meanwhile."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        takes = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], takes)
        builder.call(fetch, [place, word(TO_WRITE), word(KEEP), word(DATA)])
        return context.get_dummy_value()

    return types.none(numbers, position), generate
