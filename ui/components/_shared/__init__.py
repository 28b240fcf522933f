"""Code that the components share."""
