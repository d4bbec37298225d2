"""The loops of the Relief family: nearest rows, and differences from them."""
