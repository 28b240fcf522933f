"""How rows of words are trained, with every value checked."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipGramConfig:
    """How rows are trained.

    Attributes:
        d_model: row width, at least 1.
        window: how many words to each side are neighbours, at least 1.
        negatives: by how many words of noise each pair is weighed, at least 1.
        batch_size: pairs in one step, at least 1.
        learning_rate: of the first step, above 0; it falls to 0 along half a cosine.
        weight_decay: of AdamW, at least 0.
        steps: at least 1.
        subsample: share of the text above which words are passed over at times, in (0, 1]; 1 passes over none.
        seed: of the first rows and of all draws; in [0, 2**63).

    Raises:
        ValueError: one of them out of its range.
    """

    d_model: int = 64
    window: int = 5
    negatives: int = 5
    batch_size: int = 2_048
    learning_rate: float = 0.02
    weight_decay: float = 0.0
    steps: int = 1_000
    subsample: float = 3e-3
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("d_model", "window", "negatives", "batch_size", "steps"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} must be at least 1")
        if not 0 < self.learning_rate < math.inf:
            raise ValueError(f"learning_rate={self.learning_rate} must be above 0 and finite")
        if not 0 <= self.weight_decay < math.inf:
            raise ValueError(f"weight_decay={self.weight_decay} must be at least 0 and finite")
        if not 0 < self.subsample <= 1:
            raise ValueError(f"subsample={self.subsample} must be above 0 and at most 1")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed={self.seed} must be between 0 and 2**63 - 1")

    @property
    def knows_nothing(self) -> float:
        """Loss of rows whose every product is 0, in nats: (1 + negatives) ln 2."""
        return (1 + self.negatives) * math.log(2)
