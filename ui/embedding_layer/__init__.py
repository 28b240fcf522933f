"""The parts of the page about the embedding matrix as a layer: lookup, its cost, its start, its gradients."""
