"""Rows in training: their loss, their optimiser, their draws, and all of it as a state to go on from."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.embedding.table import embedding_table
from embedlib.word2vec.corpus import WordCorpus
from embedlib.word2vec.sampling import PairDrawer
from embedlib.word2vec.skip_gram_config import SkipGramConfig

# Words of noise that all pairs of a step share: a product of matrices instead of rows fetched pair by pair, twice
# as fast for the same loss on average (Ji et al. 2016, §3, https://arxiv.org/abs/1604.04661).
_NOISE_WORDS = 128
# Training has gone astray once this many losses running are above so many times that of rows which know nothing: a
# single one may be by chance, where batches are small.
_ASTRAY = 2.0
_PATIENCE = 10
_MOMENTS = ("exp_avg", "exp_avg_sq")


@dataclass(frozen=True, eq=False)
class SkipGramState:
    """All that is needed to go on with a training where it was.

    Attributes:
        config: how it is trained.
        step: how many steps are done.
        tensors: on the CPU: "rows" and "context_rows", (vocab_size, d_model) float32; AdamW's two moments of each,
            the same shape; "generator", the state of the draws, uint8.
        diverged: True for rows that were kept when training went astray; those cannot be trained on, and the moments,
            which led astray, are zeros.
    """

    config: SkipGramConfig
    step: int
    tensors: dict[str, Tensor]
    diverged: bool = False


class SkipGramTraining:
    """The rows, their optimiser and the draws."""

    def __init__(self, corpus: WordCorpus, config: SkipGramConfig, device: torch.device | None) -> None:
        self._config = config
        self._generator = torch.Generator().manual_seed(config.seed)
        self._drawer = PairDrawer(corpus, window=config.window, subsample=config.subsample)
        start = embedding_table(len(corpus.words), config.d_model, seed=self._generator) / config.d_model**0.5
        self.rows = start.to(device).requires_grad_()
        self._context_rows = torch.zeros_like(self.rows).requires_grad_()
        self._parameters = {"rows": self.rows, "context_rows": self._context_rows}
        self._optimizer = torch.optim.AdamW(
            self._parameters.values(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self._sound = {name: parameter.detach().clone() for name, parameter in self._parameters.items()}
        self._done = self._sound_at = 0  # steps, and the one whose rows the sound ones are
        self._astray = 0  # losses running that were too high
        self.diverged = False

    def move(self, rate: float) -> float:
        """Take a step and return its loss; once training has gone astray, go back to the last rows that were sound."""
        loss = self._loss()
        value = float(loss.detach())
        self._astray = 0 if value <= _ASTRAY * self._config.knows_nothing else self._astray + 1
        self.diverged = not math.isfinite(value) or self._astray == _PATIENCE
        with torch.no_grad():
            for name, parameter in self._parameters.items():
                if self.diverged:
                    parameter.copy_(self._sound[name])
                elif not self._astray:
                    self._sound[name].copy_(parameter)
        if not self._astray and not self.diverged:
            self._sound_at = self._done
        self._done += 1
        if not self.diverged:
            self._optimizer.param_groups[0]["lr"] = rate
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
        return value

    @property
    def rows_of(self) -> int:
        """The step whose rows these are: the last, unless training went astray."""
        return self._sound_at if self.diverged else self._done

    def _loss(self) -> Tensor:
        """Mean loss of a batch of pairs, ()."""
        centres, neighbours = self._drawer.pairs(self._config.batch_size, self._generator)
        noise = self._drawer.noise(_NOISE_WORDS, self._generator)
        device = self.rows.device
        row = functional.embedding(centres.to(device), self.rows)  # (batch_size, d_model)
        near = functional.embedding(neighbours.to(device), self._context_rows)  # (batch_size, d_model)
        far = functional.embedding(noise.to(device), self._context_rows)  # (_NOISE_WORDS, d_model)
        drawn_together = functional.softplus(-(row * near).sum(dim=1)).mean()
        told_apart = functional.softplus(row @ far.T).mean()
        return drawn_together + self._config.negatives * told_apart

    def state(self, step: int) -> SkipGramState:
        """Copy all that is needed to go on after a step."""
        tensors = {"generator": self._generator.get_state()}
        for name, parameter in self._parameters.items():
            tensors[name] = parameter.detach().to("cpu", copy=True)
            moments = {} if self.diverged else self._optimizer.state.get(parameter, {})
            for moment in _MOMENTS:
                kept = moments.get(moment, torch.zeros_like(parameter))
                tensors[f"{name}.{moment}"] = kept.detach().to("cpu", copy=True)
        return SkipGramState(self._config, step, tensors, self.diverged)

    def restore(self, state: SkipGramState) -> None:
        """Be where the state was."""
        self._generator.set_state(state.tensors["generator"])
        self._done = self._sound_at = state.step
        with torch.no_grad():
            for name, parameter in self._parameters.items():
                parameter.copy_(state.tensors[name])
                self._sound[name].copy_(parameter)
                moments = {moment: state.tensors[f"{name}.{moment}"] for moment in _MOMENTS}
                on_device = {moment: kept.to(parameter.device, copy=True) for moment, kept in moments.items()}
                self._optimizer.state[parameter] = {"step": torch.tensor(float(state.step)), **on_device}
