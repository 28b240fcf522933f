"""Sections of the page that trains short and tests long."""
