"""The figures of one positional scheme: each place that a scheme acts in has its own, and all share the similarity."""

import streamlit as st
from torch import Tensor

from embedlib.measures import content_term, paired_columns, score_bias
from embedlib.positional import Agreement, AlibiPositions, FirePositions, PositionalScheme, T5Positions, agreements
from ui.cache.schemes import SchemeKey
from ui.components import browser
from ui.i18n import _
from ui.positions.controls import chosen_pairs
from ui.positions.logits import MATRIX_POSITIONS, bucket_map, heads_chart, slopes_chart, term_matrices
from ui.positions.rows import circles_chart, rows_chart, three_properties
from ui.positions.similarity import similarity_charts
from ui.settings import state
from ui.shared.schemes import fire_note

NUMBERS = 8  # columns of the table
EXACT = 1e-6  # float32 sums and products that are taken in another order stay within it


def show_scheme(key: SchemeKey, *, n_positions: int, position: int) -> None:
    """Show all that a scheme does."""
    scheme, seed = key.scheme(), state.get("seed")
    narrow = browser.narrow()
    if "embedding" in scheme.acts_on:
        rows_chart(key, n_positions, position)
        pairs = chosen_pairs(scheme)
        three_properties(key, n_positions, columns=paired_columns(scheme)[0][pairs].tolist(), position=position)
        st.header(_("Pairs of columns, each in its plane"))
        circles_chart(key, pairs, n_positions, position, narrow=narrow)
    if "query_key" in scheme.acts_on:
        st.header(_("Each pair of columns turns at its own speed"))
        circles_chart(key, chosen_pairs(scheme), n_positions, position, narrow=narrow)
    shown = min(n_positions, MATRIX_POSITIONS)
    if "score" in scheme.acts_on:
        st.header(_("What each head adds to its logits"))
        heads_chart(lambda: score_bias(key.scheme(), shown), key.name, "bias", position, narrow=narrow)
    if isinstance(scheme, FirePositions):
        st.caption(fire_note(scheme, shown))
    if isinstance(scheme, AlibiPositions):
        slopes_chart(scheme.n_heads)
    if isinstance(scheme, T5Positions):
        bucket_map(scheme)
    if "content" in scheme.acts_on:
        st.header(_("What it adds to the logits of random queries and keys"))
        st.caption(_("Queries and keys are standard normal, seed {seed}.").format(seed=seed))
        heads_chart(lambda: content_term(key.scheme(), shown, seed=seed), key.name, "content", position, narrow=narrow)
    term_matrices(key, n_positions=n_positions, position=position, narrow=narrow)
    conventions(scheme, n_positions=n_positions, position=position)
    if scheme.acts_on:
        similarity_charts(key, n_positions, position, narrow=narrow)
    else:
        st.info(
            _("This scheme adds, turns and biases nothing: there is nothing to draw. Only the causal mask tells order.")
        )


def conventions(scheme: PositionalScheme, *, n_positions: int, position: int) -> None:
    """Show whether the scheme's conventions agree; nothing where it has only one."""
    found = agreements(scheme, n_positions, seed=state.get("seed"))
    if not found:
        return
    st.header(
        _("One scheme, several layouts") if found[0].switch == "layout" else _("One scheme, two ways to pair columns")
    )
    st.markdown("\n".join(f"- {_sentence(agreement)}" for agreement in found))
    mine = scheme.parameter_values.get(found[0].switch)
    chosen = next((agreement for agreement in found if agreement.other == mine), found[0])
    st.table(_numbers(chosen, position), border="horizontal", alt=_("The first numbers at the marked position."))
    st.caption(
        _("Position {position}, the first {count} columns. {what}").format(
            position=position,
            count=min(NUMBERS, len(chosen.order)),
            what=_("The rows that are added.")
            if chosen.switch == "layout"
            else _("One random query after its turn, seed {seed}.").format(seed=state.get("seed")),
        )
    )


def _sentence(agreement: Agreement) -> str:
    words = {"other": f"`{agreement.other}`", "apart": agreement.apart, "permuted": agreement.permuted}
    if agreement.permuted > EXACT:
        return _(
            "`interleaved` and {other} differ by up to {apart:.2f}, and by up to {permuted:.2f} with the columns in "
            "the other order: the wavelengths themselves are others."
        ).format(**words)
    if agreement.permuted > 0:
        return _(
            "`interleaved` and {other} differ by up to {apart:.2f} as they are. With the columns in the order "
            "0, 2, 4, … 1, 3, 5, … they agree to rounding ({permuted:.0e})."
        ).format(**words)
    return _(
        "`interleaved` and {other} differ by up to {apart:.2f} as they are. With the columns in the order "
        "0, 2, 4, … 1, 3, 5, … the difference is exactly 0."
    ).format(**words)


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
    return f"{float(line[column]):.4f}".replace("-", "−")
