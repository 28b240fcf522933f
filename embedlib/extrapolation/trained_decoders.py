"""Small decoders that ship with the library, one for each scheme, and where their attention heads look in a text."""

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
def _shipped() -> tuple[dict[str, Any], dict[str, Tensor]]:
    return read_tensors(SHIPPED_DECODERS)


def decoder_schemes() -> tuple[str, ...]:
    """Return the keys of SCHEMES of which a trained decoder ships."""
    return tuple(_shipped()[0]["losses"])


def decoder_length() -> int:
    """Return the number of characters that the decoders read at a time in training."""
    return int(_shipped()[0]["length"])


def known_share(text: str) -> float:
    """Return the share of a text's characters that the decoders have a row for, in [0, 1]; 0 for no text."""
    known = set(_shipped()[0]["characters"])
    return sum(character in known for character in text) / max(1, len(text))


@cache
def trained_decoder(scheme: str) -> Decoder:
    """Return the decoder that `bin/trained-decoders` trained under a scheme, on the CPU; its weights are shared.

    All have 2 layers of 4 heads and d_model 64, and guess the next character of Python's reference manual; all saw the
    same windows of 64 characters, and began with the same weights.

    Args:
        scheme: one of ``decoder_schemes()``.
    """
    about, tensors = _shipped()
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
    """Return where the heads of a trained decoder look in a text, which it reads as characters.

    Args:
        scheme: one of ``decoder_schemes()``.
        text: at least one character; at most ``decoder_length()`` of them, from the first on, are read. Characters that
            were rare in training share one row.

    Returns:
        (n_layers, n_heads, n_characters, n_characters) attention weights; row = query, each sums to 1.
    """
    characters = _shipped()[0]["characters"]
    ids = [characters.find(character) for character in text[: decoder_length()]]
    if not ids:
        raise ValueError("text is empty: it must have at least 1 character")
    return trained_decoder(scheme).attention(torch.tensor(ids) % (len(characters) + 1))


def mean_distances(weights: Tensor) -> Tensor:
    """Return how far back attention looks, on average over queries.

    Args:
        weights: (…, seq_len, seq_len) attention weights; row = query.

    Returns:
        (…) in positions; 0 where each token looks at itself only.
    """
    position = torch.arange(weights.shape[-1], dtype=weights.dtype)
    return (weights * (position[:, None] - position)).sum(-1).mean(-1)
