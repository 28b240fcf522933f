"""T5's relative bias: distances fall into buckets, and each head learns one number for each bucket."""

import math
from typing import ClassVar

import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme
from embedlib.positional.parameters import Parameter
from embedlib.positional.trained import SEED_IF_RANDOM, WEIGHTS, trained_values


def bucket_starts(*, bidirectional: bool = True, num_buckets: int = 32, max_distance: int = 128) -> list[int]:
    """Return the least distance of each bucket of one direction, never decreasing; equal starts mean an empty bucket.

    The first half of the buckets holds one distance each; the others widen geometrically, so that the last would end at
    max_distance, and it keeps everything beyond. `bidirectional` leaves half of the buckets to the other direction, and
    one unused if num_buckets is odd.
    """
    least = 4 if bidirectional else 2
    if num_buckets < least:
        raise ValueError(f"num_buckets={num_buckets} must be at least {least} if bidirectional={bidirectional}")
    buckets = num_buckets // 2 if bidirectional else num_buckets
    exact = buckets // 2
    if max_distance <= exact:
        raise ValueError(
            f"max_distance={max_distance} must be more than {exact}, the distances that have a bucket to themselves: "
            f"raise it, or lower num_buckets={num_buckets}"
        )
    wide = buckets - exact
    starts = list(range(exact))
    for step in range(wide):
        start = exact * (max_distance / exact) ** (step / wide)
        # 8 · 16^(2/8) is 16: the small number keeps such a start from being rounded up to 17.
        starts.append(math.ceil(start * (1 - 1e-12)))
    return starts


def relative_buckets(
    distance: Tensor, *, bidirectional: bool = True, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    """Return the bucket of each distance, query position minus key position: int64 in [0, num_buckets).

    With `bidirectional` keys after the query have the second half of the buckets, otherwise all bucket 0, with the
    query itself. By default buckets start at 0 … 8, 12, 16, 23, 32, 46, 64, 91, and those of later keys are 16 higher;
    causal ones at 0 … 16, 19, 21, 24, … 99, 113.

    Source: Raffel et al. 2019, §2.1, https://arxiv.org/abs/1910.10683, and the released code,
    https://github.com/tensorflow/mesh
    """
    starts = torch.tensor(
        bucket_starts(bidirectional=bidirectional, num_buckets=num_buckets, max_distance=max_distance),
        device=distance.device,
    )
    far = distance.abs() if bidirectional else distance.clamp(min=0)
    bucket = torch.bucketize(far, starts, right=True) - 1
    return bucket + (distance < 0) * (num_buckets // 2) if bidirectional else bucket


class T5Positions(PositionalScheme):
    """Learns one number for each head and bucket of distances, and does not divide q·k by sqrt(head_dim).

    Fresh numbers are normal(0, 1/sqrt(d_model)) as in the released model, drawn on the CPU. With weights="trained",
    which needs 4 heads, 32 buckets and max_distance 128, they are those of a small decoder, trained on windows of 128
    characters; bidirectional ones for later keys are those of one that reads backwards.

    Attributes:
        table: (num_buckets, n_heads) trainable.

    Source: Raffel et al. 2019, §2.1, https://arxiv.org/abs/1910.10683

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("t5", d_model=8, n_heads=2)
    >>> scheme.similarity(3).shape
    torch.Size([3, 3])
    """

    name = "t5"
    title = N_("T5 buckets")
    acts_on = frozenset({"score"})
    summary = N_("A learned number is added to each attention score; far distances share one number (a bucket).")
    formula = r"\mathrm{logit}_{mn} = q_m \cdot k_n + b_{h,\,\mathrm{bucket}(m-n)}"
    source = "Raffel et al. 2019, §2.1, https://arxiv.org/abs/1910.10683"
    past_training = "saturates"
    used_by = N_("T5, mT5, Flan-T5")
    PARAMETERS = (
        Parameter(
            name="bidirectional",
            default=True,
            summary=N_("Half of the buckets are for later keys, as in T5’s encoder."),
        ),
        Parameter(name="num_buckets", default=32, minimum=2, maximum=1_024, summary=N_("Trained numbers per head.")),
        Parameter(
            name="max_distance",
            default=128,
            minimum=2,
            maximum=65_536,
            summary=N_("Where the last bucket begins."),
        ),
        SEED_IF_RANDOM,
        WEIGHTS,
    )
    WEIGHTS: ClassVar = {"trained": {"n_heads": 4, "num_buckets": 32, "max_distance": 128}}

    bidirectional: bool
    num_buckets: int
    max_distance: int
    seed: int
    weights: str

    def build(self) -> None:
        """Draw fresh numbers, or read the trained ones."""
        self.buckets(torch.zeros(1))  # raises here rather than at first use
        if self.weights == "trained":
            self.table = nn.Parameter(trained_values("t5_bidirectional" if self.bidirectional else "t5"))
            return
        generator = torch.Generator().manual_seed(self.seed)
        numbers = torch.empty(self.num_buckets, self.n_heads, dtype=torch.float32)
        self.table = nn.Parameter(numbers.normal_(std=self.d_model**-0.5, generator=generator))

    def buckets(self, distance: Tensor) -> Tensor:
        """Return ``relative_buckets`` for this scheme's parameters; see there."""
        return relative_buckets(
            distance,
            bidirectional=self.bidirectional,
            num_buckets=self.num_buckets,
            max_distance=self.max_distance,
        )

    def logit_scale(self) -> float:
        """Return 1: T5 does not scale q·k, its weights are drawn small enough instead."""
        return 1.0

    def distance_bias(self, distance: Tensor) -> Tensor:
        """Return the number of each distance's bucket; gradients flow back into the table.

        With bidirectional=False all keys after the query have the number of bucket 0.
        """
        return self.table.T[:, self.buckets(distance)].to(distance.dtype)  # (n_heads, n)
