"""Every scheme's answer, and what the causal mask alone lets one and two layers see."""

from dataclasses import replace
from functools import partial

import streamlit as st

from embedlib.figures import bars_figure
from embedlib.positional import SCHEMES
from ui.export import chart
from ui.i18n import _, ngettext
from ui.settings import rules
from ui.shared.page import current_theme
from ui.word_order.request import Request, encoder_controls
from ui.word_order.results import (
    Result,
    all_results,
    changes_csv,
    is_reversed,
    mask_csv,
    result_of,
    same_bag,
    tokens_of,
)


def which_schemes_tell(request: Request) -> None:
    """Draw a bar for each scheme, and a table with what it does to the rows."""
    st.header(_("Which schemes tell the two apart"))
    st.write(f"{_encoder(request)} {_pooled(request)}")
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
        names=[
            _("{scheme}, untrained").format(scheme=title) if result.trained else title
            for title, result in ((_(SCHEMES[name].title), result) for name, result in results.items())
        ],
        said=[said(value) for value in values],
        x_title=_("relative change of the output"),
        theme=current_theme(),
        hover_text=_("{name}\n{value}"),
    )
    told = sum(bool(value) for value in values)
    alt = _("{told} of {count} schemes change the output, by up to {highest:.1%}; {zeros} leave it exactly as it is.")
    alt = alt.format(
        told=told, count=len(values), highest=max(value or 0.0 for value in values), zeros=values.count(0.0)
    )
    title = _("How much the output changes with the order of the words")
    chart("changes", draw, alt=alt, table=lambda: changes_csv(results), name="word-order-changes", title=title)
    st.caption(
        _(
            "Relative change: how far the output moves, in lengths of the first sentence’s output. Only whether it is "
            "0 is a fact about a scheme. How large it is comes from random weights and, where a scheme is marked as "
            "untrained, from random parameters: it is no ranking."
        )
    )


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


def _encoder(request: Request) -> str:
    return ngettext(
        "A small encoder with random weights (seed {seed}, one head, float64) reads both sentences.",
        "A small encoder with random weights (seed {seed}, {heads} heads, float64) reads both sentences.",
        request.heads,
    ).format(seed=request.seed, heads=request.heads)


def _pooled(request: Request) -> str:
    """Say which vector stands for a sentence: under the mask another one than without."""
    if request.causal:
        return _(
            "Behind each stands one row more, the same random one for both, as a decoder’s end-of-text token: under "
            "the mask it alone sees all tokens, and its output is compared. How much does that change?"
        )
    return _("The mean of all its output rows is compared. How much does that change?")


def _table(request: Request, found: dict[str, Result | None]) -> None:
    st.write(
        _(
            "**Schemes that add rows change the vectors that go in; the others leave them the same and let the order "
            "in only inside attention.**"
        )
    )
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
    st.caption(
        _(
            "Bag of rows: the vectors that go into the encoder, without their order; it is the same where every vector "
            "of one sentence is also one of the other. Output: how much what comes out changes."
        )
    )


def _bag(shared: int, count: int) -> str:
    if shared == count:
        return _("the same")
    return _("differs: {shared} of {count} rows in both").format(shared=shared, count=count)


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
        theme=current_theme(),
        hover_text=_("{name}\n{value}"),
    )
    alt = ". ".join(f"{name}: {said(change)}" for name, change in zip(names, changes.values(), strict=True))
    if not same_bag(request):
        st.caption(_("The two do not hold the same tokens, which is why nothing is 0 here: choose a pair that does."))
    title = _("Without positions: what the causal mask sees")
    chart("mask", draw, alt=alt, table=lambda: mask_csv(changes), name="word-order-mask", title=title)


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
