from typing import Any

import torch

from tests.ui.browser_message import drawn, received
from ui.components.window_pairs import LABELS, MAX_COLUMNS, MAX_ROWS, window_pairs


def sent(rows: int, columns: int) -> dict[str, Any]:
    inputs = torch.arange(rows * columns).view(rows, columns) % 7
    app = drawn(
        window_pairs,
        inputs,
        (inputs + 1) % 7,
        starts=[10 * row for row in range(rows)],
        texts={token_id: f"<{token_id}>" for token_id in range(9)},
        labels=LABELS,
        key="pairs",
    )
    return received(app)


def test_the_browser_gets_both_matrices_and_the_texts_that_they_need() -> None:
    assert sent(2, 3) == {
        "inputs": [[0, 1, 2], [3, 4, 5]],
        "targets": [[1, 2, 3], [4, 5, 6]],
        "starts": [0, 10],
        "texts": {str(token_id): f"<{token_id}>" for token_id in range(7)},
        "shape": [2, 3],
        "labels": LABELS,
    }


def test_of_a_large_batch_the_first_samples_and_positions_are_sent_with_its_true_shape() -> None:
    data = sent(40, 100)
    assert data["shape"] == [40, 100]
    assert len(data["inputs"]) == len(data["targets"]) == len(data["starts"]) == MAX_ROWS
    for row, line in enumerate(data["inputs"]):
        assert line == [(100 * row + place) % 7 for place in range(MAX_COLUMNS)]
    for row, line in enumerate(data["targets"]):
        assert line == [(100 * row + place + 1) % 7 for place in range(MAX_COLUMNS)]
