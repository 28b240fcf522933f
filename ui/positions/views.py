"""The figures of one positional scheme: each place that a scheme acts in has its own, and all share the similarity."""

import streamlit as st
from torch import Tensor

from embedlib.measures import content_term, score_bias
from embedlib.positional import (
    Agreement,
    AlibiPositions,
    FirePositions,
    FormulaPositions,
    PositionalScheme,
    T5Positions,
    agreements,
)
from ui.components.browser import should_draw_section
from ui.export import shown_table, source_is
from ui.i18n import _, number, sentences
from ui.positions.chart import SchemeView
from ui.positions.controls import chosen_pairs
from ui.positions.doctor import rope_doctor
from ui.positions.logits import MATRIX_POSITIONS, bucket_map, heads_chart, slopes_chart, term_matrices
from ui.positions.rows import circles_chart, rows_charts
from ui.positions.similarity import similarity_charts
from ui.positions.verdict import verdict_table
from ui.settings import state
from ui.shared.page import own_block
from ui.shared.schemes import fire_note, scheme_source

NUMBERS = 8  # columns of the table
EXACT = 1e-6  # float32 sums and products that are taken in another order stay within it


def show_scheme(view: SchemeView) -> None:
    """Show all that a scheme does."""
    key, scheme, seed = view.key, view.key.scheme(), view.seed
    if not scheme.acts_on:
        verdict_table(view)
        return
    source_is(scheme_source(scheme, view.n_positions))
    if "embedding" in scheme.acts_on:
        rows_charts(view)
        if isinstance(scheme, FormulaPositions) and "turn" in scheme.trees:
            circles_chart(view, state.get("pairs"), turned=True, waits=370, phone=538)
    elif "query_key" in scheme.acts_on:
        circles = st.container()
        pairs = chosen_pairs(scheme)
        with circles:
            circles_chart(view, pairs, turned=True)
    drawn = min(view.n_positions, MATRIX_POSITIONS)
    if "score" in scheme.acts_on:
        heads_chart(lambda: score_bias(key.scheme(), drawn), "bias", view)
    if isinstance(scheme, FirePositions):
        st.caption(fire_note(scheme, drawn))
    if isinstance(scheme, AlibiPositions):
        slopes_chart(view, scheme.n_heads)
    if isinstance(scheme, T5Positions):
        bucket_map(view, scheme)
    if "content" in scheme.acts_on:
        heads_chart(lambda: content_term(key.scheme(), drawn, seed=seed), "content", view)
        st.caption(_("Random queries and keys, seed {seed}.").format(seed=seed))
    term_matrices(view)
    conventions(view, scheme)
    similarity_charts(view)
    verdict_table(view)
    if key.name == "rope":
        rope_doctor(view)


@own_block
def conventions(view: SchemeView, scheme: PositionalScheme) -> None:
    """Show whether the scheme's conventions agree; nothing where it has only one."""
    compared = agreements(scheme, view.n_positions, seed=view.seed)
    if not compared:
        return
    title = _("Order of the dimensions") if compared[0].switch == "layout" else _("Pairings")
    st.header(title)
    if not should_draw_section("positions-conventions", height=245, phone=349):
        return
    st.markdown("\n".join(f"- {_sentence(agreement)}" for agreement in compared))
    mine = scheme.parameter_values.get(compared[0].switch)
    chosen = next((agreement for agreement in compared if agreement.other == mine), compared[0])
    name = f"{view.key.name.replace('_', '-')}-{chosen.switch}"
    shown_table(name, _numbers(chosen, view.position), alt=title)
    what = _("Position {position}.") if chosen.switch == "layout" else _("A random query at position {position}.")
    st.caption(sentences(what.format(position=view.position), _("Reordered: even dimensions, then odd.")))


def _sentence(agreement: Agreement) -> str:
    apart = _("`interleaved` and {other} differ by up to {apart:.2f}.")
    if agreement.permuted > EXACT:
        reordered = _("Reordered, they differ by {permuted:.2f}: the wavelengths differ.")
    elif agreement.permuted > 0:
        reordered = _("Reordered, only rounding differs ({permuted:.0e}).")
    else:
        reordered = _("Reordered, they are equal.")
    return sentences(
        apart.format(other=f"`{agreement.other}`", apart=agreement.apart), reordered.format(permuted=agreement.permuted)
    )


def _numbers(agreement: Agreement, position: int) -> dict[str, list[str]]:
    """One line per convention, one column per dimension; the line of the permutation is the proof."""
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
