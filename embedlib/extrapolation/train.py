"""A training run: its decoder, optimizer and losses so far, and the loop that does one step at a time."""

import math
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from embedlib.adamw import AdamW
from embedlib.extrapolation.config import TrainConfig
from embedlib.positional import FormulaError
from embedlib.random import stream
from embedlib.transformer.decoder import Decoder

# As for the first Transformer: squares are remembered for 50 steps rather than 1,000, of which a short run has fewer.
BETAS = (0.9, 0.98)
# Gradients longer than this, all weights together, are shortened to it.
MAX_GRADIENT = 1.0
# A decoder that knows nothing loses ln(vocab_size); one that loses this much more than that, and than it did before its
# first step, in so many steps running, has diverged.
WORSE_THAN_CHANCE = 2.0
PATIENCE = 25

DivergedCode = Literal["not_finite", "worse_than_chance"]


@dataclass(eq=False)
class Run:
    """State of a training run: decoder, optimizer and losses; it may be read between steps.

    Attributes:
        decoder: its weights change in place; copy what you keep.
        optimizer: AdamW over all of the decoder's parameters.
        losses: of each step done, in nats per scored position, before that step's update.
    """

    config: TrainConfig
    decoder: Decoder
    optimizer: AdamW
    losses: list[float] = field(default_factory=list)

    @property
    def n_done(self) -> int:
        """Steps done."""
        return len(self.losses)

    @property
    def share(self) -> float:
        """Share of the steps that is done, in [0, 1]."""
        return self.n_done / self.config.n_steps

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.decoder.rows.device


def new_run(config: TrainConfig, *, device: torch.device | None = None) -> Run:
    """Return a run before its first step.

    Weights are drawn on the CPU, so that they are equal on every device; ``pick_device().device`` is the fastest.
    """
    decoder = Decoder(
        config.make_scheme(), vocab_size=config.task.vocab_size, n_layers=config.n_layers, seed=config.seed
    ).to(device)
    rates = {"learning_rate": config.learning_rate, "weight_decay": config.weight_decay}
    return Run(config, decoder, AdamW(decoder.parameters(), **rates, betas=BETAS, fused=True))


@dataclass(frozen=True, eq=False, slots=True)
class TrainStep:
    """One finished step.

    Attributes:
        number: of the step, from 1.
        loss: mean cross-entropy in nats over the scored positions of its batch, before its update.
        length: of its sequences, in the task's own count.
        run: live: the decoder has this step's weights until the next step begins.
    """

    number: int
    loss: float
    learning_rate: float
    length: int
    run: Run

    @property
    def share(self) -> float:
        """Share of the steps that is done, in (0, 1]."""
        return self.number / self.run.config.n_steps


class Diverged(RuntimeError):
    """Training diverged and was stopped; the message says when, and the remedy.

    Attributes:
        code: "not_finite" (the loss, its gradient or a formula's value) or "worse_than_chance" (the last 25 losses were
            all more than 2 nats above that of guessing, and above that of the run's first step).
        step: number of the step that was not done, from 1.
        loss: of that step; may be infinite or NaN.
        learning_rate: the run's greatest.
        run: after the last step: every weight is finite, and it can still be read and saved.
    """

    def __init__(self, code: DivergedCode, run: Run, loss: float) -> None:
        self.code: DivergedCode = code
        self.step, self.loss, self.learning_rate, self.run = run.n_done + 1, loss, run.config.learning_rate, run
        super().__init__(
            f"training diverged at step {self.step}, with a loss of {loss:.3g}: "
            f"learning_rate={self.learning_rate} is too high, lower it"
        )

    def __reduce__(self) -> "tuple[type[Diverged], tuple[DivergedCode, Run, float]]":
        """Pickle the arguments; an exception would otherwise be rebuilt from its message."""
        return Diverged, (self.code, self.run, self.loss)


def train(config: TrainConfig | Run) -> Generator[TrainStep, None, None]:
    """Train a decoder, one step for each ``next()``.

    Nothing runs between steps: pause by not asking for the next one, stop by ``close()`` or by leaving the ``for``. A
    config begins a new run on the CPU; a Run continues, is changed in place and stays on its device.

    Raises:
        Diverged: while it is iterated; the loss is not finite, or stays far above that of guessing.
    """
    return _train_steps(config if isinstance(config, Run) else new_run(config))


def _train_steps(run: Run) -> Generator[TrainStep, None, None]:
    config = run.config
    while run.n_done < config.n_steps:
        step = run.n_done
        length, inputs, targets = batch_at(config, step)
        try:
            logits = run.decoder(inputs.to(run.device), n_scored=targets.shape[1])
        except FormulaError as error:  # as it began, it was defined up to the longest: what it has learned is at fault
            raise Diverged("not_finite", run, math.nan) from error
        loss = functional.cross_entropy(logits.flatten(0, 1), targets.to(run.device).flatten())
        run.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(run.decoder.parameters(), MAX_GRADIENT)
        _check_divergence(run, float(loss.detach()), float(norm))
        rate = run.optimizer.learning_rate = config.learning_rate_at(step)
        run.optimizer.step()
        run.losses.append(float(loss.detach()))
        yield TrainStep(step + 1, run.losses[-1], rate, length, run)


def batch_at(config: TrainConfig, step: int) -> tuple[int, Tensor, Tensor]:
    """Draw the batch of one step, which depends on the seed and the step alone, on no scheme and no earlier step.

    Returns the length, uniform from shortest to longest; inputs (batch_size, seq_len) and targets (batch_size,
    n_scored), int64 on the CPU.
    """
    generator = stream(config.seed, "batch", step)
    length = int(torch.randint(config.task.shortest, config.task.longest + 1, (), generator=generator))
    batch = config.task.batch(length, config.batch_size, generator=generator)
    return length, batch.inputs, batch.targets


def _check_divergence(run: Run, loss: float, norm: float) -> None:
    """Raise Diverged before a step that would spoil the weights, or that follows too many bad ones."""
    if not (math.isfinite(loss) and math.isfinite(norm)):
        raise Diverged("not_finite", run, loss)
    chance = math.log(run.config.task.vocab_size)
    # Fresh weights may be worse than chance, and a low learning rate leaves them there for long: that is no divergence.
    hopeless = max(chance, *run.losses[:1]) + WORSE_THAN_CHANCE if run.losses else math.inf
    latest = [*run.losses[-PATIENCE + 1 :], loss]
    if len(latest) == PATIENCE and min(latest) > hopeless:
        raise Diverged("worse_than_chance", run, loss)
