"""One call of every figure with all that can be switched on, and some with next to nothing to draw.

Words have a tag in them, which must be shown as written.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import torch

from embedlib import figures
from embedlib.figures import Curve, MatrixPanel, ProjectionText, RankedBar, StepLine, Theme

Call = tuple[Callable[..., go.Figure], tuple[Any, ...], dict[str, Any]]

_random = torch.Generator().manual_seed(0)
ROWS, SMALL, MANY = (torch.randn(*shape, generator=_random) for shape in ((4, 6), (4, 3), (501, 2)))
WEIGHTS, CIRCLES = torch.rand(2, 3, 4, 4, generator=_random), torch.randn(3, 5, 2, generator=_random)
ZEROS, NOW = torch.zeros(4), (2, "<i>now")
LABELS = ["The", "·cat", "<i>sat", "·on"]
NAMES = ("<i>a", "b", "c")
AXES = {"x_title": "<i>x", "y_title": "<i>y"}
PROJECTED = {
    "labels": LABELS,
    "text": ProjectionText("<i>row", "<i>position", "<i>sum", "<i>{token}", "<i>{token}"),
    "chosen": 1,
}
CURVES = [Curve(f"<i>curve {name}", f"<i>{name}", index % 2, hollow=(0,)) for index, name in enumerate("abcd")]
STEPS = [StepLine("a", [0, 2, 9], [0.1, 0.5, 1.0]), StepLine("<i>", [0, 3], [0.9, 0.2])]
ONE_STEP = [StepLine("a", [0], [1.0])]
CLOUD = {"labels": LABELS, "colours": np.array([0, 1, 0, 1], dtype=np.uint8), "palette": ["#000000", "#ffffff"]}
CLOUD |= {"kinds": [(0, "<i>black"), (1, "white")], "named": [0], "scale": ("<i>size", 0.0, 1.0)}
TOKENS = {"tokens": SMALL[:2].numpy(), "token_labels": ["<i>from", "to"]}
SPREAD = {"expected": 2.0, "spread": 0.5, "names": NAMES}
REASONS = ["<i>still", "read", "softmax", "momentum", "decay"]
MOVES = {"row_ids": [3, 10, 20, 30], "labels": LABELS, "reasons": REASONS, "chosen": 1}
CALLS: dict[str, Call] = {
    "all heads": (figures.all_heads_figure, (WEIGHTS,), {"chosen": (0, 1)} | AXES),
    "bands": (
        figures.length_bands_figure,
        (torch.tensor([1.0, 4.0, 90.0]), torch.tensor([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [5.0, 6.0, 7.0]])),
        {"points": [(2.0, 8.5, "<i>")], "marked": [(4.0, 2.5, "<i>one")], "names": (*NAMES, "d")} | AXES,
    ),
    "bars": (
        figures.bars_figure,
        ([0.25, 0.0, None],),
        {"names": NAMES, "value_texts": NAMES, "hatched": [0], "x_title": "x"},
    ),
    "by length": (
        figures.by_length_figure,
        (torch.rand(4, 3, 3, generator=_random),),
        {"lengths": [2, 4, 9], "lines": CURVES, "trained": 4, "hover_texts": [["<i>one\n<i>two"] * 3] * 4, **AXES}
        | {
            "trained_text": "<i>up to 4",
            "unseen_text": "<i>unseen",
            "level": (0.5, "<i>level"),
            "groups": [("<i>rows", 0)],
        },
    ),
    "by length, nothing": (
        figures.by_length_figure,
        (torch.full((1, 1, 1), torch.nan),),
        {"lengths": [4], "lines": CURVES[:1], "trained": 4, "hover_texts": [["one"]], "shares": False}
        | {"trained_text": "up to 4", "unseen_text": "unseen", "front": 0},
    ),
    "circles": (figures.circles_figure, (CIRCLES,), {"names": NAMES, "chosen": [1, 2]}),
    "cloud": (
        figures.cloud_figure,
        (SMALL[:, :2].numpy(),),
        CLOUD | {"axis_titles": ["x", "y"], "tokens": TOKENS["tokens"][:, :2], "token_labels": ["<i>from", "to"]},
    ),
    "cloud in space": (figures.cloud_figure, (SMALL.numpy(),), CLOUD | TOKENS | {"axis_titles": ["x", "y", "z"]}),
    "dials": (
        figures.dials_figure,
        (torch.tensor([1.0, 0.1, 0.01]),),
        {"names": NAMES, "trained": 32, "tested": 128, "trained_name": "<i>seen", "unseen_name": "<i>new"},
    ),
    "position path": (
        figures.position_path_figure,
        (MANY[:20].numpy(), (1, 18)),
        {"named": [0, 5], "scale": "<i>position"} | AXES,
    ),
    "curves": (
        figures.curves_figure,
        (ROWS,),
        {
            "curves": CURVES,
            "groups": ["<i>rows", "turns"],
            "chosen": NOW,
            "edge": (3, "<i>unseen"),
            "level": (0.1, "<i>level"),
        }
        | AXES,
    ),
    "curves that end in one point": (
        figures.curves_figure,
        (torch.tensor([[3.0, 1.0], [2.0, 1.0], [5.0, 1.0], [4.0, 1.0]]),),
        {"curves": CURVES, "groups": (), "logarithmic": True} | AXES,
    ),
    "density": (
        figures.density_figure,
        (np.array([[0, 1], [1_000, 3]], dtype=np.uint32), (-3.0, 0.0, 3.0, 1.0)),
        {"axis_titles": ["x", "y"], "scale": "<i>rows", "tokens": TOKENS["tokens"][:, :2]},
    ),
    "flat": (figures.projection_figure, (SMALL[:, :2], SMALL[:, 1:]), PROJECTED | {"axis_titles": ["x", "y"]}),
    "heads": (figures.heads_figure, (ROWS.view(2, 3, 4)[:, :, :3],), {"names": NAMES[:2], "chosen": 1} | AXES),
    "heatmap": (
        figures.heatmap_figure,
        (ROWS,),
        {"y_labels": LABELS, "chosen": 1, "last_apart": True} | AXES,
    ),
    "histogram": (figures.norm_histogram_figure, (ROWS.norm(dim=1),), SPREAD | AXES),
    "histogram of one row": (
        figures.norm_histogram_figure,
        (torch.tensor([2.0]),),
        {"expected": 2.0, "spread": 0.0, "names": NAMES} | AXES,
    ),
    "lines": (
        figures.lines_figure,
        (ROWS[:3],),
        {"names": NAMES, "chosen": 1, "chosen_name": "<i>here", "floor": (0.1, "<i>level"), "tokens": LABELS} | AXES,
    ),
    "lines through points": (
        figures.lines_figure,
        (ROWS[:1, :3],),
        {"names": NAMES[:1], "fine": ROWS[:1, :5], "points": ["<i>E", "0", "1"]} | AXES,
    ),
    "many": (
        figures.projection_figure,
        (MANY, MANY + 1),
        PROJECTED | {"labels": ["a"] * 501, "axis_titles": ["x", "y"]},
    ),
    "models": (
        figures.model_shares_figure,
        ([(30.0, 0.0, 70.0), (1.0, 1.0, 2.0)],),
        {"names": NAMES[:2], "value_texts": NAMES[:2], "part_names": NAMES, "x_title": "x"},
    ),
    "moved points": (
        figures.moved_points_figure,
        (torch.tensor([2.0, 3.0, 8.0, 8.0]), torch.tensor([40_000, 900, 100, 101])),
        {"words": LABELS, "named": [0, 2], "chosen": 1} | AXES,
    ),
    "moved points, none moved": (
        figures.moved_points_figure,
        (ZEROS, ZEROS + 1),
        {"words": LABELS, "named": [0], "chosen": 0} | AXES,
    ),
    "moved rows": (
        figures.row_moves_figure,
        (torch.tensor([0.0, 0.5, 0.001, 0.25]), torch.tensor([0, 1, 4, 1])),
        MOVES | AXES,
    ),
    "moved rows, none moved": (figures.row_moves_figure, (ZEROS, ZEROS.long()), MOVES | AXES | {"logarithmic": True}),
    "moves": (figures.moves_figure, (LABELS, LABELS[:3], [(0, 0), (1, 2)]), {"names": NAMES[:2]}),
    "norms": (figures.norms_figure, tuple(SMALL.abs().T), {"labels": LABELS, "names": NAMES} | AXES),
    "one share over steps": (figures.over_steps_figure, (ONE_STEP,), {"last": 9, "scale": "share", "shown": (0, "0")}),
    "one rank over steps": (figures.over_steps_figure, (ONE_STEP,), {"last": 9, "scale": "place", "shown": (0, "0")}),
    "one number over steps": (
        figures.over_steps_figure,
        (ONE_STEP,),
        {"last": 9, "scale": "number", "shown": (0, "0")},
    ),
    "over steps": (
        figures.over_steps_figure,
        (STEPS,),
        {"last": 100, "scale": "share", "shown": NOW, "levels": [(0.5, "<i>level")]} | AXES,
    ),
    "panels": (figures.panels_figure, ([MatrixPanel("<i>a", ROWS, 1.0, "<i>x", "<i>y")] * 2,), {"chosen": 1}),
    "ranked bars": (
        figures.ranked_bars_figure,
        ([RankedBar("<i>queen", 0.8, "<i>0.80", "<i>412", marked=True, detail="<i>"), RankedBar("<i>", -0.1, "<i>")],),
        {"heads": ("<i>similarity", "<i>frequency"), "least": 4},
    ),
    "ranked bars of no length": (figures.ranked_bars_figure, ([RankedBar("a", 0.0, "0")],), {}),
    "scree": (figures.scree_figure, ([0.5, 0.25],), {"level": 0.2, "shown": 1, "names": NAMES} | AXES),
    "small steps": (figures.small_steps_figure, (STEPS,), {"names": NAMES[:2], "last": 100, "shown": 2}),
    "one small chart": (figures.small_steps_figure, (STEPS[:1],), {"names": NAMES[:1], "last": 3, "shown": 50}),
    "solid": (figures.projection_figure, (SMALL, SMALL + 1), PROJECTED | {"axis_titles": ["x", "y", "z"]}),
    "square": (figures.heatmap_figure, (ROWS @ ROWS.T,), {"chosen": 1, "square": True} | AXES),
    "starts": (
        figures.init_norms_figure,
        ([torch.tensor([9.0, 12.0]), torch.tensor([0.2])], [10.5, 0.15]),
        {"names": NAMES[:2], "legend_names": NAMES[:2], "chosen": 1, "x_title": "x"},
    ),
    "sum": (figures.sum_figure, (ROWS, ROWS, 2 * ROWS), {"labels": LABELS, "names": NAMES, "x_title": "x"}),
}


def draw(name: str, **changes: Any) -> go.Figure:
    """Make a call, with other keywords or besides."""
    function, arguments, keywords = CALLS[name]
    return function(*arguments, **keywords | changes)


def every_figure(theme: Theme = "light", title: str = "") -> dict[str, go.Figure]:
    """Return the figure of every call."""
    return {name: draw(name, theme=theme, title=title) for name in CALLS}
