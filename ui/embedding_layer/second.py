"""A second layer that is drawn after E, and what it changes of the table that is drawn after both."""

import streamlit as st
from torch import Tensor

from ui.embedding_layer import cache
from ui.embedding_layer.ids import passed_over, read_ids
from ui.embedding_layer.request import Request
from ui.i18n import _
from ui.settings import controls, state


def second_layer(request: Request) -> None:
    """Show a layer that is made right after E, the rows that ids pick from it, and what it changes further on."""
    if request.by_hand:
        return
    st.header(_("A second layer goes on in the same stream"))
    st.toggle(
        _("Make a second layer"),
        key="layer_second",
        help=_("Each layer takes its numbers from where the one before left the random stream."),
        on_change=state.dismiss_notices,
    )
    if not state.get("layer_second"):
        st.caption(
            _(
                "With one seed, the numbers of a layer depend on which layers were made before it. Switch it on, and "
                "the table of positions below, which is made last, gets other numbers."
            )
        )
        return
    rows, width, ids_column = st.columns(3)
    with rows:
        controls.number_control("layer_second_rows", _("Rows of the second layer"), help_text=None)
    with width:
        controls.number_control("layer_second_width", _("Its d_model"), help_text=None)
    with ids_column:
        st.text_input(_("Ids to look up in it"), key="layer_second_ids", max_chars=400, on_change=state.dismiss_notices)
    size = state.get("layer_second_rows"), state.get("layer_second_width")
    table = cache.layer_after(cache.key_of(request), *size).table
    ids, passed = read_ids(str(state.get("layer_second_ids")), len(table))
    if passed:
        st.warning(passed_over(passed, _("the second layer"), len(table)))
    st.write(
        (
            _(
                "Drawn from the stream of seed {seed} after the {count:,} numbers of a fresh table of E’s size: "
                "standard normal, as `torch.nn.Embedding({rows}, {width})` begins. Marked rows are looked up."
            )
            if request.matrix == "trained"
            else _(
                "Drawn after the {count:,} numbers of E from the stream of seed {seed}: standard normal, as "
                "`torch.nn.Embedding({rows}, {width})` begins. Marked rows are looked up."
            )
        ).format(count=request.vocab_size * request.d_model, seed=request.seed, rows=len(table), width=table.shape[1])
    )
    st.table(rows_table(table, ids), border="horizontal", hide_index=True, alt=_("The second layer's rows."))
    context = state.get("layer_context")
    alone, after = (cache.positions_of(request, context, made)[0] for made in (None, size))
    st.write(
        _(
            "**What it changes:** the table of positions is made after it. Its first row begins **{after}**; without "
            "the second layer it would begin {alone}, which are the numbers that the second layer took."
        ).format(after=_begins(after), alone=_begins(alone))
        if request.start == "normal_1"
        else _(
            "**What it changes:** the table of positions is made after it. Its first row begins **{after}**; without "
            "the second layer it would begin {alone}."
        ).format(after=_begins(after), alone=_begins(alone))
    )


def _begins(row: Tensor) -> str:
    """Write the first numbers of a row."""
    return " ".join(f"{value:.4f}".replace("-", "−") for value in row[:3].tolist())


def second_size(request: Request) -> tuple[int, int] | None:
    """Return rows and width of the second layer; None where none is made."""
    if request.by_hand or not state.get("layer_second"):
        return None
    return state.get("layer_second_rows"), state.get("layer_second_width")


def second_ids() -> tuple[int, ...]:
    """Return the ids that are looked up in the second layer."""
    return read_ids(str(state.get("layer_second_ids")), state.get("layer_second_rows"))[0]


def rows_table(table: Tensor, ids: tuple[int, ...]) -> dict[str, list[str]]:
    """Write a table's rows with four decimals, the picked ones marked, their first dimensions only."""
    picked = _("looked up")
    columns = {_("row"): [str(row) for row in range(len(table))]}
    columns[picked] = [_("← yes") if row in ids else "" for row in range(len(table))]
    for column in range(min(8, table.shape[1])):
        columns[str(column)] = [f"{value:.4f}".replace("-", "−") for value in table[:, column].tolist()]
    return columns
