"""Layouts and pairings in numbers: what is the same up to the order of columns, and what is not."""

import streamlit as st
from torch import Tensor

from embedlib.positional import PositionalScheme
from embedlib.positional.conventions import Agreement, agreements
from ui.i18n import _
from ui.settings import state

NUMBERS = 8  # columns of the table
EXACT = 1e-6  # float32 sums and products that are taken in another order stay within it


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
