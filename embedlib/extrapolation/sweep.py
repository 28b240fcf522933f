"""Train short, test long: one scheme over several seeds, scored at every length."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from embedlib.extrapolation.config import TrainConfig
from embedlib.extrapolation.scores import LengthScore, length_scores
from embedlib.extrapolation.tasks import check_whole
from embedlib.extrapolation.train import Run, new_run, train
from embedlib.positional.rope_scaling import SCALINGS
from embedlib.progress import Progress, ignore_progress

Measure = Literal["loss", "perplexity", "accuracy", "exact"]

# What scoring takes of a run's progress, which is otherwise counted in steps.
SCORING = 0.1
# Held-out sequences are the same for all schemes and all seeds of training.
HELD_OUT_SEED = 0


def score_values(scores: Mapping[int, Sequence[LengthScore]], measure: Measure, n_lengths: int) -> Tensor:
    """Return the numbers of a line, (n_seeds, n_lengths) float64; NaN where there is no position.

    `scores` has one score for each length by seed; it may be empty.
    """
    rows = [[getattr(score, measure) for score in row] for row in scores.values()]
    values = [[float("nan") if value is None else float(value) for value in row] for row in rows]
    return torch.tensor(values, dtype=torch.float64).reshape(len(rows), n_lengths)


@dataclass(frozen=True)
class Extrapolation:
    """One scheme, trained on short sequences with several seeds and scored on longer ones.

    Attributes:
        config: of every run, but for its seed.
        lengths: in the task's own count.
        scores: for each seed, one score for each length.
    """

    config: TrainConfig
    lengths: tuple[int, ...]
    seeds: tuple[int, ...]
    scores: tuple[tuple[LengthScore, ...], ...]

    def values(self, measure: Measure) -> Tensor:
        """Return one measure of every score, (n_seeds, n_lengths) float64; NaN where a length is undefined."""
        return score_values(dict(enumerate(self.scores)), measure, len(self.lengths))


def extrapolation(
    config: TrainConfig,
    *,
    lengths: Iterable[int],
    seeds: Sequence[int] = (0, 1, 2),
    n_sequences: int = 256,
    progress: Progress = ignore_progress,
    device: torch.device | None = None,
) -> Extrapolation:
    """Train a scheme once for each seed, and score every run at every length.

    Every scheme trains on the same batches and is scored on the same sequences; the seed of `config` is not used.
    `progress` is called after every step and every pass of scoring, and may raise to stop.

    Raises:
        ValueError: no seed, no sequence, or a length that the task does not have, before anything is trained.
        Diverged: a run diverges.
    """
    wanted, runs = tuple(lengths), tuple(seeds)
    if not runs:
        raise ValueError("seeds is empty: give at least one, such as (0, 1, 2)")
    check_whole("n_sequences", n_sequences, 1, None)  # here rather than after the training
    for length in wanted:
        config.task.held_out(length, 1, seed=HELD_OUT_SEED)  # likewise
    scores = []
    for number, seed in enumerate(runs):

        def report(share: float, number: int = number) -> None:
            progress((number + share) / len(runs))

        run = new_run(replace(config, seed=seed), device=device)
        for step in train(run):
            report(step.share * (1 - SCORING))
        scores.append(
            length_scores(
                run.decoder,
                config.task,
                wanted,
                seed=HELD_OUT_SEED,
                n_sequences=n_sequences,
                progress=lambda share, report=report: report(1 - SCORING + share * SCORING),  # type: ignore[misc]
            )
        )
    return Extrapolation(config, wanted, runs, tuple(scores))


def rope_scaling_scores(
    run: Run,
    lengths: Iterable[int],
    *,
    scalings: Sequence[str] = SCALINGS,
    factor: float | None = None,
    n_sequences: int = 256,
    progress: Progress = ignore_progress,
) -> dict[str, tuple[LengthScore, ...]]:
    """Score one trained rope decoder at each length under each scaling, without further training.

    `factor` is that of all scalings, in [1, 1000]; None takes each length's own, its positions over those of the
    longest sequence in training, and 1 up to there. `progress` is called after every pass, and may raise to stop.
    """
    config, wanted = run.config, tuple(lengths)
    if config.scheme != "rope" or run.decoder.scheme.parameter_values["scaling"] != "none":
        raise ValueError(
            f"scheme={config.scheme!r} with parameters={dict(config.parameters)} cannot be scaled at test time: "
            "train scheme='rope' with scaling='none'"
        )
    trained = config.task.seq_len(config.task.longest)
    factors = [max(1.0, config.task.seq_len(length) / trained) if factor is None else factor for length in wanted]
    schemes = {  # all of them before the first is scored, so that errors come at once
        scaling: [
            config.make_scheme(scaling=scaling, factor=own, original_max_seq_len=trained).to(run.device)
            for own in factors
        ]
        for scaling in scalings
    }
    scores: dict[str, tuple[LengthScore, ...]] = {}
    n_parts, n_done = max(1, len(scalings) * len(wanted)), 0
    for scaling, of_lengths in schemes.items():
        row: list[LengthScore] = []
        for length, scheme in zip(wanted, of_lengths, strict=True):
            row += length_scores(
                run.decoder.with_scheme(scheme),
                config.task,
                [length],
                seed=HELD_OUT_SEED,
                n_sequences=n_sequences,
                progress=lambda share, n_done=n_done: progress((n_done + share) / n_parts),  # type: ignore[misc]
            )
            n_done += 1
        scores[scaling] = tuple(row)
    return scores
