"""Sections of the page that compares positional schemes."""
