"""Scores of trained rows: neighbours of the same kind, and analogies with the right answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.neighbours.analogies import analogy_queries
from embedlib.neighbours.search import nearest_neighbours, ranks


@dataclass(frozen=True, eq=False)
class KindScore:
    """Share of each word's nearest rows that are of its own kind.

    Attributes:
        score: mean over the words that have a kind, in [0, 1].
        chance: expected score of random rows, in [0, 1].
        by_word: (n_rows,) float32 in [0, 1]; NaN for words without a kind, or alone in theirs.
        by_kind: mean over the words of each kind, in the order of their first rows.
    """

    score: float
    chance: float
    by_word: Tensor
    by_kind: dict[str, float]


@dataclass(frozen=True, eq=False)
class AnalogyScore:
    """Ranks of the right answers in all analogies of one relation.

    Attributes:
        quadruples: (n, 4) int64, rows a, b, c, d: d is the answer to b - a + c.
        ranks: (n,) int64, the rank of d among all rows but a, b and c; 1 is the nearest.
    """

    quadruples: Tensor
    ranks: Tensor

    @property
    def right(self) -> float:
        """Share with rank 1, in [0, 1]."""
        return float((self.ranks == 1).double().mean())


def kind_score(rows: Tensor, kinds: Sequence[str | None], *, k: int = 10) -> KindScore:
    """Count neighbours of the same kind, by cosine, among rows (n_rows, d_model); the result is on the CPU.

    For each word with a kind its k nearest other rows are searched, words without a kind among them; in a kind with
    fewer than k others, only as many as there are, so that 1 can be reached.
    """
    if len(kinds) != len(rows):
        raise ValueError(f"kinds={len(kinds)} of them must be as many as rows={len(rows)}")
    if k < 1:
        raise ValueError(f"k={k} must be at least 1")
    sizes = Counter(kind for kind in kinds if kind is not None)
    numbers = {kind: number for number, kind in enumerate(sizes)}
    if not any(size > 1 for size in sizes.values()):
        raise ValueError("kinds has no kind with two words: name at least one")
    kind = torch.tensor([-1 if name is None else numbers[name] for name in kinds])  # (n_rows,)
    others = torch.tensor([0 if name is None else sizes[name] - 1 for name in kinds])  # (n_rows,)
    queries = (others > 0).nonzero()[:, 0]
    k_of_word = others[queries].clamp(max=k)  # (n_queries,)
    nearest = nearest_neighbours(
        rows, rows[queries], int(k_of_word.max()), exclude=queries
    ).ids.cpu()  # (n_queries, ≤ k)
    counts = torch.arange(nearest.shape[1]) < k_of_word[:, None]
    same = (kind[nearest] == kind[queries][:, None]) & counts
    share = same.sum(dim=1) / k_of_word  # (n_queries,)
    by_word = torch.full((len(rows),), torch.nan)
    by_word[queries] = share.float()
    chance = float((others[queries] / (len(rows) - 1)).double().mean())
    by_kind = {name: float(by_word[kind == number].double().mean()) for name, number in numbers.items()}
    return KindScore(float(share.double().mean()), chance, by_word, {n: v for n, v in by_kind.items() if v == v})


def analogy_score(rows: Tensor, words: Sequence[str], pairs: Sequence[tuple[str, str]]) -> AnalogyScore:
    """Rank the answers of all n (n - 1) analogies between n pairs of a relation: d by b - a + c for (a, b) and (c, d).

    As `analogy` and `neighbour_rank` do, one by one: rows scaled to length 1, cosines, and a, b and c left out.
    """
    if len(words) != len(rows):
        raise ValueError(f"words={len(words)} of them must be as many as rows={len(rows)}")
    number = {word: row for row, word in enumerate(words)}
    known = torch.tensor([(number[a], number[b]) for a, b in pairs if a in number and b in number]).reshape(-1, 2)
    if len(known) < 2:
        raise ValueError(
            f"pairs={len(known)} of them have a row for both words: at least 2 must, to ask one by another"
        )
    first, second = torch.meshgrid(torch.arange(len(known)), torch.arange(len(known)), indexing="ij")
    queries = torch.cat([known[first[first != second]], known[second[first != second]]], dim=1)  # (n, 4)
    targets = analogy_queries(rows, queries[:, [1, 0, 2]].numpy())  # b - a + c, (n, d_model)
    return AnalogyScore(queries, ranks(rows, targets, queries[:, 3], exclude=queries[:, :3]))


def analogy_scores(
    rows: Tensor, words: Sequence[str], relations: Mapping[str, Sequence[tuple[str, str]]]
) -> dict[str, AnalogyScore]:
    """Score each relation; those with fewer than two pairs of known words are left out."""
    known = set(words)
    enough = {name: [pair for pair in pairs if known.issuperset(pair)] for name, pairs in relations.items()}
    return {name: analogy_score(rows, words, pairs) for name, pairs in enough.items() if len(pairs) > 1}
