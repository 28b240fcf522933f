"""What cannot be drawn is refused, and the message says what is wrong with which argument."""

from typing import Any

import numpy as np
import pytest
import torch

from embedlib.figures import Curve, MatrixPanel, RankedBar, StepLine
from tests.figures.calls import CALLS, CURVES, LABELS, ONE_STEP, REASONS, ROWS, SMALL, WEIGHTS, ZEROS

ONES = torch.ones(4)
MOVED = torch.tensor([0.0, -1.0, 0.0, 0.0])
BANDS = torch.ones(3, 3)


def panel(values: torch.Tensor, limit: float = 1.0) -> list[MatrixPanel]:
    """One panel without words."""
    return [MatrixPanel("a", values, limit, "", "")]


# The call, what takes the place of its arguments (None for as they are), other keywords, and part of the message.
REFUSED: list[tuple[str, tuple[Any, ...] | None, dict[str, Any], str]] = [
    *(("all heads", (torch.rand(shape),), {}, "attention has shape") for shape in ((3, 5, 5), (2, 3, 5, 4))),
    ("all heads", (WEIGHTS,), {"chosen": (2, 0)}, r"chosen=\(2, 0\) must be a layer below 2"),
    ("bands", (torch.ones(2), BANDS), {}, r"it must be \(3, 2\)"),
    ("bands", (torch.zeros(3), BANDS), {}, "ranks must be at least 1"),
    ("bands", (torch.ones(3), BANDS), {"marked": [(0, 1, "")]}, "ranks must be at least 1"),
    *(("bars", (values,), {}, "values=") for values in ([], [-0.1], [float("nan")])),
    ("bars", None, {"names": ["a"]}, "labels has 1 entries for 3 rows"),
    ("bars", None, {"value_texts": ["a"]}, "labels has 1 entries for 3 rows"),
    ("by length", None, {"lines": CURVES[:3]}, r"values has shape \(4, 3, 3\): it must be \(3 lines"),
    ("by length", None, {"lengths": [4, 4, 5]}, r"lengths=\[4, 4, 5\] must rise"),
    ("by length", None, {"lines": [*CURVES[:3], Curve("b", "b", 6)]}, "group must be from 0 to 5"),
    ("by length", None, {"front": 4}, "front=4 must be None or a line from 0 to 3"),
    ("by length", None, {"hover_texts": [["one"] * 3]}, "1 entries for 4 rows"),
    ("by length", None, {"hover_texts": [*[["one"] * 3] * 3, ["one"]]}, "1 entries for 3 rows"),
    ("circles", (SMALL,), {}, r"must be \(n_pairs, seq_len, 2\)"),
    ("circles", None, {"names": ["a"]}, "labels has 1 entries for 3 rows"),
    ("circles", None, {"chosen": [10]}, "chosen=10 must be"),
    ("circles", None, {"chosen": range(7)}, "chosen has 7 positions: at most 6"),
    ("cloud", None, {"axis_titles": list("xyz")}, "for 3 axis titles"),
    ("cloud in space", None, {"colours": np.zeros(2, np.uint8)}, "colours has shape"),
    ("curves", None, {"curves": CURVES[:3]}, "labels has 3 entries for 4 rows"),
    ("curves", None, {"curves": [*CURVES[:3], Curve("b", "b", 2)]}, "group must be from 0 to 1"),
    ("curves", None, {"front": 4}, "front=4 must be None or a line from 0 to 3"),
    ("density", (np.zeros((2, 2), np.uint32), (0, 0, 1, 1)), {}, "sum 0"),
    ("dials", (torch.tensor([1.0, 0.0]),), {}, "each above 0"),
    ("dials", (torch.ones(1, 2),), {}, "n_pairs"),
    ("dials", None, {"trained": 8, "tested": 4}, "at least trained"),
    ("flat", (torch.ones(3, 4), None), {}, "its width must be 2 or 3"),
    ("flat", (torch.ones(3, 2), torch.ones(2, 2)), {}, r"sums has shape \(2, 2\): it must be that of rows, \(3, 2\)"),
    ("flat", None, {"labels": ["x"]}, "labels has 1 entries for 4 rows"),
    ("flat", None, {"chosen": 4}, "chosen=4 must be"),
    ("flat", None, {"axis_titles": ["x"]}, "axis_titles has 1 entries for 2 axes"),
    *(("heads", (torch.zeros(shape),), {}, r"must be \(n_heads, seq_len") for shape in ((3, 3), (2, 3, 4), (0, 3, 3))),
    *(("heatmap", (torch.zeros(shape),), {}, "two dimensions, none of") for shape in ((3,), (0, 4), (4, 0), (2, 2, 2))),
    ("heatmap", None, {"y_labels": ["x"]}, "labels has 1 entries for 4 rows"),
    ("heatmap", None, {"chosen": 4}, "chosen=4 must be None or a row from 0 to 3"),
    *(
        ("histogram", (norms,), {}, r"it must be \(n_rows,\)")
        for norms in (torch.ones(0), torch.ones(2, 2), torch.tensor([1.0, torch.nan]))
    ),
    ("histogram", None, {"spread": -1}, "spread=-1 must be at least 0"),
    ("lines", (torch.ones(7, 3),), {"names": [""] * 7}, "values has 7 lines: at most 6"),
    ("lines", None, {"names": ["a"]}, "labels has 1 entries for 3 rows"),
    ("lines", None, {"chosen": 6}, "chosen=6 must be"),
    *(
        ("models", (parts,), {}, "at least one model")
        for parts in ([], [(0.0, 0.0, 0.0)], [(-1.0, 0.0, 2.0)], [(float("nan"), 0.0, 1.0)])
    ),
    ("models", None, {"names": ["a"]}, "labels has 1 entries for 2 rows"),
    ("moved points", (torch.zeros(3), ONES), {}, r"must be \(n_rows,\) both"),
    ("moved points", (MOVED, ONES), {}, "moves must be at least 0"),
    ("moved points", (ONES, ZEROS), {}, "counts at least 1"),
    ("moved points", None, {"words": ["a"]}, "labels has 1 entries for 4 rows"),
    ("moved rows", (torch.zeros(0), torch.zeros(0)), {}, r"must be \(n_shown,\)"),
    ("moved rows", (torch.zeros(3), ZEROS), {}, r"must be \(n_shown,\)"),
    ("moved rows", (MOVED, ZEROS), {}, "none of it below 0"),
    ("moved rows", (ONES, 5 * ONES), {}, "from 0 to 4"),
    ("moved rows", (ONES, -ONES), {}, "from 0 to 4"),
    ("moved rows", None, {"labels": ["a"]}, "labels has 1 entries for 4 rows"),
    ("moved rows", None, {"row_ids": [1]}, "labels has 1 entries for 4 rows"),
    ("moved rows", None, {"chosen": 4}, "chosen=4 must be None"),
    ("moved rows", None, {"reasons": [*REASONS, "f"]}, "at most 5"),
    ("moves", ([], ["a"], []), {}, "at least one"),
    ("moves", (["a"], ["a"], [(0, 1)]), {}, r"pair=\(0, 1\)"),
    *(
        ("norms", (torch.ones(2), part, None), {}, r"must be \(n_tokens,\)")
        for part in (torch.ones(3), torch.ones(2, 1))
    ),
    ("norms", None, {"labels": ["a"]}, "labels has 1 entries for 4 rows"),
    *(("over steps", (lines,), {}, "1 to 6, which can be told apart") for lines in ([], ONE_STEP * 7)),
    ("panels", ([],), {}, "panels is empty"),
    *(("panels", (panel(torch.zeros(shape)),), {}, "values has shape") for shape in ((3,), (0, 3))),
    ("panels", (panel(torch.zeros(2, 2), 0.0),), {}, r"limit=0\.0 must be above 0"),
    ("panels", None, {"chosen": 5}, "chosen=5"),
    ("ranked bars", ([],), {}, "give at least one"),
    ("ranked bars", ([RankedBar("a", 1.0, "")],), {"longest": 0.0}, r"longest=0\.0 must be above 0"),
    ("ranked bars", ([RankedBar("a", 1.0, "")],), {"room": 1.5}, r"room=1\.5 in \(0, 1\]"),
    *(("scree", (ratios,), {}, "ratios=") for ratios in ([], [-0.1], [1.1], [float("nan")])),
    ("small steps", None, {"names": ["a"]}, "a name for each"),
    ("small steps", ([],), {"names": []}, "give at least one"),
    ("starts", ([], []), {"names": [], "chosen": None}, "every length must be above 0"),
    *(
        ("starts", ([norms], [law]), {"names": ["a"], "chosen": None}, "every length must be above 0")
        for norms, law in ((torch.zeros(2), 1.0), (torch.ones(0), 1.0), (torch.ones(2), 0.0))
    ),
    ("starts", None, {"chosen": 2}, "chosen=2 must be None"),
    ("starts", None, {"names": ["a"]}, "labels has 1 entries for 2 rows"),
    ("starts", ([torch.ones(2)], [1.0]), {"names": LABELS[:2]}, "labels has 2 entries for 1 rows"),
    ("sum", (ROWS, ROWS[:, 1:], ROWS), {}, r"have shapes \(4, 6\), \(4, 5\), \(4, 6\): all three must be"),
    ("sum", None, {"labels": ["a"]}, "labels has 1 entries for 4 rows"),
]


@pytest.mark.parametrize(("name", "arguments", "changes", "message"), REFUSED)
def test_what_cannot_be_drawn_is_refused(
    name: str, arguments: tuple[Any, ...] | None, changes: dict[str, Any], message: str
) -> None:
    function, usual, keywords = CALLS[name]
    with pytest.raises(ValueError, match=message):
        function(*(usual if arguments is None else arguments), **keywords | changes)


@pytest.mark.parametrize(("steps", "values"), [([], []), ([0, 1], [0.0])])
def test_a_line_over_steps_has_a_value_for_each(steps: list[int], values: list[float]) -> None:
    with pytest.raises(ValueError, match="at least one step, and a value for each"):
        StepLine("a", steps, values)


def test_keywords_that_no_figure_has_are_refused() -> None:
    function, arguments, keywords = CALLS["lines"]
    with pytest.raises(TypeError, match="heigth"):
        function(*arguments, **keywords, heigth=300)
