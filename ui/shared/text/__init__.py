"""The choosers of a text."""
