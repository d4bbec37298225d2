"""The searches over examples in blocks: the same answers as in memory, from counts and rows that blocks give away."""
