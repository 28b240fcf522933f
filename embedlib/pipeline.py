"""From text to input embeddings, in one call."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from embedlib.embedding import embedding_table, lookup
from embedlib.errors import check_ints, shorten_middle
from embedlib.notebook import Figure, chips_html, matrix_html, sum_figure
from embedlib.positional import PositionalScheme, make_scheme
from embedlib.tokenizers import Token, Tokenizer, get_tokenizer, token_labels


@dataclass(frozen=True, eq=False)
class InputEmbeddings:
    """Input of a transformer's first layer: token rows, position rows and their sum.

    Attributes:
        text: the whole text, also beyond max_tokens.
        tokens: one Token per position, in order.
        token_ids: (seq_len,) int64.
        token_embeddings: (seq_len, d_model) float32, the rows of E, times sqrt(d_model) with scale_by_sqrt_d.
        position_vectors: (seq_len, d_model) float32; zeros for a scheme that adds nothing to the rows.
        input_embeddings: (seq_len, d_model) float32, ``token_embeddings + position_vectors`` to the bit.

    >>> from embedlib import embed_text
    >>> embedded = embed_text("the cat", d_model=8)
    >>> torch.equal(embedded.input_embeddings, embedded.token_embeddings + embedded.position_vectors)
    True
    """

    text: str
    tokenizer: Tokenizer
    tokens: list[Token]
    token_ids: Tensor
    token_embeddings: Tensor
    position_vectors: Tensor
    input_embeddings: Tensor

    def figure(self) -> Figure:
        """Draw the three matrices side by side, by Plotly."""
        return sum_figure(
            (self.token_embeddings, self.position_vectors, self.input_embeddings), token_labels(self.tokens)
        )

    def _repr_html_(self) -> str:
        """Show the tokens and the three matrices in a notebook."""
        matrices = {
            "token rows": self.token_embeddings,
            "position rows": self.position_vectors,
            "input rows": self.input_embeddings,
        }
        chips = chips_html(token_labels(self.tokens), self.token_ids.tolist())
        return chips + "".join(matrix_html(name, matrix) for name, matrix in matrices.items())

    def to(self, device: torch.device) -> "InputEmbeddings":
        """Return a copy with its tensors on another device."""
        tensors = ("token_ids", "token_embeddings", "position_vectors", "input_embeddings")
        return replace(self, **{name: getattr(self, name).to(device) for name in tensors})


def embed_text(
    text: str,
    *,
    tokenizer: str | Tokenizer = "gpt2",
    d_model: int = 64,
    seed: int = 123,
    scheme: str | PositionalScheme = "sinusoidal",
    scale_by_sqrt_d: bool = False,
    max_tokens: int | None = None,
    table: Tensor | None = None,
    parameters: Mapping[str, Any] | None = None,
    device: torch.device | None = None,
) -> InputEmbeddings:
    """Cut a text into tokens, look up their rows and add their positions.

    Args:
        text: at least one token long.
        tokenizer: a name in TOKENIZERS, or a Tokenizer.
        d_model: row width; ignored where a table is given.
        seed: of the random table; ignored where a table is given.
        scheme: a name in SCHEMES, or a PositionalScheme of the same d_model. A table that a name asks for has 1,024
            rows, or one for each token where these are more.
        scale_by_sqrt_d: multiply the token rows by sqrt(d_model), as Vaswani et al. 2017, §3.4 do.
        max_tokens: number of tokens to keep, from the start, at least 1; None keeps all.
        table: (vocab_size, d_model) embedding matrix to read from, such as that of ``trained_rows``; None draws
            ``embedding_table`` anew.
        parameters: of the scheme, beyond its sizes, such as {"layout": "halves"}; ignored where a PositionalScheme
            is given.
        device: where the tensors end up; None means CPU.

    Returns:
        InputEmbeddings, without gradients.

    Raises:
        ValueError: no token in the text, max_tokens below 1, a table smaller than the vocabulary, more tokens than the
            scheme has positions for, or what ``get_tokenizer``, ``Tokenizer.tokenize`` and ``make_scheme`` raise.

    >>> from embedlib import embed_text
    >>> embedded = embed_text("the cat", tokenizer="gpt2", d_model=8, scheme="sinusoidal")
    >>> [token.bytes for token in embedded.tokens]
    [b'the', b' cat']
    >>> embedded.input_embeddings.shape
    torch.Size([2, 8])
    >>> embedded.position_vectors[0].tolist()
    [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    """
    if not isinstance(text, str):
        raise ValueError(f"text={shorten_middle(repr(text))} must be a text: give a str")
    check_ints(max_tokens=max_tokens or 0)
    if max_tokens is not None and max_tokens < 1:
        raise ValueError(f"max_tokens={max_tokens} must be at least 1, or None to keep all")
    if isinstance(tokenizer, str):
        tokenizer = get_tokenizer(tokenizer, text=text)
    tokens = tokenizer.tokenize(text)[:max_tokens]
    if not tokens:
        raise ValueError("text has no token: give at least one character that the tokenizer keeps")
    if table is None:
        table = embedding_table(tokenizer.vocab_size, d_model, seed=seed)
    if table.shape[0] < tokenizer.vocab_size:
        raise ValueError(
            f"table has {table.shape[0]} rows but {tokenizer.name} has {tokenizer.vocab_size} tokens: "
            "give one row per token"
        )
    d_model = table.shape[1]
    if isinstance(scheme, str):
        max_seq_len = max(1024, len(tokens))
        scheme = make_scheme(scheme, d_model=d_model, n_heads=1, max_seq_len=max_seq_len, **(parameters or {}))
    token_ids = torch.tensor([token.id for token in tokens], dtype=torch.int64, device=table.device)  # (seq_len,)
    with torch.no_grad():
        rows = lookup(table, token_ids).to(device)  # (seq_len, d_model)
        if scale_by_sqrt_d:
            rows = rows * math.sqrt(d_model)
        positions = torch.zeros_like(rows)
        if "embedding" in scheme.acts_on:
            positions = scheme.position_table(len(tokens)).to(rows)  # (seq_len, d_model)
        return InputEmbeddings(text, tokenizer, tokens, token_ids.to(device), rows, positions, rows + positions)
