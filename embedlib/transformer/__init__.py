"""Attention, one layer, an encoder and a decoder, each with any positional scheme."""

from embedlib.transformer.attention import random_qk
from embedlib.transformer.decoder import ROW_SPREAD, Decoder
from embedlib.transformer.encoder import (
    ROUNDING,
    cast_copy,
    float64_copy,
    hidden_states,
    pooled_vector,
    pooled_vectors,
    relative_change,
)
from embedlib.transformer.layer import Layer, random_layers
