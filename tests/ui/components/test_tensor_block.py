from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedlib.figures import DIVERGING
from tests.ui.browser_message import opened, payloads, report
from ui.components.tensor_block import LABELS, BlockView, drawn_shape


def page() -> None:
    import streamlit as st
    import torch

    from embedlib.figures import DIVERGING
    from ui.components.tensor_block import LABELS, BlockView, drawn_shape, tensor_block

    shape = st.session_state.get("shape", (2, 3, 4))
    batch, positions, _ = drawn_shape(shape)
    st.session_state.view = tensor_block(
        torch.arange(torch.Size(shape).numel(), dtype=torch.float32).view(shape),
        shape=shape,
        starts=[5 * row for row in range(batch)],
        tokens=[[f"<{row},{place}>" for place in range(positions + 1)] for row in range(batch)],
        colours=DIVERGING["light"],
        limit=2.5,
        view=st.session_state.get("view", BlockView()),
        labels=LABELS,
        key="block",
        on_view=lambda: None,
    )


def sent_to(app: AppTest) -> tuple[dict[str, Any], np.ndarray]:
    ((header, body),) = payloads(app)
    return header, np.frombuffer(body, "<f4")


def turned(app: AppTest, **view: Any) -> AppTest:
    app = report(app, view={"value": {"cut": [1, 2, 3], "yaw": -40, "pitch": 10} | view, "turn": 1})
    assert not app.exception
    return app


def test_the_browser_gets_every_number_and_what_it_belongs_to() -> None:
    header, numbers = sent_to(opened(page))
    np.testing.assert_array_equal(numbers, np.arange(24, dtype=np.float32))
    assert header == {
        "shape": [2, 3, 4],
        "shown": [2, 3, 4],
        "starts": [0, 5],
        "tokens": [["<0,0>", "<0,1>", "<0,2>"], ["<1,0>", "<1,1>", "<1,2>"]],
        "colours": list(DIVERGING["light"]),
        "limit": 2.5,
        "view": {"cut": [0, 0, 0], "yaw": 30, "pitch": 24},
        "turn": 0,
        "labels": LABELS,
    }


def test_of_a_large_block_the_first_numbers_along_each_edge_are_sent() -> None:
    shape = (20, 70, 80)
    header, numbers = sent_to(opened(page, shape=shape))
    assert (header["shape"], header["shown"]) == ([20, 70, 80], [16, 64, 64])
    assert numbers.size == 16 * 64 * 64
    for (b, i, d), number in np.ndenumerate(numbers.reshape(16, 64, 64)):
        assert number == (b * 70 + i) * 80 + d


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        ((8, 4, 256), (8, 4, 256)),
        ((8, 4, 768), (8, 4, 256)),
        ((1, 1, 1), (1, 1, 1)),
        ((64, 256, 768), (16, 64, 64)),
        ((16, 32, 256), (16, 32, 128)),
    ],
)
def test_what_is_drawn_is_bounded(shape: tuple[int, int, int], shown: tuple[int, int, int]) -> None:
    assert drawn_shape(shape) == shown


def test_what_the_reader_turns_and_cuts_wins_for_one_run() -> None:
    app = turned(opened(page))
    assert app.session_state.view == BlockView((1, 2, 3), -40, 10)
    header, _ = sent_to(app)
    assert (header["view"], header["turn"]) == ({"cut": [1, 2, 3], "yaw": -40, "pitch": 10}, 1)
    app.session_state.view = BlockView((0, 1, 0), 5, 6)
    assert app.run().session_state.view == BlockView((0, 1, 0), 5, 6)


def test_a_cut_leaves_one_layer_and_angles_go_round() -> None:
    assert opened(page, view=BlockView((9, 9, -9), 190, 200)).session_state.view == BlockView((1, 2, 0), -170, 90)
    assert turned(opened(page), cut=[10**30, -1, 4], yaw=-541).session_state.view == BlockView((1, 0, 3), 179, 10)


@pytest.mark.parametrize(
    "changes",
    [{"cut": [1, 2]}, {"cut": "123"}, {"cut": [1, 2, 0.5]}, {"yaw": None}, {"pitch": 1.5}, {"yaw": True}],
)
def test_a_view_that_makes_no_sense_is_the_first_view(changes: dict[str, Any]) -> None:
    assert turned(opened(page), **changes).session_state.view == BlockView()


@pytest.mark.parametrize("view", [7, {"value": {"cut": [0, 1, 0], "yaw": 0, "pitch": 0}, "turn": "1"}])
def test_a_report_without_a_number_changes_nothing(view: Any) -> None:
    assert report(opened(page, view=BlockView((1, 0, 0))), view=view).session_state.view == BlockView((1, 0, 0))


def test_a_report_without_a_view_is_the_first_view() -> None:
    app = report(opened(page, view=BlockView((1, 0, 0))), view={"value": None, "turn": 1})
    assert app.session_state.view == BlockView()
