"""Nearest rows of a table in its full space, and analogies."""
