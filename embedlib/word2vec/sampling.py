"""Random batches of skip-gram: pairs of words near each other, and noise words."""

import torch
from torch import Tensor

from embedlib.word2vec.corpus import WordCorpus

# Words are drawn as noise by this power of their counts (§2.2 of the source), so that rare ones come up too.
_SMOOTHING = 0.75


class PairDrawer:
    """Draws pairs and noise words from a text, without a list of all pairs.

    A pair is a word and one of the words around it in its sentence, near ones more often: at distance n with a weight
    of window + 1 - n, as where the window's width is drawn afresh for each word. Words with a share of the text above
    `subsample` are skipped at times, with √(subsample / share) left, so that "the" does not take most of the time; 1
    skips none.

    Source: Mikolov et al. 2013, Distributed Representations of Words and Phrases, §2.2 and §2.3,
    https://arxiv.org/abs/1310.4546; the window: Mikolov et al. 2013, §3.2, https://arxiv.org/abs/1301.3781
    """

    def __init__(self, corpus: WordCorpus, *, window: int, subsample: float) -> None:
        self._ids, self._sentence = corpus.ids, corpus.sentence
        share = corpus.counts / corpus.counts.sum()
        self._kept = (subsample / share).sqrt().clamp(max=1)  # (vocab_size,)
        # A word that stands alone in its sentence has no neighbour and is never a centre.
        beside = self._sentence[1:] == self._sentence[:-1]
        no = torch.zeros(1, dtype=torch.bool)
        self._centres = (torch.cat([beside, no]) | torch.cat([no, beside])).nonzero()[:, 0]
        self._steps = torch.tensor(
            [step for far in range(1, window + 1) for step in (far, -far) for _ in range(window + 1 - far)]
        )
        noise = corpus.counts.double() ** _SMOOTHING
        self._noise_edges = noise.cumsum(0) / noise.sum()  # (vocab_size,)

    def pairs(self, n_pairs: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Draw row ids of words and of their neighbours, each (n_pairs,) int64."""
        centres, neighbours, n_drawn = [], [], 0
        while n_drawn < n_pairs:
            centre, neighbour = self._try_pairs(2 * n_pairs, generator)
            centres.append(centre)
            neighbours.append(neighbour)
            n_drawn += len(centre)
        return torch.cat(centres)[:n_pairs], torch.cat(neighbours)[:n_pairs]

    def noise(self, n_words: int, generator: torch.Generator) -> Tensor:
        """Draw words independently of their neighbours, by their smoothed shares, (n_words,) int64."""
        draws = torch.rand(n_words, generator=generator, dtype=torch.float64)
        return torch.searchsorted(self._noise_edges, draws).clamp(max=len(self._noise_edges) - 1)

    def _try_pairs(self, n_tries: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """Draw pairs, and drop those that leave the sentence or have a skipped word."""
        position = self._centres[torch.randint(len(self._centres), (n_tries,), generator=generator)]
        step = self._steps[torch.randint(len(self._steps), (n_tries,), generator=generator)]
        other = position + step
        inside = (other >= 0) & (other < len(self._ids))
        other = other.clamp(0, len(self._ids) - 1)
        centre, neighbour = self._ids[position], self._ids[other]
        chance = torch.rand(n_tries, generator=generator)
        taken = inside & (self._sentence[position] == self._sentence[other])
        taken &= chance < self._kept[centre] * self._kept[neighbour]
        return centre[taken], neighbour[taken]
