"""The cloud to take along holds every point where it lies, under its name, in its colour."""

from typing import Any

import numpy as np

from embedlib.figures.cloud import cloud_figure, density_figure
from tests.figures.conftest import Sent

POINTS = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8]], dtype=np.float32)
GIVEN: Any = {
    "labels": ["a", "<b>", "c"],
    "colours": np.array([0, 1, 0], dtype=np.uint8),
    "palette": ["#000000", "#ffffff"],
    "theme": "light",
}


def test_each_kind_is_a_trace_with_its_points_names_and_colours(sent: Sent) -> None:
    kinds = [(0, "dark"), (1, "pale")]
    dark, pale = sent(cloud_figure(POINTS[:, :2], kinds=kinds, axis_titles=["x", "y"], **GIVEN))["data"]
    assert dark["type"] == "scattergl"
    np.testing.assert_array_equal(dark["x"], [0, 6])
    np.testing.assert_array_equal(dark["y"], [1, 7])
    assert dark["hovertext"] == ["a", "c"]
    assert pale["hovertext"] == ["&lt;b&gt;"]
    assert pale["marker"]["color"] == ["#ffffff"]


def test_three_axes_are_drawn_in_space_at_true_proportions(sent: Sent) -> None:
    spec = sent(cloud_figure(POINTS, kinds=[], axis_titles=["x", "y", "z"], **GIVEN))
    assert spec["data"][0]["type"] == "scatter3d"
    np.testing.assert_array_equal(spec["data"][0]["z"], [2, 5, 8])
    assert spec["layout"]["scene"]["aspectmode"] == "data"


def test_some_names_are_written_and_a_scale_of_colours_has_its_ends(sent: Sent) -> None:
    scale = ("length", 2.0, 9.0)
    figure = cloud_figure(POINTS[:, :2], kinds=[], axis_titles=["x", "y"], named=[1, 2], scale=scale, **GIVEN)
    points, names, colours = sent(figure)["data"]
    assert len(points["x"]) == 3
    assert names["text"] == ["&lt;b&gt;", "c"]
    np.testing.assert_array_equal(names["x"], [3, 6])
    marker = colours["marker"]
    assert marker["colorscale"] == [[0, "#000000"], [1, "#ffffff"]]
    assert (marker["cmin"], marker["cmax"], marker["colorbar"]["title"]["text"]) == (2, 9, "length")


def test_tokens_lie_over_points_and_density_with_their_names(sent: Sent) -> None:
    tokens = np.array([[6, 7], [0.5, 1]], dtype=np.float32)
    given = {"kinds": [], "axis_titles": ["x", "y"], "tokens": tokens}
    spec = sent(cloud_figure(POINTS[:, :2], named=[1], token_labels=["dog", "<i>"], **given, **GIVEN))
    assert [(dot["xanchor"], dot["yanchor"]) for dot in spec["layout"]["shapes"]] == [(6, 7), (0.5, 1)]
    assert spec["data"][-1]["text"] == ["&lt;b&gt;", "dog", "&lt;i&gt;"]
    np.testing.assert_array_equal(spec["data"][-1]["x"], [3, 6, 0.5])
    counts = np.ones((2, 2), dtype=np.uint32)
    density = density_figure(counts, (0, 0, 2, 2), axis_titles=["x", "y"], theme="light", scale="", tokens=tokens)
    assert sent(density)["layout"]["shapes"] == spec["layout"]["shapes"]
    solid = cloud_figure(
        POINTS, kinds=[], axis_titles=["x", "y", "z"], tokens=POINTS[1:], token_labels=["a", "b"], **GIVEN
    )
    _points, drawn, names = sent(solid)["data"]
    assert drawn["mode"] == "markers"
    np.testing.assert_array_equal(drawn["z"], [5, 8])
    assert names["text"] == ["a", "b"]


def test_a_density_lies_where_its_cells_are_on_a_logarithmic_scale(sent: Sent) -> None:
    counts = np.array([[0, 1, 10], [1_000, 0, 3]], dtype=np.uint32)
    figure = density_figure(counts, (-3.0, 0.0, 3.0, 1.0), axis_titles=["x", "y"], theme="light", scale="rows")
    (image,) = sent(figure)["data"]
    np.testing.assert_allclose(image["x0"] + np.arange(3) * image["dx"], [-2, 0, 2])
    np.testing.assert_allclose(image["y0"] + np.arange(2) * image["dy"], [0.25, 0.75])
    np.testing.assert_allclose(image["z"], [[np.nan, 0, 1], [3, np.nan, np.log10(3)]], rtol=1e-6)
    np.testing.assert_array_equal(image["customdata"], counts)
    assert image["colorbar"]["tickvals"] == [0, 1, 2, 3]
    assert image["colorbar"]["ticktext"] == ["1", "10", "100", "1,000"]
