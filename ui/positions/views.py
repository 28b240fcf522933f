"""The figures of one positional scheme, by where it acts: rows, queries and keys, or scores; and its similarity."""

import streamlit as st
from torch import Tensor

from embedlib.positional import (
    Agreement,
    AlibiPositions,
    FirePositions,
    FormulaPositions,
    RotaryPositions,
    T5Positions,
    agreements,
)
from ui.embed import embeddable, embedded_section, shared_controls
from ui.export import set_data_source, show, show_texts
from ui.i18n import _, join_sentences, number
from ui.positions.controls import chosen_pairs
from ui.positions.doctor import rope_doctor
from ui.positions.hands import hands
from ui.positions.logits import (
    MATRIX_POSITIONS,
    bucket_map,
    show_added_logits,
    shown_terms,
    slopes,
    term_matrices,
)
from ui.positions.rows import planes_of_pairs, rotated_circles, rows_charts
from ui.positions.similarity import similarity_charts
from ui.positions.verdict import rounding_table, verdict_table
from ui.positions.view import SchemeView, file_stem
from ui.settings import state
from ui.shared.page import section
from ui.shared.schemes import fire_note, scheme_source

NUMBERS = 8  # columns of the table
EXACT = 1e-6  # float32 sums and products in another order differ by less


def show_scheme(view: SchemeView) -> None:
    """Show the figures of a scheme, which mark the chosen position."""
    key, scheme = view.key, view.key.scheme()
    if not scheme.acts_on:
        return
    set_data_source(scheme_source(scheme, view.n_positions))
    if "embedding" in scheme.acts_on:
        rows_charts(view)
        if isinstance(scheme, FormulaPositions) and "turn" in scheme.trees:
            rotated_circles(view, state.get("pairs"))
    elif "query_key" in scheme.acts_on:
        if isinstance(scheme, RotaryPositions):
            hands(view, scheme)
        place = st.container()
        with shared_controls("pairs", "positions-clocks"):
            pairs = tuple(chosen_pairs(scheme))
        with place:
            _rotated_pairs(view, pairs)
    if "score" in scheme.acts_on:
        show_added_logits(view, "bias")
    if isinstance(scheme, FirePositions):
        st.caption(fire_note(scheme, min(view.n_positions, MATRIX_POSITIONS)))
    if isinstance(scheme, AlibiPositions):
        slopes(key)
    if isinstance(scheme, T5Positions):
        bucket_map(key, scheme)
    if "content" in scheme.acts_on:
        show_added_logits(view, "content")
        st.caption(_("For queries and keys that are drawn at random (seed {seed}).").format(seed=view.seed))
    if shown_terms(view):
        term_matrices(view)
    similarity_charts(view)


def show_verdict(view: SchemeView) -> None:
    """Show what a scheme can tell apart, and how a rotary one's arrays are recognised."""
    verdict_table(view)


def for_implementers(view: SchemeView) -> None:
    """Draw what only somebody who loads weights or writes code needs: the order of dimensions, and the RoPE doctor."""
    scheme = view.key.scheme()
    compared = agreements(scheme, view.n_positions, seed=view.seed) if scheme.acts_on else []
    if not scheme.acts_on:
        return
    with st.expander(_("For implementers"), expanded=bool(embedded_section())):
        rounding_table(view)
        if compared:
            conventions(view, compared)
        if view.key.name == "rope":
            rope_doctor(view)


@embeddable("positions-clocks")
def _rotated_pairs(view: SchemeView, pairs: tuple[int, ...]) -> None:
    st.header(_("Pairs of dimensions as clocks"))
    st.write(_("Each pair of dimensions of a query is rotated at a speed of its own: fast pairs first."))
    show(planes_of_pairs, view, pairs, rotated=True)


def conventions_title(_view: SchemeView, compared: list[Agreement]) -> str:
    """Return the heading of the comparison of conventions."""
    return _("Order of the dimensions") if compared[0].switch == "layout" else _("Pairings")


@section("positions-conventions", conventions_title, heading=st.subheader)
def conventions(view: SchemeView, compared: list[Agreement]) -> None:
    """Show whether the scheme's conventions agree."""
    st.markdown("\n".join(f"- {_agreement_sentence(agreement)}" for agreement in compared))
    mine = view.key.scheme().parameter_values.get(compared[0].switch)
    chosen = next((agreement for agreement in compared if agreement.other == mine), compared[0])
    title = conventions_title(view, compared)
    show_texts(file_stem(view.key, chosen.switch), _convention_rows(chosen, view.position), alt=title)
    what = (
        _("The table shows position {position}.")
        if chosen.switch == "layout"
        else _("The table shows a random query at position {position}.")
    )
    st.caption(
        join_sentences(
            what.format(position=view.position), _("Reordered means: first the even dimensions, then the odd ones.")
        )
    )


def _agreement_sentence(agreement: Agreement) -> str:
    apart = _(
        "Programs store these dimensions in one of two orders, `interleaved` and {other}. Compared place by place, the "
        "numbers differ by up to {apart:.2f}."
    )
    if agreement.permuted_difference > EXACT:
        reordered = _("Put in the same order they still differ by {permuted:.2f}, because the wavelengths differ.")
    elif agreement.permuted_difference > 0:
        reordered = _("Put in the same order they differ by rounding only ({permuted:.0e}).")
    else:
        reordered = _(
            "Put in the same order they are equal. You need to know this only when you load the weights of "
            "somebody else."
        )
    return join_sentences(
        apart.format(other=f"`{agreement.other}`", apart=agreement.difference),
        reordered.format(permuted=agreement.permuted_difference),
    )


def _convention_rows(agreement: Agreement, position: int) -> dict[str, list[str]]:
    """Return one line per convention, one column per dimension; the permutation's line is the proof."""
    lines = {
        "interleaved": agreement.interleaved[position],
        _("interleaved, reordered"): agreement.interleaved[position, agreement.order],
        agreement.other: agreement.compared[position],
    }
    table: dict[str, list[str]] = {agreement.switch: list(lines)}
    for column in range(min(NUMBERS, len(agreement.order))):
        table[str(column)] = [_number(line, column) for line in lines.values()]
    return table


def _number(line: Tensor, column: int) -> str:
    return number(float(line[column]), ".4f").replace("-", "−")
