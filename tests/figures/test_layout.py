"""What holds for every figure, whoever draws it."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
import torch

from embedlib import figures
from embedlib.figures.colours import GROUND, INK, Theme
from embedlib.figures.layout import position_ticks
from embedlib.figures.projection import ProjectionText

TEXT = ProjectionText("row", "position", "sum")
LABELS = ["The", "·cat", "<b>sat</b>", "·on"]


def every_figure(theme: Theme, title: str = "") -> dict[str, go.Figure]:
    """One of each, with all that can be switched on."""
    rows, small = torch.randn(4, 6), torch.randn(4, 3)
    labelled: Any = {"labels": LABELS, "theme": theme, "title": title}
    axes: Any = {"x_title": "x", "y_title": "y", "theme": theme, "title": title}
    projected: Any = labelled | {"text": TEXT, "chosen": 1}
    many = torch.randn(501, 2)
    return {
        "heatmap": figures.heatmap_figure(rows, y_labels=LABELS, chosen=1, **axes),
        "square": figures.heatmap_figure(rows @ rows.T, chosen=1, square=True, **axes),
        "sum": figures.sum_figure(rows, rows, rows, names=("a", "b", "c"), x_title="x", **labelled),
        "flat": figures.projection_figure(small[:, :2], small[:, 1:], axis_titles=["x", "y"], **projected),
        "solid": figures.projection_figure(small, small + 1, axis_titles=["x", "y", "z"], **projected),
        "many": figures.projection_figure(
            many, many + 1, axis_titles=["x", "y"], **(projected | {"labels": ["a"] * 501})
        ),
        "norms": figures.norms_figure(*small.abs().T, names=("a", "b", "c"), x_title="x", y_title="y", **labelled),
        "lines": figures.lines_figure(rows[:3], names=list("abc"), chosen=1, floor=(0.1, "level"), **axes),
        "circles": figures.circles_figure(
            torch.randn(3, 5, 2), names=list("abc"), chosen=[1, 2], theme=theme, title=title
        ),
        "all heads": figures.all_heads_figure(torch.rand(2, 3, 4, 4), chosen=(0, 1), **axes),
        "heads": figures.heads_figure(torch.randn(3, 4, 4), names=list("abc"), chosen=1, **axes),
    }


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
        assert same(mine, theirs), name


def test_a_figure_can_be_changed_and_copied_like_any_other() -> None:
    figure = every_figure("light")["lines"]
    copied = copy.deepcopy(figure)
    figure.update_layout(title={"text": "Changed"}).add_scatter(x=[1], y=[2])
    assert figure.to_dict()["layout"]["title"] == {"text": "Changed"}
    assert len(figure.to_dict()["data"]) == len(copied.data) + 1
    assert copied.to_dict()["layout"].get("title") != {"text": "Changed"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_figure_has_large_type_and_the_themes_ink_and_ground(theme: Theme) -> None:
    for name, figure in every_figure(theme).items():
        spec = json.loads(figure.to_json(validate=False))
        least = 13 if name == "solid" else 15  # ticks in space, beside which the points are what is read
        assert min(font_sizes(spec)) >= least, name
        assert spec["layout"]["font"]["color"] == INK[theme]
        assert spec["layout"]["paper_bgcolor"] == GROUND[theme]
        assert "heads" in name or spec["layout"]["plot_bgcolor"] == "rgba(0,0,0,0)"


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
    assert moved == {"flat", "many", "solid"}


def test_tokens_are_named_at_their_positions_and_thinned_where_there_is_no_room() -> None:
    assert position_ticks(["a", "b"], 25, room=66)["tickvals"] == [0, 1, 10, 20]
    assert position_ticks(["a", "b"], 25, room=66)["labelalias"] == {"0": "0 a", "1": "1 b"}
    assert position_ticks(list("abcdefghi"), 64, room=22, chosen=8)["tickvals"] == [0, 3, 8, *range(20, 64, 10)]
    assert position_ticks(list("abc"), 2, room=66)["tickvals"] == [0, 1]
    assert position_ticks([], 30, room=22)["tickvals"] == [0, 10, 20]
