"""DeBERTa's disentangled attention: content meets content, content meets distance, distance meets content."""

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, check_positions
from embedlib.positional.parameters import Parameter

PositionToContent = Literal["code", "paper"]
POSITION_TO_CONTENT: tuple[PositionToContent, ...] = ("code", "paper")


class DebertaPositions(PositionalScheme):
    """Adds two terms to Qc·Kc: Qc_i·Kr[delta(i, j)] and Kc_j·Qr[delta]; the three are divided by sqrt(3·head_dim).

    delta(i, j) = clip(i - j, -span, span - 1) + span counts the 2·span distances. Kr and Qr are projections of one
    learned table of distances. The paper reads Qr at delta(j, i), the released code at delta(i, j). Fresh weights are
    drawn on the CPU: the table standard normal, the projections normal(0, 1/sqrt(d_model)), so that Kr and Qr have unit
    variance. No term depends on positions alone, so similarity is not defined.

    Attributes:
        distance_vectors: (2·span, d_model) trainable; row r for i - j = r - span.
        key_projection: (n_heads, head_dim, d_model) trainable, makes Kr.
        query_projection: (n_heads, head_dim, d_model) trainable, makes Qr.

    Source: He et al. 2020, §3.1, https://arxiv.org/abs/2006.03654, and the released code,
    https://github.com/microsoft/DeBERTa
    """

    name: ClassVar[str] = "deberta"
    title: ClassVar[str] = N_("Disentangled (DeBERTa)")
    acts_on: ClassVar[frozenset[str]] = frozenset({"content"})
    summary: ClassVar[str] = N_(
        "Compares the query with a trained vector for the distance, and the key with another, "
        "beside comparing the query with the key."
    )
    formula: ClassVar[str] = (
        r"e_{ij} = \frac{Q^c_i \cdot K^c_j + Q^c_i \cdot K^r_{\delta(i,j)} + K^c_j \cdot Q^r_{\delta(i,j)}}{\sqrt{3d}},"
        r"\quad \delta(i,j) = \mathrm{clip}(i-j, -k, k-1) + k,\quad \text{in the paper } Q^r_{\delta(j,i)}"
    )
    source: ClassVar[str] = "He et al. 2020, §3.1, https://arxiv.org/abs/2006.03654"
    past_training: ClassVar[str] = "saturates"
    used_by: ClassVar[str] = N_("DeBERTa, DeBERTaV3")
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "p2c",
            "code",
            choices=POSITION_TO_CONTENT,
            summary=N_("Which distance the key meets: key to query as in the paper, or query to key as in the code."),
        ),
        Parameter(
            "span", 512, minimum=1, maximum=8192, summary=N_("Distances from here on share one vector, either way.")
        ),
        Parameter("seed", 0, minimum=0, maximum=2**63 - 1, summary=N_("Seed of the random weights.")),
    )

    def __init__(
        self,
        *,
        d_model: int,
        n_heads: int,
        max_seq_len: int = 1024,
        p2c: str = "code",
        span: int = 512,
        seed: int = 0,
    ) -> None:
        """Draw fresh weights.

        Args:
            d_model: width of the token rows and of the table of distances.
            n_heads: number of attention heads; divides d_model.
            max_seq_len: kept, but no limit here.
            p2c: "code" reads Qr[delta(i, j)], "paper" Qr[delta(j, i)].
            span: k, in [1, 8192].
            seed: of the draw, in [0, 2^63).

        Raises:
            ValueError: a size or parameter out of range.
        """
        super().__init__(d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len, p2c=p2c, span=span, seed=seed)
        self.p2c, self.span = p2c, span
        generator = torch.Generator().manual_seed(int(seed))

        def draw(*shape: int, std: float) -> nn.Parameter:
            return nn.Parameter(torch.empty(shape, dtype=torch.float32).normal_(std=std, generator=generator))

        self.distance_vectors = draw(2 * span, d_model, std=1.0)
        self.key_projection = draw(n_heads, self.head_dim, d_model, std=d_model**-0.5)
        self.query_projection = draw(n_heads, self.head_dim, d_model, std=d_model**-0.5)

    def logit_scale(self) -> float:
        """Return 1/sqrt(3·head_dim): three terms are added."""
        return float((3 * self.head_dim) ** -0.5)

    def distance_index(self, seq_len: int, *, device: torch.device | None = None) -> Tensor:
        """Return delta(i, j), which row of the table each pair uses.

        Args:
            seq_len: number of positions, at least 1.
            device: where it ends up; None means the scheme's.

        Returns:
            (seq_len, seq_len) int64 in [0, 2·span - 1]; row = query, column = key.

        Raises:
            ValueError: seq_len below 1.
        """
        check_positions(seq_len, 0)
        position = torch.arange(seq_len, device=self.device if device is None else device)
        return (position[:, None] - position).clamp(-self.span, self.span - 1) + self.span

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Return Qc·Kr + Kc·Qr, before scaling.

        Args:
            q: (…, n_heads, seq_len, head_dim) queries, Qc.
            k: (…, n_heads, seq_len, head_dim) keys, Kc.
            causal: makes no difference: no entry reads another key.
            offset: makes no difference: only distances count.

        Returns:
            (…, n_heads, seq_len, seq_len).

        Raises:
            ValueError: q or k of another shape.
        """
        content_to_position, position_to_content = self._two_terms(q, k)
        return content_to_position + position_to_content

    def terms(self, q: Tensor, k: Tensor, *, causal: bool = True, offset: int = 0) -> dict[str, Tensor]:
        """Return the three terms, whose sum is the logits before the mask.

        Args:
            q: (…, n_heads, seq_len, head_dim) queries, Qc.
            k: (…, n_heads, seq_len, head_dim) keys, Kc.
            causal: makes no difference.
            offset: makes no difference.

        Returns:
            Three times (…, n_heads, seq_len, seq_len), scaled, in the order of the formula.

        Raises:
            ValueError: q or k of another shape.
        """
        content_to_position, position_to_content = self._two_terms(q, k)
        pair = "i,j" if self.p2c == "code" else "j,i"
        parts = {
            r"\frac{Q^c_i \cdot K^c_j}{\sqrt{3d}}": q @ k.transpose(-1, -2),
            r"\frac{Q^c_i \cdot K^r_{\delta(i,j)}}{\sqrt{3d}}": content_to_position,
            rf"\frac{{K^c_j \cdot Q^r_{{\delta({pair})}}}}{{\sqrt{{3d}}}}": position_to_content,
        }
        return {name: part * self.logit_scale() for name, part in parts.items()}

    def _two_terms(self, q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
        """Return Qc·Kr and Kc·Qr, each (…, n_heads, seq_len, seq_len)."""
        self.check_heads(q=q, k=k)
        seq_len = q.shape[-2]
        # Only rows that these positions can reach are projected.
        reach = min(seq_len, self.span)
        rows = self.distance_vectors[self.span - reach : self.span + reach].to(q)  # (2·reach, d_model)
        index = self.distance_index(seq_len, device=q.device) - (self.span - reach)  # row = query, column = key
        keys = self.key_projection.to(q) @ rows.T  # (n_heads, head_dim, 2·reach), Kr
        queries = self.query_projection.to(q) @ rows.T  # (n_heads, head_dim, 2·reach), Qr
        full = (*q.shape[:-1], seq_len)
        content_to_position = (q @ keys).gather(-1, index.expand(full))
        read_by_key = index.T if self.p2c == "code" else index  # row = key, column = query
        return content_to_position, (k @ queries).gather(-1, read_by_key.expand(full)).transpose(-1, -2)
