"""The schemes as pictures under one pointer: what each adds, turns or biases, and how alike positions become."""

from collections.abc import Callable, Hashable, Mapping

import streamlit as st
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures import DIVERGING, SERIES, MatrixPanel, colour_limit, heatmap_alt, largest_finite, panels_figure
from embedlib.measures import place_of
from ui.cache import schemes as scheme_cache
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison, filled
from ui.compare.units import similarity_in_unit
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, matrix_grid
from ui.export import matrices_csv, take_along
from ui.i18n import _, between, language, number, translated
from ui.settings import controls, state
from ui.shared.page import current_theme
from ui.shared.schemes import (
    GROUP_COLOURS,
    file_name,
    group_of,
    group_titles,
    is_untrained,
    of_entry,
    title_of,
    weights_sentence,
)

_Panels = Mapping[str, Panel]
BY_PAIR = (2, 3)  # groups whose pictures are of queries by keys


def contributions(compared: Comparison) -> None:
    """Show what each scheme adds, turns or biases, at one scale for each kind or at each one's own."""
    request = compared.request
    places = {key.entry: place_of(key.scheme()) for key in compared.keys}
    keys = [key for key in compared.keys if places[key.entry] not in (None, *(["content"] if request is None else []))]
    reads_text = any(places[key.entry] == "content" for key in keys)
    if idle := [title_of(name) for name, place in places.items() if place is None]:
        st.caption(_("{schemes}: changes nothing.").format(schemes=between(", ").join(idle)))

    def matrices() -> dict[str, Tensor]:
        return {key.entry: _contribution(key, compared) for key in keys}

    def panels() -> dict[str, Panel]:
        drawn = matrices()
        limits = _limits(drawn)
        return {
            key.entry: panel(
                key,
                note=_summary(key, compared.n_positions),
                values=drawn[key.entry],
                limit=limits[key.entry],
                axes=(_("query"), _("key")) if group_of(key.entry) in BY_PAIR else (_("position"), _("dimension")),
            )
            for key in keys
        }

    grid(
        panels,
        compared,
        shows=(request if reads_text else None, compared.n_positions, compared.head, state.get("scales")),
        key="contributions",
        title=_("What each scheme does"),
        again=matrices,
    )
    controls.control("scales", titles={"shared": _("shared by method"), "own": _("each its own")})
    if request is not None and reads_text:
        sentence = _("Queries, keys: random projections (seed {seed}) of your text; {filled}.")
        st.caption(sentence.format(seed=request.seed, filled=filled(compared)))


def similarity(compared: Comparison) -> None:
    """Show how similar any two positions are through each scheme, in the chosen unit."""
    unit = state.get("unit")  # now: when somebody takes the matrices along there is no session to ask

    def matrices() -> dict[str, Tensor]:
        drawn = {key.entry: similarity_in_unit(key, compared.n_positions, unit) for key in compared.keys}
        return {name: matrix for name, matrix in drawn.items() if matrix is not None}

    def panels() -> dict[str, Panel]:
        drawn = matrices()
        limit = 1.0 if unit == "relative" else max((_size(one) for one in drawn.values()), default=1.0)
        return {
            key.entry: panel(key, note="", values=drawn[key.entry], limit=limit, axes=(_("position"), _("position")))
            for key in compared.keys
            if key.entry in drawn
        }

    grid(
        panels,
        compared,
        shows=(compared.n_positions, unit),
        key="similarity",
        title=_("Similarity of positions"),
        again=matrices,
    )


def panel(
    key: SchemeKey,
    *,
    note: str,
    values: Tensor,
    limit: float,
    axes: tuple[str, str],
    named: bool = False,
) -> Panel:
    """Describe one scheme's picture; axes are what its rows and its columns are, the rest as in ``Panel``."""
    name, numbers = key.entry, heatmap_alt(values)
    unsigned = numbers["lowest"] >= 0  # else half of the colours would stand for values that never occur
    alt = _("{rows} × {columns}, {lowest:.2f} to {highest:.2f}.")
    under = _("{rows} ↓\n{columns} →\n{lowest} to {highest}").format(
        rows=_counted(axes[0], len(values), name),
        columns=_counted(axes[1], values.shape[1], name),
        lowest=short(round(numbers["lowest"], 4) if unsigned else numbers["lowest"]),
        highest=short(numbers["highest"]),
    )
    return Panel(
        title=title_of(name),
        place=group_titles()[place_of(key.scheme())],
        group=group_of(name),
        note=note,
        alt=title_of(name) + between(": ") + alt.format(**numbers),
        values=values,
        limit=limit,
        unsigned=unsigned,
        under=under,
        rows=axes[0],
        columns=axes[1],
        positions=axes[1] != _("dimension"),
        named=named,
    )


def short(value: float) -> str:
    """Write a number in three digits, with a true minus sign."""
    return number(value + 0.0, ".3g").replace("-", "−")  # the sum has no negative zero


def _counted(axis: str, count: int, name: str) -> str:
    """Say how many rows or columns there are; a rotation has those of one head."""
    if axis == _("dimension"):
        if "embedding" in of_entry(name).acts_on:
            return _("dimensions: {count}").format(count=count)
        return _("dimensions of a head: {count}").format(count=count)
    if axis == _("query"):
        return _("queries: {count}").format(count=count)
    if axis == _("key"):
        return _("keys: {count}").format(count=count)
    return _("positions: {count}").format(count=count)


def _limits(matrices: dict[str, Tensor]) -> dict[str, float]:
    """Return how far each picture's colours go: as far as the widest of its place needs, or as it needs itself."""
    own = {
        # A percentile would cut the far end of a slope; a far value of a random table may go.
        name: largest_finite(matrix) if group_of(name) in BY_PAIR else colour_limit(matrix)
        for name, matrix in matrices.items()
    }
    if state.get("scales") == "own":
        return own
    return {name: max(own[other] for other in own if group_of(other) == group_of(name)) for name in own}


def _size(matrix: Tensor) -> float:
    return colour_limit(matrix[matrix.isfinite()])


def _contribution(key: SchemeKey, compared: Comparison) -> Tensor:
    place = place_of(key.scheme())
    if place == "content":
        assert compared.request is not None
        return scheme_cache.content(key, compared.request, compared.n_positions, compared.head)
    draw: dict[str | None, Callable[[], Tensor]] = {
        "embedding": lambda: scheme_cache.added_rows(key, compared.n_positions),
        "query_key": lambda: scheme_cache.turned(key, compared.n_positions),
        "score": lambda: scheme_cache.bias(key, compared.n_positions, compared.head),
    }
    return draw[place]()


def _summary(key: SchemeKey, n_positions: int) -> str:
    """Say what a scheme does, and what its weights are."""
    sentences = [_(key.scheme().summary)]
    if is_untrained(key.scheme()):
        sentences.append(_("Untrained."))
    if trained := weights_sentence(key.scheme(), n_positions):
        sentences.append(trained)
    return between(" ").join(sentences)


def _bytes(panels: _Panels) -> int:
    """Count each matrix twice, as it is computed and as it is sent; sentences take little beside it."""
    return 10_000 + sum(2 * panel.values.nbytes for panel in panels.values() if panel.values is not None)


# Most controls leave most pictures alone: to look at 45 matrices anew takes 5 ms of 35.
@memo(64_000_000, size=_bytes, key=lambda shows, build: shows)
def _kept_panels(shows: tuple[Hashable, ...], build: Callable[[], _Panels]) -> _Panels:
    return build()


def grid(
    build: Callable[[], _Panels],
    compared: Comparison,
    *,
    shows: tuple[Hashable, ...],
    key: str,
    title: str,
    again: Callable[[], Mapping[str, Tensor]],
) -> None:
    """Draw the panels, and offer them and their numbers under them.

    Args:
        build: describes each scheme's picture, with or without values.
        compared: what is compared.
        shows: all that decides the pictures, besides the schemes and the language.
        key: Streamlit key, and part of the name of the files.
        title: heading of the figure that is taken along.
        again: finds the panels' values once more, when somebody takes them along.
    """
    look = current_theme()
    panels = _kept_panels((key, shows, tuple(compared.keys), language()), build)
    if not panels:
        return
    front = compared.keys[compared.front].entry if compared.front is not None else ""
    matrix_grid(
        list(panels.values()),
        chosen=compared.position,
        front=list(panels).index(front) if front in panels else None,
        tokens=compared.tokens,
        colours=DIVERGING[look],
        group_colours=[SERIES[look][index] for index in GROUP_COLOURS],
        labels=translated(grid_component.LABELS),
        key=key,
    )
    # The words of the pictures without their values, which are looked up again.
    words = {
        name: (
            f"{panel.title} ({'0–' if panel.unsigned else '±'}{number(panel.limit, '.3g')})",
            panel.limit,
            panel.columns,
            panel.rows,
        )
        for name, panel in panels.items()
    }
    hover_text = _("{name}\nrow {row}, column {column}: {value}")

    def figure() -> Figure:
        drawn = [
            MatrixPanel(name, matrix, limit, x_title, y_title)
            for matrix, (name, limit, x_title, y_title) in zip(again().values(), words.values(), strict=True)
        ]
        marked = compared.position if compared.position < max(len(panel.values) for panel in drawn) else None
        return panels_figure(drawn, theme="light", chosen=marked, hover_text=hover_text, title=title)

    names = {one.entry: file_name(one.entry) for one in compared.keys}

    def arrays() -> dict[str, Tensor]:
        return {names[name]: matrix for name, matrix in again().items()}

    take_along(f"compare-{key}", table=lambda: matrices_csv(arrays()), figure=figure, arrays=arrays, title=title)
