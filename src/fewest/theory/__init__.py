"""The documents' theorems as calculators."""
