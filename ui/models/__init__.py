"""Sections of the page of trained models: sizes, rows and positions of one, and two side by side."""
