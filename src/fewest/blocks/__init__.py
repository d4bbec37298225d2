"""Rows beyond memory: sources cut into blocks, and the engines (threads, Dask) that keep and work on them.

`scan` reads the `pieces` of a source, which agree on a `schema`, into a `store` of encoded rows, each `block` of them
in memory or on disk; `typed_batches` are rows that are read and not kept. A method asks the store, or gives work to
its `engine`: on the `threads` of this machine, or `on_dask`. `dask_collections` are sources, too. `groups` counts rows
by the values of some features, and `memory` finds out how much room there is.
"""
