"""A model's own position rows: as a matrix, and along their principal axes."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from torch import Tensor

from embedlib.checkpoints import CheckpointError, positional_scheme
from embedlib.figures import SEQUENTIAL, cloud_figure, gradient, heatmap_figure, position_path_figure
from embedlib.tables import TableError
from ui.components import point_cloud as cloud_component
from ui.components.browser import should_draw_section
from ui.components.point_cloud import Gradient, Points, point_cloud, point_data
from ui.embed import embeddable
from ui.export import Drawing, LabelledPoints, Matrix, figure_drawing, save_menu, show
from ui.i18n import _, join_sentences, translate_labels
from ui.models.cache import position_pca, read_positions
from ui.models.facts import position_summary
from ui.settings import controls, state
from ui.shared.model_choice import Model, position_choice
from ui.shared.page import current_theme, principal_titles

MOST = 128  # positions and columns of the matrix that are drawn
HEIGHT = 460
FEWEST_ON_RING = 16  # positions of which a ring is said
ROUNDS = 2  # of a ring that are joined by the line
_CHOSEN = "model_position"


@dataclass(frozen=True)
class ClockHand:
    """Positions that go round a ring at an even speed.

    Attributes:
        step: radians from one position to the next, on average; positive.
        rounds: how often all positions together go round.
    """

    step: float
    rounds: float


def clock_hand(points: NDArray[np.float32]) -> ClockHand | None:
    """Return how positions from 1 on go round on two axes, (n_positions, 2); None unless they do so evenly."""
    if len(points) < FEWEST_ON_RING:
        return None
    x, y = points[1:].astype(np.float64).T  # position 0 often lies apart
    angles = np.arctan2(y, x)
    steps = (np.diff(angles) + np.pi) % (2 * np.pi) - np.pi
    mean, rounds = float(steps.mean()), abs(float(steps.sum())) / (2 * np.pi)
    one_way = float((np.sign(steps) == np.sign(mean)).mean())
    if rounds < 2 or one_way < 0.99 or steps.std() > 0.25 * abs(mean):
        return None
    return ClockHand(abs(mean), rounds)


@embeddable("models-positions")
def position_rows(model: Model) -> None:
    """Show the position table of a model that has one."""
    st.header(_("Position table"))
    position_choice(model)
    if model.checkpoint.position_name is None:
        if not model.checkpoint.position_choices:
            said = _("This model has no table of position rows. Its positional scheme is another: {scheme}.")
            st.info(said.format(scheme=position_summary(model)))
        return
    st.write(
        _(
            "A second table has one row for each position; whatever token stands there, its token row and this "
            "position row are added. In models with such a table the rows are mostly learned, like all other weights."
        )
    )
    if not should_draw_section("models-positions"):
        return
    st.write(_lengths_sentence(read_positions(model).norm(dim=1)))
    left, right = st.columns(2, gap="medium")
    with left:
        _show_matrix(model)
    with right:
        _show_axes(model)


def _lengths_sentence(lengths: Tensor) -> str:
    """Return a sentence on the length of position 0's row beside the others."""
    first, low, high = float(lengths[0]), float(lengths[1:].min()), float(lengths[1:].max())
    sentence = (
        _(
            "The row of position 0 has length {first:.2f}, all others {low:.2f} to {high:.2f}: the model marks the "
            "place where every text begins."
        )
        if first > 1.5 * high
        else _("The row of position 0 has length {first:.2f}, all others {low:.2f} to {high:.2f}.")
    )
    return sentence.format(first=first, low=low, high=high)


def has_position_rows(model: Model) -> bool:
    """Return whether a model has position rows that can be read."""
    with suppress(TableError):
        return len(read_positions(model)) > 0
    return False


def _show_matrix(model: Model) -> None:
    corner = read_positions(model)[:MOST, :MOST]
    st.subheader(
        _("The first {rows} rows and {columns} dimensions").format(rows=corner.shape[0], columns=corner.shape[1])
    )
    show(position_matrix, model)


def position_matrix(model: Model) -> Drawing:
    """Draw the first rows and columns of the position table."""
    table = read_positions(model)
    return figure_drawing(
        "model-positions",
        _("Position table"),
        Matrix(table, "position", "dim", "positions"),
        heatmap_figure,
        table[:MOST, :MOST],
        x_title=_("dimension"),
        y_title=_("position"),
        hover_text=_("position {position}, dimension {dimension}\n{value}").format(
            position="{row}", dimension="{column}", value="{value}"
        ),
        height=HEIGHT + 60,
    )


def _show_axes(model: Model) -> None:
    st.subheader(_("The rows along their main axes"))
    hand = clock_hand(_principal_points(model)[:, :2])
    if hand is not None:
        st.write(_hand_sentence(model, hand))
    else:
        st.write(
            _(
                "The two axes are those along which the rows differ most (PC 1, PC 2). The line joins consecutive "
                "positions: a smooth line means that neighbouring positions have similar rows."
            )
        )
    controls.control("view", titles={"2d": _("flat, joined by a line"), "3d": _("in 3-D")}, collapsed=True)
    if _n_dimensions(model) == 3:
        _show_cloud(model)
    else:
        show(position_map, model)


def _hand_sentence(model: Model, hand: ClockHand) -> str:
    values = {"step": hand.step, "last": len(read_positions(model)) - 1, "rounds": hand.rounds}
    period = 2 * np.pi / hand.step
    sentence = _(
        "On the two axes along which they differ most (PC 1, PC 2) the rows form a ring. Follow the line: from one "
        "position to the next it goes on by {step:.3f} rad (a full turn is 6.283), always in the same direction; "
        "positions 1 to {last:,} go round {rounds:.0f} times. This is the hand of a clock that turns once in "
        "{period:.2f} positions."
    ).format(period=period, **values)
    if not is_learned(model):
        return sentence
    return join_sentences(
        sentence,
        _(
            "Nobody told the model to use waves: training found this one by itself. Sinusoidal positions prescribe "
            "many, from fast to slow."
        ),
    )


def is_learned(model: Model) -> bool:
    """Return whether a model's position rows are known to have been learned."""
    with suppress(CheckpointError):
        return positional_scheme(model.checkpoint.config)[0] == "learned"
    return False


def _show_cloud(model: Model) -> None:
    pca, points = position_pca(model), _principal_points(model)
    count = len(points)
    ids, labels = np.arange(count), [str(position) for position in range(count)]
    save_menu(position_map, model)
    cloud = point_cloud(
        Points(
            data=point_data(points, ids, labels, cache_key=f"positions/{model.key}"),
            colours=_colours(count),
            palette=gradient(SEQUENTIAL[current_theme()]),
            legend=Gradient(_("position"), 0, count - 1),
            dimensions=3,
            chosen=st.session_state.get(_CHOSEN),
            axes=principal_titles(pca.explained_variance_ratio[:3].tolist()),
            labels=translate_labels(cloud_component.LABELS),
            height=HEIGHT - 50,
            named=_named(count),
            picture=model.key,
        ),
        key="position-cloud",
        on_change=state.dismiss_notices,
    )
    st.session_state[_CHOSEN] = cloud.chosen


def _named(count: int) -> list[int]:
    return [*range(0, count, max(1, count // 8))]


def _principal_points(model: Model) -> NDArray[np.float32]:
    """Return the position rows on their principal axes, (n_positions, 3); missing axes are 0."""
    pca, table = position_pca(model), read_positions(model)
    points = np.zeros((len(table), 3), dtype=np.float32)
    points[:, : len(pca.components)] = pca.transform(table).numpy()
    return points


def _n_dimensions(model: Model) -> Literal[2, 3]:
    return 3 if state.get("view") == "3d" and len(position_pca(model).components) > 2 else 2


def position_map(model: Model) -> Drawing:
    """Draw the position rows along their principal axes, coloured by position; consecutive ones are joined."""
    points, dimensions = _principal_points(model), _n_dimensions(model)
    count, titles = len(points), principal_titles(position_pca(model).explained_variance_ratio[:dimensions].tolist())
    labels = [str(position) for position in range(count)]
    numbers = LabelledPoints(np.arange(count), labels, points)
    if dimensions == 3:
        return figure_drawing(
            "position-places",
            _("The rows along their main axes"),
            numbers,
            cloud_figure,
            points,
            labels=labels,
            colours=_colours(count),
            palette=gradient(SEQUENTIAL["light"]),
            kinds=[],
            axis_titles=titles,
            named=_named(count),
            scale=(_("position"), 0, count - 1),
        )
    hand = clock_hand(points[:, :2])
    joined = (0, count - 1) if hand is None else (1, min(count - 1, 1 + round(ROUNDS * 2 * np.pi / hand.step)))
    return figure_drawing(
        "position-places",
        _("The rows along their main axes"),
        numbers,
        position_path_figure,
        points[:, :2],
        joined,
        alt=_("Position rows on two axes, positions {first:,} to {last:,} joined by a line.").format(
            first=joined[0], last=joined[1]
        ),
        named=_named(count) if hand is None else [0, *range(joined[0], joined[1] + 1)],
        scale=_("position"),
        hover_text=_("position {position}"),
        x_title=titles[0],
        y_title=titles[-1] if len(titles) > 1 else "",
        height=HEIGHT + 60,
    )


def _colours(count: int) -> NDArray[np.uint8]:
    return (np.arange(count) * 255 // max(1, count - 1)).astype(np.uint8)
