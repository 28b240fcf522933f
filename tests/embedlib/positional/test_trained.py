"""Weights that ship: what they need, that they are read as they are, and that they are not noise."""

import pytest
import torch

from bench.trained_positions import RUNS, train_run
from embedlib.positional import N_TRAINED, make_scheme
from embedlib.positional.trained import SHIPPED
from embedlib.tensor_files import read_tensors

SIZES = {"d_model": 64, "n_heads": 4}


def test_the_file_says_what_was_trained_and_how_and_is_small() -> None:
    about, tensors = read_tensors(SHIPPED)
    shapes = {"learned": (N_TRAINED, 64), "t5": (32, 4), "t5_bidirectional": (32, 4)}
    assert {name: tuple(tensor.shape) for name, tensor in tensors.items()} == shapes
    assert all(tensor.dtype == torch.float32 and tensor.isfinite().all() for tensor in tensors.values())
    assert about["length"] == N_TRAINED
    assert about["losses"].keys() == RUNS.keys()
    assert SHIPPED.stat().st_size < 150_000
    assert SHIPPED.name in (SHIPPED.parent / "NOTICE.md").read_text("utf-8")


@pytest.mark.parametrize(
    "name", [next(iter(RUNS)), *(pytest.param(name, marks=pytest.mark.thorough) for name in [*RUNS][1:])]
)
def test_a_training_made_again_gives_the_same_bits(name: str) -> None:
    (one, loss), (again, same_loss) = (train_run(name, n_steps=2) for _ in range(2))
    assert torch.equal(one, again)
    assert loss == same_loss


@pytest.mark.parametrize("seq_len", [5, N_TRAINED, 200])
def test_learned_rows_are_torchs_embedding_with_these_weights(seq_len: int) -> None:
    _about, tensors = read_tensors(SHIPPED)
    generator = torch.Generator().manual_seed(0)
    fresh = torch.empty(300, 64).normal_(generator=generator) * 0.02
    layer = torch.nn.Embedding.from_pretrained(torch.cat([tensors["learned"], fresh[N_TRAINED:]]))
    scheme = make_scheme("learned", **SIZES, max_seq_len=300, weights="trained")
    tokens = torch.randn(2, seq_len, 64, generator=generator)
    assert torch.equal(scheme.encode(tokens), tokens + layer(torch.arange(seq_len)))


def test_a_table_that_ends_before_the_trained_rows_has_the_first_of_them() -> None:
    whole, short = (make_scheme("learned", **SIZES, max_seq_len=n, weights="trained") for n in (128, 7))
    assert torch.equal(short.position_table(7), whole.position_table(7))


def test_a_width_of_its_own_is_no_matter_to_biases() -> None:
    narrow, wide = (make_scheme("t5", d_model=width, n_heads=4, weights="trained") for width in (16, 256))
    assert torch.equal(narrow.bias(20), wide.bias(20))


def test_trained_rows_are_more_alike_the_nearer_they_are_and_random_ones_are_not() -> None:
    def alike(weights: str) -> list[float]:
        rows = make_scheme("learned", **SIZES, weights=weights).position_table(N_TRAINED).detach()
        cosines = torch.nn.functional.cosine_similarity(rows[:, None], rows[None], dim=-1)
        return [float(cosines.diagonal(distance).mean()) for distance in (1, 8, 32, 64)]

    near, *_, far = trained_rows = alike("trained")
    assert trained_rows == sorted(trained_rows, reverse=True)
    assert near > 0.8
    assert far < 0
    assert max(map(abs, alike("random"))) < 0.1


@pytest.mark.parametrize("bidirectional", [True, False])
def test_trained_biases_fall_with_distance_in_every_head_on_both_sides(bidirectional: bool) -> None:
    scheme = make_scheme("t5", **SIZES, bidirectional=bidirectional, weights="trained")
    bias = scheme.bias(N_TRAINED, causal=False).detach()  # (n_heads, N_TRAINED, N_TRAINED)
    for sign in (-1, 1) if bidirectional else (-1,):
        near, middle, far = (bias.diagonal(sign * distance, dim1=1, dim2=2)[:, 0] for distance in (2, 20, 90))
        assert (near > middle + 0.5).all()
        assert (middle > far + 0.5).all()
