"""The loops of CFP: partitions of a line that grow an example at a time."""
