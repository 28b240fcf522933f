"""What the training page is made of."""
