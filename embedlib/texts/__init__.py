"""Texts as training data: files, corpora, windows of tokens."""
