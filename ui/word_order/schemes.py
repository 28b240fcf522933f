"""Every scheme's outcome, and what the causal mask alone lets one and two layers see."""

import streamlit as st

from embedlib.positional import SCHEMES
from ui.components.browser import comes_near
from ui.export import download
from ui.i18n import _, ngettext
from ui.settings import rules
from ui.shared.schemes import title_of
from ui.word_order.request import Request
from ui.word_order.results import (
    Result,
    all_results,
    changes_csv,
    is_reversed,
    mask_changes,
    mask_csv,
    same_bag,
    tokens_of,
)


def scheme_outcomes(request: Request) -> None:
    """Say under which schemes the output depends on the order, in a sentence and in a table."""
    st.header(_("Output by scheme"))
    results = all_results(request)
    st.write(_summary(request, results))
    _table(request, results)
    encoder = ngettext(
        "A small encoder with random weights (seed {seed}, {heads} head) reads both sentences.",
        "A small encoder with random weights (seed {seed}, {heads} heads) reads both sentences.",
        request.heads,
    ).format(seed=request.seed, heads=request.heads)
    sizes = _("Percentages come from random weights: only “unchanged” tells schemes apart.")
    st.caption(f"{encoder} {_compared(request)} {sizes}")
    for name, result in results.items():
        if result is None:
            st.caption(rules.broken_scheme_rule(name, d_model=request.d_model, n_heads=request.heads))
    there = {name: result for name, result in results.items() if result is not None}
    download(_("Numbers (CSV)"), lambda: changes_csv(there), "word-order-changes.csv")


def change_written(change: float | None) -> str:
    """Write a change as a percentage, or why there is none, as markdown."""
    if change is None:
        return _("needs causal mask")
    if change == 0:
        return _("**unchanged**")
    return _("changes, {percent}").format(percent=f"{change:.1%}" if change >= 0.01 else f"{max(change, 1e-4):.2%}")


def _summary(request: Request, results: dict[str, Result | None]) -> str:
    blind = [title_of(name) for name, result in results.items() if result is not None and result.change == 0]
    if not same_bag(request):
        return _("The tokens differ, so a changed output says nothing about order.")
    if not blind:
        return _("The output changes under every scheme.")
    sentence = _("**Same output for both orders:** {schemes}. {count} schemes change it.")
    changed = sum(bool(result and result.change) for result in results.values())
    sentence = sentence.format(schemes=", ".join(blind), count=changed)
    if is_reversed(request) and len(blind) > 1:
        sentence += " " + _("A reversal keeps every distance, so a bias by distance alone cannot detect it.")
    return sentence


def _compared(request: Request) -> str:
    """Say which vector stands for a sentence: under the mask another one than without."""
    if request.causal:
        return _("The output at the end row, which sees all tokens, is compared.")
    return _("The mean of the output rows is compared.")


def _table(request: Request, results: dict[str, Result | None]) -> None:
    count = max(len(tokens) for tokens in tokens_of(request))
    places = {
        "embedding": _("rows"),
        "query_key": _("queries, keys"),
        "score": _("logits"),
        "content": _("logits by content"),
    }
    rows: dict[str, list[str]] = {_("Scheme"): [], _("Acts on"): [], _("Input rows"): [], _("Output"): []}
    scheme_cells, place_cells, row_cells, output_cells = rows.values()
    for name, result in results.items():
        untrained = result is not None and result.untrained
        scheme_cells.append(_("{scheme}, untrained").format(scheme=title_of(name)) if untrained else title_of(name))
        place_cells.append(", ".join(text for place, text in places.items() if place in SCHEMES[name].acts_on) or "–")
        row_cells.append("–" if result is None else _rows_written(result.shared, count))
        output_cells.append("–" if result is None else change_written(result.change))
    st.table(rows, border="horizontal", hide_index=True, alt=_("Output by scheme"))


def _rows_written(shared: int, count: int) -> str:
    return _("same") if shared == count else _("{shared} of {count} same").format(shared=shared, count=count)


def causal_mask(request: Request) -> None:
    """Show the encoder without positions four times: one and two layers, with and without the mask."""
    st.header(_("Order without positions: the causal mask"))
    if not comes_near("order-mask", height=230):
        return
    st.write(
        _(
            "Under the mask a row reads only earlier tokens. From the second layer on, the rows it reads depend on "
            "the order, so the output does too, even without positions."
        )
    )
    changes = mask_changes(request)
    depths = {layers: ngettext("{count} layer", "{count} layers", layers).format(count=layers) for layers in (1, 2)}
    rows = {
        _("No positions"): list(depths.values()),
        _("No mask"): [change_written(changes[layers, False]) for layers in depths],
        _("Causal mask"): [change_written(changes[layers, True]) for layers in depths],
    }
    st.table(rows, border="horizontal", hide_index=True, alt=_("Order without positions: the causal mask"))
    download(_("Numbers (CSV)"), lambda: mask_csv(changes), "word-order-mask.csv")
