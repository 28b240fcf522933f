"""What training short and testing long comes to: the order of the schemes, and its reverse, in one seed or in three.

The smallest runs that show it. After 180 steps hardly a sequence of twice the length is right throughout under any
scheme, so that what is compared is the share of right tokens.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from embedlib.extrapolation import TrainConfig, extrapolation, length_scores, new_run, train
from embedlib.extrapolation.experiments import EXPERIMENTS, MANUAL, Unit
from embedlib.extrapolation.shipped_runs import HELD_OUT_SEED
from embedlib.extrapolation.tasks import BackTask, SortTask
from embedlib.positional import RotaryPositions
from embedlib.texts import reference_manual

SEEDS = [(0,), pytest.param((1, 2), marks=pytest.mark.thorough)]
SORT = TrainConfig(
    SortTask(n_values=32, shortest=1, longest=8), d_model=32, batch_size=32, learning_rate=0.01, n_steps=180
)
TEXT, LONGEST = Unit("text", "rope", source=MANUAL), 64  # characters in training
BACK = TrainConfig(
    BackTask(n_values=8, back=3, shortest=6, longest=16), d_model=32, batch_size=16, learning_rate=0.01, n_steps=120
)


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """So small products are no faster on two, and other tests want the second."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def accuracies(config: TrainConfig, scheme: str, lengths: tuple[int, ...], seeds: tuple[int, ...]) -> torch.Tensor:
    """Return (n_lengths, n_seeds)."""
    return extrapolation(replace(config, scheme=scheme), lengths=lengths, seeds=seeds).values("accuracy").T


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seeds", "best", "worst"),
    [((0,), ["none"], ["learned"]), ((0, 1, 2), ["none", "t5"], ["sinusoidal", "learned"])],
)
def test_sorting_twice_as_many_goes_best_without_positions_and_worst_with_added_ones(
    seeds: tuple[int, ...], best: list[str], worst: list[str]
) -> None:
    actual = {scheme: accuracies(SORT, scheme, (8, 16), seeds) for scheme in (*best, "rope", *worst)}
    trained, twice = ({scheme: numbers[place] for scheme, numbers in actual.items()} for place in (0, 1))
    for seed in range(len(seeds)):
        assert min(twice[scheme][seed] for scheme in best) > twice["rope"][seed] + 0.02, actual
        assert twice["rope"][seed] > max(twice[scheme][seed] for scheme in worst) + 0.1, actual
    for scheme in (*best, "rope"):
        assert trained[scheme].min() > 0.8, actual  # they are told apart by what training did not show them


@pytest.mark.parametrize("seeds", SEEDS)
def test_looking_back_goes_best_by_rotations_and_hardly_at_all_without_positions(seeds: tuple[int, ...]) -> None:
    actual = {scheme: accuracies(BACK, scheme, (16, 32), seeds) for scheme in ("rope", "none")}
    for place in (0, 1):
        assert actual["rope"][place].min() > 0.9, actual
        assert actual["none"][place].max() < 0.5, actual


class NearTokens(RotaryPositions):
    """RoPE under which a token sees none that stand as far off as the trained length, or farther."""

    def scores(self, q: Tensor, k: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        far = torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).tril(-LONGEST)
        return super().scores(q, k, causal=causal, offset=offset).masked_fill(far, -torch.inf)


@pytest.mark.thorough
def test_far_tokens_take_the_weight_of_a_language_model_with_rope_as_the_page_says() -> None:
    """The figures in the sentence on the experiment "text" in ui/extrapolation/mechanism.py."""
    torch.set_num_threads(2)
    task = EXPERIMENTS["text"].task(reference_manual())
    run = new_run(TEXT.config(task))
    for _ in train(run):
        pass
    shares = {}
    for length in (96, 128, 256):
        ids = task.held_out(length, 24, seed=HELD_OUT_SEED).inputs
        weights = torch.stack([run.decoder.attention(row)[..., -32:, :].tril(length - 32 - LONGEST) for row in ids])
        shares[length] = weights.sum(-1).mean().item()
    assert shares == pytest.approx({96: 0.04, 128: 0.23, 256: 0.75}, abs=0.02)
    near = run.decoder.with_scheme(NearTokens(d_model=run.decoder.scheme.d_model, n_heads=run.decoder.scheme.n_heads))
    hidden, short = (
        length_scores(decoder, task, [length], seed=HELD_OUT_SEED, n_sequences=256)[0].perplexity
        for decoder, length in ((near, 512), (run.decoder, LONGEST))
    )
    assert [hidden, short] == pytest.approx([4.5, 4.5], rel=0.05)
