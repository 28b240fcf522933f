"""The smallest runs that have all that a run has."""

from dataclasses import replace
from typing import Any

from embedlib.extrapolation import TrainConfig
from embedlib.extrapolation.tasks import SortTask

SMALL = TrainConfig(
    SortTask(n_values=9, shortest=1, longest=4), scheme="t5", n_heads=2, d_model=8, batch_size=4, n_steps=12, seed=3
)


def small(**changes: Any) -> TrainConfig:
    return replace(SMALL, **changes)
