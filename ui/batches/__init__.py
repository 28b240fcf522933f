"""Sections of the page that cuts a text into windows and batches."""
