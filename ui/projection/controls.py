"""Controls of the projection page: the table, the similarity of rows, and the map."""

from collections.abc import Callable
from typing import Literal

import streamlit as st
from torch import Tensor

from embedlib.projection import umap_available
from ui import cache
from ui.i18n import _
from ui.projection.colouring import colour_in_view, colour_titles
from ui.projection.maps import map_controls, map_places
from ui.projection.meaning import meaning_axes
from ui.projection.places import Places, dense_places, meaning_places, principal_places, row_density
from ui.projection.tables import MODEL, ShownTable, choices, fallback_table
from ui.projection.view import View
from ui.projection.whole import known_whole, load_whole
from ui.projection.window import visible_window
from ui.settings import controls, state
from ui.shared import rules
from ui.shared.model_choice import model_control
from ui.shared.rows import show_english_note
from ui.shared.scheme_controls import parameter_controls, scheme_choice
from ui.shared.schemes import scheme_or_class, scheme_title

MARKED = 200  # rows that a search found, in a density


def settings_sidebar() -> None:
    """Draw the controls of the table and of the similarity of rows."""
    with st.sidebar:
        st.subheader(_("Table"))
        named = choices()
        wanted = state.get("vectors")
        chosen = wanted if wanted in named else fallback_table()
        controls.control("vectors", st.selectbox, list(named), titles=lambda name: named[name], value=chosen)
        if chosen in ("minilm", "grammar", "learned"):
            show_english_note()
        if chosen == MODEL:
            model_control()
        if chosen == "random":
            controls.tokenizer_control()
        if chosen in ("random", "learned"):
            controls.d_model_control()
        if chosen == "random":
            controls.seed_control()
        controls.control(
            "metric",
            st.selectbox,
            state.options("metric"),
            titles=lambda name: metric_titles()[name],
            help=_("By which measure rows are near each other, in all dimensions and not in the picture."),
        )


def scheme_sidebar(table: ShownTable) -> None:
    """Draw the controls of the scheme whose position rows are added, where there is one."""
    if state.get("moved"):
        with st.sidebar:
            st.subheader(_("Positions"))
            scheme_choice(d_model=table.d_model, n_heads=1)
            parameter_controls(state.get("scheme"), d_model=table.d_model, n_heads=1)


def metric_titles() -> dict[str, str]:
    """Name the measures of similarity for people."""
    return {"cosine": _("cosine"), "dot": _("dot product"), "euclidean": _("Euclidean distance")}


def position_rows(view: View) -> tuple[Tensor | None, str | None]:
    """Return what the scheme adds to the text's rows, (n_tokens, d_model), or why nothing is added."""
    table, n_tokens = view.table, len(view.text.chips)
    if not state.get("moved"):
        return None, None
    if view.map in ("tsne", "umap"):
        return None, _("This map cannot show rows with positions added: choose the map of meaning or PCA.")
    scheme = state.get("scheme")
    title = scheme_title(scheme)
    if "embedding" not in scheme_or_class(scheme).acts_on:
        return None, _("{scheme} adds no rows to the tokens’: choose learned or sinusoidal positions.").format(
            scheme=title
        )
    problem = rules.broken_scheme_rule(scheme, d_model=table.d_model, n_heads=1, n_positions=n_tokens)
    if problem:
        return None, problem
    parameters = tuple(state.scheme_parameters(scheme).items())
    added = cache.cached_scheme(scheme, table.d_model, 1, parameters)
    return added.position_table(max(1, n_tokens)).cpu(), None


def scene_controls(view: View) -> None:
    """Draw the choice of the map, of its dimensions and of its colours."""
    table = view.table
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        in_view = view.map
        maps = {"meaning": _("meaning"), "pca": _("PCA"), "tsne": _("t-SNE"), "umap": _("UMAP")}
        controls.control(
            "map",
            st.segmented_control,
            [name for name in maps if name != "umap" or umap_available() or name == in_view],
            titles=maps.__getitem__,
            required=True,
            value=in_view,
            help=_(
                "“meaning” draws the rows along two directions between words that you choose, PCA along the two in "
                "which all rows differ most. t-SNE and UMAP keep neighbours together; their distances mean nothing."
            ),
        )
        if in_view != "meaning":
            controls.control("view", titles={"2d": _("2-D"), "3d": _("3-D")})
        titles = colour_titles(table)
        controls.control(
            "colour",
            st.selectbox,
            list(titles),
            titles=titles.__getitem__,
            width=190,
            disabled=shows_density(view),
            value=colour_in_view(table, state.get("colour")),
        )
        controls.control("moved", help=_("Moves the tokens of your text by the position rows that are added to them."))


def shows_density(view: View) -> bool:
    """Return whether the picture shows a density, which cannot be coloured otherwise."""
    whole = known_whole(view.table) if view.is_dense else None
    return whole is not None and row_density(view.table, whole, visible_window(view, whole)).counts is not None


def places_in_view(view: View, matches: list[int] | None, draw: Callable[[Places], None]) -> Places | None:
    """Return the coordinates of the rows in the chosen map; None where a notice or a job's progress is shown instead.

    Args:
        view: what is looked at.
        matches: rows that a search found, the best first; a density shows the first of them as points.
        draw: draws the points of a map that still move.
    """
    dimensions: Literal[2, 3] = 3 if state.get("view") == "3d" else 2
    if view.map == "meaning":
        lines = meaning_axes(view.table)
        return None if lines is None else meaning_places(view.table, lines, view.isolated, view.always)
    if view.map in ("tsne", "umap"):
        map_controls(view.map)
        return map_places(view, dimensions, draw)
    if not view.table.is_large or view.isolated:
        return principal_places(view.table, dimensions, view.isolated, view.always)
    whole = load_whole(view.table)
    if whole is None:
        return None
    if not view.is_dense:
        return principal_places(view.table, dimensions, (), view.always, whole)
    return dense_places(
        view.table, whole, visible_window(view, whole), sorted({*view.always, *(matches or [])[:MARKED]})
    )
