"""Concepts as partitions of every feature's values, and the vote among features: CFP without scikit-learn."""
