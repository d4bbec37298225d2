"""Ng (1998), *On Feature Selection: Learning with Exponentially Many Irrelevant Features as Training Examples*."""

PAPER = "Ng (1998)"
