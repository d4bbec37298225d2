"""Littlestone (1988), *Learning Quickly When Irrelevant Attributes Abound*, by the notes on it."""

PAPER = "Littlestone (1988)"
