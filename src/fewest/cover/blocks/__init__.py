"""The examples of the cover methods where the rows are in blocks: the same answers as in memory."""
