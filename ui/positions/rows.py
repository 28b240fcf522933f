"""The vectors that a scheme adds: columns as waves, all of them as one matrix, distances, and pairs in their planes."""

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import CIRCLE_CELL, circles_figure, heatmap_figure, lines_figure
from embedlib.measures import (
    adjacent_distance,
    pair_period,
    pair_speed,
    paired_columns,
    pairwise_distance,
    position_planes,
    turned_on,
)
from ui.components.browser import comes_near, section
from ui.export import columns_csv, matrix_csv
from ui.i18n import _, between
from ui.positions.chart import SchemeView, chart
from ui.positions.controls import chosen_pairs
from ui.settings import controls, state

TOLERANCE = 1e-5  # relative: sums of float32 that would be equal on paper stay within it
NARROW_CELL = 160  # px, for two in a row on a phone
FIRST = 16  # columns of the matrix that show the fast waves large
FINEST, FINE_POINTS = 8, 2_000  # points of a curve from one position to the next, and in all
AXES = ((0, "x"), (1, "y"))


def rows_charts(view: SchemeView) -> None:
    """Show the vectors that a scheme adds: waves first, then all numbers, then what follows from them."""
    scheme = view.key.scheme()
    waves = st.container()
    pairs = chosen_pairs(scheme)
    with waves:
        _waves(view, pairs)
    _matrix(view)
    with section():
        st.header(_("Distances"))
        if comes_near("positions-distances", height=485, phone=1080):
            near, far = st.columns(2)
            table = _table(view)
            distances = pairwise_distance(table)  # (n_positions, n_positions)
            with near:
                _smooth(view, table, distances)
            with far:
                _unique(view, table, distances)
    circles_chart(view, pairs, waits=370, phone=538)


def _table(view: SchemeView) -> Tensor:
    return view.key.scheme().position_table(view.n_positions).cpu()  # (n_positions, d_model)


def _waves(view: SchemeView, pairs: list[int]) -> None:
    first = paired_columns(view.key.scheme())[0][pairs].tolist()
    planes = position_planes(view.key.scheme(), view.n_positions)[pairs]  # (n_pairs, n_positions, 2)
    names = [_("dim {column}").format(column=column) for column in first]
    chart(
        view,
        "waves",
        _("Dimensions as waves"),
        lambda: _table(view)[:, first].T,
        lines_figure,
        names=names,
        y_title=_("value"),
        chosen=view.position,
        chosen_name=view.named_position,
        fine=_between(planes, side=int(torch.equal(planes[0, :, 1], _table(view)[:, first[0]]))),
        height=330,
        hover_text=_("{name}, position {x}\n{y}"),
        table=lambda values: columns_csv(
            {f"dim_{column}": wave for column, wave in zip(first, values, strict=True)}, row="position"
        ),
        **view.on_x,
    )
    periods = [pair_period(plane) for plane in planes]
    repeats = [
        _("{name} every {period:.3g} positions").format(name=name, period=period)
        for name, period in zip(names, periods, strict=True)
        if period is not None
    ]
    if repeats:
        verdict = _("Periodic: {columns}.") if None not in periods else _("Partly periodic: {columns}.")
        st.caption(verdict.format(columns=between(", ").join(repeats)))
    else:
        st.caption(_("Not periodic."))


def _between(planes: Tensor, *, side: int) -> Tensor | None:
    """Return the curves on which the columns lie, several points for each position; None where they lie on none."""
    n_positions = planes.shape[1]
    speeds = [pair_speed(plane) for plane in planes]
    steps = (n_positions - 1) * max(1, min(FINEST, FINE_POINTS // n_positions))
    at = torch.linspace(0, n_positions - 1, steps + 1)
    curves = [turned_on(plane, speed, at)[:, side] for plane, speed in zip(planes, speeds, strict=True) if speed]
    return torch.stack(curves) if len(curves) == len(planes) else None


def _matrix(view: SchemeView) -> None:
    width = view.key.d_model
    # The grid of a picture has its rows in one half and its columns in the other.
    all_columns = width <= FIRST or view.key.name == "sinusoidal_2d" or state.get("columns") == "all"
    drawn = chart(
        view,
        "vectors",
        _("Position vectors"),
        lambda: _table(view)[:, : None if all_columns else FIRST].T,
        heatmap_figure,
        y_title=_("dimension"),
        file="position-rows",
        chosen_column=view.position,
        hover_text=_("position {position}, dimension {dimension}\n{value}").format(
            position="{column}", dimension="{row}", value="{value}"
        ),
        height=460,
        waits=590 if width > FIRST else 515,
        table=lambda _drawn: matrix_csv(_table(view), row="position", column="dim"),
        **view.on_x,
    )
    if drawn and width > FIRST and view.key.name != "sinusoidal_2d":
        titles = {"first": _("first {count}").format(count=FIRST), "all": _("all {count}").format(count=width)}
        controls.control("columns", titles=titles)


def _smooth(view: SchemeView, table: Tensor, distances: Tensor) -> None:
    neighbours = adjacent_distance(table)  # (n_positions - 1,)
    count = len(table)
    near, everyone = float(neighbours.mean()), float(distances.sum() / (count * (count - 1)))
    chart(
        view,
        "smooth",
        _("To the next position"),
        lambda: adjacent_distance(_table(view))[None],
        lines_figure,
        names=[""],
        x_title=_("position"),
        y_title=_("distance"),
        file="next-row-distance",
        floor=(everyone, _("mean of all pairs")),
        zero=True,
        heading=st.subheader,
        hover_text=_("positions {x} and the next\n{y}"),
        height=320,
        table=lambda values: columns_csv({"distance_to_the_next": values[0]}, row="position"),
    )
    verdict = _("Smooth") if near < everyone / 2 else _("Not smooth")
    sentence = _("{verdict}: neighbours are {near:.2f} apart on average, all pairs {far:.2f}.")
    st.caption(sentence.format(verdict=verdict, near=near, far=everyone))


def _unique(view: SchemeView, table: Tensor, distances: Tensor) -> None:
    position = view.position
    chart(
        view,
        "unique",
        _("To position {position}").format(position=position),
        lambda: pairwise_distance(_table(view))[position][None],
        lines_figure,
        names=[""],
        x_title=_("position"),
        y_title=_("distance"),
        file=f"distances-to-{position}",
        chosen=position,
        zero=True,
        heading=st.subheader,
        hover_text=_("position {x}\n{y}"),
        height=320,
        table=lambda values: columns_csv({f"distance_to_{position}": values[0]}, row="position"),
    )
    st.caption(closest_rows(table, distances))


def closest_rows(table: Tensor, distances: Tensor) -> str:
    """Say whether all of (n_positions, d_model) differ, to TOLERANCE, given their distances: which come closest."""
    apart = distances + torch.diag(torch.full((len(distances),), torch.inf))
    least = float(apart.min())
    rounding = TOLERANCE * float(torch.linalg.vector_norm(table, dim=1).max())
    if least > rounding and bool((distances.diagonal(1) <= least * (1 + TOLERANCE)).all()):
        return _("Unique: neighbours are closest, {least:.2f} apart.").format(least=least)
    # The first pair of those that are as close as the closest, so that rounding does not choose among them.
    first, second = (apart <= max(rounding, least * (1 + TOLERANCE))).nonzero()[0].tolist()
    if least <= rounding:
        return _("Not unique: {first} and {second} are equal.").format(first=first, second=second)
    sentence = _("Unique: {first} and {second} are closest, {least:.2f} apart.")
    return sentence.format(first=first, second=second, least=least)


def circles_chart(view: SchemeView, pairs: list[int], *, turned: bool = False, waits: int = 0, phone: int = 0) -> None:
    """Show where each position stands in the planes of some pairs, and a hand to the marked one.

    Args:
        view: the scheme.
        pairs: of columns.
        turned: whether they are those of queries and keys rather than of rows.
        waits: as for chart.
        phone: as for chart.
    """
    scheme = view.key.scheme()
    adds_too = turned and "embedding" in scheme.acts_on
    n_pairs = len(paired_columns(scheme, turned=turned)[0])
    pairs = [pair for pair in pairs if pair < n_pairs] or [0]

    def table(values: Tensor) -> str:
        columns = {f"pair_{pair}_{axis}": values[at, :, side] for at, pair in enumerate(pairs) for side, axis in AXES}
        return columns_csv(columns, row="position")

    chart(
        view,
        "turned-circles" if adds_too else "circles",
        _("Turned queries") if adds_too else _("Pairs of dimensions in planes"),
        lambda: position_planes(view.key.scheme(), view.n_positions, turned=turned)[pairs],  # (n_pairs, n_positions, 2)
        circles_figure,
        names=[_("pair {pair}").format(pair=pair) for pair in pairs],
        file="turned-pairs" if adds_too else "pairs",
        chosen=[view.position],
        chosen_names=[_("position {position}").format(position=view.named_position)],
        hover_text=_("{name}, position {position}\n({x}, {y})"),
        columns=2 if view.narrow else 4,
        cell=NARROW_CELL if view.narrow else CIRCLE_CELL,
        table=table,
        waits=waits,
        phone=phone,
    )
