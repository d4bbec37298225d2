"""Loops over arrays that several methods share; none reads a file, an option or a message."""
