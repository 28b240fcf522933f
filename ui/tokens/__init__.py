"""The parts of the page that puts tokenizers side by side on one text, down to their merges and bytes."""
