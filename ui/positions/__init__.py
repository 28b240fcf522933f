"""Sections of the page that shows one positional scheme in depth."""
