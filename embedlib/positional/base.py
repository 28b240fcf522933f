"""What every positional scheme does: one way to encode rows, one attention, one likeness, which call its hooks."""

import torch
from torch import Tensor

from embedlib.positional.checks import check_positions
from embedlib.positional.hooks import HOOKS, PAST_TRAINING, Hooks

__all__ = ["HOOKS", "PAST_TRAINING", "PositionalScheme"]


class PositionalScheme(Hooks):
    """A way to tell attention where a token stands.

    A subclass names its places in ``acts_on`` and overrides the hook of each; see ``Hooks``. What is here calls the
    hooks; a scheme that also adds to the values overrides ``attend``, one whose likeness is another ``_similarity``.
    """

    def encode(self, x: Tensor, *, offset: int = 0) -> Tensor:
        """Add a row per position, or return x unchanged where the scheme acts elsewhere.

        Args:
            x: (…, seq_len, d_model) token rows.
            offset: position of the first row, at least 0.

        Returns:
            (…, seq_len, d_model), dtype and device of x; exactly ``x + position_table(seq_len)``.

        Raises:
            ValueError: x of another width, or what ``position_table`` raises.
        """
        if x.ndim < 2 or x.shape[-1] != self.d_model or not x.is_floating_point():
            raise ValueError(
                f"x is {x.dtype} of shape {tuple(x.shape)}: "
                f"it must be floating point of shape (…, seq_len, d_model={self.d_model})"
            )
        if "embedding" not in self.acts_on:
            return x
        return x + self.position_table(x.shape[-2], offset=offset).to(x)  # (…, seq_len, d_model)

    def scores(self, q: Tensor, k: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Return the attention logits: (turned q·k + content term) · logit_scale + bias.

        Args:
            q: (…, n_heads, seq_len, head_dim) queries.
            k: (…, n_heads, seq_len, head_dim) keys.
            causal: True hides keys after the query.
            offset: position of the first of them, at least 0.

        Returns:
            (…, n_heads, seq_len, seq_len), -inf where masked.

        Raises:
            ValueError: q or k of another shape; causal=False for a scheme that is causal only.
        """
        if self.causal_only and not causal:
            raise ValueError(f"causal={causal} is not defined for scheme {self.name!r}: use causal=True")
        turned_q, turned_k = self.rotate(q, k, offset=offset)
        logits = turned_q @ turned_k.transpose(-1, -2)  # (…, n_heads, seq_len, seq_len)
        if "content" in self.acts_on:
            logits = logits + self.content_scores(q, k, causal=causal, offset=offset)
        logits = logits * self.logit_scale()
        seq_len = q.shape[-2]
        if "score" in self.acts_on:
            logits = logits + self.bias(seq_len, causal=causal, offset=offset).to(logits)
        if causal:
            later = torch.ones(seq_len, seq_len, dtype=torch.bool, device=logits.device).triu(1)
            logits = torch.where(later, float("-inf"), logits)  # masked_fill takes half as long again
        return logits

    def attend(self, q: Tensor, k: Tensor, v: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Mix the values by the softmax of the scores.

        Args:
            q: (…, n_heads, seq_len, head_dim) queries.
            k: (…, n_heads, seq_len, head_dim) keys.
            v: (…, n_heads, seq_len, head_dim) values.
            causal: True hides keys after the query.
            offset: position of the first of them, at least 0.

        Returns:
            (…, n_heads, seq_len, head_dim).

        Raises:
            ValueError: as ``scores``, or v of another shape.
        """
        self.check_heads(q=q, k=k, v=v)
        return self.scores(q, k, causal=causal, offset=offset).softmax(-1) @ v

    def similarity(self, seq_len: int) -> Tensor:
        """Return how alike any two positions look through this scheme, the common currency for comparing them.

        Rows added: their dot products. A bias: its mean over heads, both directions seen. Others say theirs.

        Args:
            seq_len: number of positions, at least 1.

        Returns:
            (seq_len, seq_len), without gradients; row = query, column = key. The unit is the scheme's own.

        Raises:
            ValueError: not defined for this scheme, or seq_len out of range.
        """
        check_positions(seq_len, 0)
        with torch.no_grad():
            return self._similarity(seq_len)

    def _similarity(self, seq_len: int) -> Tensor:
        if "embedding" in self.acts_on:
            table = self.position_table(seq_len)  # (seq_len, d_model)
            return table @ table.T
        if "score" in self.acts_on:
            return self.bias(seq_len, causal=False).mean(0)
        raise ValueError(f"similarity of positions is not defined for scheme {self.name!r}: it depends on the content")
