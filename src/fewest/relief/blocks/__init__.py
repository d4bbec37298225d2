"""Relief, ReliefF and RReliefF where the rows are in blocks."""
