import json
import struct
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from embedlib.figures import DIVERGING
from tests.waiting import PATIENCE
from ui.components.matrix_grid import LABELS, Panel, matrix_grid


def page() -> None:
    import torch

    from embedlib.figures import DIVERGING
    from ui.components.matrix_grid import LABELS, Panel, matrix_grid

    masked = torch.tensor([[1.0, -torch.inf], [0.5, -0.25]])
    panels = [
        Panel(title="none", place="does nothing", group=1, note="Adds nothing.", alt=""),
        Panel(
            title="<b>", place="biases", group=0, note="", alt="two by two", values=masked, limit=2.0, positions=True
        ),
        Panel(title="rows", place="adds", group=1, note="", alt="one by three", values=torch.arange(3.0)[None]),
    ]
    matrix_grid(
        panels,
        chosen=1,
        front=2,
        tokens=["The", "·cat"],
        colours=DIVERGING["light"],
        group_colours=["#111111", "#222222"],
        labels=LABELS,
        key="grid",
    )


def test_the_browser_gets_every_matrix_with_masked_cells_as_nan() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not app.exception
    sent = app.get("bidi_component")[0].proto.bytes
    (length,) = struct.unpack("<I", sent[:4])
    header = json.loads(sent[4 : 4 + length])
    assert [panel["shape"] for panel in header["panels"]] == [None, [2, 2], [1, 3]]
    assert [panel["front"] for panel in header["panels"]] == [False, False, True]
    assert (header["chosen"], header["tokens"]) == (1, ["The", "·cat"])
    assert [panel["beyond"] for panel in header["panels"]] == [[False, False], [False, False], [False, True]]
    numbers = np.frombuffer(sent, "<f4", offset=4 + length)
    np.testing.assert_array_equal(numbers, [1.0, np.nan, 0.5, -0.25, 0.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("panel", "changes", "message"),
    [
        ({"values": torch.zeros(3)}, {}, r"values has shape \(3,\): it must be \(rows, columns\)"),
        ({"values": torch.zeros(0, 3)}, {}, r"values has shape \(0, 3\)"),
        ({"limit": 0.0}, {}, "limit=0.0 must be finite and above 0"),
        ({"group": 2}, {}, r"group=2 has no colour: give one in 0\.\.0"),
        ({}, {"labels": {}}, "labels lacks at_least, at_most, cell"),
        ({}, {"colours": ["#000000"]}, "colours has 1 stops"),
    ],
)
def test_what_cannot_be_drawn_is_refused(panel: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"title": "a", "place": "", "group": 0, "note": "", "alt": "", **panel}
    arguments: dict[str, Any] = {
        "chosen": None,
        "tokens": [],
        "colours": DIVERGING["light"],
        "group_colours": ["#111111"],
        "labels": LABELS,
        "key": "grid",
    }
    with pytest.raises(ValueError, match=message):
        matrix_grid([Panel(**given)], **(arguments | changes))
