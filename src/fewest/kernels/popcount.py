"""Counting and finding bits in one instruction, for compiled code."""

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
