"""The PyTorch program under each page, which prints its numbers."""
