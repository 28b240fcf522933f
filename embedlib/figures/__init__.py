"""Tensors and ready-made words in, Plotly figures out.

Show them in Streamlit with `st.plotly_chart(figure, theme=None, config=CONFIG, key=…, alt=…)`: the figures bring their
own inks for "light" and "dark". Every string given to a figure is shown as written; nothing in it is read as HTML.
"""

try:
    import plotly
except ModuleNotFoundError as error:
    raise ImportError('Figures need Plotly: pip install "plotly>=7.1,<8"') from error

from embedlib.colours import (
    DIVERGING,
    GROUND,
    KINDS,
    SEQUENTIAL,
    SERIES,
    Theme,
    colour_limit,
    gradient,
)
from embedlib.figures.bars import RankedBar, bars_figure, init_norms_figure, model_shares_figure, ranked_bars_figure
from embedlib.figures.by_length import by_length_figure
from embedlib.figures.charts import Curve, curves_figure, lines_alt, lines_figure
from embedlib.figures.circles import CIRCLE_CELL, circles_figure
from embedlib.figures.cloud import cloud_figure, density_figure
from embedlib.figures.dials import DIAL, dials_figure
from embedlib.figures.layout import CONFIG, AxesOptions, FrameOptions, axes_and_colorbars, figure_traces
from embedlib.figures.matrices import (
    HEAD_CELL,
    MatrixPanel,
    all_heads_figure,
    heads_alt,
    heads_figure,
    heatmap_alt,
    heatmap_figure,
    largest_finite,
    panels_figure,
    sum_figure,
)
from embedlib.figures.moves import moved_points_figure, moves_alt, moves_figure, row_moves_figure
from embedlib.figures.norms import length_bands_figure, norm_histogram_figure, norms_alt, norms_figure
from embedlib.figures.over_steps import (
    StepLine,
    average_stretches,
    over_steps_figure,
    small_steps_figure,
    step_coordinate,
)
from embedlib.figures.position_path import position_path_figure
from embedlib.figures.projection import ProjectionText, projection_alt, projection_figure
from embedlib.figures.scree import scree_figure
from embedlib.figures.text import plain
