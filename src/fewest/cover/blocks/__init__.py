"""MIN-FEATURES where the rows are in blocks: the same answers as in memory."""
