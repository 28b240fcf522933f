"""Skip-gram with negative sampling: word vectors trained one step at a time, to be paused and resumed at will."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.adamw import AdamW
from embedlib.embedding import embedding_table
from embedlib.word2vec.corpus import WordCorpus
from embedlib.word2vec.sampling import PairDrawer


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipGramConfig:
    """Settings of a skip-gram training.

    Attributes:
        window: number of neighbouring words on each side, at least 1.
        negatives: negative samples per pair, at least 1.
        batch_size: pairs in one step, at least 1.
        learning_rate: of the first step, above 0; it falls to 0 along half a cosine.
        weight_decay: of AdamW, at least 0.
        subsample: frequency above which words are skipped at times, in (0, 1]; 1 skips none.
        seed: of the first rows and of all draws; in [0, 2**63).
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
    def chance_loss(self) -> float:
        """Loss of rows whose every product is 0, in nats: (1 + negatives) ln 2."""
        return (1 + self.negatives) * math.log(2)


# Words of noise that all pairs of a step share: a product of matrices instead of rows fetched pair by pair, twice
# as fast for the same loss on average (Ji et al. 2016, §3, https://arxiv.org/abs/1604.04661).
_NOISE_WORDS = 128
# Training has diverged once this many losses running are above so many times that of rows which know nothing: a
# single one may be by chance, where batches are small.
_TOO_HIGH = 2.0
_PATIENCE = 10
_MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass(frozen=True, eq=False)
class SkipGramState:
    """State from which a training can be resumed exactly.

    Attributes:
        step: number of steps done.
        tensors: on the CPU: "rows" and "context_rows", (vocab_size, d_model) float32; AdamW's two moments of each, the
            same shape; "generator", the state of the draws, uint8.
        diverged: True for rows from before a divergence; those cannot be trained on, and the moments, which led there,
            are zeros.
    """

    config: SkipGramConfig
    step: int
    tensors: dict[str, Tensor]
    diverged: bool = False


class SkipGramTraining:
    """The rows, their optimizer and the random generator of a training."""

    def __init__(self, corpus: WordCorpus, config: SkipGramConfig, device: torch.device | None) -> None:
        self._config = config
        self._generator = torch.Generator().manual_seed(config.seed)
        self._drawer = PairDrawer(corpus, window=config.window, subsample=config.subsample)
        start = embedding_table(len(corpus.words), config.d_model, seed=self._generator) / config.d_model**0.5
        self.rows = start.to(device).requires_grad_()
        self._context_rows = torch.zeros_like(self.rows).requires_grad_()
        self._parameters = {"rows": self.rows, "context_rows": self._context_rows}
        self._optimizer = AdamW(
            self._parameters.values(), learning_rate=config.learning_rate, weight_decay=config.weight_decay
        )
        self._last_good = {name: parameter.detach().clone() for name, parameter in self._parameters.items()}
        self._done = self._last_good_step = 0  # steps, and the one of the last good rows
        self._n_high = 0  # losses running that were too high
        self.diverged = False

    def train_step(self, rate: float) -> float:
        """Do a step and return its loss; once training has diverged, restore the last good rows."""
        loss = self._loss()
        value = float(loss.detach())
        self._n_high = 0 if value <= _TOO_HIGH * self._config.chance_loss else self._n_high + 1
        self.diverged = not math.isfinite(value) or self._n_high == _PATIENCE
        with torch.no_grad():
            for name, parameter in self._parameters.items():
                if self.diverged:
                    parameter.copy_(self._last_good[name])
                elif not self._n_high:
                    self._last_good[name].copy_(parameter)
        if not self._n_high and not self.diverged:
            self._last_good_step = self._done
        self._done += 1
        if not self.diverged:
            self._optimizer.learning_rate = rate
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
        return value

    @property
    def rows_step(self) -> int:
        """The step of these rows: the last, unless training diverged."""
        return self._last_good_step if self.diverged else self._done

    def _loss(self) -> Tensor:
        """Return the mean loss of a batch of pairs, ()."""
        centres, neighbours = self._drawer.pairs(self._config.batch_size, self._generator)
        noise = self._drawer.noise(_NOISE_WORDS, self._generator)
        device = self.rows.device
        row = functional.embedding(centres.to(device), self.rows)  # (batch_size, d_model)
        near = functional.embedding(neighbours.to(device), self._context_rows)  # (batch_size, d_model)
        far = functional.embedding(noise.to(device), self._context_rows)  # (_NOISE_WORDS, d_model)
        to_neighbours = functional.softplus(-(row * near).sum(dim=1)).mean()
        from_noise = functional.softplus(row @ far.T).mean()
        return to_neighbours + self._config.negatives * from_noise

    def state(self, step: int) -> SkipGramState:
        """Copy the state after a step."""
        tensors = {"generator": self._generator.get_state()}
        for name, parameter in self._parameters.items():
            tensors[name] = parameter.detach().to("cpu", copy=True)
            moments = {} if self.diverged else self._optimizer.state.get(parameter, {})
            for moment in _MOMENTS:
                kept = moments.get(moment, torch.zeros_like(parameter))
                tensors[f"{name}.{moment}"] = kept.detach().to("cpu", copy=True)
        return SkipGramState(self._config, step, tensors, self.diverged)

    def restore(self, state: SkipGramState) -> None:
        """Restore a state."""
        self._generator.set_state(state.tensors["generator"])
        self._done = self._last_good_step = state.step
        with torch.no_grad():
            for name, parameter in self._parameters.items():
                parameter.copy_(state.tensors[name])
                self._last_good[name].copy_(parameter)
                moments = {moment: state.tensors[f"{name}.{moment}"] for moment in _MOMENTS}
                self._optimizer.restore(parameter, state.step, **moments)


@dataclass(frozen=True, eq=False)
class SkipGramStep:
    """State after a training step; live until the next step begins.

    Attributes:
        step: number of steps done, in [0, steps].
        loss: mean over the pairs of this step, in nats, before its update; at step 0 that of guessing, (1 + negatives)
            ln 2.
        learning_rate: of this step.
        share: step / steps, in [0, 1].
        diverged: the loss is not finite, or ten consecutive losses were above twice that of guessing: the learning rate
            is too high. This step is the last, and the rows are those from before.
    """

    step: int
    loss: float
    learning_rate: float
    share: float
    diverged: bool
    _training: SkipGramTraining

    @property
    def rows(self) -> Tensor:
        """The current rows, (vocab_size, d_model) float32 on their device; clone them to keep them."""
        rows: Tensor = self._training.rows.detach()
        return rows

    @property
    def rows_step(self) -> int:
        """The step of these rows: `step`, or, once training diverged, the last good one."""
        return self._training.rows_step if self.diverged else self.step

    def state(self) -> SkipGramState:
        """Return a copy of the state, to resume from; call it before the next step begins."""
        return self._training.state(self.step)


def skip_gram(
    corpus: WordCorpus, config: SkipGramConfig | None = None, *, device: torch.device | None = None
) -> Iterator[SkipGramStep]:
    """Train a row for each word, so that its product separates the word's neighbours from random words.

    The loss of a word c and its neighbour o: -log σ(u_c · v_o) - negatives · mean log σ(-u_c · v_n) over words n of
    noise; u are the rows, v separate rows of words as neighbours. The same arguments give the same rows to the bit on
    one machine with one number of threads; draws are the same on all devices.

    Yields the start as step 0, then each step. To pause, do not ask for the next; to stop, close the generator.

    Source: Mikolov et al. 2013, Distributed Representations of Words and Phrases, §2.2,
    https://arxiv.org/abs/1310.4546; AdamW and the cosine instead of its descent.
    """
    config = config or SkipGramConfig()
    training = SkipGramTraining(corpus, config, device)
    yield SkipGramStep(0, config.chance_loss, config.learning_rate, 0.0, False, training)
    yield from _train_steps(training, config, 0)


def resume_skip_gram(
    corpus: WordCorpus, state: SkipGramState, *, device: torch.device | None = None
) -> Iterator[SkipGramStep]:
    """Yield the remaining steps of a training, equal to an uninterrupted one to the bit."""
    if state.diverged:
        raise ValueError("state has diverged and cannot be trained on: begin again with a lower learning rate")
    n_rows = len(state.tensors["rows"])
    if n_rows != len(corpus.words):
        raise ValueError(f"state has {n_rows} rows and corpus {len(corpus.words)} words: give the corpus it began with")
    training = SkipGramTraining(corpus, state.config, device)
    training.restore(state)
    yield from _train_steps(training, state.config, state.step)


def _train_steps(training: SkipGramTraining, config: SkipGramConfig, done: int) -> Iterator[SkipGramStep]:
    for step in range(done + 1, config.steps + 1):
        rate = config.learning_rate * (1 + math.cos(math.pi * (step - 1) / config.steps)) / 2
        loss = training.train_step(rate)
        yield SkipGramStep(step, loss, rate, step / config.steps, training.diverged, training)
        if training.diverged:
            return
