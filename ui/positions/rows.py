"""The rows that a scheme adds: as one matrix, as waves and distances, and each pair of columns in its plane."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import CIRCLE_CELL, circles_figure, heatmap_alt, heatmap_figure, lines_alt, lines_figure
from embedlib.measures import adjacent_distance, pairwise_distance, position_planes
from embedlib.positional import SCHEMES
from ui.cache.schemes import SchemeKey
from ui.export import columns_csv, matrix_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.shared.page import current_theme

TOLERANCE = 1e-5  # relative: sums of float32 that would be equal on paper stay within it
NARROW_CELL = 160  # px, for two in a row on a phone
AXES = ((0, "x"), (1, "y"))


def rows_chart(key: SchemeKey, n_positions: int, position: int) -> None:
    """Show one row for each position, the marked one outlined."""
    st.header(_("One row for each position"))
    table = key.scheme().position_table(n_positions).cpu()  # (n_positions, d_model)
    alt = _("{rows} positions by {columns} dimensions, from {lowest:.2f} to {highest:.2f}.")
    chart(
        table,
        partial(
            heatmap_figure,
            x_title=_("dimension"),
            y_title=_("position"),
            theme=current_theme(),
            chosen=position,
            hover_text=_("position {row}, dimension {column}\n{value}"),
            height=520,
        ),
        again=lambda: key.scheme().position_table(n_positions).cpu(),
        table=partial(matrix_csv, row="position", column="dim"),
        key="table",
        name=file_name(key.name, "position-rows"),
        title=_("{scheme}: one row for each position").format(scheme=_(SCHEMES[key.name].title)),
        alt=alt.format(**heatmap_alt(table)),
    )


def three_properties(key: SchemeKey, n_positions: int, *, columns: list[int], position: int) -> None:
    """Show the columns as waves, the distance of neighbours, and the distance of one row from all others.

    Args:
        key: of a scheme that adds rows.
        n_positions: how many of them, at least 2.
        columns: those that are drawn as waves.
        position: the row that is compared with all others.
    """
    st.header(_("Three properties"))
    table = _rows(key, n_positions)
    distances = pairwise_distance(table)  # (n_positions, n_positions)
    _periodic(key, table, columns, position)
    smooth, unique = st.columns(2)
    with smooth:
        _smooth(key, table, distances)
    with unique:
        _unique(key, table, distances, position)


def _rows(key: SchemeKey, n_positions: int) -> Tensor:
    return key.scheme().position_table(n_positions).cpu()  # (n_positions, d_model)


def _periodic(key: SchemeKey, table: Tensor, columns: list[int], position: int) -> None:
    st.subheader(_("Periodic? Columns as waves"))
    waves, n_positions = table[:, columns].T, len(table)  # (n_columns, n_positions)
    alt = _("{lines} columns over {points} positions, from {lowest:.2f} to {highest:.2f}.").format(**lines_alt(waves))
    chart(
        waves,
        partial(
            lines_figure,
            names=[_("dim {column}").format(column=column) for column in columns],
            x_title=_("position"),
            y_title=_("value"),
            theme=current_theme(),
            chosen=position,
            hover_text=_("{name}, position {x}\n{y}"),
        ),
        again=lambda: _rows(key, n_positions)[:, columns].T,
        table=lambda found: columns_csv(
            {f"dim_{column}": wave for column, wave in zip(columns, found, strict=True)}, row="position"
        ),
        key="waves",
        name=file_name(key.name, "waves"),
        title=_("{scheme}: columns as waves").format(scheme=_(SCHEMES[key.name].title)),
        alt=alt,
    )


def _smooth(key: SchemeKey, table: Tensor, distances: Tensor) -> None:
    st.subheader(_("Smooth? The next row’s distance"))
    neighbours = adjacent_distance(table)  # (n_positions - 1,)
    count = len(table)
    everyone = float(distances.sum() / (count * (count - 1)))
    sentence = _("The next row is {near:.2f} away on average, any other row {far:.2f}.").format(
        near=float(neighbours.mean()), far=everyone
    )
    chart(
        neighbours[None],
        partial(
            lines_figure,
            names=[""],
            x_title=_("position"),
            y_title=_("distance to the next"),
            theme=current_theme(),
            floor=(everyone, _("mean of all pairs")),
            zero=True,
            hover_text=_("positions {x} and the next\n{y}"),
        ),
        again=lambda: adjacent_distance(_rows(key, count))[None],
        table=lambda found: columns_csv({"distance_to_the_next": found[0]}, row="position"),
        key="smooth",
        name=file_name(key.name, "next-row-distance"),
        title=_("{scheme}: the next row’s distance").format(scheme=_(SCHEMES[key.name].title)),
        alt=sentence,
    )
    st.caption(sentence)


def _unique(key: SchemeKey, table: Tensor, distances: Tensor, position: int) -> None:
    st.subheader(_("Unique? All rows’ distances"))
    sentence, n_positions = closest_rows(table, distances), len(table)
    chart(
        distances[position][None],
        partial(
            lines_figure,
            names=[""],
            x_title=_("position"),
            y_title=_("distance to position {position}").format(position=position),
            theme=current_theme(),
            chosen=position,
            zero=True,
            hover_text=_("position {x}\n{y}"),
        ),
        again=lambda: pairwise_distance(_rows(key, n_positions))[position][None],
        table=lambda found: columns_csv({f"distance_to_{position}": found[0]}, row="position"),
        key="unique",
        name=file_name(key.name, f"distances-to-{position}"),
        title=_("{scheme}: the distance of all rows from row {position}").format(
            scheme=_(SCHEMES[key.name].title), position=position
        ),
        alt=sentence,
    )
    st.caption(sentence)


def closest_rows(table: Tensor, distances: Tensor) -> str:
    """Say which rows are closest, and whether any two are equal; all to TOLERANCE.

    Args:
        table: (n_positions, d_model), at least 2 positions.
        distances: (n_positions, n_positions) of every row from every other.

    Returns:
        One sentence.
    """
    apart = distances + torch.diag(torch.full((len(distances),), torch.inf))
    least = float(apart.min())
    rounding = TOLERANCE * float(torch.linalg.vector_norm(table, dim=1).max())
    if least > rounding and bool((distances.diagonal(1) <= least * (1 + TOLERANCE)).all()):
        return _("Neighbours are the closest, all {least:.2f} apart; only a row itself is at 0.").format(least=least)
    # The first pair of those that are as close as the closest, so that rounding does not choose among them.
    first, second = (apart <= max(rounding, least * (1 + TOLERANCE))).nonzero()[0].tolist()
    if least <= rounding:
        return _("Rows {first} and {second} are equal: not unique.").format(first=first, second=second)
    return _("The two closest rows, {first} and {second}, are {least:.2f} apart; only a row itself is at 0.").format(
        first=first, second=second, least=least
    )


def circles_chart(key: SchemeKey, pairs: list[int], n_positions: int, position: int, *, narrow: bool) -> None:
    """Show where each position stands in the planes of some pairs, with a hand to the marked one."""

    def planes() -> Tensor:
        return position_planes(key.scheme(), n_positions)[pairs]  # (n_pairs, n_positions, 2)

    def table(found: Tensor) -> str:
        columns = {f"pair_{pair}_{axis}": found[at, :, side] for at, pair in enumerate(pairs) for side, axis in AXES}
        return columns_csv(columns, row="position")

    alt = _("Each of {count} pairs of columns in its plane, {positions} positions each.")
    chart(
        planes(),
        partial(
            circles_figure,
            names=[_("pair {pair}").format(pair=pair) for pair in pairs],
            chosen=[position],
            chosen_names=[_("position {position}").format(position=position)],
            theme=current_theme(),
            hover_text=_("{name}, position {position}\n({x}, {y})"),
            columns=2 if narrow else 4,
            cell=NARROW_CELL if narrow else CIRCLE_CELL,
        ),
        again=planes,
        table=table,
        key="circles",
        name=file_name(key.name, "pairs"),
        title=_("{scheme}: pairs of columns").format(scheme=_(SCHEMES[key.name].title)),
        alt=alt.format(count=len(pairs), positions=n_positions),
    )
