"""Settings that determine a run: the task, the decoder and its scheme, and the training."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from embedlib.extrapolation.tasks import SortTask, Task, check_whole
from embedlib.positional import SCHEMES, FormulaPositions, PositionalScheme, make_scheme
from embedlib.positional.parameters import ParameterValue

# Unless a run says otherwise. A decoder sees no later key, so T5's buckets are those of its decoder. Rows of learned
# positions begin at 0.5: at 1 they drown the tokens, and a short training never digs those out; and the smaller they
# begin, the more a row that was never trained is like no position at all. Trained to sort ten values from 0.02, as in
# GPT-2, more than half of all sequences of twenty come out right, as none does from 0.5.
DECODER_PARAMETERS: dict[str, dict[str, ParameterValue]] = {"t5": {"bidirectional": False}, "learned": {"std": 0.5}}

_SIZES = {
    "n_layers": (1, 48),
    "n_heads": (1, 64),
    "d_model": (2, 2_048),
    "max_seq_len": (1, 65_536),
    "batch_size": (1, 65_536),
    "n_steps": (1, 10_000_000),
    "seed": (0, 2**63 - 1),
}


@dataclass(frozen=True)
class TrainConfig:
    """One run: equal configs give the same losses and weights, to the bit on one machine with as many threads.

    Attributes:
        scheme: key of SCHEMES, or "formula" for one defined by `parameters`, in which L is max_seq_len.
        parameters: of the scheme; missing ones take their defaults, but for ``seed``, which takes this run's, and for
            DECODER_PARAMETERS: T5's ``bidirectional`` is False, the ``std`` of learned rows 0.5.
        n_layers: in [1, 48].
        n_heads: in [1, 64]; divides d_model.
        d_model: in [2, 2048].
        max_seq_len: rows of a scheme with a table, in [1, 65536]; untrained rows keep their initial values.
        batch_size: sequences in a step, in [1, 65536]; all of one length.
        learning_rate: the greatest, above 0 and at most 100.
        warm_up: share of the steps in which it rises to that, in [0, 1).
        weight_decay: of AdamW, in [0, 1].
        n_steps: in [1, 10^7].
        seed: of the weights, of the scheme's and of the batches, in [0, 2^63).

    Raises:
        ValueError: a value out of range, an unknown scheme or parameter, or a scheme without these sizes or without a
            position for the longest sequence in training.
        FormulaError: a formula that cannot be read, or is infinite or undefined within such a sequence.
    """

    task: Task = field(default_factory=SortTask)
    scheme: str = "rope"
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    n_layers: int = 2
    n_heads: int = 4
    d_model: int = 64
    max_seq_len: int = 1_024
    batch_size: int = 64
    learning_rate: float = 5e-3
    warm_up: float = 0.05
    weight_decay: float = 0.01
    n_steps: int = 800
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (least, most) in _SIZES.items():
            check_whole(name, getattr(self, name), least, most)
        if not 0 < self.learning_rate <= 100:
            raise ValueError(f"learning_rate={self.learning_rate} must be above 0 and at most 100: 0.005 is usual here")
        if not 0 <= self.warm_up < 1:
            raise ValueError(f"warm_up={self.warm_up} must be at least 0 and below 1: it is a share of the steps")
        if not 0 <= self.weight_decay <= 1:
            raise ValueError(f"weight_decay={self.weight_decay} must be at least 0 and at most 1")
        scheme = self.make_scheme()
        longest = self.task.seq_len(self.task.longest)
        if not scheme.any_length and longest > self.max_seq_len:
            raise ValueError(
                f"max_seq_len={self.max_seq_len} must be at least {longest} for scheme={self.scheme!r}: the longest "
                "sequence in training has as many positions"
            )
        if isinstance(scheme, FormulaPositions):
            scheme.check(longest)

    def make_scheme(self, **parameters: Any) -> PositionalScheme:
        """Return a fresh scheme of the run on the CPU; `parameters` override the run's own."""
        values: dict[str, Any] = {**DECODER_PARAMETERS.get(self.scheme, {}), **self.parameters, **parameters}
        known = {parameter.name for parameter in SCHEMES[self.scheme].PARAMETERS} if self.scheme in SCHEMES else set()
        if "seed" in known:
            values.setdefault("seed", self.seed)
        return make_scheme(
            self.scheme, d_model=self.d_model, n_heads=self.n_heads, max_seq_len=self.max_seq_len, **values
        )

    def learning_rate_at(self, step: int) -> float:
        """Return the learning rate after `step` steps: a linear warm-up, then half a cosine down towards 0.

        Source: Loshchilov & Hutter 2017 (cosine), https://arxiv.org/abs/1608.03983
        """
        rise = round(self.warm_up * self.n_steps)
        if step < rise:
            return self.learning_rate * (step + 1) / (rise + 1)
        return self.learning_rate * (1 + math.cos(math.pi * (step - rise) / (self.n_steps - rise))) / 2
