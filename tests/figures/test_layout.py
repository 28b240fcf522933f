"""What holds for every figure, whoever draws it."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from embedlib import figures
from embedlib.colours import GROUND, INK, Theme
from embedlib.figures.layout import position_ticks, token_ticks
from tests.figures.calls import CALLS, draw, every_figure


def same(first: Any, second: Any) -> bool:
    """Whether two figures as a browser reads them agree, arrays and lists of numbers alike."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[name], second[name]) for name in first)
    if isinstance(first, list | np.ndarray) and isinstance(second, list | np.ndarray):
        if len(first) != len(second):
            return False
        if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
            return first.dtype == second.dtype and np.array_equal(first, second, equal_nan=first.dtype.kind == "f")
        return all(same(*pair) for pair in zip(list(first), list(second), strict=True))
    return bool(first == second)


def font_sizes(value: Any) -> Iterator[float]:
    """All sizes of fonts in a figure."""
    if isinstance(value, list):
        for item in value:
            yield from font_sizes(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name.endswith("font") and isinstance(item, dict) and "size" in item:
                yield item["size"]
            yield from font_sizes(item)


def test_every_figure_is_among_the_calls() -> None:
    drawn = {function for function, _, _ in CALLS.values()}
    assert drawn == {getattr(figures, name) for name in vars(figures) if name.endswith("_figure")}


@pytest.mark.parametrize("title", ["", "A title"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_figure_is_what_plotly_allows(theme: Theme, title: str) -> None:
    for figure in every_figure(theme, title).values():
        go.Figure(figure.to_dict())  # raises ValueError at the first property that it does not know


def test_every_figure_reaches_the_browser_as_plotly_itself_would_write_it(sent: Callable[..., dict[str, Any]]) -> None:
    for name, figure in every_figure("light", "A title").items():
        mine = sent(figure)
        assert isinstance(figure.data, tuple), name  # from here on it is one of Plotly's
        theirs = sent(go.Figure(figure))
        del theirs["layout"]["template"]
        mine["layout"] = {name: entry for name, entry in mine["layout"].items() if entry != []}  # so does Plotly
        assert same(mine, theirs), name


def test_a_figure_can_be_changed_and_copied_like_any_other() -> None:
    figure = draw("lines")
    copied = copy.deepcopy(figure)
    figure.update_layout(title={"text": "Changed"}).add_scatter(x=[1], y=[2])
    assert figure.to_dict()["layout"]["title"] == {"text": "Changed"}
    assert len(figure.to_dict()["data"]) == len(copied.data) + 1
    assert copied.to_dict()["layout"].get("title") != {"text": "Changed"}


def test_every_word_is_shown_as_written() -> None:
    for name, figure in every_figure(title="<i>title").items():
        assert "<i>" not in str(figure.to_dict()), name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_figure_has_large_type_and_the_themes_ink_and_ground(theme: Theme) -> None:
    for name, figure in every_figure(theme).items():
        spec = json.loads(figure.to_json(validate=False))
        # Smaller are upright tokens under an axis, and what stands beside many points, which are what is read.
        least = 13 if name in {"solid", "cloud", "cloud in space", "lines"} else 15
        assert min(font_sizes(spec)) >= least, name
        assert spec["layout"]["font"]["color"] == INK[theme]
        assert spec["layout"]["paper_bgcolor"] == GROUND[theme]
        assert name in {"heads", "all heads", "panels"} or spec["layout"]["plot_bgcolor"] == "rgba(0,0,0,0)"


def test_the_hosts_default_template_stays_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotly.io.templates, "default", "plotly_dark")
    for figure in every_figure("light").values():
        assert "template" not in json.loads(figure.to_json(validate=False))["layout"]
        assert isinstance(figure.data, tuple)  # from here on it is one of Plotly's, as in a file
        assert set(json.loads(figure.to_json(validate=False))["layout"]["template"]) == {"layout"}


def test_small_figures_are_sent_small() -> None:
    for name, figure in every_figure("light").items():
        assert len(figure.to_json(validate=False)) < (60_000 if name == "many" else 20_000), name


def test_a_finger_on_a_figure_scrolls_the_page_unless_the_figure_is_there_to_be_moved() -> None:
    moved = {name for name, figure in every_figure("dark").items() if figure.to_dict()["layout"]["dragmode"]}
    assert moved == {"flat", "many", "solid", "cloud", "cloud in space", "density"}


def test_tokens_are_named_at_their_positions_and_thinned_where_there_is_no_room() -> None:
    assert position_ticks(["a", "b"], 25, room=66)["tickvals"] == [0, 1, 10, 20]
    assert position_ticks(["a", "b"], 25, room=66)["labelalias"] == {"0": "0 a", "1": "1 b"}
    assert position_ticks(list("abcdefghi"), 64, room=22, chosen=8)["tickvals"] == [0, 3, 8, *range(20, 64, 10)]
    assert position_ticks(list("abc"), 2, room=66)["tickvals"] == [0, 1]
    assert position_ticks([], 30, room=22)["tickvals"] == [0, 10, 20]


def test_an_axis_of_tokens_ends_with_its_last_one() -> None:
    labels = list(map(str, range(512)))
    assert token_ticks(labels, room=22)["tickvals"] == [*range(0, 504, 24), 511]
    assert token_ticks(labels[:3], room=22)["tickvals"] == [0, 1, 2]
    assert token_ticks(labels[:1], room=22)["tickvals"] == [0]
