"""The calculator: every bound that a room's ``bounds.py`` declares, solved for the quantity left out."""
