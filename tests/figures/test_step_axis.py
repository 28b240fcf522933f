"""The axis of steps: the same for a whole training, each step at the logarithm of one more than it."""

import math

import pytest

from embedlib.figures.over_steps import mark_step, step_axis, step_place, step_ticks, thinned


def test_a_step_lies_at_the_logarithm_of_one_more() -> None:
    assert step_place(0) == 0
    assert step_place(9) == 1
    assert step_place(99) == 2


@pytest.mark.parametrize(
    ("last", "ticks"),
    [
        (1, [0, 1]),
        (12, [0, 1, 3, 12]),
        (100, [0, 1, 3, 10, 30, 100]),
        (1_000, [0, 1, 3, 10, 30, 100, 300, 1_000]),
        (5_000, [0, 1, 3, 10, 30, 100, 300, 1_000, 5_000]),
    ],
)
def test_true_steps_are_named_and_none_covers_the_last(last: int, ticks: list[int]) -> None:
    assert step_ticks(last) == ticks
    axis = step_axis("light", "step", last=last)
    assert axis["ticktext"] == [f"{tick:,}" for tick in ticks]
    assert axis["tickvals"] == pytest.approx([math.log10(1 + tick) for tick in ticks])
    assert axis["range"][0] < 0
    assert axis["range"][1] > step_place(last)


def test_a_step_is_marked_and_named_inside_the_picture() -> None:
    for step, anchor in ((0, "left"), (30, "center"), (1_000, "right")):
        layout: dict[str, list[dict[str, object]]] = {"shapes": [], "annotations": []}
        mark_step(layout, step, "<step>", last=1_000, theme="light")
        assert layout["shapes"][0]["x0"] == layout["shapes"][0]["x1"] == step_place(step)
        assert layout["annotations"][0]["xanchor"] == anchor
        assert layout["annotations"][0]["text"] == "<b>&lt;step&gt;</b>"


def test_points_that_lie_close_become_their_mean() -> None:
    steps, values = list(range(1_001)), [float(step % 2) for step in range(1_001)]
    some, means = thinned(steps, values, last=1_000, most=50)
    assert some == sorted(some)
    assert len(some) <= 51
    assert some[:6] == [0, 1, 2, 3, 4, 5]
    assert means[:6] == [0, 1, 0, 1, 0, 1]
    for step, mean in zip(some, means, strict=True):
        alike = [
            n
            for n in steps
            if int(50 * step_place(n) / step_place(1_000)) == int(50 * step_place(step) / step_place(1_000))
        ]
        assert mean == pytest.approx(sum(n % 2 for n in alike) / len(alike))
        assert step in alike
