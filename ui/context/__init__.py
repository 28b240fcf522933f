"""Sections of the page that follows a text through the layers of a trained model."""
