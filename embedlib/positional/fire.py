"""FIRE: a small network reads the distance as a share of how far back the query could look."""

import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length, check_positions
from embedlib.positional.bias import along_diagonals, signed_distances
from embedlib.positional.parameters import SEED, Parameter

HIDDEN_UNITS = 32
FRESH_C = 0.1


class FirePositions(PositionalScheme):
    """Learns a function of psi(|i - j|) / psi(max(L, i)), psi(x) = ln(c·x + 1), and the numbers c and L with it.

    The function is one hidden layer of 32 rectified units. Up to position L only the distance counts; past it the same
    distance means less and less, so this bias is not translation invariant. Fresh weights are those of torch.nn.Linear,
    uniform and drawn on the CPU, with c = 0.1, as in the released code. That code also adds a trained constant to each
    head, which no softmax sees and no gradient reaches; it is left out here.

    Attributes:
        hidden_weight: (32,) trainable.
        hidden_bias: (32,) trainable.
        output_weight: (n_heads, 32) trainable.
        c: () trainable; its absolute value counts.
        stretch: () trainable, fresh 1: L is |stretch| · threshold, so that a step of training moves L by a share of it.

    Source: Li et al. 2023, formula and code in the appendix, https://arxiv.org/abs/2310.04418

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("fire", d_model=8, n_heads=2)
    >>> scheme.similarity(3).shape
    torch.Size([3, 3])
    """

    name = "fire"
    title = N_("FIRE")
    acts_on = frozenset({"score"})
    summary = N_(
        "A small trained network turns the distance, relative to the query’s position, into a number that is added "
        "to the score."
    )
    formula = (
        r"\mathrm{logit}_{mn} = \frac{q_m \cdot k_n}{\sqrt{d}} + "
        r"\mathrm{MLP}\!\left(\frac{\psi(m-n)}{\psi(\max(L, m))}\right), \qquad \psi(x) = \ln(c\,x + 1)"
    )
    source = "Li et al. 2023, https://arxiv.org/abs/2310.04418"
    past_training = "rescales"
    used_by = N_("its paper’s models")
    PARAMETERS = (
        Parameter(
            name="threshold",
            default=512.0,
            minimum=1.0,
            maximum=65_536.0,
            summary=N_("Initial L: up to here only distance counts."),
        ),
        SEED,
    )

    threshold: float
    seed: int

    def build(self) -> None:
        """Draw a fresh network."""
        generator = torch.Generator().manual_seed(self.seed)

        def uniform(*shape: int, limit: float) -> nn.Parameter:
            return nn.Parameter(torch.empty(shape, dtype=torch.float32).uniform_(-limit, limit, generator=generator))

        self.hidden_weight = uniform(HIDDEN_UNITS, limit=1.0)
        self.hidden_bias = uniform(HIDDEN_UNITS, limit=1.0)
        self.output_weight = uniform(self.n_heads, HIDDEN_UNITS, limit=HIDDEN_UNITS**-0.5)
        self.c = nn.Parameter(torch.tensor(FRESH_C, dtype=torch.float32))
        self.stretch = nn.Parameter(torch.tensor(1.0, dtype=torch.float32))

    @cached_by_length
    def bias(self, seq_len: int, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Return the network's output for each pair; gradients flow back into all weights, c and L.

        Keys after the query, where they count, are taken by |i - j| and the same max(L, i), as in the released code.
        The offset makes a difference once offset + seq_len - 1 exceeds L.
        """
        check_positions(seq_len, offset)
        working = torch.promote_types(self.dtype, torch.float32)  # half precision cannot count past 2,048
        distance = signed_distances(seq_len, dtype=working, device=self.device).abs()  # (2·seq_len - 1,)
        query = torch.arange(offset, offset + seq_len, device=self.device).to(working)  # (seq_len,)
        limit = torch.maximum(query, self.stretch.to(working).abs() * self.threshold)
        # L = 0 at position 0 would be 0/0; no other psi is that small.
        least = torch.finfo(working).tiny
        share = along_diagonals(self._psi(distance)) / self._psi(limit).clamp(min=least)[:, None]  # (seq_len, seq_len)
        later = torch.ones(seq_len, seq_len, dtype=torch.bool, device=self.device).triu(1) if causal else None
        return self._network(share, hidden=later).to(self.dtype)

    def _psi(self, x: Tensor) -> Tensor:
        return (self.c.to(x).abs() * x).log1p()

    def _network(self, share: Tensor, *, hidden: Tensor | None) -> Tensor:
        """Run the network on each entry, (n_heads, *share.shape); 0 where ``hidden``.

        A network of rectified units that reads one number draws a broken line with a corner for each unit, so slope and
        height are looked up by piece. Its 32 hidden values for each of 2,048² pairs would take 537 MB.
        """
        weight, bias, output = (x.to(share) for x in (self.hidden_weight, self.hidden_bias, self.output_weight))
        with torch.no_grad():
            corner = torch.where(weight == 0, 0.0, -bias / weight).sort().values  # (32,)
            inside = torch.cat([corner[:1] - 1, (corner[1:] + corner[:-1]) / 2, corner[-1:] + 1])  # one point per piece
            active = (weight * inside[:, None] + bias > 0).to(share)  # (33 pieces, 32 units)
            piece = torch.bucketize(share, corner)
            if hidden is not None:
                piece = piece.masked_fill(hidden, len(inside))  # one more piece, flat at 0
        nothing = share.new_zeros(len(output), 1)
        slope = torch.cat([(output * weight) @ active.T, nothing], dim=1)  # (n_heads, 34)
        height = torch.cat([(output * bias) @ active.T, nothing], dim=1)
        return height[:, piece].addcmul_(slope[:, piece], share)  # (n_heads, seq_len, seq_len)
