"""Benchmarks of the app and the library: `python -m bench` prints a table of ratios; nothing here is a test."""
