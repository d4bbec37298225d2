"""Rows beyond memory: sources cut into blocks, and the engines (threads, Dask) that keep and work on them."""
