"""Sections of the page on which schemes distinguish two orders of the same words."""
