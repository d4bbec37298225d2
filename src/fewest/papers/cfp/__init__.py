"""Güvenir and Şirin (1993), *Complexity of the CFP, a Method for Classification Based on Feature Partitioning*."""

PAPER = "Güvenir and Şirin (1993)"
