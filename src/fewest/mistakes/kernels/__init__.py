"""The loops of Winnow."""
