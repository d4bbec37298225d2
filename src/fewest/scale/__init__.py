"""Who runs the blocks of a computation. Kernels take a share of the work; here it is decided where they do it."""
