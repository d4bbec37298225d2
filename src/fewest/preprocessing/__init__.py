"""Columns made into what a method takes: numbers cut into intervals, values as Boolean features."""
