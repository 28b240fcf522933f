"""Sections of the page that compares tokenizers on one text, down to their merges and bytes."""
