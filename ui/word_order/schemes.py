"""Every scheme's answer: whether the bag of rows is still the same, and whether the output changes."""

from functools import partial

import streamlit as st

from embedlib.figures.bars import bars_figure
from embedlib.figures.layout import CONFIG
from embedlib.positional import SCHEMES
from ui import rules, theme
from ui.i18n import _
from ui.take_along import take_along
from ui.word_order.request import Request, encoder_controls
from ui.word_order.results import Result, all_results, is_reversed, same_bag, tokens_of
from ui.word_order.tables import changes_csv


def which_schemes_tell(request: Request) -> None:
    """Draw a bar for each scheme, and a table with what it does to the rows."""
    st.header(_("Which schemes tell the two apart"))
    st.write(
        _(
            "A small encoder with random weights (seed {seed}, {heads} heads, float64) reads both sentences and pools "
            "what comes out. How much does its output change?"
        ).format(seed=request.seed, heads=request.heads)
    )
    encoder_controls()
    found = all_results(request)
    st.write(_summary(request, found))
    _bars({name: result for name, result in found.items() if result is not None})
    _table(request, found)
    for name, result in found.items():
        if result is None:
            st.caption(rules.broken_scheme_rule(name, d_model=request.d_model, n_heads=request.heads))


def _bars(results: dict[str, Result]) -> None:
    values = [result.change for result in results.values()]
    draw = partial(
        bars_figure,
        values,
        names=[_(SCHEMES[name].title) for name in results],
        said=[said(value) for value in values],
        x_title=_("relative change of the output"),
        theme=theme.current(),
        hover_text=_("{name}\n{value}"),
    )
    told = sum(bool(value) for value in values)
    alt = _("{told} of {count} schemes change the output, by up to {highest:.1%}; {zeros} leave it exactly as it is.")
    alt = alt.format(
        told=told, count=len(values), highest=max(value or 0.0 for value in values), zeros=values.count(0.0)
    )
    st.plotly_chart(draw(), key="changes", alt=alt, theme=None, config=CONFIG)
    title = _("How much the output changes with the order of the words")
    take_along("word-order-changes", table=lambda: changes_csv(results), figure=lambda: draw(title=title))


def said(change: float | None) -> str:
    """Say a change in words: its number, that it is none, or that there is no answer."""
    if change is None:
        return _("defined with the causal mask only")
    if change == 0:
        return _("0: cannot tell them apart")
    return _("{change:.1%}").format(change=change) if change >= 1e-3 else _("{change:.1e}").format(change=change)


def _summary(request: Request, found: dict[str, Result | None]) -> str:
    blind = [_(SCHEMES[name].title) for name, result in found.items() if result is not None and result.change == 0]
    if not same_bag(request):
        return _("The tokens differ, so every output differs: these bars measure other tokens as well as other places.")
    if not blind:
        return _("Every scheme tells the two apart.")
    sentence = _("**Blind to this change of order:** {schemes}.").format(schemes=", ".join(blind))
    if is_reversed(request) and len(blind) > 1:
        sentence += " " + _(
            "This is a reversal: every two tokens keep their distance, and only which comes first changes. A bias by "
            "the distance alone cannot see that."
        )
    return sentence


def _table(request: Request, found: dict[str, Result | None]) -> None:
    count = max(len(tokens) for tokens in tokens_of(request))
    places = {
        "embedding": _("rows"),
        "query_key": _("queries and keys"),
        "score": _("logits"),
        "content": _("logits, reading content"),
    }
    rows: dict[str, list[str]] = {_("Scheme"): [], _("Acts on"): [], _("Bag of rows"): [], _("Output"): []}
    scheme_cells, place_cells, bag_cells, output_cells = rows.values()
    for name, result in found.items():
        scheme_cells.append(_(SCHEMES[name].title))
        place_cells.append(", ".join(text for place, text in places.items() if place in SCHEMES[name].acts_on) or "–")
        bag_cells.append("–" if result is None else _bag(result.shared, count))
        output_cells.append(_("not in these sizes") if result is None else said(result.change))
    st.table(rows, border="horizontal", hide_index=True, alt=_("What each scheme makes of the two sentences."))


def _bag(shared: int, count: int) -> str:
    if shared == count:
        return _("the same")
    return _("differs: {shared} of {count} rows in both").format(shared=shared, count=count)
