"""Tensors and ready-made words in, Plotly figures out.

Show them in Streamlit with `st.plotly_chart(figure, theme=None, config=CONFIG, key=…, alt=…)`: the figures bring their
own inks for "light" and "dark". Every string given to a figure is shown as written; nothing in it is read as HTML.
"""

from embedlib.figures.circles import circles_figure
from embedlib.figures.colours import Theme, colour_limit
from embedlib.figures.curves import Curve, curves_alt, curves_figure
from embedlib.figures.heatmap import heatmap_alt, heatmap_figure
from embedlib.figures.layout import CONFIG
from embedlib.figures.lines import lines_alt, lines_figure
from embedlib.figures.norms import norms_alt, norms_figure
from embedlib.figures.panels import heads_alt, heads_figure
from embedlib.figures.projection import ProjectionText, projection_alt, projection_figure
from embedlib.figures.sum import sum_figure
from embedlib.figures.text import plain

__all__ = [
    "CONFIG",
    "Curve",
    "ProjectionText",
    "Theme",
    "circles_figure",
    "colour_limit",
    "curves_alt",
    "curves_figure",
    "heads_alt",
    "heads_figure",
    "heatmap_alt",
    "heatmap_figure",
    "lines_alt",
    "lines_figure",
    "norms_alt",
    "norms_figure",
    "plain",
    "projection_alt",
    "projection_figure",
    "sum_figure",
]
