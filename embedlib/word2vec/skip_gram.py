"""Rows learned word by word: skip-gram with negative sampling, a step at a time, paused and gone on with at will."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.word2vec.corpus import WordCorpus
from embedlib.word2vec.skip_gram_config import SkipGramConfig
from embedlib.word2vec.skip_gram_training import SkipGramState, SkipGramTraining

__all__ = ["SkipGramConfig", "SkipGramState", "SkipGramStep", "resume_skip_gram", "skip_gram"]


@dataclass(frozen=True, eq=False)
class SkipGramStep:
    """What is known after a step, until the next one is asked for.

    Attributes:
        step: how many steps are done, in [0, steps].
        loss: mean over the pairs of this step, in nats, measured before their rows moved; at step 0 that of rows which
            know nothing, (1 + negatives) ln 2.
        learning_rate: with which this step was taken.
        share: step / steps, in [0, 1].
        diverged: the loss is no finite number, or ten losses running were above twice that of rows which know nothing:
            the learning rate is too high. This step is the last, and the rows are those from before things went wrong.
    """

    step: int
    loss: float
    learning_rate: float
    share: float
    diverged: bool
    _training: SkipGramTraining

    @property
    def rows(self) -> Tensor:
        """The rows as they are now, (vocab_size, d_model) float32 on their device; clone what you keep."""
        rows: Tensor = self._training.rows.detach()
        return rows

    @property
    def rows_of(self) -> int:
        """The step whose rows these are: `step`, or, once training went astray, the last that was sound."""
        return self._training.rows_of if self.diverged else self.step

    def state(self) -> SkipGramState:
        """Return a copy of all that is needed to go on from here; before the next step is asked for."""
        return self._training.state(self.step)


def skip_gram(
    corpus: WordCorpus, config: SkipGramConfig | None = None, *, device: torch.device | None = None
) -> Iterator[SkipGramStep]:
    """Train a row for each word, so that it tells a word's neighbours from words drawn by chance.

    The loss of a word c and its neighbour o: -log σ(u_c · v_o) - negatives · mean log σ(-u_c · v_n) over words n of
    noise; u are the rows, v rows of their own for words as neighbours. The same arguments give the same rows to the bit
    on one machine with one number of threads.

    Args:
        corpus: what is read.
        config: None takes SkipGramConfig().
        device: where rows are trained; None means CPU. Draws are the same on all.

    Yields:
        The start as step 0, then each step as it is done. To pause, ask for no more; to stop, close the generator.

    Source: Mikolov et al. 2013, Distributed Representations of Words and Phrases, §2.2,
        https://arxiv.org/abs/1310.4546; AdamW and the cosine instead of its descent.
    """
    config = config or SkipGramConfig()
    training = SkipGramTraining(corpus, config, device)
    yield SkipGramStep(0, config.knows_nothing, config.learning_rate, 0.0, False, training)
    yield from _steps(training, config, 0)


def resume_skip_gram(
    corpus: WordCorpus, state: SkipGramState, *, device: torch.device | None = None
) -> Iterator[SkipGramStep]:
    """Go on with a training as if it had never been left: the same rows to the bit.

    Args:
        corpus: the one it was begun with.
        state: where it was left.
        device: as for skip_gram.

    Yields:
        The steps that are left, from state.step + 1.

    Raises:
        ValueError: at the first step: the state went astray, or has another number of rows than the corpus.
    """
    if state.diverged:
        raise ValueError("state went astray and cannot be trained on: begin again with a lower learning rate")
    n_rows = len(state.tensors["rows"])
    if n_rows != len(corpus.words):
        raise ValueError(f"state has {n_rows} rows and corpus {len(corpus.words)} words: give the corpus it began with")
    training = SkipGramTraining(corpus, state.config, device)
    training.restore(state)
    yield from _steps(training, state.config, state.step)


def _steps(training: SkipGramTraining, config: SkipGramConfig, done: int) -> Iterator[SkipGramStep]:
    for step in range(done + 1, config.steps + 1):
        rate = config.learning_rate * (1 + math.cos(math.pi * (step - 1) / config.steps)) / 2
        loss = training.move(rate)
        yield SkipGramStep(step, loss, rate, step / config.steps, training.diverged, training)
        if training.diverged:
            return
