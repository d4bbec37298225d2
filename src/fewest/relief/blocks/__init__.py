"""The Relief family where the rows are in blocks."""
