"""How much of a known meaning rows have found: neighbours of the same kind, and analogies that come out right."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

# Queries whose similarities to all rows are in memory at once.
_BLOCK = 1_024


@dataclass(frozen=True, eq=False)
class KindScore:
    """How many of each word's nearest rows are of its own kind.

    Attributes:
        score: mean over the words that have a kind, in [0, 1].
        chance: what rows without any meaning would reach on average, in [0, 1].
        by_word: (n_rows,) float32 in [0, 1]; nan for words without a kind, or alone in theirs.
        by_kind: mean over the words of each kind, in the order in which kinds are first met.
    """

    score: float
    chance: float
    by_word: Tensor
    by_kind: dict[str, float]


@dataclass(frozen=True, eq=False)
class AnalogyScore:
    """Which places the right answers take in all analogies of one relation.

    Attributes:
        quadruples: (n, 4) int64, rows a, b, c, d: d is the answer to b - a + c.
        ranks: (n,) int64, the place of d among all rows but a, b and c; 1 is the nearest.
    """

    quadruples: Tensor
    ranks: Tensor

    @property
    def right(self) -> float:
        """Share with rank 1, in [0, 1]."""
        return float((self.ranks == 1).double().mean())


def kind_score(rows: Tensor, kinds: Sequence[str | None], *, k: int = 10) -> KindScore:
    """Count neighbours of the same kind, by cosine.

    Each word that has a kind is asked for its k nearest other rows, words without a kind among them; of a kind with
    fewer than k others, for as many as there are, so that 1 can be reached.

    Args:
        rows: (n_rows, d_model) finite floats, on any device.
        kinds: of each row; None for words that have none.
        k: at least 1.

    Returns:
        KindScore on the CPU.

    Raises:
        ValueError: not as many kinds as rows, k < 1, or no kind with two words.
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
    wanted = others[queries].clamp(max=k)  # (n_queries,)
    nearest = _nearest(rows, queries, int(wanted.max()))  # (n_queries, at most k)
    counts = torch.arange(nearest.shape[1]) < wanted[:, None]
    same = (kind[nearest] == kind[queries][:, None]) & counts
    share = same.sum(dim=1) / wanted  # (n_queries,)
    by_word = torch.full((len(rows),), torch.nan)
    by_word[queries] = share.float()
    chance = float((others[queries] / (len(rows) - 1)).double().mean())
    by_kind = {name: float(by_word[kind == number].double().mean()) for name, number in numbers.items()}
    return KindScore(float(share.double().mean()), chance, by_word, {n: v for n, v in by_kind.items() if v == v})


def analogy_score(rows: Tensor, words: Sequence[str], pairs: Sequence[tuple[str, str]]) -> AnalogyScore:
    """Ask every analogy between two pairs of a relation: b - a + c for (a, b) and (c, d), and where d comes.

    As `analogy` and `rank_of` do, one by one: rows scaled to length 1, cosines, and a, b and c left out.

    Returns: AnalogyScore on the CPU, n (n - 1) analogies of n pairs.
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
    unit = _unit(rows)
    return AnalogyScore(queries, torch.cat([_ranks(unit, part) for part in torch.split(queries, _BLOCK)]))


def analogy_scores(
    rows: Tensor, words: Sequence[str], relations: Mapping[str, Sequence[tuple[str, str]]]
) -> dict[str, AnalogyScore]:
    """Ask all analogies of several relations.

    Args:
        rows: as for analogy_score.
        words: as there.
        relations: the pairs of each.

    Returns:
        For each relation its score; relations of which fewer than two pairs have rows are left out.

    Raises:
        ValueError: not as many words as rows.
    """
    known = set(words)
    enough = {name: [pair for pair in pairs if known.issuperset(pair)] for name, pairs in relations.items()}
    return {name: analogy_score(rows, words, pairs) for name, pairs in enough.items() if len(pairs) > 1}


def _unit(rows: Tensor) -> Tensor:
    """Scale rows to length 1, float64 on the CPU; a row of zeros stays zeros."""
    unit: Tensor = functional.normalize(rows.detach().cpu().double(), dim=1, eps=torch.finfo(torch.float64).tiny)
    return unit


def _nearest(rows: Tensor, queries: Tensor, k: int) -> Tensor:
    """Return the k nearest other rows of each query, (n_queries, k); of equally near ones the lower first."""
    unit = _unit(rows)
    ids = []
    for part in torch.split(queries, _BLOCK):
        similar = unit[part] @ unit.T  # (n, n_rows)
        similar[torch.arange(len(part)), part] = -torch.inf
        ids.append(_first(similar, k))
    return torch.cat(ids)


def _first(similar: Tensor, k: int) -> Tensor:
    """Return where the k greatest of each line are, in order, the lower first of equal ones.

    A whole sort takes six times as long and is only needed for lines with equal values among the first.
    """
    values, places = similar.topk(min(k + 1, similar.shape[1]), dim=1)
    equal = (values[:, 1:] == values[:, :-1]).any(dim=1)
    if bool(equal.any()):
        places[equal, :k] = similar[equal].sort(dim=1, descending=True, stable=True).indices[:, :k]
    return places[:, :k]


def _ranks(unit: Tensor, queries: Tensor) -> Tensor:
    """Return the place of d for each analogy, (n,)."""
    a, b, c, d = queries.T
    similar = (unit[b] - unit[a] + unit[c]) @ unit.T  # (n, n_rows)
    for left_out in (a, b, c):
        similar[torch.arange(len(queries)), left_out] = -torch.inf
    right = similar.gather(1, d[:, None])  # (n, 1)
    equal_before = (similar == right) & (torch.arange(len(unit)) < d[:, None])
    ranks: Tensor = 1 + (similar > right).sum(dim=1) + equal_before.sum(dim=1)
    return ranks
