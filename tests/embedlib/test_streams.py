"""Every purpose draws from a stream of its own."""

import torch

from embedlib.random import stream


def drawn(*key: int | str) -> list[float]:
    seed, *purpose = key
    return torch.rand(4, generator=stream(int(seed), *purpose)).tolist()


def test_equal_arguments_draw_equal_numbers() -> None:
    assert drawn(7, "batch", 3) == drawn(7, "batch", 3)


def test_another_seed_purpose_or_number_draws_others() -> None:
    found = [drawn(7, "batch", 3), drawn(8, "batch", 3), drawn(7, "rows", 3), drawn(7, "batch", 4), drawn(7, "batch")]
    assert len({tuple(numbers) for numbers in found}) == len(found)


def test_a_number_is_not_its_own_text() -> None:
    assert drawn(7, 3) != drawn(7, "3")


def test_the_global_random_state_is_left_alone() -> None:
    before = torch.get_rng_state()
    drawn(1, "rows")
    assert torch.equal(torch.get_rng_state(), before)
