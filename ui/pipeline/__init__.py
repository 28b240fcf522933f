"""Sections of the page that follows a text into its input embeddings."""
