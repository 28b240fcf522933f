"""What the parts of several pages share."""
