"""Training of a small decoder, step by step, under any positional scheme, and its scores at lengths it never saw."""

from embedlib.extrapolation.checkpoint import RunFileError, load_run, save_run
from embedlib.extrapolation.config import TrainConfig
from embedlib.extrapolation.scores import LengthScore, Progress, length_scores, length_state
from embedlib.extrapolation.sweep import Extrapolation, extrapolation, rope_scaling_scores
from embedlib.extrapolation.train import Diverged, Run, TrainStep, batch_at, new_run, train

__all__ = [
    "Diverged",
    "Extrapolation",
    "LengthScore",
    "Progress",
    "Run",
    "RunFileError",
    "TrainConfig",
    "TrainStep",
    "batch_at",
    "extrapolation",
    "length_scores",
    "length_state",
    "load_run",
    "new_run",
    "rope_scaling_scores",
    "save_run",
    "train",
]
