"""Sections of the page that shows whole tables: maps of their rows, neighbours, and directions with a meaning."""
