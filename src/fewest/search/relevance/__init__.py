"""The Relief family: which features separate neighbours of different class, and which merely differ."""
