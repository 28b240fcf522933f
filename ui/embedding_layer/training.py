"""The training steps that the embedding layer's page takes on the rows of E."""

from dataclasses import dataclass, replace
from functools import lru_cache

import torch

from embedlib.embedding.gradients import MAX_NUMBERS, RowStep, StepRefused, step_texts, train_rows
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.settings import state


@dataclass(frozen=True)
class Training:
    """How the rows are trained, in plain hashable values."""

    optimizer: str
    rate: float
    tied: bool
    steps: int


def training() -> Training:
    """Return what the controls ask for."""
    return Training(*(state.get(f"layer_{name}") for name in ("optimizer", "rate", "tied", "steps")))


def trained_width(request: Request) -> int:
    """Return how many dimensions are trained: all, or as many as a step takes without a wait."""
    return max(1, min(request.d_model, MAX_NUMBERS // request.vocab_size))


@lru_cache(maxsize=16)
def steps_of(request: Request, wanted: Training) -> list[RowStep]:
    """Train the first dimensions of E on the tokens that are looked up; StepRefused where that cannot be."""
    table = cache.table_of(request)[:, : trained_width(request)].cpu()
    steps = train_rows(
        table,
        step_texts(torch.tensor(request.token_ids), wanted.steps),
        optimizer=wanted.optimizer,
        learning_rate=wanted.rate,
        tied=wanted.tied,
    )
    return [replace(step, table=step.table[:0].clone()) for step in steps]  # whole tables would fill the memory


def can_train(request: Request) -> bool:
    """Tell whether the steps that the controls ask for can be taken."""
    try:
        steps_of(request, training())
    except StepRefused:
        return False
    return True
