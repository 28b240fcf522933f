"""The scree sends the shares it is given, their running sum, and the level."""

from typing import Any

import numpy as np

from embedlib.colours import RULE, TOKEN
from embedlib.figures.scree import scree_figure
from tests.figures.conftest import Sent

WORDS: Any = {"names": ("share", "sum", "round"), "x_title": "axis", "y_title": "share", "theme": "light"}


def test_bars_are_the_shares_the_line_their_sum_and_the_level_as_given(sent: Sent) -> None:
    bars, running, level = sent(scree_figure([0.5, 0.25, 0.125], level=0.2, shown=2, **WORDS))["data"]
    assert bars["y"] == [0.5, 0.25, 0.125]
    assert bars["marker"]["color"] == [TOKEN["light"], TOKEN["light"], RULE["light"]]
    np.testing.assert_allclose(running["y"], np.cumsum([0.5, 0.25, 0.125]))
    assert level["y"] == [0.2, 0.2]
