from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from tests.ui.browser_message import received
from tests.waiting import PATIENCE
from ui.components.window_pairs import LABELS, MAX_COLUMNS, MAX_ROWS, window_pairs


def page() -> None:
    import streamlit as st
    import torch

    from ui.components.window_pairs import LABELS, window_pairs

    rows, columns = st.session_state.get("shape", (2, 3))
    inputs = torch.arange(rows * columns).view(rows, columns) % 7
    targets = (inputs + 1) % 7
    window_pairs(
        inputs,
        targets,
        starts=[10 * row for row in range(rows)],
        texts={token_id: f"<{token_id}>" for token_id in range(9)},
        labels=LABELS,
        key="pairs",
    )


def opened(**state: Any) -> dict[str, Any]:
    app = AppTest.from_function(page, default_timeout=PATIENCE)
    for name, value in state.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return received(app)


def test_the_browser_gets_both_matrices_and_the_texts_that_they_need() -> None:
    assert opened() == {
        "inputs": [[0, 1, 2], [3, 4, 5]],
        "targets": [[1, 2, 3], [4, 5, 6]],
        "starts": [0, 10],
        "texts": {str(token_id): f"<{token_id}>" for token_id in range(7)},
        "shape": [2, 3],
        "labels": LABELS,
    }


def test_of_a_large_batch_the_first_samples_and_positions_are_sent_with_its_true_shape() -> None:
    sent = opened(shape=(40, 100))
    assert sent["shape"] == [40, 100]
    assert len(sent["inputs"]) == len(sent["targets"]) == len(sent["starts"]) == MAX_ROWS
    for row, line in enumerate(sent["inputs"]):
        assert line == [(100 * row + place) % 7 for place in range(MAX_COLUMNS)]
    for row, line in enumerate(sent["targets"]):
        assert line == [(100 * row + place + 1) % 7 for place in range(MAX_COLUMNS)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"inputs": torch.zeros(3).long()}, r"inputs has shape \(3,\) and targets \(1, 2\)"),
        ({"targets": torch.zeros(1, 3).long()}, r"inputs has shape \(1, 2\) and targets \(1, 3\)"),
        ({"inputs": torch.zeros(0, 2).long(), "targets": torch.zeros(0, 2).long()}, "not empty"),
        ({"starts": []}, "0 starts for 1 samples"),
        ({"texts": {0: "a"}}, "texts lacks id 4: give the text of every id"),
        ({"labels": {}}, "labels lacks back, both, first, hint, "),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {
        "inputs": torch.tensor([[0, 4]]),
        "targets": torch.tensor([[4, 0]]),
        "starts": [0],
        "texts": {0: "a", 4: "b"},
        "labels": LABELS,
        "key": "pairs",
    }
    with pytest.raises(ValueError, match=message):
        window_pairs(**(arguments | changes))
