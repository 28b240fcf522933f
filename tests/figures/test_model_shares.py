from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest

from embedlib.figures.bars import model_shares_figure

Sent = Callable[[go.Figure], dict[str, Any]]
PARTS = [(30.0, 0.0, 70.0), (1.0, 1.0, 2.0)]
WORDS: Any = {
    "names": ["a", "<b>"],
    "said": ["30 of 100", "1 of 4"],
    "part_names": ("table", "output", "rest"),
    "x_title": "share",
    "theme": "light",
}


def test_each_bar_is_the_whole_model_in_three_parts(sent: Sent) -> None:
    spec = sent(model_shares_figure(PARTS, **WORDS))
    assert [trace["name"] for trace in spec["data"]] == ["table", "output", "rest"]
    assert [trace["x"] for trace in spec["data"]] == [[0.3, 0.25], [0.0, 0.25], [0.7, 0.5]]
    assert spec["layout"]["barmode"] == "stack"
    assert spec["layout"]["xaxis"]["range"] == [0, 1]
    assert [trace["marker"]["pattern"]["shape"] for trace in spec["data"]] == ["", "/", ""]
    texts = [note["text"] for note in spec["layout"]["annotations"]]
    assert texts[0].startswith("<b>a</b>")
    assert "30 of 100" in texts[0]
    assert texts[1].startswith("<b>&lt;b&gt;</b>")


def test_the_chosen_model_is_underlined_and_the_figure_passes_plotlys_own_check(sent: Sent) -> None:
    figure = model_shares_figure(PARTS, chosen=1, title="t", **WORDS)
    go.Figure(figure.to_dict())
    assert sent(figure)["layout"]["annotations"][1]["text"].startswith("<u><b>")


@pytest.mark.parametrize("parts", [[], [(0.0, 0.0, 0.0)], [(-1.0, 0.0, 2.0)], [(float("nan"), 0.0, 1.0)]])
def test_what_is_no_model_is_refused(parts: list[tuple[float, float, float]]) -> None:
    with pytest.raises(ValueError, match="at least one model"):
        model_shares_figure(parts, **WORDS)


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="labels has 2 entries for 1 rows"):
        model_shares_figure(PARTS[:1], **WORDS)
