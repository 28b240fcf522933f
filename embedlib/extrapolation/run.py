"""A run between two steps: the decoder as it is by now, its optimizer, and the losses so far."""

from dataclasses import dataclass, field

import torch

from embedlib.extrapolation.config import TrainConfig
from embedlib.transformer.decoder import Decoder

# As for the first Transformer: squares are remembered for 50 steps rather than 1,000, of which a short run has fewer.
BETAS = (0.9, 0.98)


@dataclass(eq=False)
class Run:
    """What a step of training changes; it may be read, scored and saved whenever no step is being done.

    Attributes:
        config: what decides it.
        decoder: its weights change in place; copy what you keep.
        optimizer: AdamW over all of the decoder's parameters.
        losses: of each step done, in nats per scored position, before that step's change.
    """

    config: TrainConfig
    decoder: Decoder
    optimizer: torch.optim.Optimizer
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
        """Where the weights are."""
        return self.decoder.rows.device


def new_run(config: TrainConfig, *, device: torch.device | None = None) -> Run:
    """Return a run before its first step.

    Args:
        config: what decides it.
        device: where it is trained; None means CPU. ``pick_device().device`` is the fastest there is. The weights are
            drawn on the CPU, so they begin alike everywhere.

    Returns:
        A Run of 0 steps. The first one in a process takes a few seconds, as torch.optim then imports torch's compiler.
    """
    decoder = Decoder(
        config.make_scheme(), vocab_size=config.task.vocab_size, n_layers=config.n_layers, seed=config.seed
    ).to(device)
    optimizer = torch.optim.AdamW(
        decoder.parameters(), lr=config.learning_rate, betas=BETAS, weight_decay=config.weight_decay, fused=True
    )
    return Run(config, decoder, optimizer)
