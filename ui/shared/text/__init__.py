"""Text input: text area, examples, files, tokens."""
