"""Contextual vectors: a trained model's vectors and attention in each layer, also under other positions."""

from embedlib.contextual.measures import (
    LayerChanges,
    WordUse,
    attention_by_distance,
    find_uses,
    layer_changes,
    order_cosine,
    sentence_vectors,
)
from embedlib.contextual.model import ContextModel, Layers, open_model
from embedlib.contextual.positions import Positions
from embedlib.contextual.text import TextTokens, Word
