"""Without any positions: what the causal mask alone lets one and two layers see."""

from dataclasses import replace
from functools import partial

import streamlit as st

from embedlib.figures.bars import bars_figure
from embedlib.figures.layout import CONFIG
from ui.export.take_along import take_along
from ui.i18n import _, ngettext
from ui.shared import theme
from ui.word_order.request import Request
from ui.word_order.results import result_of, same_bag
from ui.word_order.schemes import said
from ui.word_order.tables import mask_csv


def what_the_mask_sees(request: Request) -> None:
    """Show the encoder without positions four times: one and two layers, with and without the mask."""
    st.header(_("No positions at all: what the causal mask sees"))
    st.write(
        _(
            "With the mask, each row mixes the rows up to its own. The row that is added at the end is the same for "
            "both sentences, and its output is what is compared: in one layer it mixes all tokens, a bag in any order. "
            "In the second layer the rows that it mixes have themselves seen different beginnings, so the order shows. "
            "Without the mask every layer sees one bag, and the mean of its outputs is compared."
        )
    )
    changes = _changes(request)
    names = [_named(layers, causal=causal) for layers, causal in changes]
    draw = partial(
        bars_figure,
        list(changes.values()),
        names=names,
        said=[said(change) for change in changes.values()],
        x_title=_("relative change of the output, without positions"),
        theme=theme.current(),
        hover_text=_("{name}\n{value}"),
    )
    alt = ". ".join(f"{name}: {said(change)}" for name, change in zip(names, changes.values(), strict=True))
    if not same_bag(request):
        st.caption(_("The two do not hold the same tokens, which is why nothing is 0 here: choose a pair that does."))
    st.plotly_chart(draw(), key="mask", alt=alt, theme=None, config=CONFIG)
    title = _("Without positions: what the causal mask sees")
    take_along("word-order-mask", table=lambda: mask_csv(changes), figure=lambda: draw(title=title))


def _changes(request: Request) -> dict[tuple[int, bool], float | None]:
    """Ask the encoder without positions; the keys are its layers and whether it has the mask."""
    found: dict[tuple[int, bool], float | None] = {}
    for causal in (False, True):
        for layers in (1, 2):
            result = result_of(replace(request, layers=layers, causal=causal), "none", ())
            found[layers, causal] = None if result is None else result.change
    return found


def _named(layers: int, *, causal: bool) -> str:
    depth = ngettext("{count} layer", "{count} layers", layers).format(count=layers)
    return (_("{depth}, causal mask") if causal else _("{depth}, no mask")).format(depth=depth)
