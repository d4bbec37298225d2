"""The loops of ID3."""
