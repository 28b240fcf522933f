"""Dials: the arcs of each pair in training and beyond."""

import math

import numpy as np
import pytest
import torch

from embedlib.figures import dials_figure
from tests.figures.conftest import Sent

NAMES = {"names": ["fast", "slow"], "trained_name": "seen", "unseen_name": "new", "theme": "light"}


def arc(trace: dict[str, object]) -> tuple[float, float]:
    """Return the angles at which a trace begins and ends, the end unwrapped."""
    angles = np.unwrap(np.arctan2(np.asarray(trace["y"]), np.asarray(trace["x"])))
    return float(angles[0]), float(angles[-1])


def test_a_dial_has_the_arc_of_training_and_behind_it_the_arc_that_only_longer_texts_reach(sent: Sent) -> None:
    traces = sent(dials_figure(torch.tensor([1.0, 0.05]), trained=32, tested=64, **NAMES))["data"]
    arcs = [(trace["name"], trace["xaxis"], *arc(trace)) for trace in traces if trace["name"]]
    expected = [
        ("seen", "x", 0.0, 2 * math.pi),  # 31 rad: round and round, so that nothing is left for longer texts
        ("seen", "x2", 0.0, 31 * 0.05),
        ("new", "x2", 31 * 0.05, 63 * 0.05),
    ]
    assert [(name, axis) for name, axis, *_ in arcs] == [(name, axis) for name, axis, *_ in expected]
    for (*_, start, stop), (*_, first, last) in zip(arcs, expected, strict=True):
        assert (start, stop) == pytest.approx((first, last), abs=1e-6)


def test_each_arc_stands_once_in_the_legend(sent: Sent) -> None:
    traces = sent(dials_figure(torch.tensor([0.02, 0.05]), trained=32, tested=64, **NAMES))["data"]
    assert [trace["name"] for trace in traces if trace.get("showlegend")] == ["seen", "new"]
