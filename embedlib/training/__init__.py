"""Training of a small decoder, step by step, under any positional scheme, and its scores at lengths it never saw."""

from embedlib.training.config import TrainConfig
from embedlib.training.extrapolation import Extrapolation, extrapolation, rope_scaling_scores
from embedlib.training.loop import Diverged, TrainStep, batch_at, train
from embedlib.training.run import Run, new_run
from embedlib.training.run_files import RunFileError, load_run, save_run
from embedlib.training.scores import LengthScore, Progress, length_scores, length_state

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
