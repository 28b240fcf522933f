"""The vectors that a scheme adds: columns as waves, one matrix, distances, and column pairs in their planes."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import CIRCLE_CELL, circles_figure, heatmap_figure, lines_figure
from embedlib.i18n import N_
from embedlib.measures import (
    adjacent_distance,
    extrapolate_rotation,
    pair_period,
    pair_speed,
    paired_columns,
    pairwise_distance,
    position_planes,
)
from ui.cache.schemes import SchemeKey, added_rows
from ui.embed import embeddable, shared_controls
from ui.export import Columns, Drawing, Matrix, show, show_clickable
from ui.i18n import _, join_sentences, separator
from ui.positions.controls import chosen_pairs
from ui.positions.view import SchemeView, scheme_drawing
from ui.settings import controls, state
from ui.shared.page import section

TOLERANCE = 1e-5  # relative: sums of float32 that would be equal on paper stay within it
JOINED = 4  # positions that a line follows in the plane of a pair
NARROW_CELL = 160  # px, for two in a row on a phone
FIRST = 16  # columns of the matrix that show the fast waves large
FINEST, FINE_POINTS = 8, 2_000  # points of a curve from one position to the next, and in all


def rows_charts(view: SchemeView) -> None:
    """Show the vectors that a scheme adds: waves first, then all numbers, then what follows from them."""
    place = st.container()
    with shared_controls("pairs", "positions-waves", "positions-circles", "positions-turned-circles"):
        pairs = tuple(chosen_pairs(view.key.scheme()))
    with place:
        _waves_over_positions(view, pairs)
    position_vectors(view)
    show_distances(view)
    circles(view, pairs)


@embeddable("positions-waves")
def _waves_over_positions(view: SchemeView, pairs: Sequence[int]) -> None:
    st.header(_("Dimensions over the positions"))
    st.write(
        _("Each pair of dimensions is one wave. Drawn is its first dimension; the second is the same wave, shifted.")
        if view.key.name == "sinusoidal"
        else _("Each line is one dimension of the rows, followed from position to position.")
    )
    show(waves, view, pairs)
    st.caption(_periods_sentence(view, pairs))


def _wave_names(key: SchemeKey, pairs: Sequence[int]) -> dict[int, str]:
    """Return the first column of each pair, with its name."""
    columns = paired_columns(key.scheme())[0][[*pairs]].tolist()
    name = _("pair {pair} (dim {column})")
    return {column: name.format(pair=pair, column=column) for pair, column in zip(pairs, columns, strict=True)}


_NARROW_ROOM = 8  # upright labels on a phone, where the names of the waves take half of the width


def waves(view: SchemeView, pairs: Sequence[int]) -> Drawing:
    """Draw the first column of each pair over positions."""
    names, rows = _wave_names(view.key, pairs), added_rows(view.key, view.n_positions)
    columns = {f"dim_{column}": rows[:, column] for column in names}
    planes = position_planes(view.key.scheme(), view.n_positions)[[*pairs]]  # (n_pairs, n_positions, 2)
    return scheme_drawing(
        view.key,
        "waves",
        _("Dimensions over the positions"),
        Columns(columns, row="position"),
        lines_figure,
        torch.stack(list(columns.values())),
        names=list(names.values()),
        y_title=_("value"),
        chosen=view.position,
        chosen_name=view.position_label,
        fine=_circle_curves(planes, side=int(torch.equal(planes[0, :, 1], next(iter(columns.values()))))),
        height=330,
        hover_text=_("{name}, position {x}\n{y}"),
        **view.x_axis_options | ({"room": _NARROW_ROOM} if view.narrow else {}),
    )


def _periods_sentence(view: SchemeView, pairs: Sequence[int]) -> str:
    """Return a sentence on which waves are periodic."""
    periods = [pair_period(plane) for plane in position_planes(view.key.scheme(), view.n_positions)[[*pairs]]]
    repeats = [
        _("{name} after {period:.3g} positions").format(name=name, period=period)
        for name, period in zip(_wave_names(view.key, pairs).values(), periods, strict=True)
        if period is not None
    ]
    if not repeats:
        return _("None of these dimensions repeats with a fixed period.")
    verdict = _("The waves repeat: {columns}.") if None not in periods else _("Some of the waves repeat: {columns}.")
    said = verdict.format(columns=separator(", ").join(repeats))
    return join_sentences(
        said, _("Fast waves tell neighbours apart; slow ones tell the beginning of a long text from its end.")
    )


def _circle_curves(planes: Tensor, *, side: int) -> Tensor | None:
    """Return the circles of the pairs, several points for each position; None where a pair has no constant speed."""
    n_positions = planes.shape[1]
    speeds = [pair_speed(plane) for plane in planes]
    steps = (n_positions - 1) * max(1, min(FINEST, FINE_POINTS // n_positions))
    at = torch.linspace(0, n_positions - 1, steps + 1)
    curves = [
        extrapolate_rotation(plane, speed, at)[:, side] for plane, speed in zip(planes, speeds, strict=True) if speed
    ]
    return torch.stack(curves) if len(curves) == len(planes) else None


@section(
    "positions-vectors",
    N_("Position rows"),
    lead=N_(
        "Many numbers at once: each line of the picture is the row of one position. Compare the position to follow "
        "with its neighbours, and with positions far away."
    ),
)
def position_vectors(view: SchemeView) -> None:
    """Show the first columns of the matrix or all of them, as the reader chooses."""
    show(vectors_matrix, view)
    if (width := view.key.d_model) > FIRST and view.key.name != "sinusoidal_2d":
        titles = {"first": _("first {count}").format(count=FIRST), "all": _("all {count}").format(count=width)}
        controls.control("columns", titles=titles)


def vectors_matrix(view: SchemeView) -> Drawing:
    """Draw the vectors as a matrix, with all columns in the files."""
    rows = added_rows(view.key, view.n_positions)
    # The grid of a picture has its rows in one half and its columns in the other.
    all_columns = view.key.name == "sinusoidal_2d" or state.get("columns") == "all"
    drawn = rows[:, : None if all_columns else FIRST]
    return scheme_drawing(
        view.key,
        "vectors",
        _("Position rows"),
        Matrix(rows, row="position", column="dim", name="vectors"),
        heatmap_figure,
        drawn,
        file="position-rows",
        shown=Matrix(drawn, "", "").alt(),
        x_title=_("dimension"),
        y_title=_("position"),
        y_labels=[
            f"{position} {token}".strip()
            for position, token in zip_longest(range(len(rows)), view.tokens, fillvalue="")
        ],
        chosen=view.position,
        hover_text=_("position {position}, dimension {dimension}\n{value}").format(
            position="{row}", dimension="{column}", value="{value}"
        ),
        height=560,
    )


@section(
    "positions-distances",
    N_("Distances between position rows"),
    lead=N_("A good code for positions changes a little with each step and never gives two positions the same row."),
)
def show_distances(view: SchemeView) -> None:
    """Show how far each position is from the next one and from the marked one."""
    rows = added_rows(view.key, view.n_positions)
    apart = pairwise_distance(rows)  # (n_positions, n_positions)
    near, far = st.columns(2, gap="medium")  # between them the left chart’s tools unfold
    with near:
        st.subheader(_("From each position to the next"))
        show(distances_to_next, view.key, view.n_positions)
        steps, everyone = adjacent_distance(rows), _mean_pair_distance(apart)
        average, most = float(steps.mean()), float(steps.max())
        if average >= everyone / 2:
            sentence = _(
                "Neighbouring rows are {near:.2f} apart on average, any two rows {far:.2f}: a step to the next "
                "position is as large as a step anywhere."
            )
        elif most > everyone:
            sentence = _(
                "Neighbouring rows are {near:.2f} apart on average, any two rows {far:.2f}. The exception is the step "
                "from position {first} to the next: {most:.2f}."
            )
        else:
            sentence = _(
                "Neighbouring rows are {near:.2f} apart on average, any two rows {far:.2f}: a small step in "
                "position is a small step in the row."
            )
        st.caption(sentence.format(near=average, far=everyone, first=int(steps.argmax()), most=most))
    with far:
        st.subheader(_("From each position to position {position}").format(position=view.position))
        show(distances_to_one, view.key, view.n_positions, view.position)
        st.caption(closest_rows_sentence(rows, apart))


def _mean_pair_distance(apart: Tensor) -> float:
    return float(apart.sum() / (len(apart) * (len(apart) - 1)))


def distances_to_next(key: SchemeKey, n_positions: int) -> Drawing:
    """Draw how far each position is from the next, against the mean of all pairs."""
    rows = added_rows(key, n_positions)
    return _distances_drawing(
        key,
        "smooth",
        _("From each position to the next"),
        {"distance_to_the_next": adjacent_distance(rows)},
        file="next-row-distance",
        floor=(_mean_pair_distance(pairwise_distance(rows)), _("mean of any two positions")),
        hover_text=_("positions {x} and the next\n{y}"),
    )


def distances_to_one(key: SchemeKey, n_positions: int, position: int) -> Drawing:
    """Draw the distance of each position's row from that of one position."""
    return _distances_drawing(
        key,
        "unique",
        _("From each position to position {position}").format(position=position),
        {f"distance_to_{position}": pairwise_distance(added_rows(key, n_positions))[position]},
        file=f"distances-to-{position}",
        chosen=position,
        hover_text=_("position {x}\n{y}"),
    )


def _distances_drawing(key: SchemeKey, what: str, title: str, line: Mapping[str, Tensor], **options: Any) -> Drawing:
    """Draw one line of distances by position; options: of `scheme_drawing` and of `lines_figure`."""
    options |= {"names": [""], "x_title": _("position"), "y_title": _("distance"), "zero": True, "height": 320}
    values = torch.stack(list(line.values()))
    return scheme_drawing(key, what, title, Columns(line, row="position"), lines_figure, values, **options)


def closest_rows_sentence(table: Tensor, distances: Tensor) -> str:
    """Return a sentence on whether all position rows differ, to TOLERANCE, and which come closest."""
    apart = distances + torch.diag(torch.full((len(distances),), torch.inf))
    least = float(apart.min())
    rounding = TOLERANCE * float(torch.linalg.vector_norm(table, dim=1).max())
    if least > rounding and bool((distances.diagonal(1) <= least * (1 + TOLERANCE)).all()):
        return _("No two positions have the same row: the closest are neighbours, {least:.2f} apart.").format(
            least=least
        )
    # The first pair of those that are as close as the closest, so that rounding does not choose among them.
    first, second = (apart <= max(rounding, least * (1 + TOLERANCE))).nonzero()[0].tolist()
    if least <= rounding:
        return _("Two positions cannot be told apart: {first} and {second} have the same row.").format(
            first=first, second=second
        )
    sentence = _("No two positions have the same row: the closest are {first} and {second}, {least:.2f} apart.")
    return sentence.format(first=first, second=second, least=least)


def planes_title(view: SchemeView, pairs: Sequence[int]) -> str:
    """Return the heading of the planes of some pairs."""
    return _("Pairs of dimensions as clocks") if _are_circles(view, pairs) else _("Pairs of dimensions")


def _are_circles(view: SchemeView, pairs: Sequence[int]) -> bool:
    planes = position_planes(view.key.scheme(), view.n_positions)
    return all(pair_speed(plane) is not None for plane in planes[[*pairs]])


@section("positions-circles", planes_title)
def circles(view: SchemeView, pairs: Sequence[int]) -> None:
    """Show where the rows of positions stand in the planes of some pairs."""
    st.write(
        _(
            "Two dimensions of a row are a point in a plane. With sines and cosines it moves round a circle from "
            "position to position, like the hand of a clock, and each pair has a speed of its own: follow the line "
            "from position 0 to 3. Once a hand has gone round, dots side by side are positions far apart."
        )
        if _are_circles(view, pairs)
        else _(
            "Two dimensions of a row are a point in a plane. These rows are not made of sines and cosines, so the "
            "points need not lie on circles."
        )
    )
    show_clickable(_mark_position, planes_of_pairs, view, tuple(pairs))


@section("positions-turned-circles", N_("Rotated queries"))
def rotated_circles(view: SchemeView, pairs: Sequence[int]) -> None:
    """Show how a scheme that also adds rows rotates queries and keys, in the planes of some pairs."""
    show_clickable(_mark_position, planes_of_pairs, view, tuple(pairs), rotated=True)


def _mark_position(point: dict[str, Any]) -> None:
    state.set_local(position=int(point["point_index"]))


def planes_of_pairs(view: SchemeView, pairs: tuple[int, ...], *, rotated: bool = False) -> Drawing:
    """Draw each position as a point in the planes of some pairs, with a hand to the marked one.

    Args:
        view: the scheme.
        pairs: of columns.
        rotated: True for queries and keys, False for rows.
    """
    scheme = view.key.scheme()
    adds_too = rotated and "embedding" in scheme.acts_on
    first, second = (dims.tolist() for dims in paired_columns(scheme, rotated=rotated))
    n_pairs, joined = len(first), min(JOINED, view.n_positions)
    chosen = [pair for pair in pairs if pair < n_pairs] or [0]
    planes = position_planes(scheme, view.n_positions, rotated=rotated)[chosen]  # (n_pairs, n_positions, 2)
    columns = {
        f"pair_{pair}_{axis}": plane[:, side]
        for pair, plane in zip(chosen, planes, strict=True)
        for side, axis in enumerate("xy")
    }
    return scheme_drawing(
        view.key,
        "turned-circles" if adds_too else "circles",
        _("Rotated queries") if adds_too else planes_title(view, chosen),
        Columns(columns, row="position"),
        circles_figure,
        planes,
        file="turned-pairs" if adds_too else "pairs",
        shown=_("{count} pairs at {positions} positions.").format(count=len(chosen), positions=view.n_positions),
        names=[
            _("pair {pair}: dims {first}, {second}").format(pair=pair, first=first[pair], second=second[pair])
            for pair in chosen
        ],
        joined=joined,
        joined_name=_("positions 0 to {last}, in order").format(last=joined - 1),
        chosen=[view.position],
        chosen_names=[_("position {position}").format(position=view.position_label)],
        hover_text=_("{name}, position {position}\n({x}, {y})"),
        columns=2 if view.narrow else 4,
        cell=NARROW_CELL if view.narrow else CIRCLE_CELL,
    )
