"""The schemes as pictures under one pointer: what each adds, turns or biases, and how alike positions become."""

from collections.abc import Callable, Hashable, Mapping

import streamlit as st
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures import DIVERGING, SERIES, MatrixPanel, colour_limit, heatmap_alt, largest_finite, panels_figure
from embedlib.measures import place_of
from embedlib.positional import SCHEMES
from ui.cache import schemes as scheme_cache
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey
from ui.compare.request import Comparison, filled
from ui.compare.units import similarity_in_unit, why_undefined
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, matrix_grid
from ui.export import matrices_csv, take_along
from ui.i18n import _, language, ngettext, translated
from ui.settings import controls, state
from ui.shared.page import current_theme
from ui.shared.schemes import GROUP_COLOURS, GROUPS, group_of, group_titles, title_of

_Panels = Mapping[str, Panel]
BY_PAIR = (2, 3)  # groups whose pictures are of queries by keys


def contributions(shown: Comparison) -> None:
    """Show what each scheme adds, turns or biases, at one scale for each kind or at each one's own."""
    st.header(_("What each adds, turns or biases"))
    reads_text = any(group_of(key.name) == GROUPS.index("content") for key in shown.keys)

    def matrices() -> dict[str, Tensor | None]:
        return {key.name: _contribution(key, shown) for key in shown.keys}

    def panels() -> dict[str, Panel]:
        found = matrices()
        limits = _limits(found)
        return {
            key.name: panel(
                key,
                note=_summary(key),
                values=found[key.name],
                limit=limits.get(key.name, 1.0),
                axes=(_("query"), _("key")) if group_of(key.name) in BY_PAIR else (_("position"), _("dimension")),
            )
            for key in shown.keys
        }

    grid(
        panels,
        shown,
        shows=(shown.request if reads_text else None, shown.n_positions, shown.head, state.get("scales")),
        key="contributions",
        title=_("What each scheme adds, turns or biases"),
        again=matrices,
    )
    controls.choice_control(
        "scales", _("Colours"), {"shared": _("one scale for each place"), "own": _("each its own scale")}
    )
    sentence = (
        _("Colours have one scale for all schemes that act in the same place, so that their sizes can be compared.")
        if state.get("scales") == "shared"
        else _("Each picture has its own scale: compare shapes, and read the sizes under the pictures.")
    )
    if reads_text:
        sentence += " " + _("Queries and keys are random projections of your text, seed {seed}; {filled}.").format(
            seed=shown.request.seed, filled=filled(shown)
        )
    st.caption(sentence)


def similarity(shown: Comparison) -> None:
    """Show how alike any two positions are through each scheme, in the chosen unit."""
    unit = state.get("unit")  # now: when somebody takes the matrices along there is no session to ask

    def matrices() -> dict[str, Tensor | None]:
        return {key.name: similarity_in_unit(key, shown.n_positions, unit) for key in shown.keys}

    def panels() -> dict[str, Panel]:
        found = matrices()
        known = [matrix for matrix in found.values() if matrix is not None]
        limit = 1.0 if unit == "relative" else max((_size(matrix) for matrix in known), default=1.0)
        return {
            key.name: panel(
                key,
                note="" if found[key.name] is not None else why_undefined(key, shown.n_positions),
                values=found[key.name],
                limit=limit,
                axes=(_("position"), _("position")),
            )
            for key in shown.keys
        }

    grid(
        panels,
        shown,
        shows=(shown.n_positions, unit),
        key="likeness",
        title=_("How alike two positions are"),
        again=matrices,
    )


def panel(
    key: SchemeKey,
    *,
    note: str,
    values: Tensor | None,
    limit: float,
    axes: tuple[str, str],
    unsigned: bool = False,
    named: bool = False,
) -> Panel:
    """Describe one scheme's picture; axes are what its rows and its columns are, the rest as in ``Panel``."""
    name, alt, under = key.name, "", ""
    if values is not None:
        numbers = heatmap_alt(values)
        alt = _("{scheme}: {rows} by {columns} values, from {lowest:.2f} to {highest:.2f}.").format(
            scheme=title_of(name), **numbers
        )
        under = _("{rows} ↓\n{columns} →\nfrom {lowest} to {highest}").format(
            rows=_counted(axes[0], len(values), name),
            columns=_counted(axes[1], values.shape[1], name),
            lowest=short(round(numbers["lowest"], 4) if unsigned else numbers["lowest"]),
            highest=short(numbers["highest"]),
        )
    return Panel(
        title=title_of(name),
        place=group_titles()[place_of(SCHEMES[name])],
        group=group_of(name),
        note=note,
        alt=alt,
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
    return f"{value + 0.0:.3g}".replace("-", "−")  # the sum has no negative zero


def _counted(axis: str, count: int, name: str) -> str:
    """Say how many rows or columns there are; a rotation has those of one head."""
    if axis == _("dimension"):
        if "embedding" in SCHEMES[name].acts_on:
            return ngettext("{count} dimension", "{count} dimensions", count).format(count=count)
        return ngettext("{count} dimension of a head", "{count} dimensions of a head", count).format(count=count)
    if axis == _("query"):
        return ngettext("{count} query", "{count} queries", count).format(count=count)
    if axis == _("key"):
        return ngettext("{count} key", "{count} keys", count).format(count=count)
    return ngettext("{count} position", "{count} positions", count).format(count=count)


def _limits(matrices: dict[str, Tensor | None]) -> dict[str, float]:
    """Return how far each picture's colours go: as far as the widest of its place needs, or as it needs itself."""
    own = {
        # A percentile would cut the far end of a slope; a far value of a random table may go.
        name: largest_finite(matrix) if group_of(name) in BY_PAIR else colour_limit(matrix)
        for name, matrix in matrices.items()
        if matrix is not None
    }
    if state.get("scales") == "own":
        return own
    return {name: max(own[other] for other in own if group_of(other) == group_of(name)) for name in own}


def _size(matrix: Tensor) -> float:
    return colour_limit(matrix[matrix.isfinite()])


def _contribution(key: SchemeKey, shown: Comparison) -> Tensor | None:
    draw: dict[str | None, Callable[[], Tensor | None]] = {
        "embedding": lambda: scheme_cache.added_rows(key, shown.n_positions),
        "query_key": lambda: scheme_cache.turned(key, shown.n_positions),
        "score": lambda: scheme_cache.bias(key, shown.n_positions, shown.head),
        "content": lambda: scheme_cache.content(key, shown.request, shown.n_positions, shown.head),
        None: lambda: None,
    }
    return draw[place_of(SCHEMES[key.name])]()


def _summary(key: SchemeKey) -> str:
    """Say what a scheme does, who uses it where that is known, and whether a model would have trained it."""
    scheme = SCHEMES[key.name]
    sentences = [_(scheme.summary)]
    if scheme.used_by:
        sentences.append(_("Used by: {models}.").format(models=_(scheme.used_by)))
    if is_trained(key):
        sentences.append(_("Its parameters are trained with a model; here they are as before training."))
    return " ".join(sentences)


def is_trained(key: SchemeKey) -> bool:
    """Tell whether a model's training would change the scheme."""
    return any(True for _parameter in key.scheme().parameters())


def _bytes(panels: _Panels) -> int:
    """Count each matrix twice, as it is computed and as it is sent; sentences take little beside it."""
    return 10_000 + sum(2 * panel.values.nbytes for panel in panels.values() if panel.values is not None)


# Most controls leave most pictures alone: to look at 45 matrices anew takes 5 ms of 35.
@memo(64_000_000, size=_bytes, key=lambda shows, build: shows)
def _kept_panels(shows: tuple[Hashable, ...], build: Callable[[], _Panels]) -> _Panels:
    return build()


def grid(
    build: Callable[[], _Panels],
    shown: Comparison,
    *,
    shows: tuple[Hashable, ...],
    key: str,
    title: str,
    again: Callable[[], Mapping[str, Tensor | None]],
) -> None:
    """Draw the panels, and offer them and their numbers under them.

    Args:
        build: describes each scheme's picture, with or without values.
        shown: what is compared.
        shows: all that decides the pictures, besides the schemes and the language.
        key: Streamlit key, and part of the name of the files.
        title: heading of the figure that is taken along.
        again: finds the panels' values once more, when somebody takes them along.
    """
    look = current_theme()
    panels = _kept_panels((key, shows, tuple(shown.keys), language()), build)
    matrix_grid(
        list(panels.values()),
        chosen=shown.position,
        front=shown.front,
        tokens=shown.tokens,
        colours=DIVERGING[look],
        group_colours=[SERIES[look][index] for index in GROUP_COLOURS],
        labels=translated(grid_component.LABELS),
        key=key,
    )
    # The words of the pictures without their values, which are looked up again.
    words = {
        name: (
            f"{panel.title} ({'0–' if panel.unsigned else '±'}{panel.limit:.3g})",
            panel.limit,
            panel.columns,
            panel.rows,
        )
        for name, panel in panels.items()
        if panel.values is not None
    }
    hover_text = _("{name}\nrow {row}, column {column}: {value}")

    def matrices() -> dict[str, Tensor]:
        return {name: matrix for name, matrix in again().items() if matrix is not None}

    def figure() -> Figure:
        drawn = [
            MatrixPanel(name, matrix, limit, x_title, y_title)
            for matrix, (name, limit, x_title, y_title) in zip(matrices().values(), words.values(), strict=True)
        ]
        return panels_figure(drawn, theme=look, chosen=shown.position, hover_text=hover_text, title=title)

    if words:
        take_along(f"compare-{key}", table=lambda: matrices_csv(matrices()), figure=figure)
