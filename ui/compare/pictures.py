"""The schemes as pictures: what each adds, turns or biases, how alike positions become, where a head then looks."""

from collections.abc import Callable

import streamlit as st
from torch import Tensor

from embedlib.contributions import place_of
from embedlib.figures.colours import colour_limit
from embedlib.figures.heads import widest
from embedlib.figures.heatmap import heatmap_alt
from embedlib.positional import SCHEMES
from ui import scheme_cache
from ui.compare.grid import GROUP_COLOURS as GROUP_COLOURS  # belongs to group_of
from ui.compare.grid import grid
from ui.compare.request import Comparison, places, title_of
from ui.components.matrix_grid import Panel
from ui.i18n import _
from ui.scheme_cache import SchemeKey

GROUPS = ("embedding", "query_key", "score", "content", None)  # the order of ui.compare.request.places


def group_of(name: str) -> int:
    """Return the index of the colour that a scheme's place has on the whole page."""
    return GROUPS.index(place_of(SCHEMES[name]))


def contributions(shown: Comparison) -> None:
    """Show what each scheme adds, turns or biases, at one scale for each kind."""
    st.header(_("What each adds, turns or biases"))
    matrices = {key.name: _contribution(key, shown) for key in shown.keys}
    limits: dict[int, float] = {}
    for name, matrix in matrices.items():
        if matrix is not None:
            # A percentile would cut the far end of a slope; a far value of a random table may go.
            size = widest(matrix) if group_of(name) in (2, 3) else colour_limit(matrix)
            limits[group_of(name)] = max(size, limits.get(group_of(name), 0.0))
    grid(
        {
            name: _panel(
                name,
                shown,
                note=_summary(name),
                values=matrix,
                limit=limits.get(group_of(name), 1.0),
                axes=(_("query"), _("key")) if group_of(name) in (2, 3) else (_("position"), _("dimension")),
            )
            for name, matrix in matrices.items()
        },
        shown,
        key="contributions",
        title=_("What each scheme adds, turns or biases"),
        again=lambda: {key.name: _contribution(key, shown) for key in shown.keys},
    )
    st.caption(
        _(
            "Colours have one scale for all schemes that act in the same place. Queries and keys of your text are "
            "random projections, seed {seed}; its {tokens} tokens are repeated to fill {positions} positions."
        ).format(seed=shown.request.seed, tokens=shown.n_tokens, positions=shown.n_positions)
    )


def likeness(shown: Comparison) -> None:
    """Show how alike any two positions are through each scheme."""

    def matrices() -> dict[str, Tensor | None]:
        return {key.name: scheme_cache.likeness(key, shown.n_positions) for key in shown.keys}

    grid(
        {
            name: _panel(
                name,
                shown,
                note="" if matrix is not None else _("Not defined for this scheme."),
                values=matrix,
                limit=1.0,
                axes=(_("position"), _("position")),
            )
            for name, matrix in matrices().items()
        },
        shown,
        key="likeness",
        title=_("How alike two positions are"),
        again=matrices,
    )


def attention(shown: Comparison) -> None:
    """Show where one head with random weights looks under each scheme."""
    st.header(_("Where a head then looks"))
    st.write(
        _(
            "Your text, one causal head, the same random weights for every scheme (seed {seed}): "
            "what differs between these pictures is the scheme alone. Each row sums to 1."
        ).format(seed=shown.request.seed)
    )

    def matrices() -> dict[str, Tensor]:
        return {key.name: scheme_cache.attention(key, shown.request, shown.head) for key in shown.keys}

    grid(
        {
            name: _panel(name, shown, note="", values=matrix, limit=1.0, axes=(_("query"), _("key")))
            for name, matrix in matrices().items()
        },
        shown,
        key="attention",
        title=_("Where a head then looks"),
        again=matrices,
    )


def _contribution(key: SchemeKey, shown: Comparison) -> Tensor | None:
    draw: dict[str | None, Callable[[], Tensor | None]] = {
        "embedding": lambda: scheme_cache.added_rows(key, shown.n_positions),
        "query_key": lambda: scheme_cache.turned(key, shown.n_positions),
        "score": lambda: scheme_cache.bias(key, shown.n_positions, shown.head),
        "content": lambda: scheme_cache.content(key, shown.request, shown.n_positions, shown.head),
        None: lambda: None,
    }
    return draw[place_of(SCHEMES[key.name])]()


def _summary(name: str) -> str:
    """Say what a scheme does, and who uses it where that is known."""
    scheme = SCHEMES[name]
    summary = _(scheme.summary)
    return f"{summary} {_('Used by: {models}.').format(models=_(scheme.used_by))}" if scheme.used_by else summary


def _panel(
    name: str, shown: Comparison, *, note: str, values: Tensor | None, limit: float, axes: tuple[str, str]
) -> Panel:
    alt = ""
    if values is not None:
        alt = _("{scheme}: {rows} by {columns} values, from {lowest:.2f} to {highest:.2f}.").format(
            scheme=title_of(name), **heatmap_alt(values)
        )
    return Panel(
        title=title_of(name),
        place=places()[place_of(SCHEMES[name])],
        group=group_of(name),
        note=note,
        alt=alt,
        values=values,
        limit=limit,
        rows=axes[0],
        columns=axes[1],
        positions=axes[1] != _("dimension"),
        front=shown.front is not None and shown.keys[shown.front].name == name,
    )
