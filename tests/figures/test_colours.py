from itertools import combinations, pairwise

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from embedlib import colours
from embedlib.colours import SEQUENTIAL, Theme, gradient

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
SIGHT = {
    "trichromat": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
THEMES: list[Theme] = ["light", "dark"]


def linear(colour: str) -> NDArray[np.float64]:
    """#rrggbb as linear RGB, 0 to 1."""
    channels = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio of luminances."""
    high, low = sorted((float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear sRGB as CIE L*a*b*, white D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    ratios = to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    x, y, z = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", THEMES)
def test_words_and_the_lines_that_colour_words_reach_the_contrast_of_text(theme: Theme) -> None:
    ground = colours.GROUND[theme]
    for ink in (colours.INK[theme], colours.MUTED[theme], *colours.SERIES[theme]):
        assert contrast(ink, ground) >= 4.5, ink


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_the_parts_of_the_sum_stay_apart_for_every_eye(theme: Theme, sight: str) -> None:
    parts = (colours.TOKEN[theme], colours.POSITION[theme], colours.SUM[theme])
    seen = [lab(np.asarray(SIGHT[sight]) @ linear(part)) for part in parts]
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(one - other) > 10


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_the_ends_of_the_scale_stay_apart_from_each_other_and_from_zero(theme: Theme, sight: str) -> None:
    low, zero, high = (colours.DIVERGING[theme][index] for index in (0, 3, 6))
    seen = [lab(np.asarray(SIGHT[sight]) @ linear(colour)) for colour in (low, zero, high)]
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(one - other) > 25


def test_the_limit_is_the_99th_percentile_of_sizes_over_all_matrices() -> None:
    assert colours.colour_limit(torch.arange(-50, 50), torch.arange(1, 101)) == 100.0
    assert colours.colour_limit(torch.zeros(2, 2), torch.empty(0, 3)) == 1.0
    assert colours.colour_limit(torch.empty(0)) == 1.0
    assert colours.colour_limit(torch.tensor([0.0] * 200 + [3.0])) == 3.0


@pytest.mark.parametrize(
    ("value", "limit"),
    [(1.0, 1.0), (1.0000001, 1.0), (0.99, 1.0), (1.01, 1.5), (2.59, 3.0), (0.0021, 0.0025), (8.1, 10.0), (9e9, 1e10)],
)
def test_the_limit_is_a_round_number_that_no_typical_value_passes(value: float, limit: float) -> None:
    assert colours.colour_limit(torch.full((50,), value)) == pytest.approx(limit, rel=1e-12)


def test_a_gradient_runs_in_equal_steps_through_its_stops() -> None:
    assert gradient(["#000000", "#ffffff", "#ff0000"], 5) == ["#000000", "#808080", "#ffffff", "#ff8080", "#ff0000"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_sequential_scale_changes_in_lightness_one_way_only(theme: Theme) -> None:
    lightness = [lab(linear(colour))[0] for colour in gradient(SEQUENTIAL[theme], 32)]
    steps = [after - before for before, after in pairwise(lightness)]
    assert all(step < 0 for step in steps) if theme == "light" else all(step > 0 for step in steps)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_kinds_of_points_stay_apart_for_every_eye_and_from_the_ground(theme: Theme, sight: str) -> None:
    seen = [lab(np.asarray(SIGHT[sight]) @ linear(colour)) for colour in colours.KINDS[theme]]
    least = 34 if sight == "trichromat" else 24
    assert all(np.linalg.norm(one - other) > least for one, other in combinations(seen, 2))
    assert all(contrast(colour, colours.GROUND[theme]) >= 3 for colour in colours.KINDS[theme])
    assert all(contrast(colour, "#000000") >= 1.8 for colour in colours.KINDS[theme])  # none looks black
