"""Word vectors: skip-gram and PPMI, their training, scores and files."""
