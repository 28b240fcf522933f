"""The picture of the table: every row a point, the text's tokens among them, with and without positions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from torch import Tensor

from embedlib.components.cloud import read_selection
from embedlib.figures import cloud_figure, density_figure
from ui.cache.bounded import memo
from ui.components import point_cloud as cloud_component
from ui.components._shared.data import SharedData
from ui.components._shared.reports import read_number, read_report
from ui.components.point_cloud import Gradient, Points, Token, point_cloud, point_data, point_order, search_texts
from ui.embed import embeddable
from ui.export import Blocks, Drawing, LabelledPoints, figure_drawing, save_menu
from ui.i18n import _, translate_labels
from ui.projection.colouring import (
    Colours,
    colour_by_density,
    colour_in_view,
    colour_rows,
    count_visible,
    print_palette,
)
from ui.projection.controls import position_rows
from ui.projection.meaning import analogy_words
from ui.projection.panel import apply_search, choose_match, search_in_view
from ui.projection.places import Places, is_mostly_counted
from ui.projection.tables import ShownTable
from ui.projection.view import (
    PICTURE,
    TextRow,
    View,
    choose_row,
    landmarks,
    mark_rows,
    marked_rows,
    shown_panel,
)
from ui.projection.window import apply_reported_window, picture_extent
from ui.settings import state

HEIGHT = 640
_BESIDE = 326  # px of a window for what stands over the picture
_DRAWN = "drawn_rows"
_NAMES_TAKEN = 40  # landmarks that are named in the saved figure


@embeddable("projection-picture")
def picture(view: View, places: Places, matches: list[int] | None) -> None:
    """Draw the points, the rows that a search matched among them, and the save menu."""
    positions, remark = position_rows(view)
    wanted = colour_in_view(view.table, state.get("colour"))
    colours = colour_by_density(places) if is_mostly_counted(places) else colour_rows(view, places.ids, wanted)
    colours = count_visible(colours, places)
    tokens = _text_tokens(view, places, positions)
    _show_save_menu(view, places, colours, tokens)
    _draw(view, places, colours, tokens, matches)
    if remark:
        st.info(remark)
    analogy = {row for side in _analogy_sides(view) for row in side}
    sides = analogy and _(
        "The four lines join the words of the analogy. If the difference between the two words is the same in both "
        "pairs, they form a parallelogram."
    )
    elsewhere = not analogy <= set(places.named) and _(
        "They are not the words of the axes, so the lines may be hidden in the middle: write them into the ends of the "
        "axes below."
    )
    added = (
        positions is not None
        and places.place is not None
        and _(
            "A blue name is a token of your text at its place: token row + position row. Any other name is a token row "
            "alone."
        )
    )
    for sentence in (sides, elsewhere, added, colours.remark, places.summary):
        if sentence:
            st.caption(sentence)


def moving_picture(view: View, places: Places) -> None:
    """Draw the points of a map that is still being computed; other jobs must wait."""
    wanted = colour_in_view(view.table, state.get("colour"))
    _draw(
        view,
        places,
        colour_rows(view, places.ids, "kind" if wanted == "distance" else wanted),
        _text_tokens(view, places, None),
        None,
        moving=True,
    )


def _draw(
    view: View,
    places: Places,
    colours: Colours,
    tokens: list[Token],
    matches: list[int] | None,
    *,
    moving: bool = False,
) -> None:
    drawn = _drawn_rows(view.table, places)
    index_of = drawn.index_of
    search = search_in_view(view.table, matches, drawn.search_texts)
    # Beside the lines of the analogy those of the neighbours would have no list that names them.
    is_analogy = shown_panel() == "analogies" and bool(_analogy_sides(view))
    neighbours = [] if is_analogy else _neighbours(view, index_of)
    st.session_state[_DRAWN] = places.ids
    point_cloud(
        Points(
            data=point_data(
                places.points,
                places.ids,
                drawn.labels,
                cache_key=None if moving else f"{view.table.key}/{hash(places.key)}",
            ),
            colours=colours.indices,
            palette=colours.palette,
            legend=colours.legend,
            dimensions=places.dimensions,
            chosen=None if view.chosen is None else index_of.get(view.chosen),
            ids=None if places.density is None else places.ids,
            extent=picture_extent(places),
            neighbours=neighbours,
            marked=[index_of[row] for row in marked_rows() if row in index_of],
            search=search,
            highlighted=[index_of[row] for row in matches if row in index_of]
            if matches is not None and search.count is not None
            else None,
            tokens=tokens,
            axes=places.axes,
            labels=translate_labels(cloud_component.LABELS),
            height=HEIGHT,
            beside=_BESIDE,
            landmarks=None if is_mostly_counted(places) else drawn.order or "all",
            named=[*(index_of[row] for row in _always_named(view, places) if row in index_of), *dict(neighbours)],
            lines=[(index_of[a], index_of[b]) for a, b in _analogy_sides(view) if a in index_of and b in index_of],
            picture=view.picture,
        ),
        on_window_change=partial(apply_reported_window, view.picture),
        on_search_change=apply_search,
        on_match_change=partial(choose_match, view.table.n_rows),
        key=PICTURE,
        on_change=partial(_apply_click_or_selection, None if places.density is None else view.table.n_rows),
    )


@dataclass(frozen=True, eq=False)
class _DrawnRows:
    """Labels and order of the rows that are drawn."""

    labels: list[str]
    index_of: dict[int, int]  # by row
    landmarks: NDArray[np.int64]
    order: SharedData | None  # of the landmarks, for the browser; None for that of the rows
    search_texts: SharedData | Literal["labels"] | None  # what the browser searches; None where it has not all rows


# For 30,000 points it takes a fifth of a rerun.
@memo(size=lambda drawn: 150 * len(drawn.labels), key=lambda table, places: (table.key, places.key))
def _drawn_rows(table: ShownTable, places: Places) -> _DrawnRows:
    labels, ids = table.names.labels, places.ids.tolist()
    ranking, drawn_labels = landmarks(table, places.ids), [labels[row] for row in ids]
    return _DrawnRows(
        drawn_labels,
        {row: index for index, row in enumerate(ids)},
        ranking,
        point_order(ranking, len(ids)),
        search_texts(table.names.texts, drawn_labels) if len(ids) == table.n_rows else None,
    )


def _apply_click_or_selection(n_rows: int | None) -> None:
    """Apply a click or a selection in a callback, so that the whole rerun knows of it.

    Args:
        n_rows: of the table, where points come and go and clicks are reported by row; None where by index.
    """
    drawn = st.session_state.get(_DRAWN)
    if drawn is None:
        return
    selection = read_selection(read_report(PICTURE, "selection"), len(drawn))
    if selection is not None:
        mark_rows(drawn[selection])
        return
    value = read_number(PICTURE, "chosen")
    if value is None or not 0 <= value < (len(drawn) if n_rows is None else n_rows):
        choose_row(None)
    else:
        choose_row(value if n_rows is not None else int(drawn[value]))


def _always_named(view: View, places: Places) -> list[int]:
    """Return the rows whose names are always shown: those of the axes, and the analogy's where it is in view."""
    words = analogy_words(view.table) if view.map == "meaning" or shown_panel() == "analogies" else []
    rows = (view.table.names.by_word.find(word) for word in words if word)
    return list(dict.fromkeys([*places.named, *(row for row in rows if row is not None)]))


def _analogy_sides(view: View) -> list[tuple[int, int]]:
    """Return the sides of the analogy's parallelogram on the map of meaning, as pairs of rows."""
    a, b, c, expected = (view.table.names.by_word.find(word) if word else None for word in analogy_words(view.table))
    if view.map != "meaning" or a is None or b is None or c is None or expected is None:
        return []
    return [(b, a), (c, expected), (b, c), (a, expected)]


def _neighbours(view: View, index_of: Mapping[int, int]) -> list[tuple[int, float]]:
    nearest = view.nearest
    if nearest is None:
        return []
    pairs = zip(nearest.ids[0].tolist(), nearest.similarities[0].tolist(), strict=True)
    return [(index_of[row], similarity) for row, similarity in pairs if row in index_of]


def _text_tokens(view: View, places: Places, positions: Tensor | None) -> list[Token]:
    """Return the text's tokens at their rows, or at rows plus positions, where the map has coordinates for them."""
    rows = view.text.rows
    if not rows:
        return []
    if places.place is None:
        index_of = _drawn_rows(view.table, places).index_of
        known = [row for row in rows if row.row in index_of]
        spots = places.points[[index_of[row.row] for row in known]]
    else:
        known, vectors = rows, view.table.rows([row.row for row in rows])  # (n_tokens, d_model)
        if positions is not None:
            vectors = vectors + positions[[row.position for row in rows]]
        spots = places.place(vectors).numpy()
    return [Token(row.position, _label(view, row), _xyz(spot)) for row, spot in zip(known, spots, strict=True)]


def _label(view: View, row: TextRow) -> str:
    return view.text.chips[row.position].label


def _xyz(point: NDArray[np.float32]) -> tuple[float, float, float]:
    x, y, z = point.tolist()
    return x, y, z


def _scale(legend: Gradient) -> tuple[str, float, float]:
    if legend.logarithmic:
        return f"{legend.title} (log₁₀)", math.log10(legend.low), math.log10(legend.high)
    return legend.title, legend.low, legend.high


def _show_save_menu(view: View, places: Places, colours: Colours, tokens: list[Token]) -> None:
    """Show the save menu of the picture."""
    spots = np.array([token.coordinates for token in tokens], dtype=np.float32).reshape(-1, 3)[:, : places.dimensions]
    if places.density is not None and places.density.counts is not None:
        assert isinstance(colours.legend, Gradient)
        save_menu(saved_density, places.density.counts, places.density.window, places.axes, colours.legend.title, spots)
        return
    drawn = _drawn_rows(view.table, places)
    nearest = [int(places.ids[index]) for index, _similarity in _neighbours(view, drawn.index_of)]
    names = [
        *_always_named(view, places),
        *([] if tokens else view.text_ids),
        *nearest,
        *places.ids[drawn.landmarks[:_NAMES_TAKEN]].tolist(),
    ]
    save_menu(saved_map, places, drawn.labels, colours, names, spots, [token.label for token in tokens])


def saved_density(
    counts: NDArray[np.uint32],
    window: tuple[float, float, float, float],
    axes: Sequence[str],
    scale: str,
    tokens: NDArray[np.float32],
) -> Drawing:
    """Draw how many rows lie in each cell; one CSV line per cell that holds some: its middle and its count.

    Args:
        counts: (rows, columns) from the bottom up.
        window: left, bottom, right and top of all cells together.
        axes: titles of x and y.
        scale: title of the colours.
        tokens: (n_tokens, 2) coordinates of the text's tokens.
    """
    left, bottom, right, top = window
    up, across = np.nonzero(counts)
    x = left + (across + 0.5) * ((right - left) / counts.shape[1])
    y = bottom + (up + 0.5) * ((top - bottom) / counts.shape[0])
    more = {"counts": counts.astype(np.int64), "window": np.array(window)}
    return figure_drawing(
        "embedding-map",
        _("Projection of the whole table"),
        Blocks(["x", "y", "rows"], [[x, y, counts[up, across]]], more),
        density_figure,
        counts,
        window,
        key=PICTURE,
        axis_titles=axes,
        scale=scale,
        tokens=tokens,
    )


def saved_map(
    places: Places,
    labels: Sequence[str],
    colours: Colours,
    names: Sequence[int],
    tokens: NDArray[np.float32],
    token_labels: Sequence[str],
) -> Drawing:
    """Draw the points as a Plotly figure.

    Args:
        places: coordinates of the rows.
        labels: of each point.
        colours: of each point.
        names: rows whose labels stand in the figure.
        tokens: (n_tokens, dimensions) coordinates of the text's tokens.
        token_labels: of these.
    """
    legend, points = colours.legend, places.points[:, : places.dimensions]
    return figure_drawing(
        "embedding-map",
        _("Projection of the whole table"),
        LabelledPoints(places.ids, labels, places.points, {"rows": places.ids, "places": points, "tokens": tokens}),
        cloud_figure,
        points,
        key=PICTURE,
        labels=labels,
        colours=colours.indices,
        palette=print_palette(colours),
        kinds=[] if isinstance(legend, Gradient) else [(kind.index, kind.name) for kind in legend],
        axis_titles=places.axes,
        named=np.flatnonzero(np.isin(places.ids, names)).tolist(),
        scale=_scale(legend) if isinstance(legend, Gradient) else None,
        tokens=tokens,
        token_labels=token_labels,
    )
