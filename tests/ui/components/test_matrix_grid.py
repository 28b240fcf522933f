import numpy as np
import torch

from embedlib.figures import DIVERGING
from tests.ui.browser_message import drawn, payloads
from ui.components.matrix_grid import LABELS, Panel, Panels, grid_header, matrix_grid


def test_the_browser_gets_every_matrix_with_masked_cells_as_nan() -> None:
    masked = torch.tensor([[1.0, -torch.inf], [0.5, -0.25]])
    panels = [
        Panel(title="none", place="does nothing", group=1, note="Adds nothing.", alt=""),
        Panel(
            title="<b>", place="biases", group=0, note="", alt="two by two", values=masked, limit=2.0, positions=True
        ),
        Panel(title="rows", place="adds", group=1, note="", alt="one by three", values=torch.arange(3.0)[None]),
    ]
    app = drawn(
        matrix_grid,
        Panels(panels),
        grid_header(
            chosen=1,
            front=2,
            tokens=["The", "·cat"],
            colours=DIVERGING["light"],
            group_colours=["#111111", "#222222"],
            labels=LABELS,
        ),
        key="grid",
    )
    ((header, body),) = payloads(app)
    assert [panel["shape"] for panel in header["panels"]] == [None, [2, 2], [1, 3]]
    assert (header["chosen"], header["front"], header["tokens"]) == (1, 2, ["The", "·cat"])
    assert [panel["beyond"] for panel in header["panels"]] == [[False, False], [False, False], [False, True]]
    np.testing.assert_array_equal(np.frombuffer(body, "<f4"), [1.0, np.nan, 0.5, -0.25, 0.0, 1.0, 2.0])


def test_another_position_sends_no_matrix_again() -> None:
    panels = Panels([Panel(title="a", place="", group=0, note="", alt="", values=torch.eye(64))])
    headers = (grid_header(chosen=chosen, tokens=[], colours=[], group_colours=[], labels=LABELS) for chosen in (1, 2))
    first, second = (drawn(matrix_grid, panels, header, key="grid") for header in headers)
    sent = [app.get("bidi_component")[0].proto.bytes for app in (first, second)]
    assert max(map(len, sent)) < 2_000
    assert payloads(first)[0][1] == payloads(second)[0][1] == torch.eye(64).numpy().tobytes()
