"""Matrices of all schemes under one pointer: what each adds, rotates or biases, and the similarity of positions."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from embedlib.figures import (
    DIVERGING,
    SERIES,
    MatrixPanel,
    colour_limit,
    heatmap_alt,
    largest_finite,
    panels_figure,
)
from embedlib.measures import injection_point
from ui.cache import Request
from ui.cache import schemes as scheme_cache
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison, tokens_over_positions
from ui.compare.units import similarity_in_unit
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, Panels, grid_header, matrix_grid
from ui.export import Drawing, Matrices, figure_drawing, save_menu
from ui.i18n import _, language, number, separator, translate_labels
from ui.settings import controls, state
from ui.shared.page import current_theme
from ui.shared.schemes import (
    GROUP_COLOURS,
    file_name,
    group_index,
    group_titles,
    is_untrained,
    scheme_or_class,
    scheme_title,
    weights_sentence,
)

FINE = 192  # columns of a picture from which on a screen mixes the colours of neighbours
BY_PAIR = (2, 3)  # groups whose pictures are of queries by keys
_SIDES = {-1: "−{}–0", 0: "±{}", 1: "0–{}"}  # the colours' range by the sign of all values
PANELS_LIMIT = 64_000_000  # bytes: describing 45 matrices takes 5 ms of the 35 of a rerun


class SchemePanels(NamedTuple):
    """A matrix of each scheme, as it is drawn."""

    entries: tuple[str, ...]
    panels: Panels


def scheme_panels(panels: Mapping[str, Panel]) -> SchemePanels:
    """Return panels by the entries of their schemes as the page draws them."""
    return SchemePanels(tuple(panels), Panels(panels.values()))


def panel_bytes(shown: SchemePanels) -> int:
    """Return the cached size in bytes: each matrix counts twice, as computed and as sent."""
    return 10_000 + sum(2 * panel.values.nbytes for panel in shown.panels if panel.values is not None)


def language_key(*args: Hashable) -> Hashable:
    """Return the key of a cache whose values have sentences in them."""
    return (*args, language())


def contributions(compared: Comparison) -> None:
    """Show what each scheme adds, rotates or biases, with one colour scale per group or one per scheme."""
    request = compared.request
    places = {key: injection_point(key.scheme()) for key in compared.keys}
    keys = tuple(key for key, place in places.items() if place and (request or place != "content"))
    reads_text = any(places[key] == "content" for key in keys)
    scales = state.get("scales")
    text = request if reads_text else None
    panels = partial(contribution_panels, keys, text, compared.n_positions, compared.head, scales)
    show_grid(panels, compared, key="contributions", title=_("What each scheme does"))
    controls.control(
        "scales",
        titles={"shared": _("the same for schemes that act in one place"), "own": _("one for each picture")},
    )
    if idle := [scheme_title(key.entry) for key, place in places.items() if place is None]:
        sentence = _("No picture for {schemes}: nothing is added or changed.")
        st.caption(sentence.format(schemes=separator(", ").join(idle)))
    if request is not None and reads_text:
        sentence = _(
            "Schemes that read the content need queries and keys: here your text’s rows times random matrices (seed "
            "{seed}), {filled}."
        )
        st.caption(sentence.format(seed=request.seed, filled=tokens_over_positions(compared)))


@memo(PANELS_LIMIT, size=panel_bytes, key=language_key)
def contribution_panels(
    keys: tuple[SchemeKey, ...], request: Request | None, n_positions: int, head: int, scales: str
) -> SchemePanels:
    """Return a panel of what each scheme adds, rotates or biases.

    Args:
        keys: schemes that do something.
        request: text that schemes by content read; None where there are none.
        n_positions: how many are drawn.
        head: of biases; -1 for the mean of all.
        scales: "shared" by the schemes of a group, or each its "own".
    """
    matrices = {key: _contribution(key, request, n_positions, head) for key in keys}
    limits = _colour_ranges({key.entry: matrix for key, matrix in matrices.items()}, scales)
    return scheme_panels(
        {
            key.entry: panel(
                key,
                note=_summary(key, n_positions),
                meaning=_cell_meaning(key, head),
                values=matrix,
                limit=limits[key.entry],
                axes=(_("query"), _("key")) if group_index(key.entry) in BY_PAIR else (_("position"), _("dimension")),
            )
            for key, matrix in matrices.items()
        }
    )


def similarity(compared: Comparison) -> None:
    """Show how similar any two positions are through each scheme, in the chosen unit."""
    panels = partial(similarity_panels, compared.keys, compared.n_positions, state.get("unit"))
    show_grid(panels, compared, key="similarity", title=_("Similarity of positions"))


@memo(PANELS_LIMIT, size=panel_bytes, key=language_key)
def similarity_panels(keys: tuple[SchemeKey, ...], n_positions: int, unit: str) -> SchemePanels:
    """Describe the similarity of positions in a unit, for the schemes where it is defined."""
    found = {key: similarity_in_unit(key, n_positions, unit) for key in keys}
    matrices = {key: matrix for key, matrix in found.items() if matrix is not None}
    limit = 1.0 if unit == "relative" else max((_largest_value(matrix) for matrix in matrices.values()), default=1.0)
    axes = _("position"), _("position")
    return scheme_panels(
        {
            key.entry: panel(
                key,
                note="",
                meaning=_("Colour: similarity, from {lowest} to {highest}."),
                values=matrix,
                limit=limit,
                axes=axes,
            )
            for key, matrix in matrices.items()
        }
    )


def panel(
    key: SchemeKey,
    *,
    note: str,
    meaning: str,
    values: Tensor,
    limit: float,
    axes: tuple[str, str],
    named: bool = False,
) -> Panel:
    """Return one scheme's panel; axes: what a row and a column are; the rest as in Panel.

    `meaning` is a sentence on what a colour is, with places for the lowest and the highest number.
    """
    name, numbers = key.entry, heatmap_alt(values)
    alt = _("{rows} × {columns}, {lowest:.2f} to {highest:.2f}.")
    under = meaning.format(
        lowest=short_number(round(numbers["lowest"], 4) if numbers["lowest"] >= 0 else numbers["lowest"]),
        highest=short_number(numbers["highest"]),
    )
    return Panel(
        title=scheme_title(name),
        place=group_titles()[injection_point(key.scheme())],
        group=group_index(name),
        note=note,
        alt=scheme_title(name) + separator(": ") + alt.format(**numbers),
        values=values,
        limit=limit,
        under=under,
        down="← " + _axis_title(axes[0], len(values), name),
        across=_axis_title(axes[1], values.shape[1], name) + " →",
        rows=axes[0],
        columns=axes[1],
        positions=axes[1] != _("dimension"),
        named=named,
    )


def short_number(value: float) -> str:
    """Write a number in three digits, with a true minus sign."""
    return number(value + 0.0, ".3g").replace("-", "−")  # the sum has no negative zero


def _axis_title(axis: str, count: int, name: str) -> str:
    """Return the title of an axis with its range; a rotation has the dimensions of one head."""
    sentences = {
        _("position"): _("position 0 to {last}"),
        _("query"): _("query at 0 to {last}"),
        _("key"): _("key at 0 to {last}"),
        _("dimension"): _("dimension 0 to {last}")
        if "embedding" in scheme_or_class(name).acts_on
        else _("dimension 0 to {last} of a head"),
    }
    return sentences.get(axis, axis).format(last=count - 1)


def _cell_meaning(key: SchemeKey, head: int) -> str:
    """Return what a colour means in the picture of what a scheme does."""
    place = injection_point(key.scheme())
    if key.name == "sinusoidal" and key.d_model > FINE:
        return _(
            "Colour: the number that is added, from {lowest} to {highest}. On screen a sine near 0 and the cosine near "
            "1 beside it melt into one colour near 0.5."
        )
    if place == "embedding":
        return _("Colour: the number that is added, from {lowest} to {highest}.")
    if place == "query_key":
        return _(
            "Two columns for each pair of dimensions: the cosine and the sine of its angle, from {lowest} to "
            "{highest}. Slow pairs keep a cosine near 1 and a sine near 0, which makes the stripes."
        )
    if head < 0:
        return _(
            "Colour: the change of the score, mean of all heads, from {lowest} to {highest}; what is subtracted is "
            "drawn below 0."
        )
    sentence = _(
        "Colour: the change of the score in head {head}, from {lowest} to {highest}; what is subtracted is drawn below "
        "0."
    )
    return sentence.replace("{head}", str(head))


def _colour_ranges(matrices: dict[str, Tensor], scales: str) -> dict[str, float]:
    """Return the colour range of each matrix: the widest of its group, or its own."""
    own = {
        # A percentile would cut the far end of a slope; a far value of a random table may go.
        name: largest_finite(matrix) if group_index(name) in BY_PAIR else colour_limit(matrix)
        for name, matrix in matrices.items()
    }
    if scales == "own":
        return own
    return {name: max(own[other] for other in own if group_index(other) == group_index(name)) for name in own}


def _largest_value(matrix: Tensor) -> float:
    return colour_limit(matrix[matrix.isfinite()])


def _contribution(key: SchemeKey, request: Request | None, n_positions: int, head: int) -> Tensor:
    place = injection_point(key.scheme())
    if place == "embedding":
        return scheme_cache.added_rows(key, n_positions)
    if place == "query_key":
        return scheme_cache.scheme_rotations(key, n_positions)
    if place == "score":
        return scheme_cache.bias(key, n_positions, head)
    assert request is not None
    return scheme_cache.content_bias(key, request, n_positions, head)


def _summary(key: SchemeKey, n_positions: int) -> str:
    """Return sentences on what a scheme does and where its weights come from."""
    sentences = [_(key.scheme().summary)]
    if is_untrained(key.scheme()):
        sentences.append(_("Here the scheme is not trained: its numbers are random."))
    if trained := weights_sentence(key.scheme(), n_positions):
        sentences.append(trained)
    return separator(" ").join(sentences)


def show_grid(
    panels: Callable[[], SchemePanels],
    compared: Comparison,
    *,
    key: str,
    title: str,
    characters: Sequence[str] | None = None,
) -> None:
    """Show the panels, and their save menu.

    Args:
        panels: returns each scheme's matrix; called again when they are saved.
        compared: what is compared.
        key: Streamlit key, and part of the name of the files.
        title: heading of the figure that is saved.
        characters: of the rows, where these are not the positions of the tokens; none of them is marked.
    """
    chosen = compared.position if characters is None else None
    shown, look = panels(), current_theme()
    if not shown.panels:
        return
    front = compared.front_entry
    save_menu(saved_panels, panels, chosen, key, title)
    matrix_grid(
        shown.panels,
        grid_header(
            chosen=chosen,
            front=shown.entries.index(front) if front in shown.entries else None,
            tokens=compared.tokens if characters is None else characters,
            linked=characters is None,
            colours=DIVERGING[look],
            group_colours=[SERIES[look][index] for index in GROUP_COLOURS],
            labels=translate_labels(grid_component.LABELS),
        ),
        key=key,
    )


def saved_panels(panels: Callable[[], SchemePanels], position: int | None, key: str, title: str) -> Drawing:
    """Draw the panels as one figure, the colours' range beside each name."""
    shown = dict(zip(*panels(), strict=True))
    matrices = {name: panel.values for name, panel in shown.items() if panel.values is not None}
    drawn = [
        MatrixPanel(
            f"{panel.title} ({_SIDES[panel.sign].format(number(panel.limit, '.3g'))})",
            matrices[name],
            panel.limit,
            panel.columns,
            panel.rows,
        )
        for name, panel in shown.items()
    ]
    return figure_drawing(
        f"compare-{key}",
        title,
        Matrices({file_name(name): matrix for name, matrix in matrices.items()}),
        panels_figure,
        drawn,
        chosen=position if position is not None and position < max(map(len, matrices.values())) else None,
        hover_text=_("{name}\nrow {row}, column {column}: {value}"),
    )
