"""Attention, one layer, an encoder and a decoder, each with any positional scheme."""
