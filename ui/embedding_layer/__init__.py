"""Sections of the page about the embedding matrix as a layer: lookup, cost, initialisation, gradients."""
