"""Attention, one layer, an encoder and a decoder, each with any positional scheme."""

from embedlib.transformer.attention import attention_pattern, random_qk
from embedlib.transformer.decoder import ROW_SPREAD, Decoder
from embedlib.transformer.encoder import (
    ROUNDING,
    cast_copy,
    float64_copy,
    hidden_states,
    pooled_by_scheme,
    pooled_vector,
    relative_change,
)
from embedlib.transformer.layer import Layer, random_layers

__all__ = [
    "ROUNDING",
    "ROW_SPREAD",
    "Decoder",
    "Layer",
    "attention_pattern",
    "cast_copy",
    "float64_copy",
    "hidden_states",
    "pooled_by_scheme",
    "pooled_vector",
    "random_layers",
    "random_qk",
    "relative_change",
]
