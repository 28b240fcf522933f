"""Small decoders that ship with the library, one for each scheme, and their attention to a text."""

from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from embedlib.extrapolation.config import DECODER_PARAMETERS
from embedlib.positional import make_scheme
from embedlib.tensor_files import read_tensors
from embedlib.transformer.decoder import Decoder

SHIPPED_DECODERS = Path(__file__).parents[1] / "data" / "decoders.safetensors"


@cache
def _read_shipped_weights() -> tuple[dict[str, Any], dict[str, Tensor]]:
    return read_tensors(SHIPPED_DECODERS)


def decoder_schemes() -> tuple[str, ...]:
    """Return the keys of SCHEMES with a trained decoder."""
    return tuple(_read_shipped_weights()[0]["losses"])


def decoder_length() -> int:
    """Return the number of characters in the decoders' training windows."""
    return int(_read_shipped_weights()[0]["length"])


def known_share(text: str) -> float:
    """Return the share of a text's characters that have a row in the decoders, in [0, 1]; 0 for no text."""
    known = set(_read_shipped_weights()[0]["characters"])
    return sum(character in known for character in text) / max(1, len(text))


@cache
def trained_decoder(scheme: str) -> Decoder:
    """Return the decoder trained under a scheme by `bin/trained-decoders`, on the CPU; its weights are shared.

    All have 2 layers of 4 heads and d_model 64, and predict the next character of Python's reference manual; all were
    trained on the same windows of 64 characters, from the same initial weights.
    """
    about, tensors = _read_shipped_weights()
    if scheme not in about["losses"]:
        raise ValueError(f"scheme={scheme!r} must be one of {', '.join(about['losses'])}")
    values: dict[str, Any] = {**DECODER_PARAMETERS.get(scheme, {})}
    sizes = {"d_model": about["d_model"], "n_heads": about["n_heads"], "max_seq_len": about["length"]}
    made = make_scheme(scheme, **sizes, **values)
    decoder = Decoder(made, vocab_size=len(about["characters"]) + 1, n_layers=about["n_layers"], seed=about["seed"])
    start = f"{scheme}."
    decoder.load_state_dict(
        {name.removeprefix(start): value.float() for name, value in tensors.items() if name.startswith(start)}
    )
    return decoder


def trained_attention(scheme: str, text: str) -> Tensor:
    """Return a trained decoder's attention to a text's characters, (n_layers, n_heads, n_characters, n_characters).

    Row = query, each sums to 1. The first ``decoder_length()`` characters are read, at least one; characters that were
    rare in training share one row.
    """
    characters = _read_shipped_weights()[0]["characters"]
    ids = [characters.find(character) for character in text[: decoder_length()]]
    if not ids:
        raise ValueError("text is empty: it must have at least 1 character")
    return trained_decoder(scheme).attention(torch.tensor(ids) % (len(characters) + 1))


def mean_distances(weights: Tensor) -> Tensor:
    """Return how far back attention looks, in positions, on average over queries: (…, seq_len, seq_len) to (…).

    0 where each token looks at itself only; row = query.
    """
    position = torch.arange(weights.shape[-1], dtype=weights.dtype)
    return (weights * (position[:, None] - position)).sum(-1).mean(-1)
