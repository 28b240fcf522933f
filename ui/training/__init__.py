"""Sections of the training page."""
