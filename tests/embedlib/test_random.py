import numpy as np
import pytest
import torch

from embedlib.random import sample_rows, stream


def test_a_sample_is_distinct_rows_in_order() -> None:
    rows = sample_rows(1000, 100, seed=3)
    assert rows.dtype == np.int64
    assert len(rows) == 100
    assert (np.diff(rows) > 0).all()
    assert rows[0] >= 0
    assert rows[-1] < 1000


def test_the_seed_alone_decides() -> None:
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    assert (sample_rows(500, 50, seed=1) == sample_rows(500, 50, seed=1)).all()
    assert (sample_rows(500, 50, seed=1) != sample_rows(500, 50, seed=2)).any()
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_chosen_rows_are_always_in() -> None:
    rows = sample_rows(1000, 10, always=[999, 0, 5, 5])
    assert len(rows) == 10
    assert {0, 5, 999} <= set(rows.tolist())
    assert sample_rows(1000, 2, always=range(7, 0, -1)).tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert sample_rows(1000, 0, always={4}).tolist() == [4]


def test_a_chosen_row_takes_one_place_only() -> None:
    for seed in range(20):
        rows = sample_rows(10, 8, always=[1, 2, 3, 4], seed=seed)
        assert len(set(rows.tolist())) == len(rows) == 8


def test_a_greater_limit_only_adds_and_other_choices_exchange_few() -> None:
    small, large = set(sample_rows(1000, 50).tolist()), set(sample_rows(1000, 60).tolist())
    assert small < large
    assert len(small - set(sample_rows(1000, 50, always=[1, 2, 3]).tolist())) <= 3


def test_every_row_is_as_likely_as_any_other() -> None:
    counts = np.zeros(20)
    for seed in range(4000):
        counts[sample_rows(20, 5, always=[0], seed=seed)] += 1
    assert counts[0] == 4000
    expected = 4000 * 4 / 19  # standard deviation 26
    np.testing.assert_allclose(counts[1:], expected, atol=5 * 26)


def test_a_limit_past_the_table_takes_all() -> None:
    assert sample_rows(5, 5).tolist() == sample_rows(5, 99, always=[2]).tolist() == [0, 1, 2, 3, 4]
    assert sample_rows(0, 3).tolist() == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_rows": -1}, "n_rows=-1 must be at least 0"),
        ({"limit": -1}, "limit=-1 must be at least 0"),
        ({"seed": -1}, "seed=-1 must be at least 0"),
        ({"always": [3, 10]}, r"always has ids in \[3, 10\]: they must be in \[0, n_rows=10\)"),
        ({"always": [-1]}, r"always has ids in \[-1, -1\]"),
    ],
)
def test_what_cannot_be_sampled_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sample_rows(**{"n_rows": 10, "limit": 4, **change})


def drawn(*key: int | str) -> list[float]:
    seed, *purpose = key
    return torch.rand(4, generator=stream(int(seed), *purpose)).tolist()


def test_equal_arguments_draw_equal_numbers() -> None:
    assert drawn(7, "batch", 3) == drawn(7, "batch", 3)


def test_another_seed_purpose_or_number_draws_others() -> None:
    actual = [drawn(7, "batch", 3), drawn(8, "batch", 3), drawn(7, "rows", 3), drawn(7, "batch", 4), drawn(7, "batch")]
    assert len({tuple(numbers) for numbers in actual}) == len(actual)


def test_a_number_is_not_its_own_text() -> None:
    assert drawn(7, 3) != drawn(7, "3")


def test_the_global_random_state_is_left_alone() -> None:
    before = torch.get_rng_state()
    drawn(1, "rows")
    assert torch.equal(torch.get_rng_state(), before)
