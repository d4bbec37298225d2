"""Kira and Rendell (1992), *A Practical Approach to Feature Selection*."""

PAPER = "Kira and Rendell (1992)"
