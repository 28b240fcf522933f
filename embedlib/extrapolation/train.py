"""A run of training: its decoder, optimizer and losses so far, and the loop that takes one step at a time."""

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
MOST_GRADIENT = 1.0
# A decoder that knows nothing loses ln(vocab_size); one that loses this much more than that, and than it did before its
# first step, in so many steps running, has diverged.
WORSE_THAN_CHANCE = 2.0
PATIENCE = 25

DivergedCode = Literal["not_finite", "worse_than_chance"]


@dataclass(eq=False)
class Run:
    """State of a training run: decoder, optimizer and losses; it may be read whenever no step is being done.

    Attributes:
        config: what decides it.
        decoder: its weights change in place; copy what you keep.
        optimizer: AdamW over all of the decoder's parameters.
        losses: of each step done, in nats per scored position, before that step's change.
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

    Args:
        device: where it is trained; None means CPU. ``pick_device().device`` is the fastest there is. The weights are
            drawn on the CPU, so they begin alike everywhere.

    Returns:
        A Run of 0 steps.
    """
    decoder = Decoder(
        config.make_scheme(), vocab_size=config.task.vocab_size, n_layers=config.n_layers, seed=config.seed
    ).to(device)
    rates = {"learning_rate": config.learning_rate, "weight_decay": config.weight_decay}
    return Run(config, decoder, AdamW(decoder.parameters(), **rates, betas=BETAS, fused=True))


@dataclass(frozen=True, eq=False, slots=True)
class TrainStep:
    """One step that has been done.

    Attributes:
        number: of the step, from 1.
        loss: mean cross-entropy in nats over the scored positions of its batch, before its change.
        learning_rate: of this step.
        length: of its sequences, in the task's own count.
        run: live: its decoder is what this step left behind, until the next step is asked for.
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
    """Training has left every good solution behind and was stopped; the message says when, and the remedy.

    Attributes:
        code: "not_finite" (the loss, its gradient or what a formula computes is no number) or "worse_than_chance" (the
            last 25 losses were all more than 2 nats above that of guessing, and above that of the run's first step).
        step: number of the step that was not done, from 1.
        loss: of that step; may be infinite or no number.
        learning_rate: the run's greatest.
        run: as the last step left it: every weight is a finite number, and it can still be read and saved.
    """

    def __init__(self, code: DivergedCode, run: Run, loss: float) -> None:
        self.code: DivergedCode = code
        self.step, self.loss, self.learning_rate, self.run = run.n_done + 1, loss, run.config.learning_rate, run
        super().__init__(
            f"training diverged at step {self.step}, with a loss of {loss:.3g}: "
            f"learning_rate={self.learning_rate} is too high, lower it"
        )

    def __reduce__(self) -> "tuple[type[Diverged], tuple[DivergedCode, Run, float]]":
        """Survive the way between processes, which rebuilds an exception from its message otherwise."""
        return Diverged, (self.code, self.run, self.loss)


def train(config: TrainConfig | Run, *, device: torch.device | None = None) -> Generator[TrainStep, None, None]:
    """Train a decoder, one step each time that the next one is asked for.

    The caller pauses by not asking and stops by ``close()``, or by leaving the ``for``; nothing runs in between, and no
    step is begun without being asked for.

    Args:
        config: what to train; or a Run, whose remaining steps are done, and which is changed in place.
        device: of a new run; None means CPU. A Run stays where it is.

    Returns:
        A generator of TrainStep, as many as there are steps left.

    Raises:
        Diverged: while it is iterated; the loss is no number, or stays far above that of guessing.
    """
    return _steps(config if isinstance(config, Run) else new_run(config, device=device))


def _steps(run: Run) -> Generator[TrainStep, None, None]:
    config = run.config
    while run.n_done < config.n_steps:
        step = run.n_done
        length, inputs, targets = batch_at(config, step)
        try:
            logits = run.decoder(inputs.to(run.device), n_scored=targets.shape[1])
        except FormulaError as error:  # as it began, it was defined up to the longest: what it has learned is at fault
            raise Diverged("not_finite", run, math.nan) from error
        loss = scored_loss(logits, targets.to(run.device))
        run.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(run.decoder.parameters(), MOST_GRADIENT)
        _check_divergence(run, float(loss.detach()), float(norm))
        rate = run.optimizer.learning_rate = config.learning_rate_at(step)
        run.optimizer.step()
        run.losses.append(float(loss.detach()))
        yield TrainStep(step + 1, run.losses[-1], rate, length, run)


def batch_at(config: TrainConfig, step: int) -> tuple[int, Tensor, Tensor]:
    """Draw the batch of one step, which the seed and the step decide: no scheme and no earlier step has a part in it.

    Args:
        config: says the task, the batch size and the seed.
        step: steps done before it, at least 0.

    Returns:
        The length, each from shortest to longest as likely as any other; inputs (batch_size, seq_len) and targets
        (batch_size, n_scored), int64 on the CPU.
    """
    generator = stream(config.seed, "batch", step)
    length = int(torch.randint(config.task.shortest, config.task.longest + 1, (), generator=generator))
    batch = config.task.batch(length, config.batch_size, generator=generator)
    return length, batch.inputs, batch.targets


def scored_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean cross-entropy in nats.

    Returns: (), with gradients.
    """
    return functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


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
