"""DeBERTa's disentangled attention: content meets content, content meets distance, distance meets content."""

import math
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length, check_positions, normal_weights
from embedlib.positional.parameters import SEED, Parameter

PositionToContent = Literal["code", "paper"]
POSITION_TO_CONTENT: tuple[PositionToContent, ...] = ("code", "paper")
BUCKETS = ("each", "log")


def log_buckets(distance: Tensor, span: int, max_distance: int) -> Tensor:
    """Return the bucket of each distance as DeBERTaV2 counts it: the distance itself up to span/2, then logarithmic.

    int64 with the sign of the distance, not clipped.

    Source: https://github.com/microsoft/DeBERTa, and DebertaV2Model in transformers
    """
    near = span // 2
    far = distance.abs().clamp(min=near).double()  # float32 would put some exact powers one bucket too far
    wide = (near - 1) * (far / near).log() / math.log((max_distance - 1) / near)
    bucket = ((wide * (1 - 1e-12)).ceil() + near).long() * distance.sign()
    return torch.where(distance.abs() <= near, distance, bucket)


class DebertaPositions(PositionalScheme):
    """Adds two terms to Qc·Kc: Qc_i·Kr[delta(i, j)] and Kc_j·Qr[delta]; the three are divided by sqrt(3·head_dim).

    delta(i, j) = clip(i - j, -span, span - 1) + span counts the 2·span distances. With buckets="log", as in DeBERTaV2
    and V3, distances from span/2 on first fall into buckets that widen up to max_distance. Kr and Qr are projections of
    one learned table of distances. The paper reads Qr at delta(j, i), the released code at delta(i, j). Fresh weights
    are drawn on the CPU: the table standard normal, the projections normal(0, 1/sqrt(d_model)), so that Kr and Qr have
    unit variance. No term depends on positions alone, so similarity is not defined.

    Attributes:
        distance_vectors: (2·span, d_model) trainable; row r for i - j = r - span.
        key_projection: (n_heads, head_dim, d_model) trainable, makes Kr.
        query_projection: (n_heads, head_dim, d_model) trainable, makes Qr.

    Source: He et al. 2020, §3.1, https://arxiv.org/abs/2006.03654, and the released code,
    https://github.com/microsoft/DeBERTa

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("deberta", d_model=8, n_heads=2)
    >>> scheme.scores(torch.ones(2, 3, 4), torch.ones(2, 3, 4)).shape
    torch.Size([2, 3, 3])
    """

    name = "deberta"
    title = N_("Disentangled (DeBERTa)")
    acts_on = frozenset({"content"})
    summary = N_(
        "A learned vector of the distance is multiplied with the query and another with the key; both products are "
        "added to the score."
    )
    formula = (
        r"e_{mn} = \frac{Q^c_m \cdot K^c_n + Q^c_m \cdot K^r_{\delta(m,n)} + K^c_n \cdot Q^r_{\delta(m,n)}}{\sqrt{3d}},"
        r"\quad \delta(m,n) = \mathrm{clip}(m-n, -k, k-1) + k,\quad \text{in the paper } Q^r_{\delta(n,m)}"
    )
    source = "He et al. 2020, §3.1, https://arxiv.org/abs/2006.03654"
    past_training = "saturates"
    used_by = N_("DeBERTa; with log buckets DeBERTaV2 and V3")
    PARAMETERS = (
        Parameter(
            name="p2c",
            default="code",
            choices=POSITION_TO_CONTENT,
            summary=N_("Distance in key·distance: n − m (paper) or m − n (code)."),
        ),
        Parameter(
            name="span",
            default=512,
            minimum=1,
            maximum=8192,
            summary=N_("Distance vectors each way; farther keys share the last."),
        ),
        Parameter(
            name="buckets",
            default="each",
            choices=BUCKETS,
            summary=N_("Logarithmic buckets, as in V2 and V3 (span 256)."),
        ),
        Parameter(
            name="max_distance",
            default=512,
            minimum=4,
            maximum=65_536,
            summary=N_("Where the last bucket begins."),
            only_with=("buckets", ("log",)),
        ),
        SEED,
    )

    p2c: str
    span: int
    buckets: str
    max_distance: int
    seed: int

    def build(self) -> None:
        """Draw fresh weights."""
        if self.buckets == "log" and not 4 <= self.span <= self.max_distance:
            raise ValueError(
                f"span={self.span} must be between 4 and max_distance={self.max_distance} with buckets='log'"
            )
        generator = torch.Generator().manual_seed(self.seed)

        draw = partial(normal_weights, generator=generator)
        self.distance_vectors = draw(2 * self.span, self.d_model, std=1.0)
        self.key_projection = draw(self.n_heads, self.head_dim, self.d_model, std=self.d_model**-0.5)
        self.query_projection = draw(self.n_heads, self.head_dim, self.d_model, std=self.d_model**-0.5)

    def logit_scale(self) -> float:
        """Return 1/sqrt(3·head_dim): three terms are added."""
        return float((3 * self.head_dim) ** -0.5)

    def distance_index(self, seq_len: int, *, device: torch.device | None = None) -> Tensor:
        """Return delta(i, j), which row of the table each pair uses."""
        check_positions(seq_len, 0)
        position = torch.arange(seq_len, device=self.device if device is None else device)
        distance = position[:, None] - position
        if self.buckets == "log":
            distance = log_buckets(distance, self.span, self.max_distance)
        return distance.clamp(-self.span, self.span - 1) + self.span

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True) -> Tensor:
        """Return Qc·Kr + Kc·Qr, before scaling."""
        content_to_position, position_to_content = self._two_terms(q, k)
        return content_to_position + position_to_content

    def terms(self, q: Tensor, k: Tensor) -> dict[str, Tensor]:
        """Return the three terms, whose sum is the logits before the mask."""
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
        keys, queries, index = self._project_distances(seq_len, q.dtype, q.device)
        full = (*q.shape[:-1], seq_len)
        content_to_position = (q @ keys).gather(-1, index.expand(full))
        read_by_key = index.T if self.p2c == "code" else index  # row = key, column = query
        return content_to_position, (k @ queries).gather(-1, read_by_key.expand(full)).transpose(-1, -2)

    @cached_by_length
    def _project_distances(
        self, seq_len: int, dtype: torch.dtype, device: torch.device
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return Kr and Qr, (n_heads, head_dim, 2·reach), and which of their columns each pair uses.

        Only rows that these positions can reach are projected.
        """
        reach = self.span if self.buckets == "log" else min(seq_len, self.span)
        rows = self.distance_vectors[self.span - reach : self.span + reach].to(device, dtype)  # (2·reach, d_model)
        index = self.distance_index(seq_len, device=device) - (self.span - reach)  # row = query, column = key
        return self.key_projection.to(rows) @ rows.T, self.query_projection.to(rows) @ rows.T, index
